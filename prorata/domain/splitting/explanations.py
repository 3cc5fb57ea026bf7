"""The step-by-step calculation of a household's part of a bill line, for checking by hand.

It is computed from the same facts as the charge itself, and by the same functions, so that the explanation always
matches the charge.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from prorata.domain.locale_forms import FORMER, PLAIN
from prorata.domain.money import beyond_rounding, exact_sum
from prorata.domain.splitting.divided_months import share_in_words
from prorata.domain.splitting.division import Layer, Piece, Shares, blend_amounts, divide
from prorata.domain.splitting.month_facts import Line, MonthFacts
from prorata.domain.splitting.planned_charges import PlannedCharge, about_bill, charge_type
from prorata.domain.splitting.share_rules import Rule
from prorata.domain.splitting.split_methods import SPLIT_METHODS
from prorata.domain.splitting.stays import NOBODY, LineDays, Presence, UnitDays, people_there, units_on

_HUNDRED = Fraction(100)


class Step(NamedTuple):
    """One step of an explanation, by one method.

    `amount` cents × `part` ÷ `whole` = `unit_share` cents for the unit. Of the unit's days, `days` of `of_days`
    are the household's, which gives the household's `share` in cents.

    In a blend, the step divides only `percent` of the line; `amount` is that part of the line. `known` is False if
    the method needs a measure of the unit that nobody has entered. If `whole` is 0, no unit has any of the
    measure, and the owner bears the amount. `amount_cents`, `unit_cents` and `cents` are the cents by which a
    result is more (positive) or less (negative) than plain rounding would give. If units were active on different
    numbers of days (`by_days`), `part` is `measure` × the `active` days, out of `service` days. A rule may assume
    people in vacant units: `assumed` are these people's person-days, which `whole` includes. If `assumed_here` is
    set, all of this unit's person-days are assumed. If the rule `leaves_vacant_out`, vacant days count for nobody,
    and the other units pay for them.
    """

    split_method: str
    percent: Fraction | None
    amount: int
    part: Fraction
    whole: Fraction
    known: bool
    unit_share: int
    unit_cents: int
    days: Fraction
    of_days: Fraction
    share: int
    cents: int
    by_days: bool = False
    measure: Fraction = Fraction()
    active: int = 0
    service: int = 0
    assumed: Fraction = Fraction()
    assumed_here: bool = False
    leaves_vacant_out: bool = False
    people: tuple[tuple[int, int], ...] = ()
    """The numbers of people and of days, if the split method counts people.

    Each pair tells how many members of the household lived there on how many days.
    """
    has_moving_day: bool = False
    """True if a day counts for two households of the unit."""
    amount_cents: int = 0

    @property
    def is_divided(self) -> bool:
        """True if the unit's share is divided between the household and others, or vacant days."""
        return self.days != self.of_days


class Explanation(NamedTuple):
    """The explanation of a household's part of `line`.

    `owner` is the owner's part in cents. `owner_percent` is the percentage of the line that the owner bears before
    the rest is divided. `days` are the line's service days; `yours` are those on which the household was there, or
    None if there are none or they are unknown. `of` are the household's tenants, if known.
    """

    line: Line
    steps: tuple[Step, ...]
    owner_percent: Fraction
    owner: int
    days: LineDays
    yours: LineDays | None
    of: tuple[str, ...] = ()

    @property
    def share(self) -> int:
        """The household's part of the bill line, in cents."""
        return sum(step.share for step in self.steps)

    @property
    def method(self) -> tuple[Fraction, tuple[tuple[str, Fraction | None], ...]]:
        """The owner's percentage, and the split methods with their percentages in a blend."""
        return self.owner_percent, tuple((step.split_method, step.percent) for step in self.steps)

    @property
    def part(self) -> Fraction | None:
        """The unit's part of the whole.

        It is None for a blend, and if units were active on different numbers of days.
        """
        if len(self.steps) > 1 or self.steps[0].by_days or not self.steps[0].whole:
            return None
        return Fraction(self.steps[0].part, self.steps[0].whole)


class _Found(NamedTuple):
    """The household and the unit to which a charge of a divided line belongs."""

    shares: Shares
    rule: Rule
    at: int
    unit: UnitDays
    units: list[UnitDays]
    who: Presence | None
    """The household, even if it was there on no day.

    None if nobody was there, and the unit's whole part is meant.
    """

    def share_of(self, layer: Layer) -> int:
        """Return the household's part of the amount that one method divides, in cents."""
        its = layer.shares[self.at]
        if self.who is None:
            return its.part
        return its.households[self.unit.present.index(self.who)] if self.who in self.unit.present else 0


def explain(facts: MonthFacts, unit_id: str, charge: PlannedCharge, tenant_id: str | None = None) -> Explanation | None:
    """Explain a charge of a unit's household from the month's facts; None if impossible.

    A charge is explained only if the facts reproduce it as stored, both amount and sentence, possibly in older
    wording. An explanation is therefore either correct or missing. If several households of the unit have the same
    charge, the household of `tenant_id` is explained.
    """
    line = facts.line(charge.bill_id, charge.line)
    if line is None or line.utility_type is None or charge.utility_type != charge_type(line.utility_type):
        return None
    rule = facts.rules.get(line.utility_type)
    charged_household = _whose(facts, line, rule, unit_id, charge, tenant_id) if rule is not None else None
    if charged_household is None:
        return None
    explanation = _explained(facts, line, charged_household)
    assert explanation.share == charge.amount, "the steps sum to the charge"
    return explanation


