"""Messages from payment providers that a person must check (docs/decisions.md#provider-messages)."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from prorata.actions.payments import provider_events
from prorata.domain.limits import LONGEST_PAYMENT_REASON
from prorata.domain.money import in_figures
from prorata.domain.online_payments.payment_links import COUNTED, Provider
from prorata.domain.online_payments.providers import PROVIDERS
from prorata.store.online_payments.provider_events import EventRow
from prorata.web.http.fields import text
from prorata.web.http.operations import Call, operation
from prorata.web.http.request_schemas import Body, Filter, PageQuery, given
from prorata.web.http.response_schemas import Answer, Figures, Message, Page, Timestamp, page_of

Happened = Literal["PAID", "FAILED", "REFUNDED", "REFUND_FAILED", "CHARGED_BACK", "GIVEN_BACK", "UNDER_WAY"]


class PaymentMessagesQuery(PageQuery):
    """Filter and page of a list of payment providers' messages."""

    invoice_id: Annotated[Filter, Meta(description="Only messages about this invoice.")] | UnsetType = UNSET


class PaymentMessageDecision(Body):
    """The decision about a payment provider's message."""

    provider: Provider
    id: Annotated[str, text(255), Meta(description="The message's id, as given in the list.")]
    reason: Annotated[
        str,
        text(LONGEST_PAYMENT_REASON),
        Meta(description="The reason given in the list, because the question may have changed in the meantime."),
    ]
    is_same: Annotated[
        bool,
        Meta(
            description="Whether it is the same money as an amount that was noted or entered by hand before, which "
            "then no longer counts."
        ),
    ] = False


class PaymentMessage(Answer):
    """A payment provider's message, and the reason why a person must check it."""

    provider: Provider
    id: str
    happened: Happened
    amount: Figures
    currency: str
    at: Timestamp
    counts: Annotated[
        bool, Meta(description="Whether it is in the ledger; if so, the question is whether it counts twice.")
    ]
    reason: Annotated[str, Meta(description="A code to send back with the decision.")]
    message: Annotated[str, Meta(description="Why the payment isn't counted, or what has to be decided.")]
    invoice_id: Annotated[str | None, Meta(description="The invoice for which the payment counts, or would count.")]


def shown(row: EventRow) -> PaymentMessage:
    """Convert a payment provider's message to the API's format."""
    return PaymentMessage(
        provider=row.provider,  # type: ignore[arg-type]
        id=row.event_id,
        happened=row.happening.upper().replace(" ", "_"),  # type: ignore[arg-type]
        amount=in_figures(row.amount),
        currency=row.currency,
        at=row.at,
        counts=row.state == COUNTED,
        reason=row.why or "",
        message=row.says,
        invoice_id=row.invoice_id,
    )


@operation(
    "GET", "/payment-messages", at_once=True, summary="List payment messages", query=PaymentMessagesQuery,
    answer=Page[PaymentMessage],
)  # fmt: skip
def list_payment_messages(call: Call[PaymentMessagesQuery, None]) -> Page[PaymentMessage]:
    """List a page of the payment providers' messages that a person must check, latest first.

    The payment that such a message reports is in no ledger, or may be in a ledger twice.
    """
    query, invoice_id = call.query, given(call.query.invoice_id)
    rows = provider_events.to_check(call.tx, call.caller, invoice_id, limit=query.limit, offset=query.offset)
    total = provider_events.number_to_check(call.tx, call.caller, invoice_id)
    return page_of([shown(row) for row in rows], total, query)


@operation(
    "POST", "/payment-messages/decide", summary="Decide a payment message", body=PaymentMessageDecision,
    answer=Message, status=200, missing=("message",),
    conflict="The question has changed in the meantime, or one of the two payments no longer counts.",
    example={"provider": PROVIDERS[0].name, "id": "evt_1NG8Du2eZvKYlo2C", "reason": "paid_twice", "isSame": True},
)  # fmt: skip
def decide_payment_message(call: Call[None, PaymentMessageDecision]) -> Message:
    """Mark a payment provider's message as checked, so that it no longer needs a person.

    Set `isSame` if a person had already recorded the message's payment, either as a payment or by setting the
    invoice to PAID. The money then counts only once.
    """
    body = call.body
    provider_events.checked(call.tx, call.caller, body.provider, body.id, is_same=body.is_same, asked=body.reason)
    return Message(message="The payment counts only once." if body.is_same else "You won't be asked about this again.")
