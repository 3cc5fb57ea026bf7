"""A lease's utility terms: each utility's rule, the rule's first month, and an example.

The example is the average bill (docs/decisions.md#what-the-lease-says), divided and explained by the same code as
a charge.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from prorata.domain.billing_calendar import Month, first_day, month_of, months_back
from prorata.domain.locale_forms import PLAIN
from prorata.domain.money import beyond_rounding
from prorata.domain.splitting.divided_months import divided_month, share_in_words
from prorata.domain.splitting.explanations import Explanation, explain
from prorata.domain.splitting.month_facts import Line, MonthFacts
from prorata.domain.splitting.planned_charges import PlannedCharge
from prorata.domain.splitting.rule_versions import ALWAYS
from prorata.domain.splitting.share_rules import Rule, equally, used_terms
from prorata.domain.splitting.stays import Household, UnitFacts, households_of
from prorata.domain.utility_names import UTILITY_TYPES

MONTHS_OF_AVERAGE = 12
"""The number of billing months in an average: the day's month and the months before."""
_BILL = "average"

Versions = Mapping[str, Rule | None]
"""A utility's rule versions, by the month from which each is in force.

A version of None means that no rule divides the utility's bills.
"""


class Average(NamedTuple):
    """The average `amount` of a utility's bills in whole cents, and the number of `bills`."""

    amount: int
    bills: int


class Example(NamedTuple):
    """A household's part of the average bill; if `people` is 0, the unit is vacant."""

    label: str
    people: int
    explanation: Explanation


class Dated(NamedTuple):
    """A rule and its first month; if there is no rule, the owner bears everything."""

    since: str
    rule: Rule | None


class UtilityTerms(NamedTuple):
    """A utility's rule versions: the current one, the one `before` it, and later ones.

    If no bill is in the months of the average, there is neither an average nor an example.
    """

    utility_type: str
    now: Dated
    before: Dated | None
    later: tuple[Dated, ...]
    average: Average | None
    example: Example | None

    @property
    def is_used(self) -> bool:
        """True if there is an average bill, or a rule that a person made.

        Without a person's rule, a utility is divided equally, or its rule was only switched off.
        """
        rule = self.now.rule
        is_made = rule is not None and used_terms(rule) != used_terms(equally(self.utility_type))
        return bool(self.average or self.before or self.later) or is_made


class LeaseTerms(NamedTuple):
    """The terms of all utilities of a property, as of a day."""

    day: date
    currency: str
    utilities: tuple[UtilityTerms, ...]

    @property
    def first_month(self) -> Month:
        """The first billing month whose bills are included in the averages."""
        return months_of_average(self.day)[0]

    def only(self, chosen: Collection[str]) -> "LeaseTerms":
        """Return the terms of the chosen utilities; if none is chosen, of those in use.

        If no utility is in use yet, the terms of all utilities are returned.
        """
        utilities = [one for one in self.utilities if one.utility_type in chosen or (not chosen and one.is_used)]
        return self._replace(utilities=tuple(utilities)) if utilities else self


def months_of_average(day: date) -> tuple[Month, ...]:
    """List the billing months of a day's averages, earliest first.

    >>> months = months_of_average(date(2026, 3, 15))
    >>> months[0], months[-1], len(months)
    ('2025-04', '2026-03', 12)
    """
    return tuple(months_back(month_of(day), number) for number in reversed(range(MONTHS_OF_AVERAGE)))


def average_of(amounts: Iterable[tuple[str, int]]) -> Average | None:
    """Average the bills of one utility, given the bill and cents of each line.

    The lines of a bill are added up first.

    >>> average_of([("b1", 100_00), ("b1", 50_00), ("b2", 100_01)])
    Average(amount=12501, bills=2)
    >>> average_of([]) is None
    True
    """
    of_bills: dict[str, int] = {}
    for bill, cents in amounts:
        of_bills[bill] = of_bills.get(bill, 0) + cents
    if not of_bills:
        return None
    return Average(-beyond_rounding(0, sum(of_bills.values()), len(of_bills)), len(of_bills))


