"""Sentences about the invoices that a payment may be for."""

from collections.abc import Iterable, Sequence

from prorata.domain.invoice_states import CANCELLED, DRAFT
from prorata.domain.limits import MOST_PAYMENT_CANDIDATES
from prorata.domain.payments.candidates import NEAR, KnownInvoice
from prorata.domain.search_terms import folded
from prorata.domain.texts import Text, joined, say

WORDED_OTHERWISE = say(
    "It has the same date, amount and reference as a payment that was recorded for {invoices}. If it is the same "
    "payment, worded differently, say so or leave it; choose its invoice only if it is another payment."
)
READ_OTHERWISE = say(
    "It has the same date and amount as a payment from a file that was recorded for {invoices}. If it is the same "
    "payment in a different layout, say so or leave it; choose its invoice only if it is another payment."
)
BY_HAND = say(
    "It is within {days} days of a payment of the same amount that was entered by hand for {invoices}. If it is the "
    "same payment, say so or leave it; choose its invoice only if it is another payment.",
    days=NEAR.days,
)
NOT_ALL_ALIKE = say("It may already be recorded: there are more payments around its date than could be checked.")


def why_not(invoice: KnownInvoice) -> str:
    """Explain why a payment would not simply settle an invoice.

    The invoice is a draft, is cancelled, or has nothing left to pay. If it is still open, what is left is paid by rows
    of the same file.
    """
    if invoice.status == DRAFT:
        return say("which is a draft: the money counts once it is sent")
    if invoice.status == CANCELLED:
        return say("which is cancelled: the money would have to be refunded")
    if invoice.is_open:
        return say("which another payment in this file already pays in full: it would be a credit")
    return say("which is already paid in full: it would be a credit")


def pays_a_part(number: str, left: str) -> Text:
    """State that a payment is less than the amount that the invoice asks for."""
    return say("The text mentions {number}. This is a partial payment: {one} was left to pay.", number=number, one=left)


def pays_too_much(number: str, rest: str, others: str) -> Text:
    """State that a payment is more than the amount that the invoice asks for.

    `rest` is the excess amount. If this is exactly the amount left to pay on other invoices, `others` names these
    invoices; otherwise, `others` is empty.
    """
    if others:
        return say(
            "The text mentions {number}. The remaining {rest} is exactly what is left to pay on {others}.",
            number=number, rest=rest, others=others,
        )  # fmt: skip
    return say(
        "The text mentions {number}. The payment is {too_much} more than is left to pay, and the excess would be a "
        "credit.",
        number=number, too_much=rest,
    )  # fmt: skip


def pays_together(numbers: str, *, is_all: bool) -> Text:
    """State that a payment covers several invoices, or all invoices of the tenant."""
    if is_all:
        return say(
            "The text mentions {numbers}, and the amount is what is left to pay on all open invoices of the tenant "
            "together.",
            numbers=numbers,
        )
    return say("The text mentions {numbers}, and the amount is what is left to pay on them together.", numbers=numbers)


def names_a_surname(invoice: KnownInvoice) -> Text:
    """State that a payment matches an invoice only by surname and amount."""
    return say(
        "It has the surname of {tenant}, and only {number} has both this surname and exactly this amount left to pay. "
        "Check who paid.",
        tenant=invoice.tenant_name, number=invoice.number,
    )  # fmt: skip


def who(invoices: Sequence[KnownInvoice]) -> str:
    """Name the tenants of invoices, with their units if all have the same name."""
    if len({folded(invoice.tenant_name or "") for invoice in invoices}) > 1:
        return any_of(invoice.tenant_name or "" for invoice in invoices)
    return any_of(f"{invoice.tenant_name} in {invoice.property_name}, {invoice.unit_label}" for invoice in invoices)


def any_of(names: Iterable[str]) -> Text:
    """Join the proposed names with "or", for a question to a person."""
    first, *others = list(dict.fromkeys(names))[:MOST_PAYMENT_CANDIDATES] or [""]
    return say("{name} or {others}", name=first, others=any_of(others)) if others else joined([first])
