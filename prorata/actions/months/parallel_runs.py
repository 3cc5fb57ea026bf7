"""Comparisons of a former program's charges, from a spreadsheet, with Prorata's, to the cent."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from prorata.actions.accounts import access, file_columns
from prorata.actions.limits import MOST_MONTHS_COMPARED
from prorata.actions.recalculation.loaded_months import LoadedMonth, basis, load_or_empty, month_named, with_facts
from prorata.actions.recalculation.month_loader import PropertyFacts
from prorata.actions.recalculation.month_writer import planned_month
from prorata.domain.billing_calendar import Month
from prorata.domain.files.column_mappings import ColumnMapping, remembered_by
from prorata.domain.files.column_names import utilities_named, utility_named
from prorata.domain.files.sheets import Sheet
from prorata.domain.groups import added_up, grouped
from prorata.domain.invoice_states import CANCELLED
from prorata.domain.labels import same
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.months.former_charges import TheirCharge, bare_label
from prorata.domain.months.former_columns import OF_CHARGES, OF_MONEY, Understood, understood
from prorata.domain.months.parallel_runs import Comparison, Finding, Ours, Theirs, compare as beside, sum_row
from prorata.domain.months.shifted_months import Group, SideBySide, shifts, with_shifts
from prorata.domain.problems import Problem
from prorata.domain.properties.property_names import KnownProperty
from prorata.domain.search_terms import order_of
from prorata.domain.splitting.month_facts import MonthFacts
from prorata.domain.splitting.planned_charges import PlannedCharge
from prorata.domain.splitting.stays import of_month, units_on
from prorata.domain.texts import Count, say
from prorata.errors import InvalidRequest, NotFound
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.months import reviews as month_reviews
from prorata.store.months.reviews import ReviewedInvoice
from prorata.store.properties import properties
from prorata.store.properties.properties import PropertyRow
from prorata.store.recalculation import billing_months

_NO_TENANT = say(
    "Nobody with this name lived in the property in this month. Correct the name, write the unit into the row, or add "
    "the tenant with the days of the stay."
)
_SEVERAL_OF_TENANT = say("Several units have a tenant with this name in this month. Write the unit into the row.")
HouseMonth = tuple[str, str]
"""A property's id and a month."""
Outcome = Literal["same", "differs", "no bills"]


class UtilityCompared(NamedTuple):
    """Both programs' charges for one or several utility types, in cents.

    Several types count as one if the file has one amount for them. `utilities` are their codes if known, otherwise
    the file's own words; it is empty if the charges name no type.
    """

    utilities: tuple[str, ...]
    theirs: int
    ours: int


class ParallelRun(NamedTuple):
    """The comparison of one property-month, with amounts in cents.

    `billed` is the sum of the month's bill lines without unbilled lines, `owner` the owner's part of them, and
    `by_hand` the sum of the custom charges. Prorata's charges are `billed` less `owner` plus `by_hand`.

    If `is_history`, the month is before billing starts, and Prorata's charges are those that the month would have if
    it were billed. `sum_row` names the file's last row if that was left out because it is the sum of the others.
    `utilities` is empty if the file names no utility types.
    """

    property: PropertyRow
    month: str
    comparison: Comparison
    billed: int
    owner: int
    by_hand: int
    is_history: bool
    sum_row: str | None
    utilities: tuple[UtilityCompared, ...] = ()


class ComparedMonth(NamedTuple):
    """The comparison of one of many property-months, with amounts in cents.

    It contains both programs' charges, the number of units in which they differ, and the reasons. `vacant` is what
    Prorata charges for vacant units for which the other program charges nothing. A month without bills can't be
    compared.
    """

    property: PropertyRow
    month: str
    outcome: Outcome
    theirs: int
    ours: int = 0
    differing: int = 0
    units: int = 0
    findings: Sequence[Finding] = ()
    vacant: int = 0


class _Ours(NamedTuple):
    """A month's facts, units and invoices in Prorata, for the comparison."""

    facts: MonthFacts
    units: PropertyFacts
    is_charged: bool
    rows: Sequence[ReviewedInvoice]


