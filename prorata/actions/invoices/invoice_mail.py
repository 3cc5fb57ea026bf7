"""The e-mails with invoices, queued when an invoice changes (docs/decisions.md#sending).

A change of an invoice's status may also withdraw an e-mail that has not been sent yet.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import NamedTuple

from prorata.actions.invoices.mail_withdrawals import showing, standing, with_the_invoice, withdraw
from prorata.actions.jobs import jobs
from prorata.domain.delivery.tenant_mail import Kind
from prorata.domain.due_times import next_time_of_day
from prorata.domain.invoice_states import OVERDUE, PAID, SENT as INVOICE_SENT, UNPAID, UNSENT
from prorata.domain.mail.deliveries import HAND_OVER, MAIL, ON_ITS_WAY, QUEUED, why_by_hand
from prorata.store.accounts.accounts import AccountRow
from prorata.store.database.engine import Tx
from prorata.store.invoices.invoices import InvoiceRow
from prorata.store.mail import messages as mail
from prorata.store.mail.messages import MailRow


class Wanted(NamedTuple):
    """An e-mail about an invoice to queue: its kind and its recipient's address.

    `occasion` identifies the event that the e-mail is for, such as a certain reminder; an invoice gets only one
    e-mail for each occasion. If `occasion` is None, each sending of the invoice makes a new e-mail.
    """

    invoice: InvoiceRow
    kind: Kind
    address: str
    occasion: str | None = None


def follow(tx: Tx, account: AccountRow, before: InvoiceRow, after: InvoiceRow) -> InvoiceRow:
    """Queue or withdraw an invoice's e-mail after its status changed.

    A draft or cancelled invoice that becomes SENT gets an e-mail. If the invoice is no longer SENT, or nothing is
    owed any more, an e-mail that has not been sent is withdrawn, and the invoice shows the state of its previous
    e-mail. A sent or overdue invoice that has no e-mail must be handed over.
    """
    if before.delivery in ON_ITS_WAY and _calls_off(before.status, after.status):
        withdraw(tx, after)
        after = showing(after, standing(with_the_invoice(tx, after)))
    if after.status == INVOICE_SENT and before.status in UNSENT:
        return queue(tx, account, after, Kind.INVOICE, at_its_time=True)
    if after.status in UNSENT and after.delivery == HAND_OVER:
        return after._replace(delivery=None)
    if after.status in {INVOICE_SENT, OVERDUE} and after.delivery is None:
        return after._replace(delivery=HAND_OVER)
    return after


def _calls_off(before: str, after: str) -> bool:
    """True if a change of status withdraws e-mails that have not been sent.

    A paid invoice that becomes unpaid again keeps its e-mail.
    """
    return (before == INVOICE_SENT or after != OVERDUE) and not (before == PAID and after in UNPAID)


def queue(tx: Tx, account: AccountRow, invoice: InvoiceRow, kind: Kind, *, at_its_time: bool = False) -> InvoiceRow:
    """Queue the e-mail that sends an invoice; return the changed invoice.

    If e-mail is off, or there is no tenant with an e-mail address, the invoice must be handed over instead.
    """
    fresh = invoice._replace(email_sent_at=None, email_status=None)
    address = invoice.tenant_email
    if why_by_hand(mail_on=bool(account.mail_on), tenant_id=invoice.tenant_id, address=address) or address is None:
        return fresh._replace(delivery=HAND_OVER)
    queue_many(tx, account, [Wanted(invoice, kind, address)], at_its_time=at_its_time)
    return fresh._replace(delivery=QUEUED)


def queue_many(tx: Tx, account: AccountRow, wanted: Sequence[Wanted], *, at_its_time: bool = False) -> None:
    """Store e-mails, and queue their sending after the account's waiting time.

    With `at_its_time`, they are sent at the next time of day that the account has chosen for sending.
    """
    rows = [_new(tx, message) for message in wanted]
    mail.add_many(tx, rows)
    due = tx.moment + timedelta(minutes=account.mail_hold)
    if account.send_at and at_its_time:
        due = next_time_of_day(due, account.timezone, account.send_at)
    to_do = [
        jobs.Wanted({"mail": row.id}, message.invoice.id, row.id) for message, row in zip(wanted, rows, strict=True)
    ]
    jobs.enqueue_many(tx, account.id, MAIL, to_do, due_at=due)


def _new(tx: Tx, wanted: Wanted) -> MailRow:
    invoice, mail_id = wanted.invoice, tx.new_id("mail")
    return MailRow(
        account_id=invoice.account_id,
        id=mail_id,
        invoice_id=invoice.id,
        kind=wanted.kind.value,
        occasion=wanted.occasion or mail_id,
        state=QUEUED,
        to_name=invoice.tenant_name,
        to_address=wanted.address,
        said=None,
        created_at=tx.now,
        sent_at=None,
        updated_at=tx.now,
    )
