"""Words for an invoice that a payment may be for: its tenant, and objections."""

from collections.abc import Iterable, Sequence

from prorata.domain.invoice_states import CANCELLED, DRAFT
from prorata.domain.limits import MOST_PAYMENT_CANDIDATES
from prorata.domain.payments.candidates import KnownInvoice
from prorata.domain.search_terms import folded
from prorata.domain.texts import Text, joined, say


def why_not(invoice: KnownInvoice) -> str:
    """Explain why money for an invoice would do more than pay it."""
    if invoice.status == DRAFT:
        return say("which is a draft: the money counts once it is sent")
    if invoice.status == CANCELLED:
        return say("which is cancelled: the money would have to be refunded")
    return say("which nothing is left to pay of: it would be a credit")


def pays_a_part(number: str, left: str) -> Text:
    """The sentence about a payment of less than its invoice asks for."""
    return say("The text mentions {number}. This is a partial payment: {one} was left to pay.", number=number, one=left)


def pays_too_much(number: str, rest: str, others: str) -> Text:
    """The sentence about a payment of more than its invoice asks for.

    `rest` is the excess amount. If it is exactly what is left to pay on other invoices, `others` names them;
    otherwise, `others` is empty.
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


def who(invoices: Sequence[KnownInvoice]) -> str:
    """Name tenants, with their units if all have the same name."""
    if len({folded(invoice.tenant_name or "") for invoice in invoices}) > 1:
        return any_of(invoice.tenant_name or "" for invoice in invoices)
    return any_of(f"{invoice.tenant_name} in {invoice.property_name}, {invoice.unit_label}" for invoice in invoices)


def any_of(names: Iterable[str]) -> Text:
    """Join the proposed names with "or"."""
    first, *others = list(dict.fromkeys(names))[:MOST_PAYMENT_CANDIDATES] or [""]
    return say("{name} or {others}", name=first, others=any_of(others)) if others else joined([first])
