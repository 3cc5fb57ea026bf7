"""One bill line, the rule of its utility type, and the units that take part → a part for each, and the owner's.

Every function here is pure and exact: the parts and the owner's part sum to the line, to the cent.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from prorata.domain.billing_calendar import Month
from prorata.domain.labels import natural_order
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.money import apportion, beyond_rounding, exact_sum, joined, whole_numbers
from prorata.domain.splitting.share_rules import Rule
from prorata.domain.splitting.split_methods import PERCENTAGE, SPLIT_METHODS, Participant

_HUNDRED = Fraction(100)
_NOTHING = Fraction()


class Division(NamedTuple):
    """How a line was divided: `parts` in the order of the participants, `reasons` why each is what it is, and the
    owner's part. Empty parts: no rule divides it, and the whole line is the owner's.
    """

    parts: tuple[int, ...]
    reasons: tuple[str, ...]
    owner: int
    missing: tuple[str, ...] = ()
    """Unit ids whose measure the method needed and nobody has entered."""
    weights: tuple[int, ...] = ()
    whole: int = 0
    """Each part's exact share of the amount is its weight of the whole."""

    def cents(self, amount: int, at: int) -> int:
        """By how many cents a part of the amount is more, or less, than its exact share rounded."""
        return beyond_rounding(self.parts[at], amount * self.weights[at], self.whole)


def in_tie_order(participants: Sequence[Participant]) -> tuple[Participant, ...]:
    """The order in which equal fractions get their cent: label in natural order, then id
    (docs/decisions.md#rounding).
    """
    return tuple(sorted(participants, key=lambda unit: (natural_order(unit.label), unit.unit_id)))


def divide(
    amount: int, rule: Rule | None, month: Month, participants: Sequence[Participant], write: Forms = PLAIN
) -> Division:
    """Divide one line of `amount` cents over `participants`, which stand in tie order, by `rule`; `write` is how the
    reasons write numbers.

    $320.10 of water by square feet over flats of 850 and 1,150 sq ft:

    >>> flats = [Participant("u1", "1", Fraction(850), 2, 31, 31), Participant("u2", "2", Fraction(1150), 3, 62, 31)]
    >>> rule = Rule("WATER", "SQFT", {}, Fraction(0), Fraction(0))
    >>> divide(320_10, rule, Month("2026-03"), flats)[:3]
    ((13604, 18406), ('850 of 2,000 sq ft', '1,150 of 2,000 sq ft'), 0)

    With no rule, no unit, or every weight zero, the whole line is the owner's:

    >>> divide(320_10, None, Month("2026-03"), flats)
    Division(parts=(), reasons=(), owner=32010, missing=(), weights=(), whole=0)
    """
    if rule is None or not participants:
        return Division((), (), amount)
    if rule.blend:
        return _divide_by_blend(amount, rule, month, participants, write)
    return divide_by_method(amount, rule.split_method, rule.owner_percent, rule, month, participants, write)


def divide_by_method(
    amount: int,
    method: str,
    owner_percent: Fraction,
    rule: Rule,
    month: Month,
    units: Sequence[Participant],
    write: Forms = PLAIN,
) -> Division:
    """Divide by one split method, after `owner_percent` of the amount for the owner."""
    by = SPLIT_METHODS[method]
    weights = [by.weigh(unit, rule, month) for unit in units]
    known = [_NOTHING if weight is None else weight for weight in weights]
    missing = tuple(unit.unit_id for unit, weight in zip(units, weights, strict=True) if weight is None)
    weighed = whole_numbers(known)
    if not any(weighed):
        return Division((), (), amount, missing)
    total = exact_sum(known)
    owner = _owner_weight(method, owner_percent, total)
    if owner:
        weighed = whole_numbers([*(weight * (_HUNDRED - owner_percent) for weight in known), owner])
    else:
        weighed.append(0)
    *parts, owners = apportion(amount, weighed)
    whole = write.number(total)
    after = f", after the owner's {write.percent(owner_percent)}" if owner_percent else ""
    said = [by.reason(write.number(weight), whole) + after for weight in known]
    reasons = tuple(
        reason if weight is not None else f"{by.unknown}{reason}" for reason, weight in zip(said, weights, strict=True)
    )
    assert sum(parts) + owners == amount, "no cent is lost or made"
    return Division(tuple(parts), reasons, owners, missing, tuple(weighed[:-1]), sum(weighed))


def _owner_weight(method: str, owner_percent: Fraction, total: Fraction) -> Fraction:
    """The owner's weight beside units of `total` weight, each counted (100 − ownerPercent) times: the owner's percent
    of everything, and what nobody has of the rest (PERCENTAGE).
    """
    nobodys = _HUNDRED - total if method == PERCENTAGE else _NOTHING
    return owner_percent * (total + nobodys) + nobodys * (_HUNDRED - owner_percent)


def blend_amounts(amount: int, rule: Rule) -> list[int]:
    """What each component of a blend divides, and last the owner's percent."""
    left = _HUNDRED - rule.owner_percent
    weights = [*(component.percent * left for component in rule.blend), rule.owner_percent * _HUNDRED]
    return apportion(amount, whole_numbers(weights))


def _divide_by_blend(amount: int, rule: Rule, month: Month, units: Sequence[Participant], write: Forms) -> Division:
    """The owner's percent and the blend's percents divide the amount first, then each part by its own method."""
    *amounts, owner = blend_amounts(amount, rule)
    sums = [0] * len(units)
    said: list[list[str]] = [[] for _ in units]
    missing: dict[str, None] = {}
    weighed: list[tuple[Fraction, Sequence[int], int]] = []
    for component, part in zip(rule.blend, amounts, strict=True):
        division = divide_by_method(part, component.split_method, _NOTHING, rule, month, units, write)
        owner += division.owner
        missing |= dict.fromkeys(division.missing)
        for at, (share, reason) in enumerate(zip(division.parts, division.reasons, strict=True)):
            sums[at] += share
            said[at].append(f"{write.percent(component.percent)} by {reason}")
        if division.parts:
            of_all = Fraction(component.percent * (_HUNDRED - rule.owner_percent), _HUNDRED * _HUNDRED)
            weighed.append((of_all, division.weights, division.whole))
    if not any(said):
        return Division((), (), amount, tuple(missing))
    after = f", after the owner's {write.percent(rule.owner_percent)}" if rule.owner_percent else ""
    assert sum(sums) + owner == amount, "no cent is lost or made"
    reasons = tuple("; ".join(reasons) + after for reasons in said)
    return Division(tuple(sums), reasons, owner, tuple(missing), *joined(weighed))
