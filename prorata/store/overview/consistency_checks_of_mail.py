"""Data of `prorata check` about mail: stuck messages, and wrong deliveries of invoices."""

from sqlalchemy import and_, bindparam, exists, func, or_, select

from prorata.domain.inbound_mail.inbox_addresses import RECEIVED
from prorata.domain.mail.deliveries import BOUNCED, DELIVERED, HAND_OVER, HANDED_OVER, QUEUED, SENT, WRITTEN
from prorata.store.database.engine import Tx
from prorata.store.database.statements import is_one_of, returns_one
from prorata.store.mail.messages import TELLS_OF_INVOICE
from prorata.store.schema.incoming_mail_tables import incoming_mail
from prorata.store.schema.job_tables import job
from prorata.store.schema.joins import named_by
from prorata.store.schema.mail_tables import mail, mail_content
from prorata.store.schema.tables import invoice

_SENT = [SENT, DELIVERED, BOUNCED]
_mine = mail.c.account_id == bindparam("account")
_is_sent = is_one_of(mail.c.state, "sent")
_has_left = is_one_of(mail.c.state, "left")
_has_job = exists().where(
    job.c.account_id == mail.c.account_id,
    job.c.subject == func.coalesce(mail.c.invoice_id, mail.c.id),
    job.c.unique_key == mail.c.id,
    or_(job.c.ended_at.is_(None), job.c.state == bindparam("failed")),
)
_keeps = select(mail_content.c.message).where(named_by(mail, mail_content.c.mail_id))
_FORGOTTEN = returns_one(
    select(mail.c.id).where(_mine, mail.c.state == bindparam("queued"), ~_has_job).order_by(mail.c.id)
)
_ODD = returns_one(
    select(mail.c.id)
    .where(_mine, or_(_is_sent != mail.c.sent_at.is_not(None), and_(_has_left, _keeps.scalar_subquery().is_not(None))))
    .order_by(mail.c.id)
)
_is_mailed = and_(invoice.c.delivery != bindparam("by_hand"), invoice.c.delivery != bindparam("handed_over"))
_SHOWN_OTHERWISE = returns_one(
    select(invoice.c.number)
    .select_from(invoice)
    .outerjoin(mail, TELLS_OF_INVOICE)
    .where(
        invoice.c.account_id == bindparam("account"),
        or_(
            and_(_is_mailed, or_(mail.c.id.is_(None), mail.c.state != invoice.c.delivery)),
            and_(
                invoice.c.email_status.is_not(None),
                or_(mail.c.id.is_(None), mail.c.state != invoice.c.email_status),
            ),
            and_(_is_mailed, _is_sent, or_(invoice.c.email_status.is_(None), invoice.c.email_sent_at.is_(None))),
        ),
    )
    .order_by(invoice.c.number)
)


_UNREAD = returns_one(
    select(incoming_mail.c.id)
    .where(
        incoming_mail.c.account_id == bindparam("account"),
        incoming_mail.c.state == bindparam("received"),
        ~exists().where(
            named_by(incoming_mail, job.c.subject),
            or_(job.c.ended_at.is_(None), job.c.state == bindparam("failed")),
        ),
    )
    .order_by(incoming_mail.c.id)
)


def unread(tx: Tx, account_id: str) -> list[str]:
    """List the ids of received messages that wait for a job that doesn't exist.

    The job would read the message.
    """
    return tx.all(_UNREAD, account=account_id, received=RECEIVED, failed="failed")


def forgotten(tx: Tx, account_id: str) -> list[str]:
    """List the ids of outgoing messages that wait for a job that doesn't exist.

    The job would send the message.
    """
    return tx.all(_FORGOTTEN, account=account_id, queued=QUEUED, failed="failed")


def odd(tx: Tx, account_id: str) -> list[str]:
    """List the ids of outgoing messages whose stored fields contradict each other.

    A message's state and its sending time disagree, or its bytes are still stored after the sending.
    """
    return tx.all(_ODD, account=account_id, sent=_SENT, left=[*_SENT, WRITTEN])


def shown_otherwise(tx: Tx, account_id: str, kinds: list[str]) -> list[str]:
    """List the numbers of invoices whose delivery state contradicts their latest message.

    Withdrawn messages don't count.
    """
    by_hand = {"by_hand": HAND_OVER, "handed_over": HANDED_OVER}
    return tx.all(_SHOWN_OTHERWISE, account=account_id, **by_hand, sent=_SENT, kinds=kinds)
