"""Downloads of files that are sent while they are still being made (docs/adr/0016).

A thread writes each file to a temporary file on disk, and its first bytes are sent as soon as they exist. A slow
connection therefore occupies neither a thread nor a database snapshot, and memory use does not depend on the size
of the file. If making the file fails before anything was sent, the browser gets an error page; after that, the
connection is broken, so that no browser takes half a file for a complete one.
"""

import asyncio
import errno
import os
from collections.abc import Callable, Iterator
from dataclasses import KW_ONLY, dataclass, field
from tempfile import TemporaryFile

import structlog

from prorata.domain.texts import say
from prorata.errors import Conflict, Refusal, Unavailable
from prorata.store.database.engine import Database
from prorata.web.dashboard.kernel.pages import Streamed
from prorata.web.http.body_limits import Receive
from prorata.web.http.errors import Headers
from prorata.web.http.limits import LARGEST_DOWNLOAD, LONGEST_PIECE, MOST_FILES_SENT_AT_ONCE, MOST_FILES_SENT_TO_ONE
from prorata.web.http.operation_runner import Reply
from prorata.web.http.pools import Pools
from prorata.web.http.request_context import Visit

HEAD_START = 0.3
"""The time, in seconds, to wait for a file before it is sent.

Most files are complete within this time, and are sent with their size.
"""
_PIECE, _SENT_AT_ONCE = 256 * 1024, 32 * 1024
"""The maximum number of bytes sent at once, and the minimum.

The beginning and the end of a file may have fewer bytes than the minimum.
"""
_WAIT = 60
_log = structlog.get_logger("prorata.web")


class BrokenOff(Exception):
    """An error that stops the making or sending of a file that was given up."""


class Spool:
    """A temporary file that one thread writes while its content is already being sent.

    The file has no name on disk, and vanishes once nobody needs it.
    """

    def __init__(self, made: Streamed, account_id: str, largest: int) -> None:
        self.name = made.name
        self.media = made.media
        self.account_id = account_id
        self.is_begun = False
        self.is_whole = False
        self.size = 0
        self._written = 0
        self._largest = largest
        self._file = TemporaryFile(buffering=_PIECE)  # noqa: SIM115 - closed once nobody writes or reads it
        self._is_given_up = False
        self._failed: BaseException | None = None
        self._news = asyncio.Event()
        self._loop = asyncio.get_running_loop()

    def fill(self, pieces: Callable[[], Iterator[bytes]]) -> None:
        """Write all pieces of the file, in a separate thread.

        Raises `BrokenOff` if the download was given up, `Conflict` if the file is too large, and `Unavailable` if the
        disk is full or the database had to start over while the file was being made.
        """
        if self.size:
            raise Unavailable(say("The database had to start over while a file was being created from it. Try again."))
        try:
            for piece in pieces():
                if self._is_given_up:
                    raise BrokenOff
                self._add(piece)
            self._show()
        except OSError as failed:
            if failed.errno not in (errno.ENOSPC, errno.EDQUOT):
                raise
            raise Unavailable(
                say("The server’s disk is full, so the file could not be created. Tell whoever runs the server.")
            ) from None

    def _add(self, piece: bytes) -> None:
        self._written += len(piece)
        if self._written > self._largest:
            raise Conflict(say("This is too much for one file. Narrow it down with the filters, and export again."))
        self._file.write(piece)
        if not self.size or self._written - self.size >= _SENT_AT_ONCE:
            self._show()

    def _show(self) -> None:
        """Write buffered content to the file, and notify its reader."""
        self._file.flush()
        self.size = self._written
        self._loop.call_soon_threadsafe(self._news.set)

    def end(self, failed: BaseException | None) -> None:
        """Mark the file as complete or, if `failed` is given, as failed."""
        self.is_whole = failed is None
        self._failed = failed
        self._news.set()

    def give_up(self) -> None:
        """Mark the download as given up."""
        self._is_given_up = True
        self._news.set()

    def close(self) -> None:
        """Close the file, which deletes it."""
        self._file.close()

    async def begun(self) -> None:
        """Wait for the first bytes of the file.

        If making the file failed, raise the error that stopped it.
        """
        await self._grown(0)
        if self._failed is not None:
            raise self._failed

    async def read(self, at: int) -> bytes:
        """Return the file's content from position `at`, waiting until there is some.

        Return nothing at the end of the file. Raises `BrokenOff` if the download was given up. If making the file
        failed, raises the error that stopped it, but only after all bytes that exist have been read.
        """
        await self._grown(at)
        if self._is_given_up:
            raise BrokenOff
        if at >= self.size and self._failed is not None:
            raise self._failed
        return await asyncio.to_thread(os.pread, self._file.fileno(), _PIECE, at)

    async def _grown(self, beyond: int) -> None:
        while self.size <= beyond and not (self.is_whole or self._is_given_up or self._failed):
            self._news.clear()
            if self.size <= beyond:
                await self._news.wait()


