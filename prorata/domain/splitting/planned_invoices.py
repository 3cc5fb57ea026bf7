"""A property-month as invoices: one for each unit, and one for every other household with a charge of its own.

Which of a unit's invoices of a month a household has is told by the invoice's sequence, which never changes.
"""

from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from prorata.domain.billing_calendar import Month
from prorata.domain.invoice_states import CANCELLED, DRAFT
from prorata.domain.locale_forms import FORMER, PLAIN, Forms
from prorata.domain.money import in_words
from prorata.domain.splitting.division import Shares, divide
from prorata.domain.splitting.month_facts import Line, MonthFacts
from prorata.domain.splitting.planned_charges import LineKey, PlannedCharge, about_bill, cents_in_words, charge_type
from prorata.domain.splitting.stays import (
    NOBODY,
    Household,
    LineDays,
    Presence,
    Stay,
    UnitDays,
    UnitFacts,
    among,
    households,
    households_of,
    of_month,
)

HouseholdKey = tuple[str, ...]
"""A household of a unit, by the ids of its tenants."""


class StoredInvoice(NamedTuple):
    """An invoice of a unit and month as it is stored. `is_held`: payments or charges by hand hold it. `charged` is what
    it charges of each line, in cents.
    """

    sequence: int
    status: str
    tenant_id: str | None
    was_issued: bool = False
    is_held: bool = False
    charged: Mapping[LineKey, int] = {}

    @property
    def is_issued(self) -> bool:
        """Whether it is issued now: what it charges stays as it is."""
        return self.status not in (DRAFT, CANCELLED)


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


class _Entry(NamedTuple):
    """A line as one unit sees it."""

    line: Line
    about: str
    shares: Shares
    at: int
    unit: UnitDays

    @property
    def key(self) -> LineKey:
        return self.line.bill_id, self.line.number

    def part_of(self, household: Household | None) -> int:
        """What falls on a household; for None, on the unit where nobody lived on any of the days."""
        if not self.shares.units:
            return 0
        share = self.shares.units[self.at]
        if household is None:
            return 0 if self.unit.present else share.part
        for one, part in zip(self.unit.present, share.households, strict=True):
            if one.household is household:
                return part
        return 0

    def presence_of(self, household: Household | None) -> Presence | None:
        """A household as it was there, be it on no day; None for all of a unit where nobody lived on any day."""
        for one in self.unit.present:
            if one.household is household:
                return one
        return None if household is None and not self.unit.present else Presence(household or NOBODY, 0, 0)


class _Divided(NamedTuple):
    """All lines of a month divided: the entries of each unit, the owner's part beside units, and what is missing."""

    units: Mapping[str, UnitFacts]
    households: Mapping[str, tuple[Household, ...]]
    entries: Mapping[str, Sequence[_Entry]]
    missing: frozenset[tuple[str, str]]


def _divided(facts: MonthFacts) -> _Divided:
    units = facts.units
    of_units = {unit.unit_id: households_of(unit) for unit in units}
    entries: dict[str, list[_Entry]] = {}
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
        about = about_bill(line, facts.currency)
        for at, unit in enumerate(seen[days]):
            entries.setdefault(unit.unit_id, []).append(_Entry(line, about, shares, at, unit))
    return _Divided(
        {unit.unit_id: unit for unit in units if unit.unit_id in entries}, of_units, entries, frozenset(missing)
    )