def lease_terms(
    day: date,
    currency: str,
    rules: Mapping[str, Versions],
    units: Sequence[UnitFacts],
    lines: Iterable[tuple[str, str, int]],
) -> LeaseTerms:
    """Build the utility terms as of a day.

    `rules` maps utility types to rule versions. `units` must be in tie order. `lines` are all lines
    of each bill that is billed, even if only in part, in the months of the average, each as utility type, bill id and
    cents.
    """
    amounts: dict[str, list[tuple[str, int]]] = {}
    for kind, bill, cents in lines:
        amounts.setdefault(kind, []).append((bill, cents))
    there = standing_on(day, units)
    return LeaseTerms(
        day,
        currency,
        tuple(
            _of_utility(
                kind, rules.get(kind) or {ALWAYS: None}, average_of(amounts.get(kind, ())), day, currency, there
            )
            for kind in UTILITY_TYPES
        ),
    )


def _of_utility(
    kind: str, versions: Versions, average: Average | None, day: date, currency: str, there: Sequence[UnitFacts]
) -> UtilityTerms:
    month = month_of(day)
    its = changes(versions)
    begun = [dated for dated in its if dated.since <= month]
    now = begun[-1] if begun else Dated(ALWAYS, None)
    before = begun[-2] if len(begun) > 1 else None
    later = tuple(its[len(begun) :])
    example = None
    if average is not None and now.rule is not None:
        example = DividedBill(average.amount, now.rule, month, currency, there).first()
    return UtilityTerms(kind, now, before, later, average, example)


def changes(versions: Versions) -> list[Dated]:
    """List the versions of a rule, without those that divide like the version before."""
    changed: list[Dated] = []
    for since in sorted(versions):
        if not changed or used_terms(versions[since]) != used_terms(changed[-1].rule):
            changed.append(Dated(since, versions[since]))
    return changed


def standing_on(day: date, units: Iterable[UnitFacts]) -> tuple[UnitFacts, ...]:
    """List the units in use on a day, for an example of a division.

    Each unit has the residents of that day, as if they had always lived there.
    """
    units_standing = []
    for unit in units:
        if (unit.active_from or day) <= day <= (unit.active_to or day):
            living = household_on(day, unit)
            stays = [stay for stay in living.stays if stay.begin <= day <= stay.end] if living else []
            there = tuple(stay._replace(first=None, last=None) for stay in stays)
            units_standing.append(unit._replace(active_from=None, active_to=None, stays=there))
    return tuple(units_standing)


def household_on(day: date, unit: UnitFacts) -> Household | None:
    """Find the household in a unit on a day, if any.

    On a moving day, the newcomer's household counts.
    """
    living = [
        household for household in households_of(unit) if household.stays and household.first <= day <= household.last
    ]
    return living[-1] if living else None


class DividedBill:
    """A bill of `amount` cents, divided by a rule among the given units."""

    def __init__(self, amount: int, rule: Rule, month: Month, currency: str, units: Sequence[UnitFacts]) -> None:
        line = Line(_BILL, 1, amount, rule.utility_type, "", first_day(month), amount)
        self._facts = MonthFacts(month, currency, (line,), {rule.utility_type: rule}, tuple(units))
        (self._line,) = divided_month(self._facts).lines

    def first(self) -> Example | None:
        """Return the example of the first occupied unit, or of a vacant one.

        Units that bear nothing are ignored; if all of them bear nothing, the result is None. The first vacant unit
        is used if all are vacant.
        """
        bearing = [at for at, share in enumerate(self._line.shares.units) if share.part]
        inhabited = [at for at in bearing if self._line.units[at].present]
        return next(map(self._example, inhabited or bearing), None)

    def of(self, unit_id: str) -> Example | None:
        """Return the example of a unit; None if the unit bears nothing."""
        units = self._line.units if self._line.shares.units else ()
        return next((self._example(at) for at, unit in enumerate(units) if unit.unit_id == unit_id), None)

    def _example(self, at: int) -> Example:
        divided, unit = self._line, self._line.units[at]
        who, part = divided.found(at, unit.present[0].household if unit.present else None)
        reason = f"{divided.about}: {share_in_words(divided.shares, at, unit, who, part, PLAIN)}"
        charge = PlannedCharge(*divided.key, divided.kind, part, reason)
        tenants = who.household.tenant_ids if who else ()
        explanation = explain(self._facts, unit.unit_id, charge, next(iter(tenants), None))
        assert explanation is not None, "what was divided just now is explained"
        people = sum(stay.occupants for stay in who.household.stays) if who else 0
        return Example(unit.label, people, explanation)
