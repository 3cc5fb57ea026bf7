"""The verification of webhook messages by Standard Webhooks, and the reading of their events."""

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from decimal import Decimal

from prorata_client.errors import NotFromProrata
from prorata_client.models import Event

TOLERANCE = 5 * 60
"""Seconds that a message's time may differ from ours."""


_LONGEST_TIME, _SHORTEST_KEY = 20, 16


def read_webhook(secret: str, headers: Mapping[str, str], body: bytes, *, now: float | None = None) -> Event:
    """Return the event of a message, if the message is valid.

    `body` must be unchanged. Raises `NotFromProrata` if the message is not valid, and `ValueError` if `secret` is not
    the secret of an endpoint.
    """
    key = _key_of(secret)
    said = {name.lower(): value for name, value in headers.items()}
    message, moment, signatures = (said.get(f"webhook-{one}", "") for one in ("id", "timestamp", "signature"))
    is_time = moment.isascii() and moment.isdigit() and len(moment) <= _LONGEST_TIME
    if not is_time or abs((time.time() if now is None else now) - int(moment)) > TOLERANCE:
        raise NotFromProrata("The message has no time, or one that is too far from now.")
    digest = hmac.new(key, f"{message}.{moment}.".encode(errors="replace") + body, hashlib.sha256).digest()
    ours = "v1," + base64.b64encode(digest).decode()
    if not any(hmac.compare_digest(ours.encode(), one.encode(errors="replace")) for one in signatures.split(" ")):
        raise NotFromProrata("The message is not signed with this secret.")
    event: Event = json.loads(body, parse_float=Decimal)
    return event


def _key_of(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except ValueError:
        key = b""
    if len(key) < _SHORTEST_KEY:
        raise ValueError("This is not the secret of a webhook endpoint, which begins with whsec_.")
    return key
