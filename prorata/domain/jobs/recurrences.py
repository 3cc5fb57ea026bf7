"""Descriptions of recurring work: name, purpose and interval.

Nothing is scheduled here.
"""

from collections.abc import Mapping
from datetime import timedelta
from typing import NamedTuple

ACCOUNTS, WORKER, WEB, SERVER = "each account", "the background process", "each web process", "each server"
_ONE: Mapping[float, str] = {3_600: "hour", 60: "minute", 1: "second"}


class Recurrence(NamedTuple):
    """Recurring work, as described to people.

    `says` describes the work in words that complete "It …". `when` states when and how often the work is done.
    `of` states for whom the work is done, or which program does it: `ACCOUNTS`, `WORKER`, `WEB` or `SERVER`.
    """

    name: str
    says: str
    when: str
    of: str


def every(period: timedelta | float) -> str:
    """Describe an interval, such as "every hour"; a plain number counts as seconds.

    >>> every(1), every(5), every(timedelta(hours=1)), every(60.0), every(1.5)
    ('every second', 'every 5 seconds', 'every hour', 'every minute', 'every 1.5 seconds')
    """
    seconds = period.total_seconds() if isinstance(period, timedelta) else period
    return f"every {_ONE[seconds]}" if seconds in _ONE else f"every {seconds:g} seconds"
