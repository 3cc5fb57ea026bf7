"""Messages about invoices that are taken back before they leave, and what an invoice shows of its messages then."""

from collections.abc import Sequence

from prorata.domain.delivery.tenant_mail import Kind
from prorata.domain.mail.deliveries import BOUNCED, DELIVERED, MAIL, ON_ITS_WAY, SENT, WITH_THE_INVOICE, WITHDRAWN
from prorata.store.database.engine import Tx
from prorata.store.invoices.invoices import InvoiceRow
from prorata.store.jobs import jobs as stored_jobs
from prorata.store.mail import messages as mail
from prorata.store.mail.messages import MailRow


def withdraw(tx: Tx, invoice: InvoiceRow) -> None:
    """Take back what waits to be sent, or could not be; nobody can have it tried again. What a worker has begun to hand
    over may still arrive; then that is shown.
    """
    rows = [row for row in mail.of_invoice(tx, invoice.account_id, invoice.id) if row.state in ON_ITS_WAY]
    for row in rows:
        mail.save(tx, row._replace(state=WITHDRAWN, updated_at=tx.now))
        mail.drop_message(tx, row.account_id, row.id)
    if rows:
        stored_jobs.call_off(tx, invoice.account_id, MAIL, invoice.id, [row.id for row in rows])


def let_go(tx: Tx, invoice: InvoiceRow) -> InvoiceRow:
    """An invoice that is for somebody else from now on: what was sent to the person before says nothing of how it
    stands, also where it arrives or comes back later, and what waits is not sent.
    """
    withdraw(tx, invoice)
    mail.set_former(tx, invoice.account_id, invoice.id)
    return invoice._replace(delivery=None, email_status=None, email_sent_at=None)


def was_withdrawn(tx: Tx, invoice: InvoiceRow) -> bool:
    """Whether the latest message with an invoice was taken back, and no server has taken it all the same."""
    rows = with_the_invoice(tx, invoice)
    return bool(rows) and rows[-1].state == WITHDRAWN


def with_the_invoice(tx: Tx, invoice: InvoiceRow) -> list[MailRow]:
    """The messages with an invoice in them to whom it is for, the oldest first."""
    rows = mail.of_invoice(tx, invoice.account_id, invoice.id)
    return [row for row in rows if row.kind in WITH_THE_INVOICE and not row.is_former]


def standing(rows: Sequence[MailRow]) -> MailRow | None:
    """The one of an invoice's messages, the oldest first, that says what became of it: the latest; where that was the
    same once more and was taken back, the one before.
    """
    for row in reversed(rows):
        if row.state != WITHDRAWN:
            return row
        if row.kind != Kind.AGAIN.value:
            break
    return None


def showing(invoice: InvoiceRow, row: MailRow | None) -> InvoiceRow:
    """An invoice that shows what became of its message; nothing, where it has none."""
    reached = row.state if row is not None and row.state in {SENT, DELIVERED, BOUNCED} else None
    return invoice._replace(
        delivery=row.state if row is not None else None,
        email_status=reached,
        email_sent_at=row.sent_at if row is not None and reached else None,
    )
