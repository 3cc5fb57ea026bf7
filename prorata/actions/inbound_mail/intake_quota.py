"""The limit on an account's incoming mail, beyond which senders' servers must try again.

Part of the limit is reserved for mail from allowed senders. When the limit is checked, it is not proven that a
message comes from the sender that it names. But to use up the reserved part, somebody would have to know an
allowed sender.
"""

from datetime import timedelta

from prorata.actions.inbound_mail import inbox_addresses
from prorata.actions.inbound_mail.inbox_addresses import Recipient
from prorata.domain.inbound_mail.inbox_addresses import NOT_TAKEN, RECEIVED, WAITING
from prorata.domain.limits import (
    MOST_MAIL_BYTES_OF_A_DAY,
    MOST_MAIL_BYTES_OF_REPORTS,
    MOST_MAIL_BYTES_OF_STRANGERS,
    MOST_MAIL_OF_STRANGERS_WAITING,
    MOST_MAIL_WAITING,
)
from prorata.domain.texts import say
from prorata.errors import Conflict
from prorata.ids import first_at
from prorata.store.database.engine import Tx
from prorata.store.inbound_mail import incoming_mail, mail_volume

FULL = say("Too much mail is waiting to be reviewed. Try again later.")
ENOUGH = say("Too much mail has arrived within a day. Try again later.")
_WAITS = (RECEIVED, WAITING, NOT_TAKEN)
_A_DAY = timedelta(days=1)


def refuse_too_much(tx: Tx, recipient: Recipient, *, sender: str | None = None, size: int = 0) -> None:
    """Refuse more mail for an account if too much is waiting or recently came.

    Waiting mail is mail that was not read yet or needs a person's decision. Recent mail came in the last 24 hours.
    `size` is the number of bytes of the message about to come, which count towards the limit of recent mail. Mail
    to the return address of Prorata's own messages has its own limit. `sender` is the sender named by the message,
    "" if it names none, and None if the sender is not known yet. Raises `Conflict` if a limit is exceeded.
    """
    account_id = recipient.account_id
    since = first_at("incoming", int((tx.moment - _A_DAY).timestamp() * 1000))
    if recipient.about is not None:
        if mail_volume.bytes_of_reports(tx, account_id, since) + size > MOST_MAIL_BYTES_OF_REPORTS:
            raise Conflict(ENOUGH)
        return
    waiting = incoming_mail.number_that_may_bring(tx, account_id, _WAITS)
    came = mail_volume.bytes_that_came(tx, account_id, since) + size
    if waiting >= MOST_MAIL_WAITING:
        raise Conflict(FULL)
    if came > MOST_MAIL_BYTES_OF_A_DAY:
        raise Conflict(ENOUGH)
    is_fuller = waiting >= MOST_MAIL_OF_STRANGERS_WAITING or came > MOST_MAIL_BYTES_OF_STRANGERS
    if is_fuller and sender is not None and not inbox_addresses.is_sender_allowed(tx, account_id, sender):
        raise Conflict(FULL if waiting >= MOST_MAIL_OF_STRANGERS_WAITING else ENOUGH)
