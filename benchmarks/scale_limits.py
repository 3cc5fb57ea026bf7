"""The exactness of limits when many clients send requests at once.

The requests go through nginx to all processes.
"""

import http.client
import threading
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from typing import NamedTuple

from benchmarks.scale_servers import ApiProcess, Group

QUOTA = 100
"""Requests of one key in a minute."""
INVALID_QUOTA = 300
"""Requests with an invalid key in a minute, of one client address."""
_CLIENTS, _EACH = 64, 16
_INVALID_CLIENTS, _INVALID_EACH = 8, 50
_WINDOW = 60.0
_INVALID_KEY = "not a key of anybody"
_ADDRESSES = ("127.0.0.2", "127.0.0.3")
"""Two clients on different addresses; the second claims another one with each request."""


class Limited(NamedTuple):
    """The answers to many clients, their duration, and the answers with 200 by process."""

    sent: int
    seconds: float
    answers: dict[int, int]
    admitted_by: Sequence[int]
    invalid_sent: int
    invalid_answers: Sequence[dict[int, int]]

    @property
    def is_exact(self) -> bool:
        """True if exactly the quota was admitted, and all others got a 429."""
        return self.answers == {200: QUOTA, 429: self.sent - QUOTA}

    @property
    def is_exact_by_address(self) -> bool:
        """True if each client address had exactly its quota of attempts with an invalid key.

        This has to hold whatever address the client claimed to have.
        """
        due = {401: INVALID_QUOTA, 429: self.invalid_sent - INVALID_QUOTA}
        return all(each == due for each in self.invalid_answers)


def measure(group: Group, processes: Sequence[ApiProcess], key: str) -> Limited:
    """Send from many threads with a fresh key, then with invalid keys from two addresses."""
    begun = time.monotonic()
    answers = _ask(group, [_Client(group, key, _EACH) for _ in range(_CLIENTS)])
    seconds = time.monotonic() - begun
    invalid = []
    for place, address in enumerate(_ADDRESSES):
        clients = [
            _Client(group, _INVALID_KEY, _INVALID_EACH, address, forges=place > 0) for _ in range(_INVALID_CLIENTS)
        ]
        invalid.append(_ask(group, clients))
    admitted_by = [process.statuses()[200] for process in processes]
    return Limited(_CLIENTS * _EACH, seconds, answers, admitted_by, _INVALID_CLIENTS * _INVALID_EACH, invalid)


class _Client(threading.Thread):
    """One client on a persistent connection, which counts its answers."""

    def __init__(
        self, group: Group, key: str, number: int, address: str = "127.0.0.1", *, forges: bool = False
    ) -> None:
        super().__init__(daemon=True)
        self.answers: Counter[int] = Counter()
        self._connection = http.client.HTTPConnection("127.0.0.1", group.port, timeout=30, source_address=(address, 0))
        self._key, self._number, self._forges = key, number, forges

    def run(self) -> None:
        """Send all requests, one after the other."""
        for number in range(self._number):
            headers = {"Authorization": f"Bearer {self._key}"}
            if self._forges:
                headers["X-Forwarded-For"] = f"203.0.113.{number}"
            self._connection.request("GET", "/api/v1/properties?limit=1", headers=headers)
            answer = self._connection.getresponse()
            answer.read()
            self.answers[answer.status] += 1
        self._connection.close()


def _ask(group: Group, clients: Sequence[_Client]) -> dict[int, int]:
    begun = time.monotonic()
    with ExitStack() as held:
        for client in clients:
            client.start()
            held.callback(client.join)
    if time.monotonic() - begun >= _WINDOW:
        raise SystemExit(f"{group.url} took longer than the minute that the limit is about; nothing is shown by that.")
    return dict(sum((client.answers for client in clients), Counter[int]()))
