"""Custom charges of a draft: adding and removing."""

from typing import Annotated

from msgspec import Meta

from prorata.actions.invoices import invoices as invoice_actions, previews
from prorata.web.api.invoices import invoices
from prorata.web.http.fields import text
from prorata.web.http.figures import SignedFigures
from prorata.web.http.limits import LONGEST_CHARGE_TEXT
from prorata.web.http.operations import Call, operation
from prorata.web.http.request_schemas import Body, cents_of
from prorata.web.http.response_schemas import CustomCharge, Message

_NO_DRAFT = "The invoice is not a draft."


class ChargeCreate(Body):
    """A custom charge; a negative amount is a credit."""

    description: Annotated[str, text(LONGEST_CHARGE_TEXT), Meta(description="The text that the tenant sees.")]
    amount: SignedFigures


@operation(
    "POST", "/invoices/{id}/charges", summary="Add a charge", body=ChargeCreate, answer=CustomCharge, status=201,
    missing=("invoice",), conflict=_NO_DRAFT, moves=previews.of_invoice,
    example={"description": "Key replaced", "amount": "25.00"},
)  # fmt: skip
def add_charge(call: Call[None, ChargeCreate]) -> CustomCharge:
    """Add a custom charge to a draft.

    If the draft's month is recalculated, the charge is kept.
    """
    body = call.body
    invoice = invoice_actions.add_custom_charge(
        call.tx, call.caller, call.path["id"], body.description, cents_of(body.amount)
    )
    own = [
        custom_charge for custom_charge in invoices.shown(invoice).custom_charges or () if custom_charge.bill_id is None
    ]
    return max(own, key=lambda custom_charge: custom_charge.id)


@operation(
    "DELETE", "/invoices/{id}/charges/{chargeId}", summary="Remove a charge", answer=Message,
    missing=("invoice", "custom charge"), conflict=_NO_DRAFT, moves=previews.of_invoice,
)  # fmt: skip
def remove_charge(call: Call[None, None]) -> Message:
    """Remove a custom charge from a draft.

    If the draft contains nothing else, it is deleted. If you send `If-Match`, it must contain the ETag of the invoice.
    """
    left = invoice_actions.remove_custom_charge(call.tx, call.caller, call.path["id"], call.path["chargeId"])
    if left is None:
        return Message(message="The charge has been removed, along with the invoice, which contained nothing else.")
    return Message(message="The charge has been removed.")
