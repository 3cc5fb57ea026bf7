"""A property-month's lines, divided among units and households; the basis of invoices."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from prorata.domain.locale_forms import FORMER, PLAIN, Forms
from prorata.domain.splitting.division import Shares, divide
from prorata.domain.splitting.month_facts import MonthFacts
from prorata.domain.splitting.planned_charges import LineKey, PlannedCharge, about_bill, cents_in_words, charge_type
from prorata.domain.splitting.stays import (
    NOBODY,
    Household,
    LineDays,
    Presence,
    UnitDays,
    UnitFacts,
    among,
    households_of,
    of_month,
)

HouseholdKey = tuple[str, ...]
"""The key of a unit's household: the ids of its tenants."""


class DividedLine(NamedTuple):
    """A line divided among the units that were active on its days."""

    key: LineKey
    kind: str | None
    """The utility type of the line's charges."""
    about: str
    shares: Shares
    units: Sequence[UnitDays]
    whole: Sequence[PlannedCharge | None]
    """The charges of units that belong to one household, or nobody, on all days.

    They are computed together with those of the other units (`Shares.of_whole_units`); empty if they are not requested.
    """

    def found(self, at: int, household: Household | None) -> tuple[Presence | None, int]:
        """Find a household's days in a unit, and its part of the line in cents.

        `at` is the position of the unit. A household that was not there gets a presence of no days, and no cents.
        If `household` is None and the unit was vacant on all days, the presence is None, and the cents are the
        unit's whole part.
        """
        present = self.units[at].present
        if not self.shares.units:
            return None, 0
        share = self.shares.units[at]
        if household is None:
            return (Presence(NOBODY, 0, 0), 0) if present else (None, share.part)
        for presence, part in zip(present, share.households, strict=True):
            if presence.household is household:
                return presence, part
        return Presence(household, 0, 0), 0

    def whole_of(self, at: int, household: Household | None) -> PlannedCharge | None:
        """Return the prepared charge of a unit that one household, or nobody, had throughout.

        The result is None if no charge was prepared for the unit, or if the unit was another household's.
        """
        charge, present = self.whole[at], self.units[at].present
        return charge if charge and household is (present[0].household if present else None) else None


Entry = tuple[DividedLine, int]
"""A line to which a unit contributes, and the unit's position among the line's units."""


class DividedMonth(NamedTuple):
    """A month's divided lines, with the units that take part in them.

    `households` and `entries` map each unit's id to its households and its lines. `missing` contains a pair of
    unit id and utility type for each missing fact.
    """

    units: Mapping[str, UnitFacts]
    households: Mapping[str, tuple[Household, ...]]
    entries: Mapping[str, Sequence[Entry]]
    missing: frozenset[tuple[str, str]]
    lines: Sequence[DividedLine]


def divided_month(facts: MonthFacts, write: Forms | None = None) -> DividedMonth:
    """Divide every billed line of a month.

    If `write` is given, the charges of the units that one household, or nobody, had on all days are prepared at
    once, which is faster than writing them one by one.
    """
    units = facts.units
    of_units = {unit.unit_id: households_of(unit) for unit in units}
    entries: dict[str, list[Entry]] = {}
    lines: list[DividedLine] = []
    missing: set[tuple[str, str]] = set()
    seen: dict[LineDays, list[UnitDays]] = {}
    for line in facts.lines:
        if line.utility_type is None:
            continue
        days = line.service or of_month(facts.month)
        if days not in seen:
            seen[days] = [there for unit in units if (there := among(days, unit, of_units[unit.unit_id]))]
        shares = divide(line.amount, facts.rules.get(line.utility_type), days, seen[days])
        missing.update((unit_id, line.utility_type) for unit_id in shares.missing)
        key, kind = (line.bill_id, line.number), charge_type(line.utility_type)
        about = about_bill(line, facts.currency)
        whole = () if write is None else _of_whole_units(key, kind, about, shares, seen[days], write)
        divided = DividedLine(key, kind, about, shares, seen[days], whole)
        lines.append(divided)
        for at, unit in enumerate(seen[days]):
            entries.setdefault(unit.unit_id, []).append((divided, at))
    return DividedMonth(
        {unit.unit_id: unit for unit in units if unit.unit_id in entries}, of_units, entries, frozenset(missing), lines
    )


def _of_whole_units(
    key: LineKey, kind: str | None, about: str, shares: Shares, units: Sequence[UnitDays], write: Forms
) -> list[PlannedCharge | None]:
    return [
        None
        if reason is None
        else PlannedCharge(*key, kind, share.part, f"{about}: {reason}{_cents(cents, write) if cents else ''}")
        for (reason, cents), share in zip(shares.of_whole_units(units, write), shares.units, strict=False)
    ]


def _cents(cents: int, write: Forms) -> str:
    return "" if write is FORMER else cents_in_words(cents)


def share_in_words(
    shares: Shares, at: int, unit: UnitDays, who: Presence | None, part: int, write: Forms = PLAIN
) -> str:
    """Explain in words why a household pays `part` cents of a line.

    `unit` is the household's unit, at position `at` among the line's units.
    """
    reason = shares.reason(at, unit, who, write)
    return f"{reason}{_cents(shares.cents(part, at, unit, who), write)}"
