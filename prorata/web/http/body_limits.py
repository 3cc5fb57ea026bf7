"""Limits on a request body's size and on the time it may take to arrive.

Without these limits, clients could hold requests open forever.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, TypeVar

from prorata.errors import InvalidRequest, PayloadTooLarge
from prorata.web.http.limits import (
    LEAST_BODY_SECONDS,
    LONGEST_LEFT_OVER,
    LONGEST_PAUSE_LEFT_OVER,
    MOST_BYTES_LEFT_OVER,
)

Result = TypeVar("Result")
Receive = Callable[[], Awaitable[dict[str, Any]]]
_CUT_OFF = "The connection was closed before everything had arrived. Try again."
SLOWEST = 32 * 1024
"""The number of bytes for which a body gets another second beyond `LEAST_BODY_SECONDS`.

The rate is half that of a slow mobile connection.
"""


class Arriving:
    """A request's body as it arrives; it is called like ASGI's `receive`.

    If the server responds before the end of a body, it closes the connection. But most clients send all of a body
    before they read, so they would never see the response. `drop_rest` therefore receives and drops the rest of the
    body.
    """

    def __init__(self, receive: Receive, headers: dict[bytes, bytes]) -> None:
        self._receive = receive
        self._has_begun = b"expect" not in headers  # else it begins once it is asked for
        self._has_more = b"transfer-encoding" in headers or headers.get(b"content-length", b"0") != b"0"

    async def __call__(self) -> dict[str, Any]:
        """Return the next ASGI message: a part of the body, or a disconnection."""
        self._has_begun = True
        message = await self._receive()
        self._has_more = message.get("more_body", False)
        return message

    async def drop_rest(
        self,
        most: int = MOST_BYTES_LEFT_OVER,
        seconds: float = LONGEST_LEFT_OVER,
        pause: float = LONGEST_PAUSE_LEFT_OVER,
    ) -> None:
        """Receive and drop the rest of the body.

        Stop after `most` bytes, after `seconds`, or after a pause of `pause` seconds.
        """
        left = most
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self._has_begun and self._has_more and left > 0:
                    async with asyncio.timeout(pause):
                        message = await self()
                    left -= len(message.get("body", b""))


def seconds_for(most_bytes: int) -> float:
    """Return the number of seconds that a request's body may take to arrive.

    `most_bytes` is the maximum number of bytes of the body.

    >>> seconds_for(256 * 1024)
    38.0
    """
    return LEAST_BODY_SECONDS + most_bytes / SLOWEST


async def in_time(reading: Awaitable[Result], seconds: float) -> Result:
    """Await `reading` for at most `seconds`, and return its result.

    Raises `InvalidRequest` if the read takes longer.
    """
    try:
        async with asyncio.timeout(seconds):
            return await reading
    except TimeoutError:
        message = (
            f"The request did not arrive completely within {seconds:.0f} seconds. Nothing was changed; send it again."
        )
        raise InvalidRequest(message) from None


async def read_whole(receive: Receive, most: int, *, cut_off: str = _CUT_OFF, too_large: str = "") -> bytes:
    """Read a request's body of at most `most` bytes, within a time limit (`seconds_for`).

    `cut_off` and `too_large` are the messages of the errors. Raises `InvalidRequest` if the body breaks off or
    takes too long, and `PayloadTooLarge` if it has more than `most` bytes.
    """
    body, _ = await in_time(_read(receive, most, most, cut_off, too_large), seconds_for(most))
    return body


async def read_cut(receive: Receive, most: int, furthest: int) -> tuple[bytes, bool]:
    """Return the first `most` bytes of a body, and True if the body has more.

    Further bytes are received and dropped. Raises the errors of `read_whole`, but `PayloadTooLarge` only if the
    body has more than `furthest` bytes.
    """
    return await in_time(_read(receive, most, furthest, _CUT_OFF, ""), seconds_for(most))


async def _read(receive: Receive, most: int, furthest: int, cut_off: str, too_large: str) -> tuple[bytes, bool]:
    chunks, size, more = [], 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise InvalidRequest(cut_off)
        chunk: bytes = message.get("body", b"")
        if size < most:
            chunks.append(chunk)
        size += len(chunk)
        if size > furthest:
            raise PayloadTooLarge(
                too_large
                or f"The request body is larger than {furthest // 1024:,} KiB, the most that is accepted here."
            )
        more = message.get("more_body", False)
    return b"".join(chunks)[:most], size > most
