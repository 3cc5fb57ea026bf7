"""Reasons why a provider's message isn't counted, or needs review.

Codes are stored; the sentences that pages show are made only here.
"""

import json
from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple, Self

from prorata.domain.texts import say


class Reason(StrEnum):
    """A reason not to count a provider's message, or to review a counted message."""

    OF_OTHERS = "of_others"
    NOT_KNOWN = "not_known"
    NOT_KNOWN_OF_INVOICE = "not_known_of_invoice"
    OTHER_CURRENCY = "other_currency"
    OTHER_AMOUNT = "other_amount"
    OF_SOMEBODY_ELSE = "of_somebody_else"
    INVOICE_DELETED = "invoice_deleted"
    REFUSED = "refused"
    PAYMENT_NOT_COUNTED = "payment_not_counted"
    PAYMENT_TAKEN_BACK = "payment_taken_back"
    LOSS_TAKEN_BACK = "loss_taken_back"
    REFUND_IN_OTHER_CURRENCY = "refund_in_other_currency"
    GIVES_OTHER_AMOUNT = "gives_other_amount"
    REFUND_FAILED = "refund_failed"
    MARKED_AS_PAID = "marked_as_paid"
    PAID_TWICE = "paid_twice"
    REFUNDED_TWICE = "refunded_twice"
    SAID = "said"


_BACKUP = "It was paid by a payment link of yours that is not known here, as where a backup was restored after the link"
_SAME_MONEY = say("On the invoice, say whether it is the same money.")
_SAYS: Mapping[str, str] = {
    Reason.OF_OTHERS: say("It was not paid through one of our links."),
    Reason.NOT_KNOWN: f"{_BACKUP} was made. Enter the payment by hand.",
    Reason.NOT_KNOWN_OF_INVOICE: f"{_BACKUP} was made. It was made for invoice {{number}}: enter the payment by hand.",
    Reason.OTHER_CURRENCY: say("It was paid in {paid_in}, but the link asks for {currency}."),
    Reason.OTHER_AMOUNT: say("The amount paid is not the amount that the link asks for."),
    Reason.OF_SOMEBODY_ELSE: say(
        "It was paid through the link that {payer} had for invoice {number}, which is now for {tenant}. Refund it, "
        "or enter it by hand where it belongs."
    ),
    Reason.INVOICE_DELETED: say("Its invoice was deleted."),
    Reason.REFUSED: "{says}",
    Reason.PAYMENT_NOT_COUNTED: say(
        "The payment that this refers to was not counted. If you entered that payment by hand, enter this too: a "
        "refund, or the money that came back."
    ),
    Reason.PAYMENT_TAKEN_BACK: say(
        "The payment that this refers to was reversed, so this is not counted. If another entry stands for that "
        "payment, enter this by hand too."
    ),
    Reason.LOSS_TAKEN_BACK: say(
        "The entry for the money lost in the dispute was reversed, so the money returned is not counted. If another "
        "entry stands for that loss, enter this by hand too."
    ),
    Reason.REFUND_IN_OTHER_CURRENCY: say("It is in {currency}, but the payment was in {paid_in}."),
    Reason.GIVES_OTHER_AMOUNT: say("The amount returned is not the amount that the dispute took."),
    Reason.REFUND_FAILED: say("This refund failed after all. If you entered it by hand, reverse that entry."),
    Reason.MARKED_AS_PAID: f"Its invoice had been marked as paid before this came, and both count. {_SAME_MONEY}",
    Reason.PAID_TWICE: f"A payment of the same amount was entered by hand too, and both count. {_SAME_MONEY}",
    Reason.REFUNDED_TWICE: f"A refund of the same amount was entered by hand too, and both count. {_SAME_MONEY}",
    Reason.SAID: "{says}",
}
"""The sentences of the reasons.

Prorata never guesses that two payments are one (docs/adr/0025), but asks. `SAID` is for a sentence that was stored
before codes existed and that matches no other reason.
"""
_NAMELESS: dict[str, str] = {"payer": "somebody", "tenant": "nobody"}
assert _SAYS.keys() == set(Reason), "each reason has words"


class Why(NamedTuple):
    """A reason as stored: its code, and the details of its sentence as JSON."""

    code: Reason
    details: str | None = None

    @classmethod
    def of(cls, code: Reason, **details: str) -> Self:
        """Make a reason from its code and the values to insert into its sentence.

        >>> Why.of(Reason.OTHER_CURRENCY, paid_in="USD", currency="EUR").says
        'It was paid in USD, but the link asks for EUR.'
        """
        return cls(code, json.dumps(details, ensure_ascii=False))

    @property
    def says(self) -> str:
        """The sentence that explains the reason to people."""
        return in_words(self.code, self.details)


def in_words(code: str, details: str | None = None) -> str:
    """Return the sentence of a stored reason, or the code of an unknown one.

    `details` is JSON with the values to insert into the sentence.

    >>> in_words("invoice_deleted"), in_words("said", '{"says": "No."}'), in_words("later_on")
    ('Its invoice was deleted.', 'No.', 'later_on')
    """
    named = _NAMELESS | json.loads(details or "{}")
    return _SAYS[code].format(**named) if code in _SAYS else code
