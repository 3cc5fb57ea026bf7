"""A property-month as invoices: one for each unit, and one for every other household with a charge of its own.

Which of a unit's invoices of a month a household has is told by the invoice's sequence, which never changes.
"""

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import NamedTuple

from prorata.domain.locale_forms import FORMER, PLAIN, Forms
from prorata.domain.money import in_words
from prorata.domain.splitting.division import Shares, divide
from prorata.domain.splitting.invoice_sequences import (
    StoredInvoice,
    addressee,
    arrange,
    is_free,
    is_of,
    without_a_stay,
)
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
"""A household of a unit, by the ids of its tenants."""


class PlannedInvoice(NamedTuple):
    """Whom a draft is for, and its charges; `household` are the tenants of whom one may stand on it, None where nobody
    may. Of a snapshot of before it is empty: whoever stands on it does.
    """

    tenant_id: str | None
    charges: tuple[PlannedCharge, ...]
    household: HouseholdKey | None = ()

    def is_for(self, tenant_id: str | None) -> bool:
        """Whether an invoice that is addressed to a tenant, or to nobody, is this household's."""
        return tenant_id is None if self.household is None else not self.household or tenant_id in self.household


class PlannedMonth(NamedTuple):
    """The drafts of a month by unit and sequence, the owner's part of every line, and what is missing.

    `missing` holds (unit id, utility type): a measure the rule needs and nobody has entered.
    """

    drafts: Mapping[tuple[str, int], PlannedInvoice]
    owner: Mapping[LineKey, int]
    missing: frozenset[tuple[str, str]]


class Rights(NamedTuple):
    """What each household of each unit bears of each line, what falls on units in which nobody lived on any of its
    days, and the owner's part beside both. They sum to the lines.
    """

    of_households: Mapping[tuple[str, HouseholdKey], Mapping[LineKey, int]]
    unlived: Mapping[str, Mapping[LineKey, int]]
    owner: Mapping[LineKey, int]


class _Divided(NamedTuple):
    """A line as it was divided over the units that were active on its days."""

    key: LineKey
    kind: str | None
    """The utility type of its charges."""
    about: str
    shares: Shares
    units: Sequence[UnitDays]
    whole: Sequence[PlannedCharge | None]
    """The charge of each unit that is one household's on all days, or nobody's, where it is made at once with those of
    the others (`Shares.of_whole_units`); empty where nobody asks.
    """

    def found(self, at: int, household: Household | None) -> tuple[Presence | None, int]:
        """A household as it was in the unit that stands `at` a place, be it on no day, and what falls on it in cents.
        For None: all of a unit where nobody lived on any of the days.
        """
        present = self.units[at].present
        if not self.shares.units:
            return None, 0
        share = self.shares.units[at]
        if household is None:
            return (Presence(NOBODY, 0, 0), 0) if present else (None, share.part)
        for one, part in zip(present, share.households, strict=True):
            if one.household is household:
                return one, part
        return Presence(household, 0, 0), 0

    def whole_of(self, at: int, household: Household | None) -> PlannedCharge | None:
        """The charge of a household that has the whole unit, which stands `at` a place; None for another."""
        charge, present = self.whole[at], self.units[at].present
        return charge if charge and household is (present[0].household if present else None) else None


_Entry = tuple[_Divided, int]
"""A line as one unit sees it, and where among the line's units it stands."""


class _Month(NamedTuple):
    """All lines of a month divided: the entries of each unit, the owner's part beside units, and what is missing."""

    units: Mapping[str, UnitFacts]
    households: Mapping[str, tuple[Household, ...]]
    entries: Mapping[str, Sequence[_Entry]]
    missing: frozenset[tuple[str, str]]
    lines: Sequence[_Divided]


def _divided(facts: MonthFacts, write: Forms | None = None) -> _Month:
    units = facts.units
    of_units = {unit.unit_id: households_of(unit) for unit in units}
    entries: dict[str, list[_Entry]] = {}
    lines: list[_Divided] = []
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
        divided = _Divided(key, kind, about, shares, seen[days], whole)
        lines.append(divided)
        for at, unit in enumerate(seen[days]):
            entries.setdefault(unit.unit_id, []).append((divided, at))
    return _Month(
        {unit.unit_id: unit for unit in units if unit.unit_id in entries}, of_units, entries, frozenset(missing), lines
    )


