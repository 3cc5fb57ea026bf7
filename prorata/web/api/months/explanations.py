"""Explanations: how every cent of a month or of an invoice came about (docs/explanations.md)."""

from msgspec import Raw

from prorata.actions.splitting import explanations
from prorata.web.api.months.explanation_schemas import InvoiceExplanation, MonthExplanation
from prorata.web.http.operations import Call, operation


@operation(
    "GET", "/properties/{propertyId}/months/{month}/explanation", at_once=True, summary="Explain a month",
    answer=MonthExplanation, missing=("property", "month", "explanation"),
)  # fmt: skip
def explain_month(call: Call[None, None]) -> Raw:
    """How every line of a month was divided: service days, the rule's version, all weights, exact shares, the order in
    which cents were handed out, the owner's part; and the facts that `prorata verify` computes it anew from. Of a
    closed month it is what was kept, of an open one by the facts of now. `month` is written YYYY-MM.
    """
    return Raw(explanations.of_month(call.tx, call.caller, call.path["propertyId"], call.path["month"]).encode())


@operation(
    "GET", "/invoices/{id}/explanation", at_once=True, summary="Explain an invoice", answer=InvoiceExplanation,
    missing=("invoice", "explanation"),
)  # fmt: skip
def explain_invoice(call: Call[None, None]) -> Raw:
    """How each charge of an invoice came about, naming no neighbor: what was kept as it left DRAFT, a draft's by the
    facts of now. An invoice that was issued before explanations were kept has none.
    """
    return Raw(explanations.of_invoice(call.tx, call.caller, call.path["id"]).encode())
