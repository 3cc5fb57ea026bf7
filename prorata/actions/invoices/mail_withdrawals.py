"""Withdrawal of e-mails about invoices, and the delivery state that an invoice then shows."""

from collections.abc import Sequence

from prorata.domain.delivery.tenant_mail import Kind
from prorata.domain.mail.deliveries import BOUNCED, DELIVERED, MAIL, ON_ITS_WAY, SENT, WITH_THE_INVOICE, WITHDRAWN
from prorata.store.database.engine import Tx
from prorata.store.invoices.invoices import InvoiceRow
from prorata.store.jobs import jobs as stored_jobs
from prorata.store.mail import messages as mail
from prorata.store.mail.messages import MailRow


def withdraw(tx: Tx, invoice: InvoiceRow) -> None:
    """Withdraw an invoice's e-mails that are waiting or failed, so that nobody can retry them.

    An e-mail that a worker is already passing to the mail server may still arrive. The invoice then shows that it
    did.
    """
    rows = mail.of_invoice(tx, invoice.account_id, invoice.id)
    withdraw_these(tx, invoice.account_id, [row for row in rows if row.state in ON_ITS_WAY])


def withdraw_these(tx: Tx, account_id: str, rows: Sequence[MailRow]) -> None:
    """Withdraw e-mails about invoices that are waiting or failed, or reminders on paper."""
    if not rows:
        return
    ids = [row.id for row in rows]
    mail.save_many(tx, [row._replace(state=WITHDRAWN, sent_at=None, updated_at=tx.now) for row in rows])
    mail.drop_messages(tx, account_id, ids)
    stored_jobs.call_off(tx, account_id, MAIL, sorted({row.invoice_id for row in rows if row.invoice_id}), ids)


def let_go(tx: Tx, invoice: InvoiceRow) -> InvoiceRow:
    """Detach an invoice that now belongs to another tenant from its former e-mails.

    The e-mails no longer affect the invoice's state, even if they arrive or bounce later. Those still queued are
    withdrawn.
    """
    withdraw(tx, invoice)
    mail.set_former(tx, invoice.account_id, invoice.id)
    return invoice._replace(delivery=None, email_status=None, email_sent_at=None)


def was_withdrawn(tx: Tx, invoice: InvoiceRow) -> bool:
    """True if the latest e-mail that carried an invoice was withdrawn and never sent."""
    rows = with_the_invoice(tx, invoice)
    return bool(rows) and rows[-1].state == WITHDRAWN


def with_the_invoice(tx: Tx, invoice: InvoiceRow) -> list[MailRow]:
    """List the e-mails that carried an invoice to its tenant, oldest first."""
    rows = mail.of_invoice(tx, invoice.account_id, invoice.id)
    return [row for row in rows if row.kind in WITH_THE_INVOICE and not row.is_former]


def standing(rows: Sequence[MailRow]) -> MailRow | None:
    """Return the e-mail that decides an invoice's delivery state, if any.

    `rows` are the e-mails that carried the invoice, oldest first. Withdrawn e-mails that were to send the invoice
    again are skipped. If the latest of the others was withdrawn, no e-mail decides the state.
    """
    for row in reversed(rows):
        if row.state != WITHDRAWN:
            return row
        if row.kind != Kind.AGAIN.value:
            break
    return None


def showing(invoice: InvoiceRow, row: MailRow | None) -> InvoiceRow:
    """Return an invoice with the delivery state of an e-mail, or with none."""
    reached = row.state if row is not None and row.state in {SENT, DELIVERED, BOUNCED} else None
    return invoice._replace(
        delivery=row.state if row is not None else None,
        email_status=reached,
        email_sent_at=row.sent_at if row is not None and reached else None,
    )
