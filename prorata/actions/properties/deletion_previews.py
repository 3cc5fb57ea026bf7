"""Previews of deleting a property, unit or tenant: the records that would be lost."""

from datetime import date

from prorata.actions.accounts import access, accounts as account_actions
from prorata.actions.properties import tenants, units as unit_actions
from prorata.domain.billing_calendar import month_of
from prorata.domain.invoice_states import DRAFT
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.properties import deletion_previews
from prorata.domain.properties.deletion_previews import Contents, Loss, listed
from prorata.domain.utility_names import within_a_sentence
from prorata.store.audit.audit import Caller
from prorata.store.bills import bills
from prorata.store.database.engine import Tx
from prorata.store.invoices import invoices, open_money
from prorata.store.properties import units
from prorata.store.properties.units import UnitRow
from prorata.store.recalculation import billing_months as months


def of_property(tx: Tx, caller: Caller, property_id: str, *, days_kept: int, write: Forms = PLAIN) -> Loss:
    """Preview the deletion of a property.

    `days_kept` is the number of days for which an export of the property is kept. Raises `NotFound` if there is no
    such property.
    """
    row = access.property_(tx, caller, property_id)
    of_month = months.find_many(tx, caller.account_id, [row.id])
    open_before = open_money.of_property(tx, caller.account_id, row.id)
    received = sum(month.received for month in of_month)
    closed = [month.sent + month.paid + month.overdue for month in of_month]
    has = Contents(
        units=units.count(tx, caller.account_id, row.id),
        tenants=units.count_tenants(tx, caller.account_id, row.id),
        bills=bills.count_of_property(tx, caller.account_id, row.id),
        invoices=sum(closed) + sum(month.draft + month.cancelled for month in of_month),
        sent=sum(closed),
        received=write.money(received, row.currency) if received else None,
        cancelled=sum(month.cancelled for month in of_month),
        owed=listed([write.money(of.money.owed, of.currency) for of in open_before if of.money.owed]),
    )
    return deletion_previews.of_property(row.name, has, days_kept=days_kept, write=write)


def of_unit(tx: Tx, caller: Caller, unit_id: str, write: Forms = PLAIN) -> Loss:
    """Preview the deletion of a unit.

    Raises `NotFound` if there is no such unit.
    """
    row = access.unit(tx, caller, unit_id)
    tenants = units.tenants_of_unit(tx, caller.account_id, row.id)
    number = invoices.count_of_unit(tx, caller.account_id, {"unit": row.id})
    today = account_actions.today(tx, caller)
    rules = [within_a_sentence(rule.utility_type) for rule in unit_actions.rules_naming(tx, caller, row)]
    rows = months.find_many(tx, caller.account_id, [row.property_id])
    of_month = sorted(
        month_row.month
        for month_row in rows
        if month_row.draft and not month_row.is_closed and month_row.month >= month_of(today)
    )
    behind = [month for month in of_month if month > month_of(today)]
    return deletion_previews.of_unit(
        row.label,
        invoices=number,
        tenants=[tenant.name for tenant in tenants],
        rules=rules,
        drafts=of_month,
        going=_going(tx, caller, row, behind),
        staying=[tenant.name for tenant in tenants if tenant.move_out is None],
        today=today,
        write=write,
    )


def _going(tx: Tx, caller: Caller, row: UnitRow, behind: list[str]) -> list[str]:
    """Return the later months in which deactivating a unit deletes its draft.

    The months are among those in `behind`, which follow the current month. Such a draft was never sent, and has no
    custom charge.
    """
    its = [
        invoice
        for invoice in invoices.unsent_and_further(tx, caller.account_id, [row.property_id], behind)
        if invoice.unit_id == row.id and invoice.status == DRAFT and not invoice.issued
    ]
    charges = invoices.charges(tx, caller.account_id, [invoice.id for invoice in its])
    held = {charge.invoice_id for charge in charges if charge.bill_id is None}
    return sorted(invoice.month for invoice in its if invoice.id not in held)


def of_tenant(tx: Tx, caller: Caller, tenant_id: str, write: Forms = PLAIN) -> Loss:
    """Preview the deletion of a tenant.

    Raises `NotFound` if there is no such tenant.
    """
    row = access.tenant(tx, caller, tenant_id)
    today = account_actions.today(tx, caller)
    ends = today if row.move_out is None else min(date.fromisoformat(row.move_out), today)
    return deletion_previews.of_tenant(row.name, is_new=tenants.leaves_no_trace(tx, row), today=ends, write=write)
