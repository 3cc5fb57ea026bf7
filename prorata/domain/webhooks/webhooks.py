"""Webhooks: signatures (Standard Webhooks 1.0), retries, and an endpoint's last attempt."""

import hmac
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from hashlib import sha256
from typing import Literal, NamedTuple

State = Literal["on", "paused", "off"]
STATES: tuple[State, ...] = ("on", "paused", "off")
ON, PAUSED, OFF = STATES
"""The states of an endpoint.

A person sets `paused`. An endpoint is turned `off` after a week in which it did not accept an event, after 410 Gone,
and if its secret can't be read. Events in the meantime are sent later.
"""
DeliveryState = Literal["waiting", "delivered", "failed"]
DELIVERY_STATES: tuple[DeliveryState, ...] = ("waiting", "delivered", "failed")
WAITING, DELIVERED, FAILED = DELIVERY_STATES

RETRY_AFTER = (
    timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=30), timedelta(hours=2), timedelta(hours=6),
    *(timedelta(days=1),) * 7,
)  # fmt: skip
"""The delay of each retry after the failed attempt before it.

If the last retry fails too, the endpoint is turned off.
"""
OVERLAP = timedelta(hours=24)
"""The time for which the previous secret still signs after a new secret was created."""
SECRET_BYTES = 32
"""The length of a secret before it is encoded."""
_PREFIX = "whsec_"
GONE_STATUS = 410
"""The response status by which a receiver declines all further events."""
OK_FROM, OK_BELOW = 200, 300
"""The response statuses by which a receiver accepts an event: from 200, below 300."""
REST = timedelta(minutes=5)
"""The time for which new events wait after repeated failures of an endpoint."""
SLOW_SECONDS = 2.0
"""The response time, in seconds, above which a receiver counts as slow.

Slow receivers have separate capacity, so that they don't delay quick receivers.
"""
QUICK_IN_A_ROW = 10
"""The timely responses in a row after which a slow receiver counts as quick.

A receiver that is alternately fast and slow would otherwise keep others waiting.
"""


LookUp = Callable[[str], Sequence[str]]
"""A function that returns the addresses of a host name.

It returns none if the name has none or the name servers don't answer in time. It must not be called within a
transaction, because it uses the network.
"""


class Posted(NamedTuple):
    """The outcome of sending a message to a webhook endpoint.

    `status` is the HTTP status of the response, or None if no response came. `said` is the text of the response,
    or a sentence that explains why none came. `seconds` is the duration of the attempt.
    """

    status: int | None
    said: str
    seconds: float


PostWebhook = Callable[[str, Mapping[str, str], bytes], Posted]
"""A function that sends a message to an address once, with headers and a body.

It never raises, and must not be called within a transaction.
"""


def new_secret(random_bytes: bytes) -> str:
    """Format random bytes as a webhook's secret, as Standard Webhooks defines it.

    >>> new_secret(b"0123456789abcdefghijklmn")
    'whsec_MDEyMzQ1Njc4OWFiY2RlZmdoaWprbG1u'
    """
    return _PREFIX + b64encode(random_bytes).decode()


def signature(secret: str, message_id: str, timestamp: int, body: bytes) -> str:
    """Sign a message, as Standard Webhooks defines it.

    The signature is an HMAC-SHA256 of the message's id, the timestamp in seconds since 1970, and the message's
    bytes.

    >>> signature("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330,
    ...           b'{"test": 2432232314}')
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='
    """
    key = b64decode(secret.removeprefix(_PREFIX))
    signed = f"{message_id}.{timestamp}.".encode() + body
    return "v1," + b64encode(hmac.new(key, signed, sha256).digest()).decode()


def headers(secrets: Sequence[str], message_id: str, timestamp: int, body: bytes) -> dict[str, str]:
    """Build the headers of a message signed with each of `secrets`."""
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(signature(secret, message_id, timestamp, body) for secret in secrets),
    }


def is_slow(seconds: float) -> bool:
    """True if a response took so long that its receiver counts as slow.

    >>> is_slow(2.0), is_slow(2.5)
    (False, True)
    """
    return seconds > SLOW_SECONDS


def is_taken(status: int | None) -> bool:
    """True if a response means that the message was accepted.

    >>> is_taken(204), is_taken(302), is_taken(None)
    (True, False, False)
    """
    return status is not None and OK_FROM <= status < OK_BELOW


def next_try(attempts: int) -> timedelta | None:
    """Return the delay before the next attempt, after a number of failed attempts.

    The result is None if no further attempt is made.

    >>> next_try(1), next_try(5), next_try(12), next_try(13)
    (datetime.timedelta(seconds=60), datetime.timedelta(seconds=21600), datetime.timedelta(days=1), None)
    """
    return RETRY_AFTER[attempts - 1] if attempts <= len(RETRY_AFTER) else None


def wants(types: str, event_type: str) -> bool:
    """True if an endpoint receives events of a type.

    `types` are the endpoint's types, separated by spaces; if there are none, the endpoint receives all events.

    >>> wants("", "bill.created"), wants("unit.created unit.updated", "unit.created"), wants("unit.created", "unit")
    (True, True, False)
    """
    return not types or event_type in types.split(" ")