def _of_whole_units(
    key: LineKey, kind: str | None, about: str, shares: Shares, units: Sequence[UnitDays], write: Forms
) -> list[PlannedCharge | None]:
    return [
        None
        if said is None
        else PlannedCharge(*key, kind, share.part, f"{about}: {said}{_cents(cents, write) if cents else ''}")
        for (said, cents), share in zip(shares.of_whole_units(units, write), shares.units, strict=False)
    ]


def _cents(cents: int, write: Forms) -> str:
    return "" if write is FORMER else cents_in_words(cents)


def rights(facts: MonthFacts) -> Rights:
    """What everybody bears of a month by its facts alone, whatever is stored of it."""
    divided = _divided(facts)
    of_households: dict[tuple[str, HouseholdKey], dict[LineKey, int]] = {}
    unlived: dict[str, dict[LineKey, int]] = {}
    owner = {(line.bill_id, line.number): line.amount for line in facts.lines}
    for unit_id, entries in divided.entries.items():
        for line, at in entries:
            for one in (*(there.household for there in line.units[at].present), None):
                if not (part := line.found(at, one)[1]):
                    continue
                mine = (
                    unlived.setdefault(unit_id, {})
                    if one is None
                    else of_households.setdefault((unit_id, tuple(sorted(one.tenant_ids))), {})
                )
                mine[line.key] = part
                owner[line.key] -= part
    return Rights(of_households, unlived, owner)


def regrouped(before: Rights, after: Rights) -> Rights:
    """What everybody bore `before`, by the households of `after` that have all their people: roommates who came later
    make no other household of those who were there.
    """
    of_households: dict[tuple[str, HouseholdKey], dict[LineKey, int]] = {}
    of_units: dict[str, list[HouseholdKey]] = {}
    for unit_id, key in after.of_households:
        of_units.setdefault(unit_id, []).append(key)
    for (unit_id, key), lines in before.of_households.items():
        whole = next((one for one in of_units.get(unit_id, ()) if set(key) <= set(one)), key)
        mine = of_households.setdefault((unit_id, whole), {})
        for line, cents in lines.items():
            mine[line] = mine.get(line, 0) + cents
    return before._replace(of_households=of_households)


def plan_month(
    facts: MonthFacts,
    stored: Mapping[str, Sequence[StoredInvoice]],
    with_email: Container[str] = (),
    write: Forms = PLAIN,
) -> PlannedMonth:
    """What the drafts of a month are to be, beside what is issued and cancelled: by unit id in `stored`.

    `with_email` are the tenants who have an e-mail address. For every line, what drafts and issued invoices charge and
    the owner's part sum to the line.
    """
    divided = _divided(facts, write)
    owner = {(line.bill_id, line.number): line.amount for line in facts.lines}
    drafts: dict[tuple[str, int], PlannedInvoice] = {}
    gone = stored.keys() - divided.units.keys()
    left = sorted(unit_id for unit_id in gone if any(one.is_issued for one in stored[unit_id]))
    for unit_id in (*divided.units, *left):
        unit = divided.units.get(unit_id) or UnitFacts(unit_id, "", None, None, None, None)
        mine = divided.households.get(unit_id, ()), divided.entries.get(unit_id, ()), stored.get(unit_id, ())
        of_unit = _Unit(facts, unit, *mine, divided.lines, with_email)
        for key, part in of_unit.issued():
            if key in owner:
                owner[key] -= part
        for sequence, invoice in of_unit.drafts(write).items():
            if not mine[1] and not invoice.charges:
                continue  # a unit that takes no part any more has what is due of what was sent, and nothing else
            drafts[unit_id, sequence] = invoice
            for charge in invoice.charges:
                owner[charge.bill_id, charge.line] -= charge.amount
    return PlannedMonth(drafts, owner, divided.missing)


