"""Household members who share an invoice that is addressed to one of them."""

from prorata.actions.recalculation.month_loader import as_unit
from prorata.domain.billing_calendar import Month
from prorata.domain.invoices.carries import roommates
from prorata.domain.splitting.month_facts import stays_of
from prorata.domain.splitting.stays import Stay
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.invoices import statements
from prorata.store.invoices.statements import SharedInvoice
from prorata.store.properties import units
from prorata.store.properties.units import TenantRow, UnitRow


def shared_with(tx: Tx, caller: Caller, tenant: TenantRow, unit: UnitRow) -> list[SharedInvoice]:
    """List the sent invoices that a tenant shares and that name another tenant as addressee.

    They are sorted from newest to oldest.
    """
    stays = _stays(tx, caller, unit)
    return [
        shared_invoice
        for shared_invoice in statements.of_others(tx, caller.account_id, unit.id, tenant.id)
        if shared_invoice.tenant_id in roommates(tenant.id, stays, Month(shared_invoice.month))
    ]


def drafts_of(tx: Tx, caller: Caller, tenant: TenantRow, unit: UnitRow) -> list[SharedInvoice]:
    """List the drafts for a tenant's household that have a total, earliest month first."""
    stays = _stays(tx, caller, unit)
    return [
        draft
        for draft in statements.drafts(tx, caller.account_id, unit.id)
        if draft.tenant_id == tenant.id or draft.tenant_id in roommates(tenant.id, stays, Month(draft.month))
    ]


def _stays(tx: Tx, caller: Caller, unit: UnitRow) -> tuple[Stay, ...]:
    return stays_of(as_unit(unit, units.tenants_of_unit(tx, caller.account_id, unit.id)), None)
