"""Webhooks: signatures (Standard Webhooks 1.0), retries, and the last attempt."""

import hmac
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from hashlib import sha256
from typing import Literal, NamedTuple

State = Literal["on", "paused", "off"]
STATES: tuple[State, ...] = ("on", "paused", "off")
ON, PAUSED, OFF = STATES
"""`paused` by a person, `off` after a week in which an event was not taken; what happens meanwhile is sent later."""
DeliveryState = Literal["waiting", "delivered", "failed"]
DELIVERY_STATES: tuple[DeliveryState, ...] = ("waiting", "delivered", "failed")
WAITING, DELIVERED, FAILED = DELIVERY_STATES

RETRY_AFTER = (
    timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=30), timedelta(hours=2), timedelta(hours=6),
    *(timedelta(days=1),) * 7,
)  # fmt: skip
"""How long after each failed try the next one follows; when the last of them fails too, the endpoint is turned off."""
OVERLAP = timedelta(hours=24)
"""So long after a new secret was made the one before signs too."""
SECRET_BYTES = 32
_PREFIX = "whsec_"
GONE_STATUS = 410
"""A receiver that answers so wants no more."""
OK_FROM, OK_BELOW = 200, 300
REST = timedelta(minutes=5)
SLOW_SECONDS = 2.0
"""A receiver that took longer has the places of slow ones, where it delays no quick one."""
QUICK_IN_A_ROW = 10
"""So many messages a slow receiver has to take in time before it has a quick one's place again: one that answers fast
and slow in turn would keep others waiting.
"""


LookUp = Callable[[str], Sequence[str]]
"""The addresses of a host name; none where it has none, or nobody says so in time. It asks name servers: never with a
transaction open.
"""


class Posted(NamedTuple):
    """The outcome of a message to a webhook endpoint.

    `status` is that of the response, None if there was none; `said` is the response's text, or a sentence that says
    why there was none; `seconds` is the time it took.
    """

    status: int | None
    said: str
    seconds: float


PostWebhook = Callable[[str, Mapping[str, str], bytes], Posted]
"""Sends a message to an address, with headers and a body, once; with no transaction open. Raises nothing."""


def new_secret(random_bytes: bytes) -> str:
    """Format a secret as in Standard Webhooks.

    >>> new_secret(b"0123456789abcdefghijklmn")
    'whsec_MDEyMzQ1Njc4OWFiY2RlZmdoaWprbG1u'
    """
    return _PREFIX + b64encode(random_bytes).decode()


def signature(secret: str, message_id: str, timestamp: int, body: bytes) -> str:
    """Sign a message: HMAC-SHA256 over its id, the seconds since 1970, and its bytes.

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
    """True if a response says that the message was accepted.

    >>> is_taken(204), is_taken(302), is_taken(None)
    (True, False, False)
    """
    return status is not None and OK_FROM <= status < OK_BELOW


def next_try(attempts: int) -> timedelta | None:
    """The delay after a number of failed attempts; None if there is no further one.

    >>> next_try(1), next_try(5), next_try(12), next_try(13)
    (datetime.timedelta(seconds=60), datetime.timedelta(seconds=21600), datetime.timedelta(days=1), None)
    """
    return RETRY_AFTER[attempts - 1] if attempts <= len(RETRY_AFTER) else None


def wants(types: str, event_type: str) -> bool:
    """True if an endpoint with these space-separated types receives an event; none means all.

    >>> wants("", "bill.created"), wants("unit.created unit.updated", "unit.created"), wants("unit.created", "unit")
    (True, True, False)
    """
    return not types or event_type in types.split(" ")
