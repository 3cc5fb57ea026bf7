"""A landlord's program that gets all events by webhook and by request, and compares both."""

import json
import threading
from collections import defaultdict
from collections.abc import Callable
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler
from typing import Any

from standardwebhooks.webhooks import Webhook

from tests.stories.story_clock import StoryClock
from tests.webhook_receiver import Got, Receiver, says

Get = Callable[[str], Any]
MOST_SECONDS_OFF = 3_600
"""A receiver allows five minutes; the clock of a story runs ahead while it waits."""


class Bookkeeper:
    """A receiver of webhooks that refuses them while it `is_down`."""

    def __init__(self, clock: StoryClock) -> None:
        self._clock = clock
        self._guard = threading.Lock()
        self.receiver = Receiver(self._take)
        self.secret = ""
        self.is_down = False
        self.refused = 0
        self.forged: list[str] = []
        self._told: dict[str, set[bytes]] = defaultdict(set)
        self._asked: list[dict[str, Any]] = []

    def _take(self, got: Got, handler: BaseHTTPRequestHandler) -> None:
        with self._guard:
            if self.is_down:
                self.refused += 1
                says(503, b"The books are closed.")(got, handler)
                return
            if not self._is_signed(got):
                self.forged.append(got.id)
            self._told[got.id].add(got.body)
        says(204)(got, handler)

    def _is_signed(self, got: Got) -> bool:
        """Check the signature and the time of a webhook.

        The library of Standard Webhooks makes the signature to compare with. Its own check of the time is of no use
        here, because it knows only the system's clock.
        """
        at = datetime.fromtimestamp(int(got.headers["webhook-timestamp"]), UTC)
        signature = Webhook(self.secret).sign(got.id, at, got.body.decode())
        is_of_now = abs((self._clock() - at).total_seconds()) <= MOST_SECONDS_OFF
        return is_of_now and signature in got.headers["webhook-signature"].split(" ")

    def ask(self, get: Get) -> None:
        """Read the events that came after the last one read.

        The program keeps events for only 30 days.
        """
        while True:
            behind = self._asked[-1]["sequence"] if self._asked else 0
            answer = get(f"/events?after={behind}&limit=100")
            self._asked += answer["data"]
            if not answer["hasMore"]:
                return

    def has_heard_all(self) -> bool:
        """Check whether a webhook has come for every event that the bookkeeper has read."""
        with self._guard:
            return {event["id"] for event in self._asked} <= self._told.keys()

    def closes_the_books(self) -> None:
        """Check that webhooks and requests brought the same events, with none missing.

        An event that came more than once must have had the same content each time.
        """
        sequences = [event["sequence"] for event in self._asked]
        assert sequences == list(range(1, len(sequences) + 1)), "a number is missing, or twice"
        assert self.forged == [], "not signed, or not of now"
        bodies = {event_id: [json.loads(body) for body in told] for event_id, told in self._told.items()}
        assert bodies == {event["id"]: [event] for event in self._asked}

    def number_of(self, kind: str) -> int:
        """Count the events of a kind."""
        return sum(event["type"] == kind for event in self._asked)
