"""Explanations: the calculation of every cent of a month or invoice (docs/explanations.md)."""

from msgspec import Raw

from prorata.actions.splitting import explanations
from prorata.web.api.months.explanation_schemas import InvoiceExplanation, MonthExplanation
from prorata.web.http.operations import Call, operation


@operation(
    "GET", "/properties/{propertyId}/months/{month}/explanation", at_once=True, summary="Explain a month",
    answer=MonthExplanation, missing=("property", "month", "explanation"),
)  # fmt: skip
def explain_month(call: Call[None, None]) -> Raw:
    """Explain how every line of a month was divided, with everything needed to recompute it.

    The explanation has the service days, the rule version, all weights, the exact shares, the order in which
    left-over cents were given out, the owner's part, and the facts from which `prorata verify` recomputes all of
    this. For a closed month, you get the explanation that was stored when it was closed; for an open month, one
    from today's facts. `month` is written YYYY-MM.
    """
    return Raw(explanations.of_month(call.tx, call.caller, call.path["propertyId"], call.path["month"]).encode())


@operation(
    "GET", "/invoices/{id}/explanation", at_once=True, summary="Explain an invoice", answer=InvoiceExplanation,
    missing=("invoice", "explanation"),
)  # fmt: skip
def explain_invoice(call: Call[None, None]) -> Raw:
    """Explain how each charge of an invoice was calculated, without naming other tenants.

    You get the explanation that was stored when the invoice left DRAFT or, for a draft, one from today's facts.
    There is no explanation for an invoice that was sent by a version of Prorata that did not store explanations.
    """
    return Raw(explanations.of_invoice(call.tx, call.caller, call.path["id"]).encode())