def read_as(
    tx: Tx,
    caller: Caller,
    houses: Sequence[KnownProperty],
    sheet: Sheet,
    mapping: ColumnMapping | None,
    *,
    given: Mapping[str, str],
    is_fixed: bool,
) -> Understood:
    """Read a file of another program's charges with a column mapping.

    If `mapping` is None, the mapping stored for a file with the same columns is used. Its header is then searched for
    in the file's first rows, unless a person chose the header's row (`is_fixed`). `given` are default values for
    cells that a row lacks.
    """
    if mapping is None:
        sheet, mapping = file_columns.recall(tx, caller, sheet, OF_CHARGES, is_fixed=is_fixed)
    return understood(sheet, mapping, sorted({(house.country, house.currency) for house in houses}), given)


def remember(tx: Tx, caller: Caller, sheet: Sheet, mapping: ColumnMapping) -> None:
    """Store a former program's column mapping, without its default values."""
    mark = remembered_by(sheet, mapping, OF_CHARGES, OF_MONEY)
    file_columns.remember(tx, caller, mark, sheet.header, mapping._replace(fixed={}))


def compare(
    tx: Tx, caller: Caller, property_id: str, month: str, charges: Sequence[TheirCharge], write: Forms = PLAIN
) -> ParallelRun:
    """Compare a former program's charges with Prorata's, without writing anything.

    The file's units are matched by label or id. A word before the label is ignored ("Apt 2B" for 2B) if only one unit
    can be meant. Other units are matched by their tenant's name. Raises `NotFound` if there is no such property, and
    `InvalidRequest` if the month is invalid or has no bills.
    """
    of_property = access.property_(tx, caller, property_id)
    named = month_named(month)
    reviewed = month_reviews.invoices_of_months(tx, caller.account_id, [of_property.id], [named])
    ours = _ours_of(load_or_empty(tx, of_property, named), reviewed[of_property.id, named])
    if not ours.facts.bills_anybody:
        message = say("There is no bill for {month} to compare with. Add one first.", month=write.month(named))
        raise InvalidRequest.because([Problem("month", message)])
    computed = _computed(ours)
    theirs = _theirs(charges, ours)
    left_out = sum_row(theirs)
    billed = [line for line in ours.facts.lines if line.utility_type is not None]
    by_unit = _by_unit(ours, computed)
    return ParallelRun(
        of_property,
        named,
        beside(theirs[:-1] if left_out else theirs, by_unit, ours.facts, write),
        sum(line.amount for line in billed),
        sum(line.amount for line in billed) - sum(_summed(computed).values()),
        sum(unit_charges.by_hand for unit_charges in by_unit),
        not ours.units.bills_month(named),
        left_out.label if left_out else None,
        tuple(_by_utility(charges, computed)),
    )


def compare_many(tx: Tx, caller: Caller, charges: Sequence[TheirCharge], write: Forms = PLAIN) -> list[ComparedMonth]:
    """Compare a former program's charges in months of many properties, as `compare` does.

    Nothing is written. The result is sorted by property name and month. Raises `NotFound` if a property does not
    exist, and `InvalidRequest` for more than `MOST_MONTHS_COMPARED` months.
    """
    of_months: dict[HouseMonth, list[TheirCharge]] = defaultdict(list)
    for charge in charges:
        of_months[charge.house, charge.month].append(charge)
    if len(of_months) > MOST_MONTHS_COMPARED:
        message = say(
            "This covers {n} months, counted separately for each property. Compare at most {most} at once, "
            "such as a year."
        )
        raise InvalidRequest(message.format(n=Count(len(of_months)), most=Count(MOST_MONTHS_COMPARED)))
    ids, named = sorted({house for house, _ in of_months}), sorted({month for _, month in of_months})
    rows = {row.id: row for row in properties.find_many(tx, caller.account_id, ids)}
    if len(rows) < len(ids):
        raise NotFound("property")
    reviewed = month_reviews.invoices_of_months(tx, caller.account_id, ids, named)
    there = {row.key: row for row in billing_months.find_many(tx, caller.account_id, ids, named)}
    wanted = [there.get(key) or billing_months.empty(caller.account_id, *key, tx.now) for key in of_months]
    loaded = {
        loaded_month.row.key: loaded_month
        for loaded_month in with_facts(tx, caller.account_id, list(rows.values()), wanted)
    }
    order = sorted(of_months, key=lambda key: (order_of(rows[key[0]].name), *key))
    compared = [
        _compared(rows[key[0]], key[1], of_months[key], _ours_of(loaded[key], reviewed[key]), write) for key in order
    ]
    shifted = {
        (house, month): its
        for house, sides in grouped((month.property.id, side) for month, side in compared).items()
        for month, its in shifts(sides).items()
    }
    return [
        month._replace(findings=with_shifts(month.findings, shifted[key]))
        if (key := (month.property.id, side.month)) in shifted
        else month
        for month, side in compared
    ]


