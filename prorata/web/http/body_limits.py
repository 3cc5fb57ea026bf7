"""A body that comes: how large it may be, and how long it may take, so that nobody holds a request open for ever."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from prorata.errors import InvalidRequest, PayloadTooLarge
from prorata.web.http.limits import LEAST_BODY_SECONDS

Result = TypeVar("Result")
SLOWEST = 32 * 1024
"""Bytes for which a body is given a second more than `LEAST_BODY_SECONDS`: half a mobile line of the slow kind."""


def seconds_for(most_bytes: int) -> float:
    """Seconds that a body of at most so many bytes may take.

    >>> seconds_for(256 * 1024)
    38.0
    """
    return LEAST_BODY_SECONDS + most_bytes / SLOWEST


async def in_time(reading: Awaitable[Result], seconds: float) -> Result:
    """What is read, if it comes within so many seconds. Raises `InvalidRequest`."""
    try:
        async with asyncio.timeout(seconds):
            return await reading
    except TimeoutError:
        said = f"What was sent did not come within {seconds:.0f} seconds. Nothing was changed; send it again."
        raise InvalidRequest(said) from None


async def read_whole(receive: Callable[[], Awaitable[dict[str, Any]]], most: int) -> bytes:
    """The body of a request, counted while it comes. Raises `PayloadTooLarge`."""
    chunks, size, more = [], 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise InvalidRequest("The connection was closed before everything had come. Try again.")
        chunk: bytes = message.get("body", b"")
        size += len(chunk)
        if size > most:
            raise PayloadTooLarge(f"This is more than {most // 1024:,} KiB, which is the most that fits here.")
        chunks.append(chunk)
        more = message.get("more_body", False)
    return b"".join(chunks)
