"""Delays before failed jobs are retried, growing with each attempt and randomly spread."""

from datetime import timedelta
from typing import NamedTuple


class Backoff(NamedTuple):
    """Backoff parameters in seconds: the first maximum delay, the growth factor, and the longest delay."""

    first: float = 10.0
    factor: float = 3.0
    longest: float = 3_600.0


def delay(backoff: Backoff, attempt: int, chance: float) -> timedelta:
    """Compute the delay before a job is retried after a failed `attempt`, counted from 1.

    The maximum delay grows by the factor with each attempt, up to the longest. `chance`, in [0, 1), is the
    fraction of the maximum delay that is used ("full jitter"); the result is at least one second. This way, jobs
    that failed together are retried at different times.

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
