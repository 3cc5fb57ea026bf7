"""Webhook endpoints: addresses that receive events (docs/webhooks.md)."""

from secrets import token_bytes
from typing import Any

from msgspec import UNSET

from prorata.actions.accounts import access
from prorata.actions.webhooks import webhooks
from prorata.actions.webhooks.webhooks import Receivers, Wanted
from prorata.domain.webhooks.webhooks import SECRET_BYTES
from prorata.store.webhooks.webhooks import DeliveryRow, EndpointRow
from prorata.web.api.examples import WEBHOOK_SENT
from prorata.web.api.webhooks.event_schemas import (
    WebhookDeliveries,
    WebhookDelivery,
    WebhookEndpoint,
    WebhookEndpointWithSecret,
    WebhookFailure,
)
from prorata.web.http.operations import Call, operation
from prorata.web.http.request_schemas import (
    DeliveriesQuery,
    WebhookEndpointChange,
    WebhookEndpointCreate,
    given,
    sent_fields,
)
from prorata.web.http.response_schemas import Message

_ONE = "/webhook-endpoints/{id}"


def _fields(row: EndpointRow) -> dict[str, Any]:
    failure = WebhookFailure(at=row.failed_at, said=row.failure or "") if row.failed_at else None
    return {
        "id": row.id,
        "url": row.url,
        "description": row.description,
        "types": row.types.split() or None,
        "state": row.state,
        "why_off": row.why_off,
        "previous_secret_until": row.before_until,
        "last_delivered_at": row.delivered_at,
        "last_failure": failure,
        "created_at": row.created_at,
        "updated_at": row.updated_at,
    }


def shown(row: EndpointRow) -> WebhookEndpoint:
    """Convert an endpoint to the API's format."""
    return WebhookEndpoint(**_fields(row))


def _delivery(row: DeliveryRow) -> WebhookDelivery:
    return WebhookDelivery(
        id=row.id,
        event_id=row.event_id,
        type=row.type,  # type: ignore[arg-type]
        sequence=row.sequence,
        state=row.state,  # type: ignore[arg-type]
        attempts=row.attempts,
        next_attempt_at=row.next_at,
        last_attempt_at=row.tried_at,
        status=row.status,
        said=row.said,
        milliseconds=row.milliseconds,
        created_at=row.created_at,
    )


def _wanted(body: WebhookEndpointCreate | WebhookEndpointChange) -> dict[str, Any]:
    """Return the fields that a client sent, with null `types` replaced by an empty tuple.

    Null in the request and an empty tuple in the action both stand for events of all types.
    """
    sent = sent_fields(body)
    return {**sent, "types": sent["types"] or ()} if "types" in sent else sent


def _look(body: WebhookEndpointCreate | WebhookEndpointChange, receivers: Receivers) -> None:
    if body.url is not UNSET:
        webhooks.refuse_address(body.url, receivers)


@operation("GET", "/webhook-endpoints", summary="List webhook endpoints", answer=list[WebhookEndpoint], manages=True)
def list_webhook_endpoints(call: Call[None, None]) -> list[WebhookEndpoint]:
    """List your endpoints, oldest first."""
    return [shown(row) for row in webhooks.listed(call.tx, call.caller)]


@operation(
    "POST", "/webhook-endpoints", summary="Create a webhook endpoint", body=WebhookEndpointCreate,
    answer=WebhookEndpointWithSecret, status=201,
    conflict="The account already has the maximum number of endpoints, or one with this address.",
    example=WEBHOOK_SENT, before=_look, is_secret=True, manages=True,
)  # fmt: skip
def create_webhook_endpoint(call: Call[None, WebhookEndpointCreate]) -> WebhookEndpointWithSecret:
    """Create a webhook endpoint, which receives all events that occur from now on.

    Save the `secret`, because it is shown only once.
    """
    wanted = Wanted(**_wanted(call.body))
    row, secret = webhooks.create(call.tx, call.caller, wanted, call.receivers, token_bytes(SECRET_BYTES))
    return WebhookEndpointWithSecret(**_fields(row), secret=secret)


