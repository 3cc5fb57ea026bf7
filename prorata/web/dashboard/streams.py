"""Long files on their way out: written to the disk first, then sent at the pace of whoever takes them.

So a slow line holds neither a thread nor a transaction, memory stays the same however long the file is, and one that
fails half-way is a page that says so instead of half a file.
"""

import asyncio
import errno
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from tempfile import TemporaryFile
from typing import IO, Any, NamedTuple

from prorata.errors import Conflict, Unavailable
from prorata.store.engine import Database
from prorata.web.dashboard.pages import Streamed

LARGEST = 1024 * 1024 * 1024
"""Bytes of one file: more than any spreadsheet opens."""
_PIECE = 256 * 1024


class Spooled(NamedTuple):
    """A file that is whole, and gone once it is closed: it has no name on the disk."""

    name: str
    media: str
    size: int
    file: IO[bytes]

    def read(self) -> bytes:
        """The next piece; empty at the end."""
        return self.file.read(_PIECE)

    def close(self) -> None:
        """Let it go."""
        self.file.close()


def spooled(made: Streamed, database: Database, largest: int = LARGEST) -> Spooled:
    """Write all pieces down. Raises `Conflict` for a file that is too large, `Unavailable` where the disk is full."""
    file: IO[bytes] = TemporaryFile(buffering=_PIECE)  # noqa: SIM115 - closed by whoever sends it
    try:
        size = _written(made.pieces(database), file, largest)
    except OSError as failed:
        file.close()
        if failed.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        raise Unavailable("The disk of the server is full, so the file could not be made.") from None
    except BaseException:
        file.close()
        raise
    return Spooled(made.name, made.media, size, file)


def _written(pieces: Iterator[bytes], file: IO[bytes], largest: int) -> int:
    size = 0
    for piece in pieces:
        size += len(piece)
        if size > largest:
            raise Conflict("This is too much for one file. Choose fewer with the filters, and export again.")
        file.write(piece)
    file.seek(0)
    return size


async def taken(file: Spooled, receive: Callable[[], Awaitable[dict[str, Any]]]) -> AsyncIterator[bytes]:
    """The file piece by piece, as long as somebody is there to take it."""
    gone = asyncio.ensure_future(_gone(receive))
    try:
        while not gone.done() and (piece := await asyncio.to_thread(file.read)):
            yield piece
    finally:
        gone.cancel()


async def _gone(receive: Callable[[], Awaitable[dict[str, Any]]]) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