@dataclass(slots=True)
class Exports:
    """The downloads that one process is currently making or sending."""

    database: Database
    pools: Pools
    _: KW_ONLY
    largest: int = LARGEST_DOWNLOAD
    most: int = MOST_FILES_SENT_AT_ONCE
    most_of_one: int = MOST_FILES_SENT_TO_ONE
    head_start: float = HEAD_START
    _open: dict[Spool, asyncio.Task[None]] = field(default_factory=dict)

    async def begin(self, made: Streamed, account_id: str, *, whole: bool) -> Spool:
        """Begin to make a file for an account, and wait until it can be sent.

        If `whole` is set, wait until the file is complete. The caller must then send the returned file, or discard it
        with `let_go`. Raises `Unavailable` if there are too many downloads. If making the file fails before anything
        can be sent, raises the error that stopped it.
        """
        if len(self._open) >= self.most:
            raise _too_many()
        if sum(spool.account_id == account_id for spool in self._open) >= self.most_of_one:
            message = say(
                "You’re already downloading as many files as one account can at once. Try again when one is done."
            )
            raise Unavailable(message, retry_after=_WAIT)
        spool = Spool(made, account_id, self.largest)
        making = self._open[spool] = asyncio.create_task(self._make(spool, made))
        try:
            await asyncio.wait({making}, timeout=None if whole else self.head_start)
            await spool.begun()
        except BaseException:
            self.let_go(spool)
            raise
        return spool

    async def _make(self, spool: Spool, made: Streamed) -> None:
        def fill() -> None:
            spool.is_begun = True
            self.database.snapshot(lambda tx: spool.fill(lambda: made.pieces(tx)))

        try:
            await self.pools.export(fill)
        except BaseException as failed:
            if isinstance(failed, Unavailable) and not spool.is_begun:
                failed = _too_many()
            spool.end(failed)
            raise failed from None
        spool.end(None)

    async def hand_out(self, visit: Visit, spool: Spool, headers: Headers, receive: Receive) -> None:
        """Send a file to the client while it is being made; then delete it.

        If the client disconnects, the file is given up. If making the file fails, the connection is closed before
        the answer is complete.
        """
        gone = asyncio.ensure_future(_gone(receive))
        gone.add_done_callback(lambda _: spool.give_up())
        try:
            await _send(visit, spool, headers)
        except (BrokenOff, TimeoutError):
            _log.info("a file was given up", file=spool.name, size=spool.size)
        except Refusal as failed:
            _log.warning("a file was broken off", file=spool.name, size=spool.size, reason=failed.message)
        finally:
            gone.cancel()
            self.let_go(spool)

    def let_go(self, spool: Spool) -> None:
        """Give up a file, and delete it as soon as no thread is writing it."""
        spool.give_up()

        def gone(making: "asyncio.Task[None]") -> None:
            if not making.cancelled():
                making.exception()  # reported to whoever waited for it
            del self._open[spool]
            spool.close()

        self._open[spool].add_done_callback(gone)


async def _send(visit: Visit, spool: Spool, headers: Headers) -> None:
    if visit.scope["method"] == "HEAD":
        await visit.answer(Reply(200, headers, b""))
        return
    await visit.send({"type": "http.response.start", "status": 200, "headers": headers})
    at = 0
    while piece := await spool.read(at):
        async with asyncio.timeout(LONGEST_PIECE):
            await visit.send({"type": "http.response.body", "body": piece, "more_body": True})
        at += len(piece)
    await visit.send({"type": "http.response.body", "body": b""})


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _too_many() -> Unavailable:
    return Unavailable(say("The server is busy creating files. Try again in a minute."), retry_after=_WAIT)