def explain_before(facts: MonthFacts, unit_id: str, now: Explanation, charged: int) -> Explanation | None:
    """Explain what a line charged before, from the facts with which its month was closed.

    Return None if these facts give an amount other than `charged`, or if the household was not there.
    """
    line = facts.line(now.line.bill_id, now.line.number)
    rule = facts.rules.get(line.utility_type) if line and line.utility_type else None
    if line is None or rule is None or facts.is_former:
        return None
    units = units_on(facts.days_of(line), facts.units)
    shares = divide(line.amount, rule, facts.days_of(line), units)
    at = next((at for at, unit in enumerate(units) if unit.unit_id == unit_id), None)
    if at is None or not shares.units:
        return None
    for who, part in zip(units[at].present, shares.units[at].households, strict=True):
        if part == charged and not set(now.of).isdisjoint(who.household.tenant_ids):
            return _explained(facts, line, _Found(shares, rule, at, units[at], units, who))
    return None


def _explained(facts: MonthFacts, line: Line, charged_household: _Found) -> Explanation:
    days = facts.days_of(line)
    return Explanation(
        line, tuple(_steps(line.amount, days, charged_household)), charged_household.rule.owner_percent,
        charged_household.shares.owner + charged_household.shares.empty, days, _days_of(charged_household, days),
        charged_household.who.household.tenant_ids if charged_household.who else (),
    )  # fmt: skip


def _whose(
    facts: MonthFacts, line: Line, rule: Rule, unit_id: str, charge: PlannedCharge, tenant_id: str | None
) -> _Found | None:
    """Find the household for which a line's charge was made.

    The charge must match in amount and in current or older wording. The tenant's household is tried first.
    """
    days = facts.days_of(line)
    units = units_on(days, facts.units)
    shares = divide(line.amount, rule, days, units)
    at = next((at for at, unit in enumerate(units) if unit.unit_id == unit_id), None)
    if at is None or not shares.units:
        return None
    unit, its, about = units[at], shares.units[at], about_bill(line, facts.currency)
    there = list(zip(unit.present or (None,), its.households or (its.part,), strict=True))
    there.sort(key=lambda one: one[0] is None or tenant_id not in one[0].household.tenant_ids)
    for who, part in (*there, (Presence(NOBODY, 0, 0), 0)):
        reasons = (share_in_words(shares, at, unit, who, part, write) for write in (PLAIN, FORMER))
        if part == charge.amount and any(charge.description == f"{about}: {reason}" for reason in reasons):
            return _Found(shares, rule, at, unit, units, who)
    return None


def _days_of(charged_household: _Found, days: LineDays) -> LineDays | None:
    """Return the span of a line's days on which a household was there."""
    if charged_household.unit.is_former or charged_household.who is None or not charged_household.who.days:
        return None
    household = charged_household.who.household
    return LineDays(max(household.first, days.first), min(household.last, days.last))


def _steps(amount: int, days: LineDays, charged_household: _Found) -> Iterator[Step]:
    rule, layers = charged_household.rule, iter(charged_household.shares.layers)
    if not rule.blend:
        layer = next(layers)
        yield _step(layer, days, charged_household)
        return
    divides: dict[tuple[str, Fraction | None], Layer] = {
        (layer_of_method.method.code, layer_of_method.percent): layer_of_method for layer_of_method in layers
    }
    for component, part in zip(rule.blend, blend_amounts(amount, rule), strict=False):
        exact = Fraction(amount * (_HUNDRED - rule.owner_percent) * component.percent, _HUNDRED * _HUNDRED)
        cents = beyond_rounding(part, *exact.as_integer_ratio())
        divided = divides.get((component.split_method, component.percent))
        step = _owners(component.split_method, part) if divided is None else _step(divided, days, charged_household)
        yield step._replace(percent=component.percent, amount_cents=cents)


def _owners(method: str, amount: int) -> Step:
    """Build the step of a method whose measure no unit has; the owner pays."""
    nothing, whole = Fraction(), Fraction(1)
    return Step(method, None, amount, nothing, nothing, True, 0, 0, whole, whole, 0, 0)


def _step(layer: Layer, service: LineDays, charged_household: _Found) -> Step:
    at, unit, who = charged_household.at, charged_household.unit, charged_household.who
    piece: Piece = charged_household.shares.piece(layer, at, unit, None)
    days, of_days = Fraction(1), Fraction(1)
    if who is not None and not unit.is_former:
        if layer.method.counts_people:
            days, of_days = Fraction(who.person_days), layer.products[at] or Fraction(1)
        else:
            days, of_days = Fraction(who.days), Fraction(unit.days)
    its = layer.shares[at]
    share = charged_household.share_of(layer)
    step = Step(
        layer.method.code, layer.percent, layer.amount, piece.part, piece.whole, piece.known,
        its.part, beyond_rounding(its.part, layer.amount * layer.weights[at], layer.whole),
        days, of_days, share, beyond_rounding(share, *Fraction(its.part * days, of_days).as_integer_ratio()),
        piece.by_days, piece.measure, piece.active, piece.service, has_moving_day=unit.days > unit.active,
    )  # fmt: skip
    if not SPLIT_METHODS[layer.method.code].counts_people:
        return step
    assumed = exact_sum(
        [charged_household.rule.vacant_occupants * unit_days.empty for unit_days in charged_household.units]
    )
    stays = () if who is None or unit.is_former else who.household.stays
    there = people_there(service, stays)
    left_out = charged_household.rule.leaves_vacant_out and any(each.empty for each in charged_household.units)
    return step._replace(
        assumed=assumed, assumed_here=unit.is_vacant and bool(piece.part), leaves_vacant_out=left_out, people=there
    )
