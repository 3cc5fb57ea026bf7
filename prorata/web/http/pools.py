"""Thread pools for requests' synchronous work, outside the event loop's thread.

On SQLite one thread writes, first come, first served; short writes that wait are committed together. A write is
refused, without being done, if it waits too long or if too many writes are waiting. Reads, key checks and health
checks never wait behind writes.
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
"""The number of writing threads by database.

On PostgreSQL, writes that wait for a lock leave threads to the others. Six threads did more than four before changes of
status were made together (benchmarks/notes.md), and changes of other kinds are still made separately.
"""
PAGES = 2
"""The number of threads for pages.

API requests have other threads, so that people who wait for pages don't wait behind programs.
"""
HASHERS = 1
"""The number of threads that hash passwords.

Hashing takes 64 MiB and some 50 ms. If somebody sends many passwords, others wait to sign in, but not for pages.
"""
LOOK_UPS = 2
"""The number of threads that look up names.

A look-up may take seconds, so no other work uses these threads.
"""
EXPORTS = 2
"""The number of threads for files that take seconds to make.

Pages use other threads, so they do not wait for these files.
"""
LARGE_WRITE = 0.1
"""The processor time, in seconds, from which a write is large."""
GATHERED_FOR = 0.005
"""The time, in seconds, in which further writes may join those committed together."""


class _Queue:
    """Threads with a queue, in which work waits only for a limited time."""

    def __init__(self, threads: ThreadPoolExecutor) -> None:
        self.threads = threads
        self._waiting = 0

    async def run(self, work: Callable[[], Result]) -> Result:
        """Run work once a thread is free, and return its result.

        Raises `Unavailable` if too much work is waiting already, or if the work waits too long.
        """
        return await self.wait(work, self.threads.submit)

    async def wait(self, work: Work, submit: Callable[[Work], Future[Result]]) -> Result:
        """Run work as `run` does, but call `submit` to give the work to a thread."""
        if self._waiting >= MOST_WRITES_WAITING:
            raise too_busy()
        self._waiting += 1
        future = submit(work)
        given_up = asyncio.get_running_loop().call_later(
            LONGEST_WRITE_WAIT, future.cancel
        )  # work that is already running ignores it
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            if given_up.when() > asyncio.get_running_loop().time():
                raise  # the request itself was cancelled
            raise too_busy() from None
        finally:
            given_up.cancel()
            self._waiting -= 1


class Pools:
    """The thread pools of one process.

    `together` is the context manager in which the writing thread's writes are committed together; it is None if the
    database has several writers. Each queue raises `Unavailable` if a piece of work waits too long, or if too much
    work is waiting.
    """

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
        self._queues: list[_Queue] = []
        self._writes = self._queue("write", self.writers)
        self._brief = (
            self._writes.threads.submit
            if together is None
            else Together(self._writes.threads, together, longest_together).submit
        )
        self._jointly = Jointly(lambda work: self._brief(lambda: _tidied(work)), LONGEST_WRITE_WAIT)
        self.print = self._queue("print", 1).run
        """The queue for reading and typesetting documents, each in some 20 ms of processor time."""
        self.page = self._queue("page", PAGES).run
        """The queue for the dashboard's pages: reading and rendering HTML."""
        self.hash = self._queue("hash", HASHERS).run
        """The queue for hashing and comparing passwords, which doesn't delay pages."""
        self.export = self._queue("export", EXPORTS).run
        """The queue for work that makes a long file."""
        self.read_file = self._queue("file", 1).run
        """The queue for work that waits for files to be read, one by one."""
        self.look_up = self._queue("look-up", LOOK_UPS).run
        """The queue for work that queries name servers."""

    def _queue(self, name: str, threads: int) -> _Queue:
        made = _Queue(ThreadPoolExecutor(threads, name))
        self._queues.append(made)
        return made

    async def check(self, work: Callable[[], Result]) -> Result:
        """Run a check that requests depend on, such as a check of an API key.

        Raises `Unavailable` if the check takes too long.
        """
        checking = asyncio.get_running_loop().run_in_executor(self._keys, work)
        try:
            return await asyncio.wait_for(checking, self._longest_check)
        except TimeoutError:
            raise gone() from None

    async def write(self, work: Callable[[], Result]) -> Result:
        """Run work that writes, and return its result.

        Once the work has begun, the caller waits for its end without a limit, because only the result tells what
        was written. Raises `Unavailable` if the work waits too long to begin, or if too much work is waiting; in
        that case nothing is done.
        """
        return await self._writes.run(lambda: _tidied(work))

    async def write_briefly(self, work: Callable[[], Result]) -> Result:
        """Run work that changes only a few rows, however large the account is.

        Raises `Unavailable` in the same cases as `write`.
        """
        return await self._writes.wait(lambda: _tidied(work), self._brief)

    async def write_jointly(self, joint: Joint[Any, Result]) -> Result:
        """Run a short write that can be done together with writes of the same name.

        Raises `Unavailable` in the same cases as `write`.
        """
        return await self._writes.wait(joint, self._jointly.submit)

    def close(self) -> None:
        """Wait until running work has ended, and start no more work."""
        self._jointly.close()
        for pool in (self._keys, *(queue.threads for queue in self._queues)):
            pool.shutdown(wait=True, cancel_futures=True)


def _tidied(work: Callable[[], Result]) -> Result:
    """Do a piece of work; if it took long, release the unused memory.

    After a piece of work on 6,000 invoices, the unused memory is scattered among memory in use. Unless it is released,
    a worker grows by 2 MB with each such piece of work. Releasing it takes a few milliseconds.
    """
    began = time.thread_time()
    try:
        return work()
    finally:
        if time.thread_time() - began > LARGE_WRITE:
            gc.collect()
            malloc_trim.give_back()
