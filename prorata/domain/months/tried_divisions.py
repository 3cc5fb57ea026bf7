"""A month of a parallel run, with its lines divided in several ways."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property

from prorata.domain.groups import added_up
from prorata.domain.locale_forms import Forms
from prorata.domain.splitting.division import divide
from prorata.domain.splitting.month_facts import Line, MonthFacts
from prorata.domain.splitting.share_rules import Rule
from prorata.domain.splitting.split_methods import UNWEIGHTED
from prorata.domain.splitting.stays import LineDays, UnitDays, UnitFacts, of_month, units_on

Amounts = Mapping[str, int]
"""Amounts in cents by unit."""


class TriedMonth:
    """A month's billed lines and former amounts, and the ways of dividing the lines.

    `theirs` are the former program's amounts by unit. `cents` is the rounding tolerance, and `write` has the
    formats for sentences. Each division is computed when it is first needed and then kept, because the search for
    a cause combines divisions in many ways.
    """

    def __init__(self, facts: MonthFacts, theirs: Amounts, cents: int, write: Forms) -> None:
        self.facts, self.theirs, self.cents, self.write = facts, theirs, cents, write
        self.lines = [line for line in facts.lines if line.utility_type is not None]
        self.methods = UNWEIGHTED
        self._units_on: dict[tuple[LineDays, bool], Sequence[UnitDays]] = {}
        self._divided: dict[tuple[str, bool], dict[str, Amounts]] = {}

    @cached_property
    def kinds(self) -> list[str]:
        """The distinct utility types of the month's bill lines."""
        return list(dict.fromkeys(line.utility_type or "" for line in self.lines))

    @cached_property
    def ours(self) -> list[Amounts]:
        """For each line, the units' amounts under Prorata's share rules."""
        return [self.parts(line, self.facts.rules.get(line.utility_type or "")) for line in self.lines]

    @cached_property
    def today(self) -> dict[str, Amounts]:
        """For each utility, the units' amounts under Prorata's share rules."""
        return self._by_kind(self.ours)

    @cached_property
    def units_tried(self) -> dict[bool, Sequence[UnitFacts]]:
        """The sets of units among which lines are divided: all, or only occupied ones.

        The key is False for all units, and True for the occupied ones; if all units are occupied, there is no key
        True. A unit is occupied if somebody lives there on at least one day of the month.
        """
        lived_in = {
            unit.unit_id for unit in units_on(of_month(self.facts.month), self.facts.units) if not unit.is_vacant
        }
        occupied = [unit for unit in self.facts.units if unit.unit_id in lived_in]
        return {False: self.facts.units} | ({True: occupied} if len(occupied) < len(self.facts.units) else {})

    def divided(self, method: str, *, occupied: bool = False) -> dict[str, Amounts]:
        """Compute each unit's amounts, by utility, if all lines are divided by one method."""
        key = method, occupied
        if key not in self._divided:
            rule = by_method(method)
            self._divided[key] = self._by_kind([self.parts(line, rule, occupied=occupied) for line in self.lines])
        return self._divided[key]

    def parts(self, line: Line, rule: Rule | None, *, occupied: bool = False) -> Amounts:
        """Compute each unit's amount of a line under a share rule."""
        return self.charged(line.amount, rule, line.service or of_month(self.facts.month), occupied=occupied)

    def charged(self, amount: int, rule: Rule | None, days: LineDays, *, occupied: bool = False) -> Amounts:
        """Divide an amount under a rule, and return the cents on each unit's invoices.

        Amounts for vacant days of occupied units are left out. The result is empty if the amount can't be divided.
        """
        if (days, occupied) not in self._units_on:
            self._units_on[days, occupied] = units_on(days, self.units_tried[occupied])
        there = self._units_on[days, occupied]
        parts = divide(amount, rule, days, there).units
        return {
            unit.unit_id: its.part - (its.empty if its.households else 0)
            for unit, its in zip(there, parts, strict=False)
        }

    def agrees(self, *parts: Amounts, but: Sequence[Amounts] = ()) -> bool:
        """True if the sums of `parts`, less `but`, equal the former program's amounts.

        The sums are compared unit by unit, and may differ by the rounding tolerance `cents`. `but` are amounts to
        subtract.
        """
        return all(
            abs(sum(part.get(unit, 0) for part in parts) - sum(amounts.get(unit, 0) for amounts in but) - their)
            <= self.cents
            for unit, their in self.theirs.items()
        )

    def money(self, cents: int) -> str:
        """Format an amount in cents, in the property's currency."""
        return self.write.money(cents, self.facts.currency)

    def _by_kind(self, parts: Sequence[Amounts]) -> dict[str, Amounts]:
        return {
            kind: summed(part for line, part in zip(self.lines, parts, strict=True) if line.utility_type == kind)
            for kind in self.kinds
        }


def by_method(method: str) -> Rule:
    """Build a share rule with one split method, under which the owner bears no percentage."""
    return Rule("", method, {}, Fraction(), Fraction())


def summed(parts: Iterable[Amounts]) -> dict[str, int]:
    """Add up several divisions, unit by unit."""
    return added_up(of_unit for part in parts for of_unit in part.items())
