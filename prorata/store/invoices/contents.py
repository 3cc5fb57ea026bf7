"""Data for detecting changes of invoices, of their addressees and of their bills."""

from typing import NamedTuple

from sqlalchemy import bindparam, select

from prorata.store.database.engine import Tx
from prorata.store.database.statements import columns_for, is_one_of, returns, returns_pairs
from prorata.store.mail.messages import ADDRESS_NOW
from prorata.store.schema.joins import named_by
from prorata.store.schema.tables import bill, bill_line, invoice, tenant


class InvoiceVersion(NamedTuple):
    """An invoice with its last change, and the address to which it would be e-mailed.

    `updated_at` is the time of the change. `total` is in cents.
    """

    id: str
    property_id: str
    month: str
    updated_at: str
    total: int
    tenant_id: str | None
    tenant_name: str | None
    address: str | None


_INVOICES = returns(
    InvoiceVersion,
    select(*columns_for(InvoiceVersion, invoice, address=ADDRESS_NOW))
    .outerjoin(tenant, named_by(tenant, invoice.c.tenant_id))
    .where(invoice.c.account_id == bindparam("account"), is_one_of(invoice.c.id, "ids"))
    .order_by(invoice.c.id),
)
_BILLS = returns_pairs(
    select(bill.c.id, bill.c.updated_at)
    .distinct()
    .select_from(bill_line)
    .join(bill, named_by(bill, bill_line.c.bill_id))
    .where(
        bill_line.c.account_id == bindparam("account"),
        is_one_of(bill_line.c.property_id, "properties"),
        is_one_of(bill_line.c.month, "months"),
    )
    .order_by(bill.c.id)
)


def invoices(tx: Tx, account_id: str, invoice_ids: list[str]) -> list[InvoiceVersion]:
    """List these invoices with their last changes and addresses, sorted by id."""
    return tx.all(_INVOICES, account=account_id, ids=invoice_ids)


def bills(tx: Tx, account_id: str, property_ids: list[str], months: list[str]) -> list[tuple[str, str]]:
    """List the bills that have lines in these months of these properties, sorted by id.

    Each bill is given as (id, time of its last change).
    """
    return tx.all(_BILLS, account=account_id, properties=property_ids, months=months)
