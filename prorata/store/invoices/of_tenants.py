"""The invoices of one tenant, over all months."""

from sqlalchemy import bindparam, select

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
    )
    .order_by(invoice.c.month, invoice.c.sequence),
)


def of_tenant(tx: Tx, account_id: str, unit_id: str, tenant_id: str) -> list[InvoiceRow]:
    """Every invoice of a unit that is addressed to a tenant, by month."""
    tx.catch_up()
    return tx.all(_OF_TENANT, account=account_id, unit=unit_id, tenant=tenant_id)
