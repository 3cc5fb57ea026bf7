"""How long a body may take to come: who sends one byte now and then must not hold a request open for ever."""

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

from prorata.errors import InvalidRequest

Result = TypeVar("Result")
LEAST_SECONDS = 30.0
"""What every body is given,"""
SLOWEST = 32 * 1024
"""and a second more for each so many bytes that it may have: half a mobile line of the slow kind."""


def seconds_for(most_bytes: int) -> float:
    """Seconds that a body of at most so many bytes may take.

    >>> seconds_for(256 * 1024)
    38.0
    """
    return LEAST_SECONDS + most_bytes / SLOWEST


async def in_time(reading: Awaitable[Result], seconds: float) -> Result:
    """What is read, if it comes within so many seconds. Raises `InvalidRequest`."""
    try:
        async with asyncio.timeout(seconds):
            return await reading
    except TimeoutError:
        said = f"What was sent did not come within {seconds:.0f} seconds. Nothing was changed; send it again."
        raise InvalidRequest(said) from None
