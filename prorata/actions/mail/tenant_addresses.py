"""The e-mail addresses of tenants."""

from prorata.domain.mail_addresses import MailAddress, reply_address
from prorata.store.database.engine import Tx
from prorata.store.invoices.invoices import InvoiceRow
from prorata.store.properties import units


def address_of(tx: Tx, row: InvoiceRow, tenant_id: str | None) -> MailAddress | None:
    """Return a tenant's current e-mail address for replies; None if mail can't reach it.

    If the tenant's record no longer exists and the invoice `row` is the tenant's, the result is the address on the
    invoice.
    """
    tenant = units.find_tenant_of_past(tx, row.account_id, tenant_id) if tenant_id else None
    its = row.tenant_email if tenant_id == row.tenant_id else None
    return reply_address(tenant.mail_address if tenant else its)
