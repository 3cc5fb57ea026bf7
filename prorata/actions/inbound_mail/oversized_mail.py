"""Messages in a polled mailbox that are too large to be fetched completely.

Only the message's header is fetched, so that a person who waits for the bill sees that a message came, and from
whom.
"""

from typing import Final

from prorata.actions.inbound_mail import inbox_addresses
from prorata.actions.inbound_mail.parsed_mail import LeftOut, noted
from prorata.actions.limits import LONGEST_MAIL_TEXT_SHOWN
from prorata.domain.inbound_mail.inbox_addresses import NOT_TAKEN, RECEIVED, REFUSED
from prorata.domain.inbound_mail.incoming_mail import IncomingMessage
from prorata.domain.limits import LONGEST_MAIL_ADDRESS, MOST_MESSAGE_BYTES
from prorata.domain.mail.message_body import one_line
from prorata.domain.texts import say
from prorata.store.database.engine import Tx
from prorata.store.inbound_mail import incoming_mail

WHY: Final = say(
    "It is larger than {most} MB, the limit for a message, and was not fetched. Have its files sent in several "
    "messages, or save them and upload them here.",
    most=MOST_MESSAGE_BYTES >> 20,
)


def note(tx: Tx, account_id: str, mail_id: str, head: IncomingMessage | None) -> None:
    """Record that a message was too large to fetch, with the data from its header.

    If the message claims to be from an allowed sender, it waits until somebody has dealt with it. Otherwise, it is
    refused. The sender is shown as unproven and is not answered, because a signature can't be checked without the
    whole message. The header itself is not kept, because it contains no file that could become a bill.
    """
    row = incoming_mail.lock(tx, account_id, mail_id)
    if row is None or row.state != RECEIVED:
        return
    if head is not None:
        row = row._replace(
            sender=one_line(str(head.from_address or ""), LONGEST_MAIL_ADDRESS) or None,
            subject=one_line(head.subject, LONGEST_MAIL_TEXT_SHOWN) or None,
            authentic=False,
        )
    may_bring = row.about is None and inbox_addresses.is_sender_allowed(tx, account_id, row.sender)
    incoming_mail.save(
        tx,
        row._replace(state=NOT_TAKEN if may_bring else REFUSED, left_out=noted([LeftOut("", WHY)]), updated_at=tx.now),
    )
    incoming_mail.clear(tx, account_id, [row.id])
