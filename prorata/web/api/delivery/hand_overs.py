"""Recording that a tenant has received an invoice on paper."""

from prorata.actions.accounts import access
from prorata.actions.delivery import hand_delivery
from prorata.actions.invoices import invoices as invoice_actions
from prorata.web.api.invoices import invoices
from prorata.web.http.operations import Call, operation
from prorata.web.http.response_schemas import Invoice, InvoiceInFull


@operation(
    "POST", "/invoices/{id}/hand-over", summary="Note an invoice as handed over", answer=InvoiceInFull, status=200,
    missing=("invoice",), conflict="The invoice doesn't need to be handed over: it is a draft or is sent by e-mail.",
)  # fmt: skip
def hand_over_invoice(call: Call[None, None]) -> Invoice:
    """Record that a tenant without an e-mail address has received the paper invoice.

    The invoice's `delivery` becomes `handedOver`. To record this for many invoices at once, use `POST
    /invoice-changes` with HAND_OVER, which can be undone.
    """
    row = access.invoice(call.tx, call.caller, call.path["id"])
    hand_delivery.note(call.tx, call.caller, row.id)
    return invoices.shown(invoice_actions.find(call.tx, call.caller, row.id))
