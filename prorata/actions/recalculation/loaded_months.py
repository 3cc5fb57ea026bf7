"""Loading of property-months with their lines, current facts and the corrections they carry."""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from prorata.actions.recalculation import month_loader as month_facts
from prorata.actions.recalculation.month_loader import PropertyFacts
from prorata.actions.recalculation.month_writer import Basis
from prorata.domain.billing_calendar import Month, read_month
from prorata.domain.problems import Problem
from prorata.domain.splitting.month_facts import (
    CarriedCorrection,
    MonthFacts,
    from_json,
    in_tie_order,
    units_known,
    units_taking_part,
)
from prorata.domain.splitting.stays import UnitFacts
from prorata.domain.texts import say
from prorata.errors import InvalidRequest
from prorata.store.bills.bills import BilledLine
from prorata.store.database.engine import Tx
from prorata.store.properties.properties import PropertyRow
from prorata.store.recalculation import billing_months, corrections
from prorata.store.recalculation.billing_months import MonthRow
from prorata.store.recalculation.corrections import CorrectionRow


class LoadedMonth(NamedTuple):
    """A month with its property, its lines and its current facts."""

    row: MonthRow
    property: PropertyFacts
    lines: Sequence[BilledLine]
    now: MonthFacts


def load(tx: Tx, account_id: str, properties: Sequence[PropertyRow], months: Sequence[str] | None) -> list[LoadedMonth]:
    """Lock and load the months of these properties in seven SQL statements."""
    return with_carried(tx, account_id, load_bare(tx, account_id, properties, months))


def load_bare(
    tx: Tx, account_id: str, properties: Sequence[PropertyRow], months: Sequence[str] | None
) -> list[LoadedMonth]:
    """Lock and load months as `load` does, without the corrections that they carry.

    `with_carried` adds these corrections.
    """
    ids = [row.id for row in properties]
    rows = billing_months.lock_many(tx, account_id, ids, None if months is None else list(months))
    return _with_facts(tx, account_id, properties, rows)


def with_facts(
    tx: Tx, account_id: str, properties: Sequence[PropertyRow], rows: Sequence[MonthRow]
) -> list[LoadedMonth]:
    """Load the lines, facts and corrections of these months, in six SQL statements."""
    return with_carried(tx, account_id, _with_facts(tx, account_id, properties, rows))


def load_or_empty(tx: Tx, of_property: PropertyRow, month: str) -> LoadedMonth:
    """Load a month as `with_facts` does; if it does not exist, return an empty one."""
    row = billing_months.find(tx, of_property.account_id, of_property.id, month)
    row = row or billing_months.empty(of_property.account_id, of_property.id, month, tx.now)
    (loaded,) = with_facts(tx, of_property.account_id, [of_property], [row])
    return loaded


def month_named(text: str) -> Month:
    """Parse a month in the form YYYY-MM.

    Raises `InvalidRequest` if it does not have this form.
    """
    month = read_month(text)
    if month is None:
        raise InvalidRequest.because([Problem("month", say("Enter the month as YYYY-MM, such as 2026-03."))])
    return month


def with_carried(tx: Tx, account_id: str, months: Sequence[LoadedMonth]) -> list[LoadedMonth]:
    """Add to open months the corrections of earlier months that they carry.

    This takes one SQL statement.
    """
    ids = sorted({month.row.property_id for month in months if not month.row.is_closed})
    carried: dict[tuple[str, str | None], list[CorrectionRow]] = defaultdict(list)
    for correction in corrections.to_charge(tx, account_id, ids) if ids else ():
        carried[correction.property_id, correction.carrier].append(correction)
    return [
        month
        if month.row.is_closed
        else month._replace(now=with_corrections(month.now, month.property, carried.get(month.row.key, ())))
        for month in months
    ]


def _with_facts(
    tx: Tx, account_id: str, properties: Sequence[PropertyRow], rows: Sequence[MonthRow]
) -> list[LoadedMonth]:
    if not rows:
        return []
    facts = month_facts.load(tx, account_id, properties)
    ids = [row.id for row in properties]
    lines = month_facts.lines_by_month(tx, account_id, ids, sorted({row.month for row in rows}))
    return [_loaded(row, facts[row.property_id], lines.get(row.key, [])) for row in rows]


def _loaded(row: MonthRow, of_property: PropertyFacts, lines: Sequence[BilledLine]) -> LoadedMonth:
    # an invoice sent before the month became history keeps it billed
    is_sent = row.sent + row.paid + row.overdue > 0 and any(line.charged for line in lines)
    billed = lines if is_sent or of_property.bills_month(row.month) else []
    return LoadedMonth(row, of_property, lines, of_property.of_month(row.month, billed, row.first_closed_at))


def with_corrections(facts: MonthFacts, of_property: PropertyFacts, carried: Sequence[CorrectionRow]) -> MonthFacts:
    """Add carried corrections, and the units that they concern, to an open month's facts."""
    if not carried:
        return facts
    there = {unit.unit_id for unit in facts.units}
    others = {row.unit_id for row in carried} - there
    records = [record for record in of_property.units.values() if record.unit_id in others]
    # it is active on no day of the month's lines, or unknown to the month: it has no share of them
    further = [unit for unit in units_known(records, None) if not _takes_part(facts, unit)]
    return facts._replace(
        units=in_tie_order([*facts.units, *further]),
        corrections=tuple(
            CarriedCorrection(
                row.month, row.unit_id, row.tenant_id, row.bill_id, row.line, row.utility_type, row.to_charge_amount,
                row.description,
            )
            for row in sorted(carried, key=lambda row: row.key)
        ),
    )  # fmt: skip


def without_corrections(facts: MonthFacts) -> MonthFacts:
    """Remove carried corrections, and the units that came with them, from a month's facts."""
    if not facts.corrections:
        return facts
    return facts._replace(corrections=(), units=tuple(unit for unit in facts.units if _takes_part(facts, unit)))


def _takes_part(facts: MonthFacts, unit: UnitFacts) -> bool:
    return bool(units_taking_part(facts.month, facts.lines, [unit]))


def basis(month: LoadedMonth) -> Basis:
    """Return a month with the facts from which it is computed.

    For a closed month, these are the facts stored at closing; for an open month, the current ones.
    """
    if month.row.snapshot is None:
        return basis_of_now(month)
    return Basis(month.row, month.property, month.lines, from_json(month.row.snapshot))


def basis_of_now(month: LoadedMonth) -> Basis:
    """Return a month with its current facts, even if it is closed."""
    return Basis(month.row, month.property, month.lines, month.now)
