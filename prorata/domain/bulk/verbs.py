"""What can be done with many invoices at once: a code for each, and its words."""

from enum import StrEnum
from typing import Self

from prorata.domain.invoice_states import CANCELLED, DRAFT, PAID, SENT


class BulkVerb(StrEnum):
    """What is done with many invoices: its code, the status that it sets, if it sets one, what they were then, and what
    somebody did with so many, behind a name. The code is stored, and noted in the audit log: it never changes.
    """

    def __new__(cls, code: str, *_of: object) -> Self:
        """A member by its code."""
        verb = str.__new__(cls, code)
        verb._value_ = code
        return verb

    def __init__(self, _code: str, status: str | None, were: str, together: str) -> None:
        self.status, self.were, self.together = status, were, together

    SEND = "send", SENT, "sent", "sent {}"
    MARK_PAID = "mark paid", PAID, "marked as paid", "marked {} as paid"
    CANCEL = "cancel", CANCELLED, "cancelled", "cancelled {}"
    REOPEN = "reopen", DRAFT, "set back to draft", "set {} back to draft"
    UNDO = "undo", None, "set back as before", "took back a change of {}"
    SEND_AGAIN = "send again", None, "queued to be e-mailed again", "had {} e-mailed again"
    HAND_OVER = "hand over", None, "handed over", "handed over {}"

    @classmethod
    def of_code(cls, code: str) -> Self:
        """The member that a stored code is."""
        return next(verb for verb in cls if verb == code)
