"""Receipts of payments that tenants made online: one e-mail for each (docs/decisions.md#payment-links)."""

from prorata.actions.delivery.deliveries import address_now
from prorata.actions.invoices.invoice_mail import Wanted, queue_many
from prorata.domain.delivery.tenant_mail import Kind
from prorata.domain.invoice_states import CLOSING
from prorata.store.accounts import accounts
from prorata.store.database.engine import Tx
from prorata.store.invoices.invoices import InvoiceRow


def queue(tx: Tx, invoice: InvoiceRow, entry_id: str) -> None:
    """Queue the receipt of a payment that has just entered an invoice's ledger, where its tenant is e-mailed."""
    account = accounts.find(tx, invoice.account_id)
    if account is None or not account.mail_on or invoice.status not in CLOSING:
        return
    address = address_now(tx, invoice)
    if address is not None and invoice.tenant_id is not None:
        queue_many(tx, account, [Wanted(invoice, Kind.RECEIPT, address, entry_id)])
