"""The amounts that each party bears in a month, by the month's facts alone.

Stored invoices are ignored.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from prorata.domain.splitting.divided_months import DividedLine, HouseholdKey, divided_month, share_in_words
from prorata.domain.splitting.month_facts import Line, MonthFacts
from prorata.domain.splitting.planned_charges import LineKey
from prorata.domain.texts import say


class Rights(NamedTuple):
    """The amounts of each line: per household, per vacant unit, and the owner's.

    They sum to the line. A unit counts as vacant if nobody lived there on any of the line's days.
    """

    of_households: Mapping[tuple[str, HouseholdKey], Mapping[LineKey, int]]
    unlived: Mapping[str, Mapping[LineKey, int]]
    owner: Mapping[LineKey, int]


class Bearers:
    """The households and owner who bear a month's amounts by current facts, with the reasons.

    This class also finds the household of any tenant, for example of a tenant with an earlier charge.
    """

    def __init__(self, facts: MonthFacts) -> None:
        divided = divided_month(facts)
        self.rights = rights_of(facts.lines, divided.entries)
        self._entries = divided.entries
        self._lines = {line.key: line for line in divided.lines}
        self._households = {
            (unit_id, tenant_id): household
            for unit_id, of_unit in divided.households.items()
            for household in of_unit
            for tenant_id in household.tenant_ids
        }

    def household_of(self, unit_id: str, tenant_id: str) -> HouseholdKey:
        """Return the household of a tenant in a unit, as sorted tenant ids.

        A tenant without a stay is a household of one.
        """
        household = self._households.get((unit_id, tenant_id))
        return (tenant_id,) if household is None else tuple(sorted(household.tenant_ids))

    def first_of(self, unit_id: str, household: HouseholdKey) -> str:
        """Return the tenant who represents a household: the first to move in."""
        its_household = self._households.get((unit_id, household[0]))
        return household[0] if its_household is None else its_household.tenant_ids[0]

    def kind(self, line: LineKey) -> str | None:
        """Return the utility type of a line's charges.

        It is None for custom charges, and for a line that is not in the month.
        """
        return self._lines[line].kind if line in self._lines else None

    def reason(self, unit_id: str, household: HouseholdKey, line: LineKey) -> str:
        """Return the reason for a household's amount of a line."""
        for entry, at in self._entries.get(unit_id, ()):
            if entry.key == line:
                if not entry.shares.units:
                    return say("no rule divides it")
                whose = self._households.get((unit_id, household[0])) if household else None
                if household and whose is None:
                    return say("no stay in the unit")
                return share_in_words(entry.shares, at, entry.units[at], *entry.found(at, whose))
        return say("the unit takes no part")


def rights(facts: MonthFacts) -> Rights:
    """Divide a month by its facts alone, ignoring stored invoices."""
    return rights_of(facts.lines, divided_month(facts).entries)


def rights_of(lines: Sequence[Line], entries_of: Mapping[str, Sequence[tuple[DividedLine, int]]]) -> Rights:
    """Sum the amounts of divided lines, separately for each party that bears them.

    `entries_of` has, for each unit, the divided lines and the unit's position in them.
    """
    of_households: dict[tuple[str, HouseholdKey], dict[LineKey, int]] = {}
    unlived: dict[str, dict[LineKey, int]] = {}
    owner = {(line.bill_id, line.number): line.amount for line in lines}
    for unit_id, entries in entries_of.items():
        for line, at in entries:
            for household in (*(there.household for there in line.units[at].present), None):
                if not (part := line.found(at, household)[1]):
                    continue
                mine = (
                    unlived.setdefault(unit_id, {})
                    if household is None
                    else of_households.setdefault((unit_id, tuple(sorted(household.tenant_ids))), {})
                )
                mine[line.key] = part
                owner[line.key] -= part
    return Rights(of_households, unlived, owner)


def regrouped(before: Rights, after: Rights) -> Rights:
    """Regroup the amounts in `before` by the households of `after`.

    An amount goes to the household that contains all members of the earlier household. If roommates came later,
    the earlier members therefore still count as the same household.
    """
    of_households: dict[tuple[str, HouseholdKey], dict[LineKey, int]] = {}
    of_units: dict[str, list[HouseholdKey]] = {}
    for unit_id, key in after.of_households:
        of_units.setdefault(unit_id, []).append(key)
    for (unit_id, key), lines in before.of_households.items():
        whole = next((its_ids for its_ids in of_units.get(unit_id, ()) if set(key) <= set(its_ids)), key)
        mine = of_households.setdefault((unit_id, whole), {})
        for line, cents in lines.items():
            mine[line] = mine.get(line, 0) + cents
    return before._replace(of_households=of_households)
