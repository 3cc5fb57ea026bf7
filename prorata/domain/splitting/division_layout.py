"""A division of one line as a page lays it out: each unit's weight in words, its exact share and its cents, and why the
owner bears what the owner bears. The cents are those of `allocation.divide`; nothing is divided a second time.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from prorata.domain.billing_calendar import Month
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.money import exact_sum
from prorata.domain.splitting.allocation import divide
from prorata.domain.splitting.share_rules import Rule
from prorata.domain.splitting.split_methods import PERCENTAGE, SPLIT_METHODS, Participant

_HUNDRED = Fraction(100)
_NOTHING = Fraction()


class Share(NamedTuple):
    """One unit's part of a line. `weight` says it in words ("850 of 2,000 sq ft"), `exact` is the share in cents before
    it is brought to whole ones; `is_vacant` where nobody lived there in the month, and the part is the owner's cost.
    """

    unit_id: str
    label: str
    weight: str
    exact: Fraction
    cents: int
    is_vacant: bool
    is_unknown: bool


class LaidOut(NamedTuple):
    """A line laid out: a share for each unit in natural order of the labels, none where the owner bears it all."""

    shares: tuple[Share, ...]
    owner: int
    owner_exact: Fraction
    why_owner: tuple[str, ...]


def lay_out(
    amount: int, rule: Rule | None, month: Month, units: Sequence[Participant], what: str, write: Forms = PLAIN
) -> LaidOut:
    """Lay out how `amount` cents of `what` ("water") are divided over `units`, which stand in tie order.

    $100.00 of water by square feet over flats of 500 and 1,000 sq ft, after the owner's 10%:

    >>> flats = [Participant("u1", "1", Fraction(500), 1, 31, 31), Participant("u2", "2", Fraction(1000), 1, 0, 31)]
    >>> rule = Rule("WATER", "SQFT", {}, Fraction(10), Fraction(0))
    >>> shown = lay_out(100_00, rule, Month("2026-03"), flats, "water")
    >>> [(share.label, share.cents, share.is_vacant) for share in shown.shares], shown.owner, shown.why_owner
    ([('1', 3000, False), ('2', 6000, True)], 1000, ('10% of the amount is the owner’s before the rest is divided.',))
    """
    division = divide(amount, rule, month, units, write)
    why = why_owner(rule, month, units, what, write)
    if rule is None or not division.parts:
        return LaidOut((), division.owner, Fraction(amount), why)
    exact = [Fraction(amount * weight, division.whole) for weight in division.weights]
    unknown = frozenset(division.missing)
    shares = tuple(
        Share(unit.unit_id, unit.label, reason, share, part, not unit.person_days, unit.unit_id in unknown)
        for unit, reason, share, part in zip(units, division.reasons, exact, division.parts, strict=True)
    )
    return LaidOut(shares, division.owner, amount - exact_sum(exact), why)


def _weights(method: str, rule: Rule, month: Month, units: Sequence[Participant]) -> list[Fraction]:
    weigh = SPLIT_METHODS[method].weigh
    return [weigh(unit, rule, month) or _NOTHING for unit in units]


def _without_weight(method: str) -> str:
    """By what it is divided, and why no unit has any weight."""
    return f"{SPLIT_METHODS[method].by}, and {SPLIT_METHODS[method].lacked}"


def why_owner(
    rule: Rule | None, month: Month, units: Sequence[Participant], what: str, write: Forms = PLAIN
) -> tuple[str, ...]:
    """Why the owner bears a part of a line of `what`, a sentence for each reason; none where the owner bears nothing.

    >>> why_owner(None, Month("2026-03"), (), "water")
    ('No rule for water is switched on, so all of it is the owner’s.',)
    """
    if rule is None:
        return (f"No rule for {what} is switched on, so all of it is the owner’s.",)
    if not units:
        return (f"No unit takes part in {write.month(month)}, so all of it is the owner’s.",)
    said = []
    if rule.owner_percent:
        said.append(f"{write.percent(rule.owner_percent)} of the amount is the owner’s before the rest is divided.")
    if not rule.blend:
        whole = exact_sum(_weights(rule.split_method, rule, month, units))
        if not whole:
            return (f"It is divided {_without_weight(rule.split_method)}: all of it is the owner’s.",)
        if rule.split_method == PERCENTAGE and whole < _HUNDRED:
            said.append(f"{write.percent(_HUNDRED - whole)} is given to no unit, and is the owner’s.")
        return tuple(said)
    said += [
        f"{write.percent(component.percent)} is divided {_without_weight(component.split_method)}: "
        "that part is the owner’s."
        for component in rule.blend
        if not any(_weights(component.split_method, rule, month, units))
    ]
    return tuple(said)
