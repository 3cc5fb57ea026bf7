"""Where the synchronous work of requests runs that does not run in the event loop's own thread, as reads do.

On SQLite one thread writes: first come, first served, and brief writes that wait are committed together. A write that
waits too long is refused without being done, and so is one that finds the queue full; reads, keys and health never wait
behind writes.
"""

import asyncio
import gc
import threading
import time
from collections import deque
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager
from functools import partial
from typing import Any, Generic, NamedTuple, TypeVar

from prorata.errors import Refusal, Unavailable
from prorata.store.condition import gone
from prorata.store.engine import too_busy
from prorata.store.statements import DialectName
from prorata.web import heap

Result = TypeVar("Result")
Work = TypeVar("Work")
Item = TypeVar("Item")
WRITERS: dict[DialectName, int] = {"sqlite": 1, "postgresql": 6}
"""Measured on PostgreSQL with one account, whose changes all end at the row with its counts: 526 status changes a
second from two, 719 from four, 797 from six (benchmarks/notes.md).
"""
PAGES = 2
"""Threads of pages: people wait for them, programs for the API, and neither behind the other."""
HASHERS = 1
"""Threads that hash passwords, 64 MiB and some 50 ms each: who sends many has others wait to sign in, not for pages."""
LOOK_UPS = 2
"""Threads that look up names, which may take seconds: nothing else waits behind them."""
EXPORTS = 2
"""Threads of files that take seconds to make: pages do not wait behind them."""
LONGEST_WAIT = 10.0
"""Seconds that a write waits for its turn; then the answer is 503."""
LONGEST_CHECK = 15.0
"""Seconds until a check is answered 503: longer than reads wait, so that threads are free again by then."""
MOST_WAITING = 1_000
"""Writes that wait at once; the next is refused at the door."""
LARGE_WRITE = 0.1
"""Seconds of processor time from which on a write is large."""
MOST_TOGETHER = 32
"""Brief writes that are committed together: so many are undone if the commit fails, and each waits for the others."""
LONGEST_TOGETHER = 0.005
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
        if self._waiting >= MOST_WAITING:
            raise too_busy()
        self._waiting += 1
        future = submit(work)
        given_up = asyncio.get_running_loop().call_later(LONGEST_WAIT, future.cancel)  # which work under way ignores
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            if given_up.when() > asyncio.get_running_loop().time():
                raise  # it was the request that was given up
            raise too_busy() from None
        finally:
            given_up.cancel()
            self._waiting -= 1


class _Together:
    """Brief writes: those that wait when one begins are done behind it and committed with it, each as if by itself.
    What a commit costs, the disk above all, is then paid once, and no answer leaves before it.
    """

    def __init__(
        self, threads: ThreadPoolExecutor, together: Callable[[], AbstractContextManager[None]], longest: float
    ) -> None:
        self._threads = threads
        self._together = together
        self._longest = longest
        self._waiting: deque[tuple[Future[Any], Callable[[], Any]]] = deque()

    def submit(self, work: Callable[[], Result]) -> Future[Result]:
        """Give work to the thread that writes."""
        future = Future[Result]()
        self._waiting.append((future, work))
        self._threads.submit(self._do_some)
        return future

    def _do_some(self) -> None:
        work = self._next()
        if work is None:
            return  # done with those before it, or given up
        done = [work]
        try:
            with self._together():
                until = time.monotonic() + self._longest
                while work is not None:
                    work.do()
                    may_be_more = len(done) < MOST_TOGETHER and time.monotonic() < until
                    work = self._next() if may_be_more else None
                    if work is not None:
                        done.append(work)
        except BaseException as failed:  # noqa: BLE001 - raised where each of them is waited for
            for each in done:
                each.future.set_exception(failed)
        else:
            for each in done:
                each.tell()

    def _next(self) -> "_Brief | None":
        while self._waiting:
            future, work = self._waiting.popleft()
            if future.set_running_or_notify_cancel():
                return _Brief(future, work)
        return None


class _Brief:
    """A write that is done, and whose answer is kept until it is committed."""

    def __init__(self, future: Future[Any], work: Callable[[], Any]) -> None:
        self.future = future
        self._work = work
        self._answer: Any = None
        self._failed: BaseException | None = None

    def do(self) -> None:
        """Do it."""
        try:
            self._answer = self._work()
        except BaseException as failed:  # noqa: BLE001 - `tell` raises it where it is waited for
            self._failed = failed

    def tell(self) -> None:
        """Give the answer, or what was wrong, to whom waits for it."""
        if self._failed is None:
            self.future.set_result(self._answer)
        else:
            self.future.set_exception(self._failed)


