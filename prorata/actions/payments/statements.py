"""A tenant's statement over some days: invoices that are issued, payments, and credits that were carried."""

from collections import defaultdict
from typing import NamedTuple

from prorata.actions.accounts import access
from prorata.actions.recalculation.month_loader import as_entry
from prorata.domain.invoice_states import CLOSING
from prorata.domain.invoices.ledger import Entry
from prorata.domain.invoices.statements import INVOICE, MARKED_PAID, Posting, Statement, of_entries, statement
from prorata.domain.problems import Problem
from prorata.errors import InvalidRequest
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.invoices import of_tenants
from prorata.store.payments import payments
from prorata.store.properties.units import TenantRow


class TenantStatement(NamedTuple):
    """A tenant's statement, with the days that it is of; None is from the beginning, or without an end."""

    tenant: TenantRow
    currency: str
    first: str | None
    last: str | None
    found: Statement


def of_tenant(
    tx: Tx, caller: Caller, tenant_id: str, *, first: str | None = None, last: str | None = None
) -> TenantStatement:
    """The statement of a tenant, by the invoices that are addressed to them. Raises `NotFound`, and `InvalidRequest`
    where it would end before it begins.
    """
    tenant = access.tenant(tx, caller, tenant_id)
    if first is not None and last is not None and last < first:
        raise InvalidRequest.because([Problem("to", "The last day is before the first one.")])
    unit = access.unit(tx, caller, tenant.unit_id)
    of_property = access.property_(tx, caller, unit.property_id)
    rows = of_tenants.of_tenant(tx, caller.account_id, unit.id, tenant.id)
    entries: dict[str, list[tuple[str, Entry]]] = defaultdict(list)
    for entry in payments.of_invoices(tx, caller.account_id, [row.id for row in rows]):
        entries[entry.invoice_id].append((entry.day, as_entry(entry)))
    postings: list[Posting] = []
    for row in rows:
        if row.status in CLOSING:
            postings.append(Posting(row.invoice_date, INVOICE, row.id, row.number, row.total))
        if row.paid_by_status and row.paid_at is not None:
            postings.append(Posting(row.paid_at[:10], MARKED_PAID, row.id, row.number, -row.paid_by_status))
        postings += of_entries(row.id, row.number, entries[row.id])
    return TenantStatement(tenant, of_property.currency, first, last, statement(postings, first, last))
