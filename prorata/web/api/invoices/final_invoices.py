"""Final invoices of households that move out (docs/decisions.md)."""

from prorata.actions.invoices import final_invoices, previews
from prorata.web.api.invoices import invoices
from prorata.web.http.operations import Call, operation
from prorata.web.http.response_schemas import Invoice, InvoiceInFull


@operation(
    "POST", "/tenants/{tenantId}/final-invoice", summary="Send a tenant's final invoice", answer=InvoiceInFull,
    moves=previews.of_tenant, status=201, missing=("tenant",),
    conflict="The tenant has no moveOutDate, someone in the household is staying, a draft of the invoice was sent "
             "before or has payments, or there is nothing to invoice.",
)  # fmt: skip
def send_final_invoice(call: Call[None, None]) -> Invoice:
    """Move a household's charges in its move-out month to a final invoice, and send it.

    The charges come from the household's drafts. The unit's own invoice (sequence 0) stays with the unit.
    Later charges of the household go on a new draft.
    """
    return invoices.shown(final_invoices.send(call.tx, call.caller, call.path["tenantId"]))
