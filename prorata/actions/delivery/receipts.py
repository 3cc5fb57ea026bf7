"""Receipts that confirm a payment, by e-mail or on paper (docs/decisions.md#payment-links)."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from prorata.actions.accounts import access, accounts as account_actions
from prorata.actions.invoices.invoice_mail import Wanted, queue_many
from prorata.actions.printing import tenant_copies
from prorata.actions.recalculation.month_loader import as_entry
from prorata.domain.delivery.receipts import Receipt
from prorata.domain.delivery.tenant_mail import Kind
from prorata.domain.due_times import day_in
from prorata.domain.invoice_states import CLOSING
from prorata.domain.invoices.ledger import OTHER, PAYMENT, REFUND, counting, paid_back, received
from prorata.errors import NotFound
from prorata.ports.mail import InvoiceMail
from prorata.store.accounts import accounts
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.invoices import invoices
from prorata.store.invoices.invoices import InvoiceRow
from prorata.store.payments import payments
from prorata.store.payments.payments import PaymentRow
from prorata.store.properties import units


class Paid(NamedTuple):
    """A payment to confirm with a receipt.

    The payment is the entry in an invoice's ledger or, if `entry_id` is None, the amount that was recorded by
    marking the invoice as paid.
    """

    invoice_id: str
    entry_id: str | None = None


def queue(tx: Tx, account_id: str, paid: Sequence[Paid]) -> int:
    """Queue the receipts of new payments for tenants who get e-mail; return their number.

    Like all e-mails, receipts wait for the time that the account sets (`mail_hold`). If a payment is reversed, its
    waiting receipt is withdrawn.
    """
    account = accounts.find(tx, account_id)
    its_invoices = invoices.find_many(tx, account_id, sorted({payment.invoice_id for payment in paid})) if paid else []
    if account is None or not account.mail_on:
        return 0
    rows, to = {row.id: row for row in its_invoices}, addresses(tx, account_id, its_invoices)
    wanted = [
        Wanted(rows[payment.invoice_id], Kind.RECEIPT, to[payment.invoice_id], payment.entry_id)
        for payment in paid
        if payment.invoice_id in to and (payment.entry_id or rows[payment.invoice_id].paid_by_status > 0)
    ]
    if wanted:
        queue_many(tx, account, wanted)
    return len(wanted)


def addresses(tx: Tx, account_id: str, rows: Sequence[InvoiceRow]) -> dict[str, str]:
    """Map ids of invoices to the addresses to which receipts for their payments are e-mailed.

    Only sent invoices whose tenant has an e-mail address are included.
    """
    ids = sorted({row.tenant_id for row in rows if row.tenant_id})
    now = {tenant.id: tenant.mail_address for tenant in units.tenants_of_past(tx, account_id, ids)} if ids else {}
    to = {row.id: now.get(row.tenant_id, row.tenant_email) for row in rows if row.tenant_id and row.status in CLOSING}
    return {invoice_id: address for invoice_id, address in to.items() if address}


def can_go(tx: Tx, account_id: str, invoice_id: str) -> bool:
    """True if a receipt for this invoice could be e-mailed to its tenant now."""
    account = accounts.find(tx, account_id)
    its_invoices = invoices.find_many(tx, account_id, [invoice_id]) if account and account.mail_on else []
    return bool(addresses(tx, account_id, its_invoices))


def of_payment(tx: Tx, invoice: InvoiceRow, entry_id: str | None) -> Receipt | None:
    """Load the payment that a receipt confirms; None if it was reversed or is gone.

    `entry_id` is the payment's ledger entry. If it is None, the payment is the amount that was recorded by marking
    the invoice as paid.
    """
    if entry_id is None:
        account = accounts.find(tx, invoice.account_id)
        if account is None or invoice.paid_at is None or invoice.paid_by_status <= 0:
            return None
        return Receipt(invoice.paid_by_status, day_in(datetime.fromisoformat(invoice.paid_at), account.timezone), OTHER)
    ledger = payments.of_invoices(tx, invoice.account_id, [invoice.id])
    counted = counting([as_entry(row) for row in ledger])
    paid = next((entry for entry in counted if entry.id == entry_id and entry.kind == PAYMENT), None)
    if paid is None:
        return None
    (row,) = (row for row in ledger if row.id == entry_id)
    days = {row.id: date.fromisoformat(row.day) for row in ledger}
    after = [entry for entry in counted if (entry.at, entry.id) > (paid.at, paid.id)]
    before = received([entry for entry in counted if (entry.at, entry.id) < (paid.at, paid.id)])
    is_extra = 0 < invoice.total <= before + invoice.paid_by_status
    refunds = tuple((cents, days[entry.id]) for entry, cents in paid_back(counted, paid.id))
    is_more = invoice.paid_by_status > 0 or any(entry.kind != REFUND and entry.amount > 0 for entry in after)
    open_then = max(0, invoice.total - before - paid.amount) if is_more and not is_extra else 0
    return Receipt(row.amount, days[row.id], row.method, _reference(row), is_extra, refunds, open_then)


def _reference(row: PaymentRow) -> str:
    """Return a payment's reference, without the ids that a payment provider gives."""
    return "" if row.provider else row.reference or ""


def on_paper(tx: Tx, caller: Caller, invoice_id: str, entry_id: str | None) -> InvoiceMail:
    """Build the data of a printed receipt for a payment, as of now.

    `entry_id` is the payment's ledger entry, or None (see `of_payment`). Raises `NotFound` if the invoice does not
    exist, is for no tenant or was not sent, and if the payment does not exist or was reversed.
    """
    row = access.invoice(tx, caller, invoice_id)
    found = of_payment(tx, row, entry_id)
    if found is None or row.tenant_id is None or row.status not in CLOSING:
        raise NotFound("payment")
    account = account_actions.the_account(tx, caller)
    return InvoiceMail(
        token="", kind=Kind.RECEIPT, invoice=tenant_copies.of_row(tx, caller, row), contact=account.contacts, to="",
        to_name=row.tenant_name, at=tx.moment.astimezone(ZoneInfo(account.timezone)), received=found, on_paper=True,
    )  # fmt: skip
