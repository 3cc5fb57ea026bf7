"""Payments noted by marking invoices as paid, which a bulk change undoes."""

from collections.abc import Mapping
from typing import NamedTuple

from prorata.domain.bulk.verbs import BulkVerb
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.texts import say_n

UNDOING = (BulkVerb.CANCEL, BulkVerb.REOPEN)
"""The bulk changes that undo such payments."""


class UndonePayment(NamedTuple):
    """A payment noted by marking an invoice as paid, and undone since.

    `number`, `tenant_name` and `amount`, in cents, are those of the invoice while it was paid. `is_there` is False if
    the invoice has been deleted since.
    """

    invoice_id: str
    is_there: bool
    number: str
    tenant_name: str | None
    amount: int
    currency: str


class UndonePayments(NamedTuple):
    """The first payments that a bulk change has undone, and the number of further ones."""

    first: tuple[UndonePayment, ...] = ()
    further: int = 0


def in_words(number: int, amounts: Mapping[str, int], write: Forms = PLAIN) -> str:
    """Describe the payments that a bulk change will undo: `amounts` are their sums by currency.

    >>> in_words(2, {"USD": 9000})
    '2 payments totaling $90.00, noted by marking invoices as paid, are undone. They are listed afterwards, so that \
you can record them again.'
    """
    sums = " + ".join(write.money(cents, currency) for currency, cents in sorted(amounts.items()))
    return say_n(
        "{n} payment of {amounts}, noted by marking the invoice as paid, is undone. It is listed afterwards, so that "
        "you can record it again.",
        "{n} payments totaling {amounts}, noted by marking invoices as paid, are undone. They are listed afterwards, "
        "so that you can record them again.",
        number,
        n=write.count(number),
        amounts=sums,
    )
