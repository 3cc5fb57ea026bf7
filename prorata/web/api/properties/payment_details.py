"""A property's payment details, if they differ from the account's."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from prorata.actions.accounts import access
from prorata.actions.properties import properties
from prorata.domain.limits import LONGEST_PAY_TEXT, LONGEST_PAYEE
from prorata.store.properties.properties import PropertyRow
from prorata.web.api.examples import PAYMENT_DETAILS_SENT
from prorata.web.http.field_names import named_as_in
from prorata.web.http.fields import line, text
from prorata.web.http.operations import Call, operation
from prorata.web.http.request_schemas import Body, sent_fields
from prorata.web.http.response_schemas import Answer

_PATH = "/properties/{id}/payment-details"
_COLUMNS = {"pay_routing_number": "pay_routing", "pay_account_number": "pay_number"}
_REFUSED_AS = {
    "pay_text": "payText", "pay_holder": "payHolder", "pay_iban": "payIban", "pay_bic": "payBic",
    "pay_routing_number": "payRouting", "pay_account_number": "payNumber",
}  # fmt: skip
"""The name of each payment detail in the action's errors, by database column."""


class PaymentDetails(Answer):
    """The payment details that a property's invoices show; if all are null, the account's apply."""

    pay_text: Annotated[str | None, Meta(description="How to pay, in your own words.")]
    pay_holder: Annotated[str | None, Meta(description="The bank account holder's name.")]
    pay_iban: str | None
    pay_bic: str | None
    pay_routing_number: str | None
    pay_account_number: str | None


class PaymentDetailsChange(Body):
    """Payment details of a property to change; null clears a detail."""

    pay_text: Annotated[str, text(LONGEST_PAY_TEXT)] | UnsetType | None = UNSET
    pay_holder: Annotated[str, line(LONGEST_PAYEE)] | UnsetType | None = UNSET
    pay_iban: Annotated[str, line(64)] | UnsetType | None = UNSET
    pay_bic: Annotated[str, line(32)] | UnsetType | None = UNSET
    pay_routing_number: Annotated[str, line(32)] | UnsetType | None = UNSET
    pay_account_number: Annotated[str, line(32)] | UnsetType | None = UNSET


def _shown(row: PropertyRow) -> PaymentDetails:
    names = PaymentDetails.__struct_fields__
    return PaymentDetails(**{name: getattr(row, _COLUMNS.get(name, name)) or None for name in names})


@operation(
    "GET", _PATH, summary="Read how a property's tenants pay", answer=PaymentDetails, missing=("property",), is_one=True
)
def read_payment_details(call: Call[None, None]) -> PaymentDetails:
    """Read the payment details that a property's tenants see.

    If all of them are null, invoices show the account's payment details instead (`GET /account`).
    """
    return _shown(access.property_(call.tx, call.caller, call.path["id"]))


@operation(
    "PATCH", _PATH, summary="Change how a property's tenants pay", body=PaymentDetailsChange, answer=PaymentDetails,
    missing=("property",), manages=True, example=PAYMENT_DETAILS_SENT,
)  # fmt: skip
def change_payment_details(call: Call[None, PaymentDetailsChange]) -> PaymentDetails:
    """Change the payment details on a property's future invoices.

    Like changing the account's payment details, this needs a key with ADMIN permission.
    """
    sent = {_COLUMNS.get(name, name): value or "" for name, value in sent_fields(call.body).items()}
    with named_as_in(PaymentDetailsChange, _REFUSED_AS):
        return _shown(properties.change(call.tx, call.caller, call.path["id"], sent))
