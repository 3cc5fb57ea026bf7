"""The account of a key."""

from typing import Annotated

from msgspec import Meta

from prorata.actions.accounts import accounts
from prorata.store.accounts.accounts import AccountRow
from prorata.web.http.operations import Call, operation
from prorata.web.http.response_schemas import Answer, Timestamp


class Account(Answer):
    """One landlord or firm, whose records a key reaches."""

    id: str
    name: str
    time_zone: Annotated[str, Meta(description="By which days begin, such as America/Chicago.")]
    locale: Annotated[str, Meta(description="How invoices are written, such as en-US.")]
    currency: Annotated[str, Meta(description="Of properties in countries whose own money has no cents.")]
    address: str | None
    email: Annotated[str | None, Meta(description="Where questions of tenants go.")]
    phone: str | None
    days_to_pay: Annotated[int, Meta(description="From the day an invoice is sent to its due date.")]
    answer_days: Annotated[int, Meta(description="Within which disputes are to be answered.")]
    created_at: Timestamp
    updated_at: Timestamp


def shown(row: AccountRow) -> Account:
    """An account as the API shows it."""
    return Account(
        id=row.id,
        name=row.name,
        time_zone=row.timezone,
        locale=row.locale,
        currency=row.currency,
        address=row.address or None,
        email=row.contact or None,
        phone=row.phone or None,
        days_to_pay=row.payment_terms,
        answer_days=row.answer_days,
        created_at=row.created_at,
        updated_at=row.updated_at,
    )


@operation("GET", "/account", summary="Read your account", answer=Account)
def read_account(call: Call[None, None]) -> Account:
    """The account that your key is of: what invoices say of you, and how days and money are written."""
    return shown(accounts.the_account(call.tx, call.caller))