def _compared(
    of_property: PropertyRow, month: str, charges: Sequence[TheirCharge], ours: _Ours, write: Forms
) -> tuple[ComparedMonth, SideBySide]:
    if not ours.facts.bills_anybody:
        bare = ComparedMonth(of_property, month, "no bills", sum(charge.amount for charge in charges))
        return bare, _side(month, charges, {}, ())
    planned = _planned(ours)
    computed = _by_type(planned)
    comparison = beside(_theirs(charges, ours), _by_unit(ours, computed), ours.facts, write)
    outcome: Outcome = "same" if comparison.agrees else "differs"
    counted = len(comparison.differing), len(comparison.units)
    findings = [finding for finding in comparison.findings if finding.kind != "vacant"]
    its = ComparedMonth(
        of_property, month, outcome, comparison.theirs, comparison.ours, *counted, findings, comparison.vacant
    )
    vacant = {unit.unit_id for unit in comparison.units if unit.kind == "vacant"}
    there = {unit_id: its for unit_id, its in computed.items() if unit_id not in vacant}
    return its, _side(
        month, charges, there, [charge for unit_id, charge in planned if charge and unit_id not in vacant]
    )


def _side(
    month: str,
    charges: Sequence[TheirCharge],
    computed: Mapping[str, Mapping[str, int]],
    planned: Iterable[PlannedCharge],
) -> SideBySide:
    """Compare a month's charges by utility type, or in total if there are no types."""
    all_theirs, all_ours = sum(charge.amount for charge in charges), sum(_summed(computed).values())
    groups = list(_by_utility(charges, computed)) or [UtilityCompared((), all_theirs, all_ours)]
    of_bills: dict[Group, dict[str, int]] = {utility.utilities: defaultdict(int) for utility in groups}
    for charge in planned:
        for group, amounts in of_bills.items():
            if not group or (charge.utility_type or "") in group:
                amounts[charge.bill_id] += charge.amount
    bills = {group: frozenset(amounts.values()) for group, amounts in of_bills.items()}
    return SideBySide(Month(month), {its.utilities: its.ours - its.theirs for its in groups}, bills)


def _by_unit(ours: _Ours, computed: Mapping[str, Mapping[str, int]]) -> list[Ours]:
    """List Prorata's charges for each unit, with its custom charges."""
    month = ours.facts.month
    lived_in = {unit.unit_id for unit in units_on(of_month(month), ours.facts.units) if not unit.is_vacant}
    sums = _summed(computed)
    by_hand = added_up((row.unit_id, row.total) for row in ours.rows if row.status != CANCELLED)
    for unit_id in by_hand:
        by_hand[unit_id] -= sums.get(unit_id, 0) if ours.is_charged else 0
    records = ours.units.units
    return [
        _ours(records[unit_id].label, unit_id, cents, by_hand.get(unit_id, 0), lived_in)
        for unit_id, cents in sums.items()
    ]


def _summed(computed: Mapping[str, Mapping[str, int]]) -> dict[str, int]:
    """Map units to the sum of their charges, in cents."""
    return {unit_id: sum(its.values()) for unit_id, its in computed.items()}


def _by_utility(charges: Sequence[TheirCharge], computed: Mapping[str, Mapping[str, int]]) -> Iterator[UtilityCompared]:
    """Compare both programs' charges by utility type, if the file has types.

    Types for which the file has one amount together count as one type.
    """
    if not any(charge.utility for charge in charges):
        return
    theirs = added_up(
        (utilities_named(their_charge.utility) or (their_charge.utility,), their_charge.amount)
        for their_charge in charges
    )
    ours = added_up((utility_named(kind) or kind, cents) for its in computed.values() for kind, cents in its.items())
    together: list[set[str]] = []
    for names in (*theirs, *((kind,) for kind in ours)):
        met = [utilities for utilities in together if not utilities.isdisjoint(names)]
        together = [utilities for utilities in together if utilities not in met] + [set(names).union(*met)]
    for group in together:
        names = tuple(dict.fromkeys(name for its in (*theirs, tuple(ours)) for name in its if name in group))
        their_sum = sum(cents for its, cents in theirs.items() if its[0] in group)
        yield UtilityCompared(names, their_sum, sum(cents for kind, cents in ours.items() if kind in group))


