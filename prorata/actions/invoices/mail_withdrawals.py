"""Withdrawal of messages about invoices, and the state that invoices then show."""

from collections.abc import Sequence

from prorata.domain.delivery.tenant_mail import Kind
from prorata.domain.mail.deliveries import BOUNCED, DELIVERED, MAIL, ON_ITS_WAY, SENT, WITH_THE_INVOICE, WITHDRAWN
from prorata.store.database.engine import Tx
from prorata.store.invoices.invoices import InvoiceRow
from prorata.store.jobs import jobs as stored_jobs
from prorata.store.mail import messages as mail
from prorata.store.mail.messages import MailRow


def withdraw(tx: Tx, invoice: InvoiceRow) -> None:
    """Withdraw an invoice's messages that wait or failed, so that nobody can retry them.

    A message that a worker is already handing over may still arrive; the invoice then shows this.
    """
    rows = [row for row in mail.of_invoice(tx, invoice.account_id, invoice.id) if row.state in ON_ITS_WAY]
    for row in rows:
        mail.save(tx, row._replace(state=WITHDRAWN, updated_at=tx.now))
        mail.drop_message(tx, row.account_id, row.id)
    if rows:
        stored_jobs.call_off(tx, invoice.account_id, MAIL, invoice.id, [row.id for row in rows])


def let_go(tx: Tx, invoice: InvoiceRow) -> InvoiceRow:
    """Detach an invoice that now belongs to somebody else from its former messages.

    The messages no longer affect its state, even if they arrive or come back later, and queued ones are not sent.
    """
    withdraw(tx, invoice)
    mail.set_former(tx, invoice.account_id, invoice.id)
    return invoice._replace(delivery=None, email_status=None, email_sent_at=None)


def was_withdrawn(tx: Tx, invoice: InvoiceRow) -> bool:
    """True if an invoice's latest message was withdrawn and no server accepted it after all."""
    rows = with_the_invoice(tx, invoice)
    return bool(rows) and rows[-1].state == WITHDRAWN


def with_the_invoice(tx: Tx, invoice: InvoiceRow) -> list[MailRow]:
    """List the messages that carried an invoice to its tenant, oldest first."""
    rows = mail.of_invoice(tx, invoice.account_id, invoice.id)
    return [row for row in rows if row.kind in WITH_THE_INVOICE and not row.is_former]


def standing(rows: Sequence[MailRow]) -> MailRow | None:
    """Return the message that decides an invoice's delivery state.

    Of the given messages, oldest first, it is the latest or, if that was a withdrawn resend, the one before.
    """
    for row in reversed(rows):
        if row.state != WITHDRAWN:
            return row
        if row.kind != Kind.AGAIN.value:
            break
    return None


def showing(invoice: InvoiceRow, row: MailRow | None) -> InvoiceRow:
    """Return an invoice that shows a message's delivery state; without a message, it shows none."""
    reached = row.state if row is not None and row.state in {SENT, DELIVERED, BOUNCED} else None
    return invoice._replace(
        delivery=row.state if row is not None else None,
        email_status=reached,
        email_sent_at=row.sent_at if row is not None and reached else None,
    )
