"""E-mailed answers to messages that brought bills.

Each message is answered at most once. The message must be authentic, and its sender must be allowed, or somebody
must have accepted the message. Mail that a program sent is never answered, and the number of answers per hour is
limited.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import NamedTuple

import msgspec

from prorata.actions.inbound_mail.parsed_mail import brings_in, left_out_in
from prorata.actions.mail import allowances as mail_allowances, queue as mail_queue
from prorata.domain.files.grouped_problems import together
from prorata.domain.inbound_mail.answer_mail import ANSWER, Answer, AnsweredFile, usable_message_id
from prorata.domain.intake.bill_reading.draft import Draft
from prorata.domain.intake.documents import BILLED, PASSWORD, READING, SET_ASIDE, UNREADABLE
from prorata.domain.limits import MOST_MAIL_ANSWERS
from prorata.domain.mail.deliveries import ON_ITS_WAY
from prorata.store.accounts import accounts
from prorata.store.database.engine import Tx, timestamp
from prorata.store.inbound_mail import incoming_mail
from prorata.store.inbound_mail.incoming_mail import BroughtDocument
from prorata.store.mail import messages as mail
from prorata.store.mail.messages import MailRow

_AN_HOUR = timedelta(hours=1)


class OutgoingAnswer(NamedTuple):
    """An e-mail to send in answer to a message that brought bills.

    `message` contains the e-mail's bytes once they are written.
    """

    mail: MailRow
    answer: Answer
    message: bytes | None


def is_ready(tx: Tx, account_id: str, mail_id: str) -> bool:
    """True if all files that came with a message have been read."""
    return all(
        brought_document.state != READING for brought_document in incoming_mail.brought(tx, account_id, [mail_id])
    )


def queue(tx: Tx, account_id: str, mail_id: str) -> None:
    """Queue the answer to a message.

    No answer is queued if the message was answered before, if the account has reached the limit of answers per
    hour, or if the account may not e-mail others yet.
    """
    row = incoming_mail.lock(tx, account_id, mail_id)
    if row is None or row.answered_at is not None or not row.sender:
        return
    is_enough = incoming_mail.number_answered(tx, account_id, timestamp(tx.moment - _AN_HOUR)) >= MOST_MAIL_ANSWERS
    if is_enough or mail_allowances.why_none_leaves(tx, account_id) or mail_allowances.take(tx, account_id):
        return
    mail_queue.queue(tx, account_id, ANSWER, row.sender, occasion=mail_id)
    incoming_mail.save(tx, row._replace(answered_at=tx.now, updated_at=tx.now))


def outgoing(tx: Tx, account_id: str, mail_id: str, stands: Callable[[bytes], bool]) -> OutgoingAnswer | None:
    """Load an unsent answer to a message that brought bills.

    `stands` is a function that returns True if the bytes written for an earlier try can still be sent; otherwise,
    the result contains no bytes. Return None for any other message, and for one that was sent or withdrawn.
    """
    row, account = mail.find(tx, account_id, mail_id), accounts.find(tx, account_id)
    if row is None or account is None or row.kind != ANSWER or row.state not in ON_ITS_WAY:
        return None
    to = incoming_mail.find(tx, account_id, row.occasion)
    if to is None:
        return None
    names = {bring.document: bring.name for bring in reversed(brings_in(to.brings))}
    answer = Answer(
        token=row.id,
        locale=account.locale,
        subject=to.subject or "",
        in_reply_to=usable_message_id(to.message_id),
        files=tuple(
            _answered(brought_document, names.get(brought_document.id))
            for brought_document in incoming_mail.brought(tx, account_id, [to.id])
        ),
        left_out=together((left_out.name, left_out.why) for left_out in left_out_in(to.left_out)),
        to=row.to_address,
        at=tx.moment,
    )
    message = mail.message(tx, account_id, mail_id)
    return OutgoingAnswer(row, answer, message if message is not None and stands(message) else None)


def _answered(document: BroughtDocument, name: str | None) -> AnsweredFile:
    """Describe a file for an answer, under its `name` in the answered message.

    The stored document may have another name, if a file with the same content came earlier.
    """
    was_read = document.draft is not None and document.state != UNREADABLE
    draft = msgspec.json.decode(document.draft or "", type=Draft) if was_read else None
    return AnsweredFile(
        name or document.name,
        draft,
        counts=document.state == BILLED and document.bill_id is not None,
        is_table=bool(document.is_table),
        is_set_aside=document.state == SET_ASIDE,
        is_removed=document.state == BILLED and document.bill_id is None,
        is_locked=document.state == UNREADABLE and document.asks == PASSWORD,
    )
