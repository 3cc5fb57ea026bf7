"""The sent invoices of a tenant in some billing months: what their charges are answered for by."""

from collections.abc import Sequence

from sqlalchemy import bindparam, literal_column, select

from prorata.domain.invoice_states import DRAFT
from prorata.store.database.engine import Tx
from prorata.store.database.statements import returns
from prorata.store.invoices.invoices import InvoiceRow
from prorata.store.schema.tables import invoice

_OF_TENANT = returns(
    InvoiceRow,
    select(*(invoice.c[name] for name in InvoiceRow._fields))
    .where(
        invoice.c.account_id == bindparam("account"),
        invoice.c.unit_id == bindparam("unit"),
        invoice.c.tenant_id == bindparam("tenant"),
        invoice.c.month.between(bindparam("first"), bindparam("last")),
        invoice.c.status != literal_column(f"'{DRAFT}'"),
    )
    .order_by(invoice.c.month, invoice.c.sequence)
    .limit(bindparam("limit")),
)


def invoices_of_tenant(
    tx: Tx, account_id: str, unit_id: str, tenant_id: str, months: tuple[str, str], *, limit: int
) -> Sequence[InvoiceRow]:
    """A tenant's invoices of billing months, the first and the last among them, that were sent, the earliest first."""
    first, last = months
    return tx.all(_OF_TENANT, account=account_id, unit=unit_id, tenant=tenant_id, first=first, last=last, limit=limit)
