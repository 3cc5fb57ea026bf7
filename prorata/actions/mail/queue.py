"""Messages that are not about invoices: to members, tenants, bill senders or an account.

Each message is queued with the job that sends it, and its text is written when it is sent.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from prorata.actions.jobs import jobs
from prorata.domain.mail.deliveries import MAIL, ON_ITS_WAY, QUEUED, WITHDRAWN
from prorata.store.database.engine import Tx
from prorata.store.jobs import jobs as stored_jobs
from prorata.store.mail import messages as mail
from prorata.store.mail.messages import MailRow


def queue(
    tx: Tx,
    account_id: str,
    kind: str,
    to_address: str,
    *,
    occasion: str | None = None,
    to_name: str | None = None,
    link_id: str | None = None,
    invited_by: str | None = None,
) -> str:
    """Queue a message to be sent at once; return the message's id.

    `occasion` is the id of the record that the message concerns; if it is None, the message's own id is stored
    instead.
    """
    mail_id = tx.new_id("mail")
    row = MailRow(
        account_id=account_id,
        id=mail_id,
        invoice_id=None,
        kind=kind,
        occasion=occasion or mail_id,
        state=QUEUED,
        to_name=to_name,
        to_address=to_address,
        said=None,
        created_at=tx.now,
        sent_at=None,
        updated_at=tx.now,
        link_id=link_id,
        invited_by=invited_by,
    )
    mail.add_many(tx, [row])
    jobs.enqueue(tx, account_id, MAIL, {"mail": mail_id}, subject=mail_id, unique_key=mail_id)
    return mail_id


class To(NamedTuple):
    """The recipient of one of many messages, and the record that the message concerns."""

    address: str
    name: str
    occasion: str


def queue_many(tx: Tx, account_id: str, kind: str, to: Sequence[To], *, due_at: datetime) -> None:
    """Queue a message to each recipient, to be sent at a given time.

    Until that time, the messages can be withdrawn.
    """
    rows = [
        MailRow(
            account_id, tx.new_id("mail"), None, kind, recipient.occasion, QUEUED,
            recipient.name, recipient.address, None, tx.now, None, tx.now,
        )
        for recipient in to
    ]  # fmt: skip
    mail.add_many(tx, rows)
    jobs.enqueue_many(
        tx, account_id, MAIL, [jobs.Wanted({"mail": row.id}, row.id, row.id) for row in rows], due_at=due_at
    )


def withdraw(tx: Tx, account_id: str, mail_id: str) -> None:
    """Withdraw a waiting or failed message that is not about an invoice.

    A withdrawn message is not retried, and neither is one that came back.
    """
    mail.lock(tx, account_id, mail_id)
    row = mail.find(tx, account_id, mail_id)
    if row is not None and row.state in ON_ITS_WAY:
        mail.save(tx, row._replace(state=WITHDRAWN, updated_at=tx.now))
    stored_jobs.call_off(tx, account_id, MAIL, [mail_id], [mail_id])


def keep(tx: Tx, row: MailRow, message: bytes) -> bytes | None:
    """Store a written message, so that each try sends the same bytes.

    Return the bytes, or None if the message won't be sent any more.
    """
    mail.lock(tx, row.account_id, row.id)
    now = mail.find(tx, row.account_id, row.id)
    if now is None or now.state not in ON_ITS_WAY:
        return None
    mail.drop_content(tx, row.account_id, row.id)
    mail.keep(tx, row.account_id, row.id, message=message, pdf=b"")
    return message
