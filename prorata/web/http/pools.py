"""Where the synchronous work of requests runs that does not run in the event loop's own thread, as reads do.

On SQLite one thread writes: first come, first served, and brief writes that wait are committed together. A write that
waits too long is refused without being done, and so is one that finds the queue full; reads, keys and health never wait
behind writes.
"""

import asyncio
import gc
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager
from typing import Any, TypeVar

from prorata.store.database.engine import too_busy
from prorata.store.database.schema_state import gone
from prorata.store.database.statements import DialectName
from prorata.web.http import malloc_trim
from prorata.web.http.group_commit import Joint, Jointly, Together
from prorata.web.http.limits import LONGEST_CHECK, LONGEST_WRITE_WAIT, MOST_WRITES_WAITING

Result = TypeVar("Result")
Work = TypeVar("Work")
WRITERS: dict[DialectName, int] = {"sqlite": 1, "postgresql": 6}
"""On PostgreSQL those who wait for a lock leave threads to the others: six did more than four before changes of status
were made together (benchmarks/notes.md), and changes of other kinds still are made each by itself.
"""
PAGES = 2
"""Threads of pages: people wait for them, programs for the API, and neither behind the other."""
HASHERS = 1
"""Threads that hash passwords, 64 MiB and some 50 ms each: who sends many has others wait to sign in, not for pages."""
LOOK_UPS = 2
"""Threads that look up names, which may take seconds: nothing else waits behind them."""
EXPORTS = 2
"""Threads of files that take seconds to make: pages do not wait behind them."""
LARGE_WRITE = 0.1
"""Seconds of processor time from which on a write is large."""
GATHERED_FOR = 0.005
"""Seconds after which no further write joins those that are committed together."""


class _Queue:
    """Threads with a queue before them, in which nobody waits for ever."""

    def __init__(self, threads: ThreadPoolExecutor) -> None:
        self.threads = threads
        self._waiting = 0

    async def run(self, work: Callable[[], Result]) -> Result:
        """Run work in its turn. Raises `Unavailable` when there are too many before it, or it waits too long."""
        return await self.wait(work, self.threads.submit)

    async def wait(self, work: Work, submit: Callable[[Work], Future[Result]]) -> Result:
        """Run work in its turn, as `run` does, by what gives it to the threads."""
        if self._waiting >= MOST_WRITES_WAITING:
            raise too_busy()
        self._waiting += 1
        future = submit(work)
        given_up = asyncio.get_running_loop().call_later(
            LONGEST_WRITE_WAIT, future.cancel
        )  # which work under way ignores
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            if given_up.when() > asyncio.get_running_loop().time():
                raise  # it was the request that was given up
            raise too_busy() from None
        finally:
            given_up.cancel()
            self._waiting -= 1


class Pools:
    """The threads of one process; `together` is the database's, where it has one writer."""

    def __init__(
        self,
        dialect: DialectName,
        *,
        together: Callable[[], AbstractContextManager[None]] | None = None,
        longest_check: float = LONGEST_CHECK,
        longest_together: float = GATHERED_FOR,
    ) -> None:
        self._longest_check = longest_check
        self.writers = WRITERS[dialect]
        self._keys = ThreadPoolExecutor(2, "key")
        self._writes = _Queue(ThreadPoolExecutor(self.writers, "write"))
        self._brief = (
            self._writes.threads.submit
            if together is None
            else Together(self._writes.threads, together, longest_together).submit
        )
        self._jointly = Jointly(lambda work: self._brief(lambda: _tidied(work)), LONGEST_WRITE_WAIT)
        self._prints = _Queue(ThreadPoolExecutor(1, "print"))
        self._pages = _Queue(ThreadPoolExecutor(PAGES, "page"))
        self._hashes = _Queue(ThreadPoolExecutor(HASHERS, "hash"))
        self._exports = _Queue(ThreadPoolExecutor(EXPORTS, "export"))
        self._files = _Queue(ThreadPoolExecutor(1, "file"))
        self._look_ups = _Queue(ThreadPoolExecutor(LOOK_UPS, "look-up"))

    async def check(self, work: Callable[[], Result]) -> Result:
        """Run work that every request stands behind: keys, limits, health. Raises `Unavailable` when it takes long."""
        checking = asyncio.get_running_loop().run_in_executor(self._keys, work)
        try:
            return await asyncio.wait_for(checking, self._longest_check)
        except TimeoutError:
            raise gone() from None

    async def write(self, work: Callable[[], Result]) -> Result:
        """Run work that writes. Raises `Unavailable`, with nothing done, when its turn does not come in time.

        Work that has begun is waited for: its answer is the truth about what was written.
        """
        return await self._writes.run(lambda: _tidied(work))

    async def write_briefly(self, work: Callable[[], Result]) -> Result:
        """Run work that changes a few rows, however large the account is. Raises `Unavailable` as `write` does."""
        return await self._writes.wait(lambda: _tidied(work), self._brief)

    async def write_jointly(self, joint: Joint[Any, Result]) -> Result:
        """Run brief work that can be done together with others like it. Raises `Unavailable` as `write` does."""
        return await self._writes.wait(joint, self._jointly.submit)

    async def print(self, work: Callable[[], Result]) -> Result:
        """Run work that reads and then typesets, which keeps a processor busy for some 20 ms. Raises `Unavailable` when
        its turn does not come in time.
        """
        return await self._prints.run(work)

    async def page(self, work: Callable[[], Result]) -> Result:
        """Run work for a page of the dashboard: reading, putting it into HTML. Raises `Unavailable` when its turn does
        not come in time.
        """
        return await self._pages.run(work)

    async def hash(self, work: Callable[[], Result]) -> Result:
        """Hash a password, or compare one. Raises `Unavailable` when its turn does not come in time."""
        return await self._hashes.run(work)

    async def export(self, work: Callable[[], Result]) -> Result:
        """Run work that makes a long file. Raises `Unavailable` when its turn does not come in time."""
        return await self._exports.run(work)

    async def read_file(self, work: Callable[[], Result]) -> Result:
        """Run work that waits for a file to be read, one at a time. Raises `Unavailable` when its turn does not come in
        time.
        """
        return await self._files.run(work)

    async def look_up(self, work: Callable[[], Result]) -> Result:
        """Run work that asks name servers. Raises `Unavailable` when its turn does not come in time."""
        return await self._look_ups.run(work)

    def close(self) -> None:
        """Let the work that has begun end, and start no more."""
        self._jointly.close()
        queues = (
            self._writes, self._prints, self._pages, self._hashes, self._exports, self._files, self._look_ups,
        )  # fmt: skip
        for pool in (self._keys, *(queue.threads for queue in queues)):
            pool.shutdown(wait=True, cancel_futures=True)


def _tidied(work: Callable[[], Result]) -> Result:
    """Do work, and after a large one give back what Python keeps of it for later use: that of 6,000 invoices lies about
    among what is needed, so that a worker grew by 2 MB with each. It takes some milliseconds.
    """
    began = time.thread_time()
    try:
        return work()
    finally:
        if time.thread_time() - began > LARGE_WRITE:
            gc.collect()
            malloc_trim.give_back()
