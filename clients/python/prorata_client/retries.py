"""Retries and the waits before them, without network code, so that both clients agree."""

import random
from collections.abc import Mapping
from dataclasses import dataclass

_TOO_MANY, _UNAVAILABLE = 429, 503
_SLOWEST = 8.0
_FIRST = 0.25


@dataclass(frozen=True)
class Retries:
    """Limits of retries: their number, and the longest wait before a retry in seconds."""

    most: int = 5
    longest_wait: float = 120.0


@dataclass
class Attempts:
    """The attempts at one request.

    A request may be repeated if it can't be done twice. That holds for every request except a POST without a key, and a
    write under If-Match, which would no longer match what it has written itself.
    """

    retries: Retries
    is_repeatable: bool
    made: int = 0

    def seconds_after(self, status: int, headers: Mapping[str, str]) -> float | None:
        """Return the seconds to wait after an answer before a retry; None keeps the answer.

        A request that was answered with `Retry-After` was not done. One that got a 503 without it may have been done.
        """
        said = headers.get("retry-after", "")
        if said.isdigit():
            return self._wait(float(said))
        if status == _TOO_MANY or (status == _UNAVAILABLE and self.is_repeatable):
            return self._wait(self._pause())
        return None

    def seconds_after_loss(self, *, was_sent: bool) -> float | None:
        """Return the seconds to wait after a lost or failed connection; None gives up."""
        return self._wait(self._pause()) if self.is_repeatable or not was_sent else None

    def _wait(self, seconds: float) -> float | None:
        self.made += 1
        return seconds if self.made <= self.retries.most and seconds <= self.retries.longest_wait else None

    def _pause(self) -> float:
        return min(_SLOWEST, _FIRST * float(1 << self.made)) * random.uniform(0.5, 1.0)  # noqa: S311 - it guards nothing