@operation(
    "GET", _ONE, summary="Read a webhook endpoint", answer=WebhookEndpoint, missing=("webhook endpoint",), manages=True
)
def read_webhook_endpoint(call: Call[None, None]) -> WebhookEndpoint:
    """Read an endpoint, without its secret."""
    return shown(access.webhook_endpoint(call.tx, call.caller, call.path["id"]))


@operation(
    "PATCH", _ONE, summary="Change a webhook endpoint", body=WebhookEndpointChange, answer=WebhookEndpoint,
    missing=("webhook endpoint",), conflict="Another endpoint already has this address.",
    example={"state": "paused"}, before=_look, manages=True,
)  # fmt: skip
def change_webhook_endpoint(call: Call[None, WebhookEndpointChange]) -> WebhookEndpoint:
    """Change an endpoint's address, types or description, pause it, or turn it on again.

    Events that occur while the endpoint is paused or off are sent once it is on again.
    """
    return shown(webhooks.change(call.tx, call.caller, call.path["id"], **_wanted(call.body)))


@operation(
    "DELETE", _ONE, summary="Delete a webhook endpoint", answer=Message, missing=("webhook endpoint",),
    manages=True,
)  # fmt: skip
def delete_webhook_endpoint(call: Call[None, None]) -> Message:
    """Delete a webhook endpoint, which receives no more events, and its log of deliveries."""
    webhooks.remove(call.tx, call.caller, call.path["id"])
    return Message(message="The webhook endpoint has been deleted.")


@operation(
    "POST", _ONE + "/rotate-secret", summary="Create a new secret", answer=WebhookEndpointWithSecret, status=201,
    missing=("webhook endpoint",), is_secret=True, manages=True,
    conflict="Five earlier secrets are already signing alongside the newest one.",
)  # fmt: skip
def rotate_webhook_secret(call: Call[None, None]) -> WebhookEndpointWithSecret:
    """Create a new signing secret for a webhook endpoint.

    For 24 hours, messages are signed with both the new and the previous secret, so that you have time to switch.
    """
    random = token_bytes(SECRET_BYTES)
    row, secret = webhooks.renew_secret(call.tx, call.caller, call.path["id"], call.receivers, random)
    return WebhookEndpointWithSecret(**_fields(row), secret=secret)


@operation(
    "POST", _ONE + "/test", summary="Test a webhook endpoint", answer=Message, status=200,
    missing=("webhook endpoint",), conflict="The endpoint isn't turned on.", manages=True,
)  # fmt: skip
def send_test_event(call: Call[None, None]) -> Message:
    """Send an event of the type `webhook.test` to this endpoint only, within seconds.

    The event is sent even if the endpoint doesn't receive this type. Your receiver's response is listed with the
    endpoint's deliveries.
    """
    webhooks.test(call.tx, call.caller, call.path["id"])
    return Message(message="A test event is on its way. The response will be listed among the endpoint's deliveries.")


@operation(
    "GET", _ONE + "/deliveries", at_once=True, summary="List deliveries", query=DeliveriesQuery,
    answer=WebhookDeliveries, missing=("webhook endpoint",), manages=True,
)  # fmt: skip
def list_webhook_deliveries(call: Call[DeliveriesQuery, None]) -> WebhookDeliveries:
    """List an endpoint's event deliveries and their results, newest first.

    Deliveries are kept as long as events.
    """
    query = call.query
    log = webhooks.log(call.tx, call.caller, call.path["id"], before=given(query.before), limit=query.limit)
    return WebhookDeliveries(data=[_delivery(row) for row in log.deliveries], has_more=log.is_more)


@operation(
    "POST", _ONE + "/deliveries/{deliveryId}/replay", summary="Send an event again", answer=WebhookDelivery, status=201,
    missing=("webhook endpoint", "webhook delivery"), manages=True,
    conflict="The endpoint isn't turned on, or the event is no longer stored.",
)  # fmt: skip
def replay_webhook_delivery(call: Call[None, None]) -> WebhookDelivery:
    """Send an event to its endpoint again, with the same bytes and `webhook-id`.

    The event is sent in the background; the answer is the delivery that is waiting to be sent.
    """
    return _delivery(webhooks.replay(call.tx, call.caller, call.path["id"], call.path["deliveryId"]))
