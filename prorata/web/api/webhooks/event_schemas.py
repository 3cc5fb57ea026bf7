"""Events, and the webhook endpoints that receive them, in the form of the API."""

from typing import Annotated

from msgspec import Meta, Raw

from prorata.domain.webhooks.events import EventType
from prorata.domain.webhooks.webhooks import DeliveryState, State
from prorata.web.http.response_schemas import Answer, Timestamp


class Event(Answer):
    """A change; `data` is the record as the API showed it at that time."""

    id: str
    type: EventType
    timestamp: Timestamp
    sequence: Annotated[int, Meta(description="Counts your events from 1, in the order in which they could be seen.")]
    data: Annotated[Raw, Meta(extra_json_schema={"type": "object", "additionalProperties": True})]


class Events(Answer):
    """Events, oldest first."""

    data: list[Event]
    has_more: Annotated[bool, Meta(description="Whether there are more behind these.")]
    last_sequence: Annotated[int, Meta(description="The number of your last event so far, of any type.")]
    oldest_sequence: Annotated[
        int, Meta(description="That of the oldest which is kept, of any type; of the next one, where none is.")
    ]


class WebhookFailure(Answer):
    """The time and reason of an endpoint's last failed delivery."""

    at: Timestamp
    said: str


class WebhookEndpoint(Answer):
    """An address that receives events; `paused` by you, or `off` after a failed week."""

    id: str
    url: str
    description: str
    types: Annotated[list[EventType] | None, Meta(description="What it is told of; null is everything.")]
    state: State
    why_off: str | None
    previous_secret_until: Annotated[
        Timestamp | None, Meta(description="Until then messages are signed with the secret before as well.")
    ]
    last_delivered_at: Timestamp | None
    last_failure: WebhookFailure | None
    created_at: Timestamp
    updated_at: Timestamp


class WebhookEndpointWithSecret(WebhookEndpoint):
    """An endpoint with its secret, which is shown only once."""

    secret: Annotated[str, Meta(description="What messages are signed with; shown this once.")]


class WebhookDelivery(Answer):
    """An event's delivery to an endpoint, with its result."""

    id: str
    event_id: str
    type: EventType
    sequence: int
    state: DeliveryState
    attempts: int
    next_attempt_at: Annotated[
        Timestamp | None,
        Meta(
            description="When it is tried next; null where it is not: it was taken or given up, or waits until the "
            "endpoint is on again."
        ),
    ]
    last_attempt_at: Timestamp
    status: Annotated[int | None, Meta(description="The HTTP status of the last answer; null where none came.")]
    said: Annotated[str, Meta(description="How the last answer began, or why none came.")]
    milliseconds: Annotated[int, Meta(description="How long the last answer took.")]
    created_at: Timestamp


class WebhookDeliveries(Answer):
    """Deliveries, newest event first."""

    data: list[WebhookDelivery]
    has_more: Annotated[bool, Meta(description="Whether there are older ones.")]
