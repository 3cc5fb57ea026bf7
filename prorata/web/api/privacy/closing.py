"""The deletion of an account."""

from typing import Annotated

from msgspec import Meta

from prorata.actions.privacy import closing
from prorata.domain.limits import LONGEST_PERSON_NAME
from prorata.web.http.fields import line
from prorata.web.http.operations import Call, operation
from prorata.web.http.request_schemas import Body
from prorata.web.http.response_schemas import Message


class AccountDeletion(Body):
    """The confirmation that an account should be deleted."""

    name: Annotated[str, line(LONGEST_PERSON_NAME), Meta(description="The name of your account, to confirm.")]


@operation(
    "DELETE", "/account", summary="Delete your account", body=AccountDeletion, answer=Message, manages=True,
    needs_every_scope=True,
    conflict="Online payment is on: its links would stay open at the provider.",
    example={"name": "Oak & Sons"},
)  # fmt: skip
def delete_account(call: Call[None, AccountDeletion]) -> Message:
    """Delete your account for good, with everything in it.

    Your key then stops working. First export everything that you have to keep, such as invoices for the tax
    authorities.
    """
    closing.close(call.tx, call.caller, call.archive, name=call.body.name)
    return Message(message="The account was deleted.")
