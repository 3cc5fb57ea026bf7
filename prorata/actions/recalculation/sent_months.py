"""Sent months whose charges would differ if they were computed today, for a unit's page."""

from collections.abc import Sequence
from typing import NamedTuple

from prorata.domain.billing_calendar import Month
from prorata.domain.groups import grouped
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.properties import units
from prorata.store.properties.units import UnitRow
from prorata.store.recalculation import corrections
from prorata.store.recalculation.corrections import CorrectionRow


class SentMonth(NamedTuple):
    """A sent month whose charges would differ today, with the differences in cents.

    `its` pairs the names of the unit's tenants with their differences, and `others` is the sum for all other units.
    `carrier` is the month whose invoices carry the differences, or None if a person must decide about them.
    """

    month: Month
    its: Sequence[tuple[str, int]]
    others: int
    carrier: Month | None


def of_unit(tx: Tx, caller: Caller, unit: UnitRow) -> list[SentMonth]:
    """List the sent months whose charges for a unit's tenants would differ today.

    Differences that a sent invoice already carries don't count. The earliest month comes first.
    """
    rows = corrections.of_months_or_unsettled(tx, caller.account_id, [unit.property_id], [])
    by_month = grouped((row.month, row) for row in rows if row.tenant_id)
    mine = sorted({row.tenant_id for row in rows if row.unit_id == unit.id and row.tenant_id})
    names = {tenant.id: tenant.name for tenant in units.tenants_of_past(tx, caller.account_id, mine)} if mine else {}
    return [
        sent_month
        for month in sorted(by_month)
        if (sent_month := _told(Month(month), by_month[month], unit, names)).its
    ]


def _told(month: Month, rows: Sequence[CorrectionRow], unit: UnitRow, names: dict[str, str]) -> SentMonth:
    """Compute a sent month's differences for the tenants of `unit` and of other units.

    If a correction for the unit is pending, only pending amounts count. Otherwise, only the amounts to charge on
    later invoices count.
    """
    waits = any(row.waiting_amount for row in rows if row.unit_id == unit.id)
    open_ = [(row, row.waiting_amount if waits else row.to_charge_amount) for row in rows]
    its = grouped((row.tenant_id, cents) for row, cents in open_ if row.unit_id == unit.id and cents)
    others = sum(cents for row, cents in open_ if row.unit_id != unit.id)
    carrier = None if waits else max((row.carrier for row in rows if row.carrier), default=None)
    told = [(names[tenant_id], sum(cents)) for tenant_id, cents in its.items() if tenant_id in names]
    return SentMonth(month, told, others, Month(carrier) if carrier else None)
