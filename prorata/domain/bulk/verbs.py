"""The bulk actions on invoices: their codes and words."""

from enum import StrEnum
from typing import Self

from prorata.domain.invoice_states import CANCELLED, DRAFT, PAID, SENT
from prorata.domain.texts import Text, say_n


class BulkVerb(StrEnum):
    """A bulk action: its code, the status it sets, and its words.

    The status is None if the action doesn't set all invoices to the same status. `were` says how many invoices were
    changed. `together` is the action in words that follow an actor's name. The code is stored and recorded in the
    audit log, so it never changes.
    """

    def __new__(cls, code: str, *_of: object) -> Self:
        """Create a bulk action from its code."""
        verb = str.__new__(cls, code)
        verb._value_ = code
        return verb

    def __init__(self, _code: str, status: str | None, were: Text, together: Text) -> None:
        self.status, self.were, self.together = status, were, together

    SEND = (
        "send",
        SENT,
        say_n("{n} of {invoices} was marked as sent", "{n} of {invoices} were marked as sent", 2),
        say_n("sent {n} invoice", "sent {n} invoices", 2),
    )
    MARK_PAID = (
        "mark paid",
        PAID,
        say_n("{n} of {invoices} was marked as paid", "{n} of {invoices} were marked as paid", 2),
        say_n("marked {n} invoice as paid", "marked {n} invoices as paid", 2),
    )
    CONFIRM_PAID = (
        "confirm paid",
        PAID,
        say_n("{n} of {invoices} was marked as paid", "{n} of {invoices} were marked as paid", 2),
        say_n("marked {n} invoice as paid", "marked {n} invoices as paid", 2),
    )
    CANCEL = (
        "cancel",
        CANCELLED,
        say_n("{n} of {invoices} was cancelled", "{n} of {invoices} were cancelled", 2),
        say_n("cancelled {n} invoice", "cancelled {n} invoices", 2),
    )
    REOPEN = (
        "reopen",
        DRAFT,
        say_n("{n} of {invoices} was set back to draft", "{n} of {invoices} were set back to draft", 2),
        say_n("set {n} invoice back to draft", "set {n} invoices back to draft", 2),
    )
    UNDO = (
        "undo",
        None,
        say_n("{n} of {invoices} was set back as before", "{n} of {invoices} were set back as before", 2),
        say_n("took back a change of {n} invoice", "took back a change of {n} invoices", 2),
    )
    SEND_AGAIN = (
        "send again",
        None,
        say_n(
            "{n} of {invoices} was queued to be e-mailed again",
            "{n} of {invoices} were queued to be e-mailed again",
            2,
        ),
        say_n("had {n} invoice e-mailed again", "had {n} invoices e-mailed again", 2),
    )
    REMIND = (
        "remind",
        None,
        say_n(
            "{n} of {invoices} was queued for a reminder by e-mail",
            "{n} of {invoices} were queued for reminders by e-mail",
            2,
        ),
        say_n("created a reminder of {n} invoice", "created reminders of {n} invoices", 2),
    )
    NOT_REMINDED = (
        "not reminded",
        None,
        say_n(
            "The reminder of {n} of {invoices} was withdrawn", "The reminders of {n} of {invoices} were withdrawn", 2
        ),
        say_n("withdrew the reminder of {n} invoice", "withdrew the reminders of {n} invoices", 2),
    )
    HAND_OVER = (
        "hand over",
        None,
        say_n("{n} of {invoices} was handed over", "{n} of {invoices} were handed over", 2),
        say_n("handed over {n} invoice", "handed over {n} invoices", 2),
    )
    NOT_HANDED_OVER = (
        "not handed over",
        None,
        say_n("{n} of {invoices} is to be handed over again", "{n} of {invoices} are to be handed over again", 2),
        say_n("took back that {n} invoice was handed over", "took back that {n} invoices were handed over", 2),
    )

    @property
    def only_mails(self) -> bool:
        """True if the action only queues e-mails."""
        return self in (BulkVerb.SEND_AGAIN, BulkVerb.REMIND)

    @property
    def can_be_undone(self) -> bool:
        """True if the action can be undone at any time.

        Reminders can be withdrawn only while they wait to be sent.
        """
        return not self.only_mails and self is not BulkVerb.NOT_REMINDED

    @property
    def undone_by(self) -> "BulkVerb":
        """The action that undoes this one; for most actions, it is `UNDO`."""
        if self is BulkVerb.REMIND:
            return BulkVerb.NOT_REMINDED
        if self is BulkVerb.HAND_OVER:
            return BulkVerb.NOT_HANDED_OVER
        return BulkVerb.HAND_OVER if self is BulkVerb.NOT_HANDED_OVER else BulkVerb.UNDO

    @classmethod
    def of_code(cls, code: str) -> Self:
        """Return the bulk action that has a stored code."""
        return next(verb for verb in cls if verb == code)
