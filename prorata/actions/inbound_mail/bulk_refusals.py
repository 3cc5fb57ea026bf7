"""Refusing many messages at once that wait for a person: all of one sender, or all."""

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
    "More messages wait by now than you were asked about. Nothing was refused: look at them, and refuse them again."
)


class RefusedMail(NamedTuple):
    """How many messages were refused at once; of which sender, where they were of one."""

    messages: int
    sender: str | None


def waiting(tx: Tx, caller: Caller, sender: str | None = None) -> WaitingMail:
    """How many messages wait as their sender is not allowed, all of them or those of one sender, and which."""
    return mail_volume.waiting(tx, caller.account_id, sender)


def refuse_all(tx: Tx, caller: Caller, seen: WaitingMail, sender: str | None = None) -> int:
    """Put away the messages that waited as their sender is not allowed, all of them or those of one sender, when
    somebody saw how many they are: what has come since, and what came before and was read since, waits. They stay kept.
    Returns how many they are. Raises `Conflict` where they are more than was seen.
    """
    number = mail_volume.refuse_all(tx, caller.account_id, seen, sender)
    if number > seen.number:  # one began to wait in the moment in which they were counted
        raise Conflict(_MORE)
    if number:
        audit.record(tx, caller, Verb.REFUSE_MESSAGES, seen.newest, after=RefusedMail(number, sender))
    return number
