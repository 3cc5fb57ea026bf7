"""Refusing many messages at once that wait for a person: all of one sender, or all."""

from typing import NamedTuple

from prorata.store import audit, much_mail
from prorata.store.audit import Caller
from prorata.store.engine import Tx
from prorata.store.much_mail import WaitingMail


class RefusedMail(NamedTuple):
    """How many messages were refused at once; of which sender, where they were of one."""

    messages: int
    sender: str | None


def waiting(tx: Tx, caller: Caller, sender: str | None = None) -> WaitingMail:
    """How many messages wait as their sender is not allowed, all of them or those of one sender, and the newest."""
    return much_mail.waiting(tx, caller.account_id, sender)


def refuse_all(tx: Tx, caller: Caller, newest: str, sender: str | None = None) -> int:
    """Put away all messages that wait as their sender is not allowed, all of them or those of one sender, up to the
    newest that somebody saw: what came since waits. They stay kept. Returns how many they are.
    """
    number = much_mail.refuse_all(tx, caller.account_id, newest, sender)
    if number:
        audit.record(tx, caller, "refuse messages", newest, after=RefusedMail(number, sender))
    return number
