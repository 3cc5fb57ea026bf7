"""How one unit's part of a bill line came about, step by step, so that a person can follow it with a pencil.

Computed from the same facts as the charge itself, and by the same functions: what is explained is what is charged.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from prorata.domain.billing_calendar import Month
from prorata.domain.locale_forms import FORMER, PLAIN
from prorata.domain.money import beyond_rounding, exact_sum
from prorata.domain.splitting.allocation import Division, blend_amounts, divide, divide_by_method
from prorata.domain.splitting.invoicing import PlannedCharge, about_bill, charge_of
from prorata.domain.splitting.month_facts import Line, MonthFacts
from prorata.domain.splitting.share_rules import Rule
from prorata.domain.splitting.split_methods import PERCENTAGE, SPLIT_METHODS, Participant, is_assumed

_HUNDRED = Fraction(100)


class Step(NamedTuple):
    """`amount` cents × `part` ÷ `whole` = `share` cents, by one method.

    In a blend `percent` of the line is what this step divides, and `amount` is what that comes to. `known` is False
    where the method needs a measure of the unit that nobody has entered. A `whole` of 0: no unit has any of it, and the
    amount is the owner's. `cents` is what the share has more (1) or less (−1) than plain rounding would give, and
    `amount_cents` what the amount has. `assumed` is how much of the whole is nobody's days, but those of people the
    rule assumes in vacant units; `assumed_here` where this unit is one of them.
    """

    split_method: str
    percent: Fraction | None
    amount: int
    part: Fraction
    whole: Fraction
    known: bool
    share: int
    cents: int
    assumed: Fraction = Fraction()
    assumed_here: bool = False
    amount_cents: int = 0


class Explanation(NamedTuple):
    """Why a unit is charged its part of `line`. `owner` is the owner's part by the share rule, in cents, of which
    `owner_percent` came off before the rest was divided.
    """

    line: Line
    steps: tuple[Step, ...]
    owner_percent: Fraction
    owner: int

    @property
    def share(self) -> int:
        """The unit's part, in cents."""
        return sum(step.share for step in self.steps)


def explain(facts: MonthFacts, unit_id: str, charge: PlannedCharge) -> Explanation | None:
    """How a unit's charge came about, from the facts of its month; None where these facts give another charge.

    A charge is explained only when the facts give it back as it is stored, amount and sentence, be that in the words of
    before: an explanation is right, or it is not there.
    """
    key = charge.bill_id, charge.line
    line = next((line for line in facts.lines if (line.bill_id, line.number) == key), None)
    at = next((at for at, unit in enumerate(facts.participants) if unit.unit_id == unit_id), None)
    if line is None or at is None or line.utility_type is None:
        return None
    rule = facts.rules.get(line.utility_type)
    division = divide(line.amount, rule, facts.month, facts.participants)
    if rule is None or not division.parts or not _is_charge(charge, line, facts, division, at):
        return None
    found = Explanation(
        line,
        _steps(line.amount, rule, facts.month, facts.participants, at),
        rule.owner_percent,
        division.owner,
    )
    assert found.share == charge.amount, "the steps sum to the charge"
    return found


def _is_charge(charge: PlannedCharge, line: Line, facts: MonthFacts, division: Division, at: int) -> bool:
    """Whether a charge is that of a line, in the words of now or of before."""
    about = about_bill(line, facts.currency)
    if charge == charge_of(line, about, division, at, PLAIN):
        return True
    former = divide(line.amount, facts.rules.get(line.utility_type or ""), facts.month, facts.participants, FORMER)
    return charge == charge_of(line, about, former, at, FORMER)


def _steps(amount: int, rule: Rule, month: Month, units: Sequence[Participant], at: int) -> tuple[Step, ...]:
    if not rule.blend:
        return (_step(rule.split_method, None, amount, rule.owner_percent, rule, month, units, at),)
    *amounts, _ = blend_amounts(amount, rule)
    steps = []
    for component, part in zip(rule.blend, amounts, strict=True):
        step = _step(component.split_method, component.percent, part, Fraction(), rule, month, units, at)
        exact = Fraction(amount * (_HUNDRED - rule.owner_percent) * component.percent, _HUNDRED * _HUNDRED)
        steps.append(step._replace(amount_cents=beyond_rounding(part, *exact.as_integer_ratio())))
    return tuple(steps)


def _step(
    method: str,
    percent: Fraction | None,
    amount: int,
    owner_percent: Fraction,
    rule: Rule,
    month: Month,
    units: Sequence[Participant],
    at: int,
) -> Step:
    weights = [SPLIT_METHODS[method].weigh(unit, rule, month) for unit in units]
    part = weights[at] or Fraction()
    whole = _HUNDRED if method == PERCENTAGE else exact_sum([weight or Fraction() for weight in weights])
    division = divide_by_method(amount, method, owner_percent, rule, month, units)
    share = division.parts[at] if division.parts else 0
    cents = division.cents(amount, at) if division.parts else 0
    step = Step(method, percent, amount, part, whole, weights[at] is not None, share, cents)
    if not SPLIT_METHODS[method].assumes_people:
        return step
    vacant = [is_assumed(unit, rule) for unit in units]
    assumed = [weight or Fraction() for weight, is_vacant in zip(weights, vacant, strict=True) if is_vacant]
    return step._replace(assumed=exact_sum(assumed), assumed_here=vacant[at])
