"""Tenants' addresses that mail can reach."""

from prorata.domain.mail_addresses import MailAddress, reply_address
from prorata.store.database.engine import Tx
from prorata.store.invoices.invoices import InvoiceRow
from prorata.store.properties import units


def address_of(tx: Tx, row: InvoiceRow, tenant_id: str | None) -> MailAddress | None:
    """Return the address for answering a tenant, usually the address on this invoice.

    It is the current address in their record, if mail can be sent to it.
    """
    tenant = units.find_tenant_of_past(tx, row.account_id, tenant_id) if tenant_id else None
    its = row.tenant_email if tenant_id == row.tenant_id else None
    return reply_address(tenant.mail_address if tenant else its)
