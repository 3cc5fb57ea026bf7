"""Events, and the webhook endpoints that receive them, in the API's format."""

from typing import Annotated

from msgspec import Meta, Raw

from prorata.domain.webhooks.events import EventType
from prorata.domain.webhooks.webhooks import DeliveryState, State
from prorata.web.http.response_schemas import Answer, Timestamp


class Event(Answer):
    """A record of a change; `data` is the changed record as of that time."""

    id: str
    type: EventType
    timestamp: Timestamp
    sequence: Annotated[int, Meta(description="Numbers your events from 1, in the order in which they became visible.")]
    data: Annotated[Raw, Meta(extra_json_schema={"type": "object", "additionalProperties": True})]


class Events(Answer):
    """Events, oldest first."""

    data: list[Event]
    has_more: Annotated[bool, Meta(description="Whether there are more events after these.")]
    last_sequence: Annotated[int, Meta(description="The number of your latest event so far, of any type.")]
    oldest_sequence: Annotated[
        int,
        Meta(
            description="The number of the oldest stored event, of any type; if there is none, that of the next event."
        ),
    ]


class WebhookFailure(Answer):
    """The time and reason of an endpoint's last failed delivery."""

    at: Timestamp
    said: str


class WebhookEndpoint(Answer):
    """An address that receives events.

    You can pause an endpoint (`paused`); after a week of failed deliveries, it is turned `off` automatically.
    """

    id: str
    url: str
    description: str
    types: Annotated[list[EventType] | None, Meta(description="The event types that the endpoint receives; null: all.")]
    state: State
    why_off: str | None
    previous_secret_until: Annotated[
        Timestamp | None, Meta(description="The time until which messages are also signed with the previous secret.")
    ]
    last_delivered_at: Timestamp | None
    last_failure: WebhookFailure | None
    created_at: Timestamp
    updated_at: Timestamp


class WebhookEndpointWithSecret(WebhookEndpoint):
    """A webhook endpoint with its signing secret, which is shown only once."""

    secret: Annotated[str, Meta(description="The secret that messages are signed with; shown only once.")]


class WebhookDelivery(Answer):
    """The delivery of one event to a webhook endpoint, with its result."""

    id: str
    event_id: str
    type: EventType
    sequence: int
    state: DeliveryState
    attempts: int
    next_attempt_at: Annotated[
        Timestamp | None,
        Meta(
            description="When delivery will next be attempted; null if it was accepted or given up, or is waiting "
            "for the endpoint to be turned on again."
        ),
    ]
    last_attempt_at: Timestamp
    status: Annotated[int | None, Meta(description="The HTTP status of the latest response; null if there was none.")]
    said: Annotated[str, Meta(description="The beginning of the latest response, or why there was none.")]
    milliseconds: Annotated[int, Meta(description="How long the latest response took.")]
    created_at: Timestamp


class WebhookDeliveries(Answer):
    """Deliveries to a webhook endpoint, newest event first."""

    data: list[WebhookDelivery]
    has_more: Annotated[bool, Meta(description="Whether there are older deliveries.")]