def rights(facts: MonthFacts) -> Rights:
    """What everybody bears of a month by its facts alone, whatever is stored of it."""
    divided = _divided(facts)
    of_households: dict[tuple[str, HouseholdKey], dict[LineKey, int]] = {}
    unlived: dict[str, dict[LineKey, int]] = {}
    owner = {(line.bill_id, line.number): line.amount for line in facts.lines}
    for unit_id, entries in divided.entries.items():
        for entry in entries:
            for one in (*(there.household for there in entry.unit.present), None):
                if not (part := entry.part_of(one)):
                    continue
                mine = (
                    unlived.setdefault(unit_id, {})
                    if one is None
                    else of_households.setdefault((unit_id, tuple(sorted(one.tenant_ids))), {})
                )
                mine[entry.key] = part
                owner[entry.key] -= part
    return Rights(of_households, unlived, owner)


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
    divided = _divided(facts)
    owner = {(line.bill_id, line.number): line.amount for line in facts.lines}
    drafts: dict[tuple[str, int], PlannedInvoice] = {}
    for unit_id, unit in divided.units.items():
        mine = divided.households[unit_id], divided.entries[unit_id], stored.get(unit_id, ())
        of_unit = _Unit(facts, unit, *mine, with_email)
        for key, part in of_unit.issued():
            if key in owner:
                owner[key] -= part
        for sequence, invoice in of_unit.drafts(write).items():
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
        with_email: Container[str],
    ) -> None:
        self.month = facts.month
        self.currency = facts.currency
        self.unit = unit
        self.entries = entries
        self.stored = stored
        self.with_email = with_email
        self.has_issued = any(one.is_issued for one in stored)
        self.households = of_unit
        gone = {one.tenant_id for one in stored if one.tenant_id} - {stay.tenant_id for stay in unit.stays}
        if gone and not unit.former:
            self.households = (*of_unit, *map(_without_a_stay, sorted(gone)))

    def issued(self) -> Iterable[tuple[LineKey, int]]:
        """What issued invoices charge, by line."""
        return (charge for one in self.stored if one.is_issued for charge in one.charged.items())

    def drafts(self, write: Forms) -> dict[int, PlannedInvoice]:
        """Every draft by its sequence: what its household bears less what is issued to it."""
        places = arrange(self.month, self.unit, self.households, self._is_open, self.stored, self.with_email)
        return {sequence: self._draft(sequence, household, write) for sequence, household in places.items()}

    def _is_open(self, household: Household) -> bool:
        """Whether a household bears something of any line that was not issued to it."""
        return any(entry.part_of(household) != self._issued_to(household, entry.key) for entry in self.entries)

    def _issued_to(self, household: Household | None, key: LineKey) -> int:
        if household is None or not self.has_issued:
            return 0
        return sum(one.charged.get(key, 0) for one in self.stored if one.is_issued and is_of(household, one.tenant_id))

    def _draft(self, sequence: int, household: Household | None, write: Forms) -> PlannedInvoice:
        tenant_id = None if household is None else addressee(self.month, household, self.with_email)
        charges = []
        for entry in self.entries:
            if not entry.shares.units:
                continue
            part, issued = entry.part_of(household), self._issued_to(household, entry.key)
            amount = part - issued
            if amount or not sequence:
                said = self._said(entry, entry.presence_of(household), part, issued, write)
                kind = charge_type(entry.line.utility_type or "")
                charges.append(PlannedCharge(*entry.key, kind, amount, f"{entry.about}: {said}"))
        return PlannedInvoice(tenant_id, tuple(charges), None if household is None else household.tenant_ids)

    def _said(self, entry: _Entry, who: Presence | None, part: int, issued: int, write: Forms) -> str:
        said = share_in_words(entry.shares, entry.at, entry.unit, who, part, write)
        return f"{said}, less {in_words(issued, self.currency)} that was invoiced before" if issued else said


def share_in_words(
    shares: Shares, at: int, unit: UnitDays, who: Presence | None, part: int, write: Forms = PLAIN
) -> str:
    """Why who was in the unit that stands `at` a place bears `part` cents of a line."""
    said = shares.reason(at, unit, who, write)
    return said if write is FORMER else f"{said}{cents_in_words(shares.cents(part, at, unit, who))}"


def arrange(
    month: Month,
    unit: UnitFacts,
    of_unit: Sequence[Household],
    wanted: Callable[[Household], bool],
    stored: Sequence[StoredInvoice],
    with_email: Container[str] = (),
) -> dict[int, Household | None]:
    """Which household each draft of a unit and month is for, by sequence; `wanted` says whether one has a charge.

    Sequence 0 follows the unit, unless it was issued, or is held and its household exists; it is for nobody where no
    stay touches the month. What else was issued or is held keeps its household as well, and every household else that
    has a charge takes the next free sequence, by first day. A household whose only invoice is cancelled gets none.
    """
    by_sequence = {one.sequence: one for one in stored}
    first = by_sequence.get(0)
    if unit.former is not None:
        return {} if first is not None and first.status != DRAFT else {0: NOBODY}
    whose = {one.sequence: _of(one.tenant_id, of_unit) for one in stored}
    kept = {one.sequence for one in stored if _keeps(one, whose[one.sequence], unit)}
    places: dict[int, Household | None] = {}
    if first is not None and 0 in kept and not _stands_for_the_unit(first, whose[0], unit):
        holder = whose[0]
        if first.status == DRAFT:
            places[0] = holder
    else:
        elsewhere = [household for at in kept if at and (household := whose[at]) is not None]
        holder = whose[0] = _of_whole_unit(month, unit.stays, of_unit, elsewhere, with_email)
        if 0 not in kept:
            places[0] = holder
    placed = [holder] if 0 in places and holder is not None else []
    for sequence in sorted(by_sequence, key=lambda at: (at not in kept, at)):
        household = whose[sequence]
        if not sequence or by_sequence[sequence].status != DRAFT or household is None or household in placed:
            continue
        if sequence in kept or wanted(household):
            places[sequence] = household
            placed.append(household)
    issued = {whose[one.sequence] for one in stored if one.is_issued}
    cancelled = {whose[one.sequence] for one in stored if one.status == CANCELLED} - issued
    taken = kept | places.keys() | {0}
    for household in sorted(of_unit, key=lambda one: one.order) if len(of_unit) > 1 else of_unit:
        if household not in placed and household not in cancelled and wanted(household):
            sequence = next(at for at in range(1, len(taken) + 1) if at not in taken)
            places[sequence] = household
            taken.add(sequence)
    return places


