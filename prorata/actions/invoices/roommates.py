"""Household members who share an invoice that is addressed to one of them."""

from collections.abc import Iterable
from typing import Protocol

from prorata.actions.recalculation.month_loader import as_unit
from prorata.domain.billing_calendar import Month
from prorata.domain.groups import grouped
from prorata.domain.invoices.carries import roommates
from prorata.domain.splitting.month_facts import stays_of
from prorata.domain.splitting.stays import Stay
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.invoices import statements
from prorata.store.invoices.statements import SharedInvoice
from prorata.store.properties import units
from prorata.store.properties.units import TenantRow, UnitRow


class Addressed(Protocol):
    """An invoice with the attributes that identify its addressee and month."""

    @property
    def id(self) -> str:
        """The invoice's id."""

    @property
    def month(self) -> str:
        """The invoice's month."""

    @property
    def tenant_id(self) -> str | None:
        """The id of the tenant to whom the invoice goes; None for a vacant unit."""


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


def names_beside(tx: Tx, account_id: str, invoices: Iterable[Addressed]) -> dict[str, tuple[str, ...]]:
    """Map invoice ids to the names of those who share the invoice with its addressee."""
    of_tenant = grouped((one.tenant_id, one) for one in invoices if one.tenant_id is not None)
    people = units.tenants_of_past(tx, account_id, sorted(of_tenant))
    unit_ids = sorted({one.unit_id for one in people})
    of_units = grouped((one.unit_id, one) for one in units.tenants_of_units(tx, account_id, unit_ids))
    several = [unit_id for unit_id in unit_ids if len(of_units[unit_id]) > 1]
    stays: dict[str, tuple[Stay, ...]] = {
        unit.id: stays_of(as_unit(unit, of_units[unit.id]), None) for unit in units.find_many(tx, account_id, several)
    }
    names = {one.id: one.name for its in of_units.values() for one in its}
    found = dict[str, tuple[str, ...]]()
    for person in people:
        for invoice in of_tenant[person.id] if person.unit_id in stays else ():
            others = roommates(person.id, stays[person.unit_id], Month(invoice.month))
            found[invoice.id] = tuple(names[other] for other in sorted(others))
    return found