def _computed(ours: _Ours) -> dict[str, dict[str, int]]:
    """Map units and utility types to the charges computed from the month's facts, in cents."""
    return _by_type(_planned(ours))


def _by_type(planned: Iterable[tuple[str, PlannedCharge | None]]) -> dict[str, dict[str, int]]:
    """Map units and utility types to the sums of the charges, in cents.

    A unit without charges has no sums.
    """
    amounts: dict[str, dict[str, int]] = {}
    for unit_id, charge in planned:
        its = amounts.setdefault(unit_id, {})
        if charge is not None:
            kind = charge.utility_type or ""
            its[kind] = its.get(kind, 0) + charge.amount
    return amounts


def _planned(ours: _Ours) -> list[tuple[str, PlannedCharge | None]]:
    """List units with each charge computed from the month's facts.

    Charges on cancelled invoices are left out, because the owner bears them. An invoice without charges is listed
    once, with None.
    """
    facts, rows = ours.facts, ours.rows
    whose = {(row.unit_id, None if facts.is_former else row.tenant_id) for row in rows if row.status != CANCELLED}
    cancelled = {
        (row.unit_id, None if facts.is_former else row.tenant_id) for row in rows if row.status == CANCELLED
    } - whose
    return [
        (unit_id, charge)
        for (unit_id, _), draft in planned_month(ours.units, facts, {}).drafts.items()
        if (unit_id, draft.tenant_id) not in cancelled
        for charge in (draft.charges or (None,))
    ]


def _ours_of(loaded: LoadedMonth, rows: Sequence[ReviewedInvoice]) -> _Ours:
    """Return a month as Prorata computes it, for the comparison.

    If the month is history, the facts are those that it would have if it were billed, and its stored invoices contain
    only custom charges (`is_charged` is False).
    """
    month = loaded.row.month
    if loaded.row.is_closed or loaded.property.bills_month(month):
        return _Ours(basis(loaded).facts, loaded.property, True, rows)
    facts = loaded.property.of_month(month, loaded.lines, loaded.row.first_closed_at)
    return _Ours(facts, loaded.property, False, rows)


def _ours(label: str, unit_id: str, computed: int, by_hand: int, lived_in: set[str]) -> Ours:
    return Ours(unit_id, label, computed + by_hand, by_hand, unit_id not in lived_in)


def _theirs(charges: Sequence[TheirCharge], ours: _Ours) -> list[Theirs]:
    """List the rows of a former program's file with their units and summed charges.

    A word before a label is ignored if only one unit can be meant and no other row names that unit exactly. A row
    whose unit does not exist is matched by its tenant's name.
    """
    units = ours.units.units
    ids = {same(unit.label): unit_id for unit_id, unit in units.items()}
    plain = [charge.unit if charge.unit in units else ids.get(same(charge.unit)) for charge in charges]
    bare: dict[str, set[str]] = defaultdict(set)
    for unit_id, unit in units.items():
        bare[bare_label(unit.label)].add(unit_id)
    lived: dict[str, set[str]] = defaultdict(set)
    for there in ours.facts.units:
        for stay in there.stays:
            if stay.tenant_id in ours.units.tenants:
                lived[same(ours.units.tenants[stay.tenant_id].name)].add(there.unit_id)
    of_rows: dict[tuple[int, str | None, str], Theirs] = {}
    named_plainly = set(plain)
    for charge, named in zip(charges, plain, strict=True):
        meant = bare.get(bare_label(charge.unit), set()) if charge.unit else set()
        its_unit = named or (next(iter(meant)) if len(meant) == 1 and meant.isdisjoint(named_plainly) else None)
        of_tenant = lived.get(same(charge.tenant), set())
        its_unit = its_unit or (next(iter(of_tenant)) if len(of_tenant) == 1 else None)
        label = units[its_unit].label if its_unit else charge.unit or charge.tenant
        reason = "" if charge.unit else _SEVERAL_OF_TENANT if of_tenant else _NO_TENANT
        key = charge.line, its_unit, label
        row = of_rows.get(key, Theirs(its_unit, label, 0, (charge.line,), reason))
        of_rows[key] = row._replace(amount=row.amount + charge.amount)
    return list(of_rows.values())
