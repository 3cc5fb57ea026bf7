"""Receipts of payments, one e-mail each if possible (docs/decisions.md#payment-links)."""

from collections.abc import Sequence
from typing import NamedTuple

from prorata.actions.invoices.invoice_mail import Wanted, queue_many
from prorata.domain.delivery.tenant_mail import Kind
from prorata.domain.invoice_states import CLOSING
from prorata.store.accounts import accounts
from prorata.store.database.engine import Tx
from prorata.store.invoices import invoices
from prorata.store.invoices.invoices import InvoiceRow
from prorata.store.properties import units


class Paid(NamedTuple):
    """A payment to confirm with a receipt.

    It is the entry in an invoice's ledger, or the amount noted by marking it as paid.
    """

    invoice_id: str
    entry_id: str | None = None


def queue(tx: Tx, account_id: str, paid: Sequence[Paid]) -> int:
    """Queue the receipts of new payments for tenants who get e-mail; return their number.

    Like all mail, they wait for the account's hold; reversing a payment withdraws its receipt.
    """
    account = accounts.find(tx, account_id)
    found = invoices.find_many(tx, account_id, sorted({one.invoice_id for one in paid})) if paid else []
    if account is None or not account.mail_on:
        return 0
    rows, to = {row.id: row for row in found}, addresses(tx, account_id, found)
    wanted = [
        Wanted(rows[one.invoice_id], Kind.RECEIPT, to[one.invoice_id], one.entry_id)
        for one in paid
        if one.invoice_id in to and (one.entry_id or rows[one.invoice_id].paid_by_status > 0)
    ]
    if wanted:
        queue_many(tx, account, wanted)
    return len(wanted)


def addresses(tx: Tx, account_id: str, rows: Sequence[InvoiceRow]) -> dict[str, str]:
    """Map invoices to the addresses for receipts of their payments.

    It includes only invoices that were sent to somebody whom mail can reach.
    """
    ids = sorted({row.tenant_id for row in rows if row.tenant_id})
    now = {tenant.id: tenant.mail_address for tenant in units.tenants_of_past(tx, account_id, ids)} if ids else {}
    to = {row.id: now.get(row.tenant_id, row.tenant_email) for row in rows if row.tenant_id and row.status in CLOSING}
    return {invoice_id: address for invoice_id, address in to.items() if address}


def can_go(tx: Tx, account_id: str, invoice_id: str) -> bool:
    """True if a receipt for this invoice would reach its tenant by e-mail."""
    account = accounts.find(tx, account_id)
    found = invoices.find_many(tx, account_id, [invoice_id]) if account and account.mail_on else []
    return bool(addresses(tx, account_id, found))
