"""The refusal of many waiting messages at once: all, or those of one sender."""

from typing import NamedTuple

from prorata.domain.audit.verbs import Verb
from prorata.domain.texts import say
from prorata.errors import Conflict
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.inbound_mail import mail_volume
from prorata.store.inbound_mail.mail_volume import WaitingMail

_MORE = say(
    "More messages are waiting now than when you were asked. Nothing was refused: review the messages, then refuse "
    "them again."
)


class RefusedMail(NamedTuple):
    """The refusal of several messages at once, as stored in the audit log.

    The entry contains their number and, if they have a single sender, the sender.
    """

    messages: int
    sender: str | None


def waiting(tx: Tx, caller: Caller, sender: str | None = None) -> WaitingMail:
    """Count and list the waiting messages of one sender or of all senders not allowed."""
    return mail_volume.waiting(tx, caller.account_id, sender)


def refuse_all(tx: Tx, caller: Caller, seen: WaitingMail, sender: str | None = None) -> int:
    """Refuse all waiting messages of senders who are not allowed, or of one sender.

    Only messages that a person was shown are refused. Messages that arrived, or that the job read, afterwards still
    wait. Refused messages stay stored. Return the number of refused messages. Raises `Conflict` if more messages would
    be refused than the person was shown.
    """
    number = mail_volume.refuse_all(tx, caller.account_id, seen, sender)
    if number > seen.number:  # one started waiting while they were counted
        raise Conflict(_MORE)
    if number:
        audit.record(tx, caller, Verb.REFUSE_MESSAGES, seen.newest, after=RefusedMail(number, sender))
    return number
