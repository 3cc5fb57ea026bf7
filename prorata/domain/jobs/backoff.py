"""Retry delays of failed jobs, which grow and are spread out."""

from datetime import timedelta
from typing import NamedTuple


class Backoff(NamedTuple):
    """Backoff parameters in seconds: the first maximum delay, the growth factor, and the longest delay."""

    first: float = 10.0
    factor: float = 3.0
    longest: float = 3_600.0


def delay(backoff: Backoff, attempt: int, chance: float) -> timedelta:
    """Compute the delay after a failed `attempt` (from 1); `chance`, in [0, 1), spreads it.

    The whole delay grows by the factor with each attempt, up to the longest. Any part of it may be drawn ("full
    jitter"), but at least a second. This way, jobs that failed together are retried at different times.

    >>> [delay(Backoff(10, 3, 3600), attempt, 0.5).total_seconds() for attempt in (1, 2, 3, 9)]
    [5.0, 15.0, 45.0, 1800.0]
    >>> delay(Backoff(10, 3, 3600), 1, 0.0).total_seconds()
    1.0
    >>> delay(Backoff(10, 3, 3600), 10_000, 0.5).total_seconds()
    1800.0
    """
    whole = backoff.first
    for _ in range(attempt - 1):
        whole = min(whole * backoff.factor, backoff.longest)
        if whole == backoff.longest:
            break
    return timedelta(seconds=max(1.0, min(whole, backoff.longest) * chance))