def _keeps(one: StoredInvoice, household: Household | None, unit: UnitFacts) -> bool:
    """Whether a stored invoice keeps its sequence and household whatever becomes of the unit."""
    if one.status != DRAFT or one.was_issued:
        return True
    return one.is_held and (one.sequence > 0 or _lives(household, unit))


def _stands_for_the_unit(first: StoredInvoice, household: Household | None, unit: UnitFacts) -> bool:
    """Whether a cancelled invoice of a unit is of nobody who ever had a stay there, and so of whoever has one now."""
    return first.status == CANCELLED and not first.was_issued and not _lives(household, unit)


def _lives(household: Household | None, unit: UnitFacts) -> bool:
    return household is not None and household.stays[0] in unit.stays


def _of_whole_unit(
    month: Month,
    stays: Sequence[Stay],
    of_unit: Sequence[Household],
    elsewhere: Collection[Household],
    with_email: Container[str],
) -> Household | None:
    """The household that a unit's own invoice follows, beside those that have theirs `elsewhere`.

    Of the stays that touch the month, those there at its end, else the last to leave; the earliest of them with an
    e-mail address, else the earliest. None where no stay touches the month.
    """
    days = of_month(month)
    others = [stay for stay in stays if not any(stay in household.stays for household in elsewhere)]
    touching = [stay for stay in others if days.within(stay.first, stay.last)]
    chosen = _choice(touching, days.last, with_email)
    return None if chosen is None else _of(chosen.tenant_id, of_unit)


def addressee(month: Month, household: Household, with_email: Container[str]) -> str | None:
    """The tenant a household's invoice is addressed to: of those there on its last day up to the month's end, or on its
    first where it came later, for days after the month; the earliest with an e-mail address, else the earliest.
    """
    until = max(min(household.last, of_month(month).last), household.first) if household.stays else date.max
    chosen = _choice([stay for stay in household.stays if stay.begin <= until], until, with_email)
    return None if chosen is None else chosen.tenant_id


def addressee_now(
    month: Month, stays: Sequence[Stay], sequence: int, tenant_id: str | None, with_email: Container[str]
) -> str | None:
    """Whom a draft of a unit with these `stays` would be addressed to by now, which was addressed to `tenant_id` and
    has never been sent: its household, or whom the unit's own invoice follows where that is gone.
    """
    of_unit = households(stays) if stays else ()
    household = _of(tenant_id, of_unit) if tenant_id else None
    if household is None and not sequence:
        household = _of_whole_unit(month, stays, of_unit, (), with_email)
    return addressee(month, household, with_email) if household else tenant_id if sequence else None


def _choice(stays: Sequence[Stay], until: date, with_email: Container[str]) -> Stay | None:
    if not stays:
        return None
    leaves = max(min(stay.end, until) for stay in stays)
    last = [stay for stay in stays if min(stay.end, until) == leaves]
    return min(last, key=lambda stay: (stay.tenant_id not in with_email, stay.begin, stay.tenant_id))


def is_of(household: Household, tenant_id: str | None) -> bool:
    """Whether what was addressed to a tenant is a household's. All is, where a snapshot of before tells no stays."""
    return household == NOBODY or tenant_id in household.tenant_ids


def _of(tenant_id: str | None, of_unit: Iterable[Household]) -> Household | None:
    return next((household for household in of_unit if is_of(household, tenant_id)), None)


def _without_a_stay(tenant_id: str) -> Household:
    """The household of a tenant who has no stay in the unit: nothing is right for it, and what was issued remains."""
    return Household((Stay(tenant_id, date.max, date.min),))