class Joint(NamedTuple, Generic[Item, Result]):
    """A brief write that may be done in one piece of work with others of the same name: `several` does them, and gives
    for each what it answers, what refuses it, or None where it is to be done by itself, as `alone` does it.
    """

    name: Hashable
    item: Item
    several: Callable[[Sequence[Item]], Sequence[Result | Refusal | None]]
    alone: Callable[[], Result]


class _Jointly:
    """Writes that are done with others of their name: one piece of work at a time, and what comes meanwhile is done by
    the next. So nobody waits for others to come, and the more there is to do the less each costs.
    """

    def __init__(self, submit: Callable[[Callable[[], Any]], Future[Any]]) -> None:
        self._submit = submit
        self._guard = threading.Lock()
        self._waiting: dict[Hashable, deque[tuple[Future[Any], Joint[Any, Any]]]] = {}
        """By the name of what is under way."""

    def submit(self, joint: Joint[Any, Result]) -> Future[Result]:
        """Give a write to the threads."""
        future = Future[Result]()
        with self._guard:
            is_first = joint.name not in self._waiting
            self._waiting.setdefault(joint.name, deque()).append((future, joint))
        if is_first:
            self._start(joint.name)
        return future

    def _start(self, name: Hashable) -> None:
        taken: list[tuple[Future[Any], Joint[Any, Any]]] = []

        def ended(done: Future[Sequence[Any]]) -> None:
            self._tell(taken, done)
            with self._guard:
                is_more = bool(self._waiting[name])
                if not is_more:
                    del self._waiting[name]
            if is_more:
                self._start(name)

        try:
            self._submit(lambda: self._do(name, taken)).add_done_callback(ended)
        except RuntimeError:  # this process ends
            with self._guard:
                left = self._waiting.pop(name)
            for future, _ in left:
                _refuse(future)

    def _do(self, name: Hashable, taken: list[tuple[Future[Any], Joint[Any, Any]]]) -> Sequence[Any]:
        waiting = self._waiting[name]
        while waiting and len(taken) < MOST_TOGETHER:
            future, joint = waiting.popleft()
            if future.set_running_or_notify_cancel():
                taken.append((future, joint))
        several = [joint for _, joint in taken]
        if not several[1:]:
            return [joint.alone() for joint in several]
        try:
            return several[0].several([joint.item for joint in several])
        except Unavailable:
            raise
        except Exception:  # noqa: BLE001 - one of them is at fault, which is found out by doing each by itself
            return [None] * len(several)

    def _tell(self, taken: Sequence[tuple[Future[Any], Joint[Any, Any]]], done: Future[Sequence[Any]]) -> None:
        failed = gone() if done.cancelled() else done.exception()
        for (future, joint), said in zip(taken, [failed] * len(taken) if failed else done.result(), strict=True):
            if isinstance(said, BaseException):
                future.set_exception(said)
            elif said is None:
                self._do_alone(future, joint)
            else:
                future.set_result(said)

    def _do_alone(self, future: Future[Any], joint: Joint[Any, Any]) -> None:
        try:
            self._submit(joint.alone).add_done_callback(partial(_pass_on, future))
        except RuntimeError:  # this process ends
            future.set_exception(gone())


def _refuse(future: Future[Any]) -> None:
    """Tell a future that waits that nothing is done any more."""
    if future.set_running_or_notify_cancel():
        future.set_exception(gone())


def _pass_on(future: Future[Any], done: Future[Any]) -> None:
    """Tell a future what another one was told."""
    failed = gone() if done.cancelled() else done.exception()
    if failed is not None:
        future.set_exception(failed)
    else:
        future.set_result(done.result())


class Pools:
    """The threads of one process; `together` is the database's, where it has one writer."""

    def __init__(
        self,
        dialect: DialectName,
        *,
        together: Callable[[], AbstractContextManager[None]] | None = None,
        longest_check: float = LONGEST_CHECK,
        longest_together: float = LONGEST_TOGETHER,
    ) -> None:
        self._longest_check = longest_check
        self._keys = ThreadPoolExecutor(2, "key")
        self._writes = _Queue(ThreadPoolExecutor(WRITERS[dialect], "write"))
        self._brief = (
            self._writes.threads.submit
            if together is None
            else _Together(self._writes.threads, together, longest_together).submit
        )
        self._jointly = _Jointly(lambda work: self._brief(lambda: _tidied(work)))
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
            heap.give_back()