class _Unit:
    """One unit's invoices of a month."""

    def __init__(
        self,
        facts: MonthFacts,
        unit: UnitFacts,
        of_unit: Sequence[Household],
        entries: Sequence[_Entry],
        stored: Sequence[StoredInvoice],
        lines: Sequence[_Divided],
        with_email: Container[str],
    ) -> None:
        self.month = facts.month
        self.currency = facts.currency
        self.unit = unit
        self.entries = entries
        self.stored = stored
        self.lines = lines
        self.with_email = with_email
        self.has_issued = any(one.is_issued for one in stored)
        self.households = of_unit
        gone = {one.tenant_id for one in stored if one.tenant_id} - {stay.tenant_id for stay in unit.stays}
        if gone and not unit.former:
            self.households = (*of_unit, *map(without_a_stay, sorted(gone)))

    def issued(self) -> Iterable[tuple[LineKey, int]]:
        """What issued invoices charge, by line."""
        return (charge for one in self.stored if one.is_issued for charge in one.charged.items())

    def drafts(self, write: Forms) -> dict[int, PlannedInvoice]:
        """Every draft by its sequence: what its household bears less what is issued to it."""
        if self._is_plain():
            return {0: self._draft(0, self.households[0], write)}
        places = arrange(self.month, self.unit, self.households, self._is_open, self.stored, self.with_email)
        return {sequence: self._draft(sequence, household, write) for sequence, household in places.items()}

    def _is_plain(self) -> bool:
        """Whether the unit is of one household in the month, as nearly all are, and nothing stored says otherwise."""
        if len(self.households) != 1 or len(self.stored) > 1 or self.unit.former is not None:
            return False
        if self.stored and not (self.stored[0].sequence == 0 and is_free(self.stored[0])):
            return False
        days = of_month(self.month)
        return days.within(self.households[0].first, self.households[0].last) > 0

    def _is_open(self, household: Household) -> bool:
        """Whether a household bears something of any line that was not issued to it."""
        return bool(self._taken_back(household)) or any(
            line.found(at, household)[1] != self._issued_to(household, line.key)
            for line, at in self.entries
            if line.shares.units
        )

    def _issued_to(self, household: Household | None, key: LineKey) -> int:
        if household is None or not self.has_issued:
            return 0
        return sum(one.charged.get(key, 0) for one in self.stored if one.is_issued and is_of(household, one.tenant_id))

    def _draft(self, sequence: int, household: Household | None, write: Forms) -> PlannedInvoice:
        tenant_id = None if household is None else addressee(self.month, household, self.with_email)
        charges = []
        for line, at in self.entries:
            if not line.shares.units:
                continue
            if not self.has_issued and (whole := line.whole_of(at, household)):
                if whole.amount or not sequence:
                    charges.append(whole)
                continue
            who, part = line.found(at, household)
            issued = self._issued_to(household, line.key) if self.has_issued else 0
            if part != issued or not sequence:
                said = share_in_words(line.shares, at, line.units[at], who, part, write)
                if issued:
                    said = f"{said}, less {in_words(issued, self.currency)} that was invoiced before"
                charges.append(PlannedCharge(*line.key, line.kind, part - issued, f"{line.about}: {said}"))
        charges += self._taken_back(household)
        return PlannedInvoice(tenant_id, tuple(charges), None if household is None else household.tenant_ids)

    def _taken_back(self, household: Household | None) -> list[PlannedCharge]:
        """What was issued to a household of lines of which it bears nothing by now: no rule divides them, or the unit
        was not in use on their days.
        """
        if household is None or not self.has_issued:
            return []
        shared = {line.key for line, _ in self.entries if line.shares.units}
        return [
            PlannedCharge(
                *line.key,
                line.kind,
                -issued,
                f"{line.about}: {'the unit takes no part' if line.shares.units else 'no rule divides it'}, "
                f"less {in_words(issued, self.currency)} that was invoiced before",
            )
            for line in self.lines
            if line.key not in shared and (issued := self._issued_to(household, line.key))
        ]


def share_in_words(
    shares: Shares, at: int, unit: UnitDays, who: Presence | None, part: int, write: Forms = PLAIN
) -> str:
    """Why who was in the unit that stands `at` a place bears `part` cents of a line."""
    said = shares.reason(at, unit, who, write)
    return f"{said}{_cents(shares.cents(part, at, unit, who), write)}"
