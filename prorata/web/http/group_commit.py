"""Group commit: short writes that wait at the same time are done or committed together.

If the database has one writer, waiting writes of all kinds are committed together. On every database, waiting
writes of the same kind are done as one piece of work. See docs/adr/0032.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, suppress
from functools import partial
from itertools import chain
from typing import Any, Generic, NamedTuple, TypeVar

import structlog

from prorata.errors import Refusal, Unavailable
from prorata.store.database.engine import too_busy
from prorata.store.database.schema_state import gone

Result = TypeVar("Result")
Item = TypeVar("Item")
TOGETHER = 32
"""The maximum number of brief writes committed together, or done as one piece of work.

If the commit fails, all of these writes are undone; until then, each waits for the others.
"""
_log = structlog.get_logger("prorata.web")


class Together:
    """A runner of short writes that commits the waiting ones together.

    Once a write has begun, the writes that wait are done after it and committed with it, each as if it were alone.
    The cost of a commit, mainly the disk's, is then paid once for all of them. No caller gets a result before the
    commit.
    """

    def __init__(
        self, threads: ThreadPoolExecutor, together: Callable[[], AbstractContextManager[None]], longest: float
    ) -> None:
        self._threads = threads
        self._together = together
        self._longest = longest
        self._waiting: deque[tuple[Future[Any], Callable[[], Any]]] = deque()

    def submit(self, work: Callable[[], Result]) -> Future[Result]:
        """Queue a write for the writing thread, and return a future for the write's result.

        Raises `RuntimeError` if the thread takes no more work; in that case the write is not done.
        """
        future = Future[Result]()
        self._waiting.append((future, work))
        try:
            self._threads.submit(self._do_some).add_done_callback(self._refuse_if_over)
        except RuntimeError:
            if future.cancel():
                raise
        return future

    def _do_some(self) -> None:
        work = self._next()
        if work is None:
            return  # already done with earlier ones, or cancelled
        done = [work]
        try:
            with self._together():
                until = time.monotonic() + self._longest
                while work is not None:
                    work.do()
                    may_be_more = len(done) < TOGETHER and time.monotonic() < until
                    work = self._next() if may_be_more else None
                    if work is not None:
                        done.append(work)
        except BaseException as failed:  # noqa: BLE001 - raised to each waiting caller
            for each in done:
                each.future.set_exception(failed)
        else:
            for each in done:
                each.tell()

    def _next(self) -> "_Brief | None":
        with suppress(IndexError):
            while True:
                future, work = self._waiting.popleft()
                if future.set_running_or_notify_cancel():
                    return _Brief(future, work)
        return None

    def _refuse_if_over(self, turn: Future[None]) -> None:
        """Fail all waiting writes if `turn`, a task of the writing thread, was cancelled.

        Tasks are cancelled only when this process is ending.
        """
        if turn.cancelled():
            while work := self._next():
                work.future.set_exception(gone())


class _Brief:
    """A short write whose result or failure is kept until the commit."""

    def __init__(self, future: Future[Any], work: Callable[[], Any]) -> None:
        self.future = future
        self._work = work
        self._answer: Any = None
        self._failed: BaseException | None = None

    def do(self) -> None:
        """Do the write, and keep its result or failure for `tell`."""
        try:
            self._answer = self._work()
        except BaseException as failed:  # noqa: BLE001 - `tell` raises it to the waiting caller
            self._failed = failed

    def tell(self) -> None:
        """Pass the write's result or failure to the waiting caller."""
        if self._failed is None:
            self.future.set_result(self._answer)
        else:
            self.future.set_exception(self._failed)


class Joint(NamedTuple, Generic[Item, Result]):
    """A short write that can be done together with others of the same name.

    `several` takes the items of one or more such writes, and does them. For each item, it returns the result, the
    refusal, or None. None means that the write has to be done separately by `alone`, because it may take long or
    has to wait for a lock.
    """

    name: Hashable
    item: Item
    several: Callable[[Sequence[Item]], Sequence[Result | Refusal | None]]
    alone: Callable[[], Result]


class _Waiting(NamedTuple):
    future: Future[Any]
    joint: Joint[Any, Any]
    until: float
    """The latest time to begin the write separately, by the monotonic clock."""


class Jointly:
    """A runner of short writes, which does waiting writes of the same name together.

    For each name, it does one piece of work at a time. Writes that arrive during a piece of work are done in the
    next one. No write therefore waits for others to arrive, and the more writes there are, the less each costs.
    """

    def __init__(self, submit: Callable[[Callable[[], Any]], Future[Any]], longest_wait: float) -> None:
        self._submit = submit
        self._longest_wait = longest_wait
        self._guard = threading.Lock()
        self._waiting: dict[Hashable, deque[_Waiting]] = {}
        """The waiting writes, by name; a name is removed once its writes are done."""
        self._is_over = False

    def submit(self, joint: Joint[Any, Result]) -> Future[Result]:
        """Queue a write for the threads, and return a future for the write's result.

        Raises `Unavailable` if this process is ending.
        """
        future = Future[Result]()
        with self._guard:
            if self._is_over:
                raise gone()
            is_first = joint.name not in self._waiting
            waiting = _Waiting(future, joint, time.monotonic() + self._longest_wait)
            self._waiting.setdefault(joint.name, deque()).append(waiting)
        if is_first:
            self._start(joint.name)
        return future

    def close(self) -> None:
        """Begin no further work, and fail all waiting writes.

        Call this before the threads are closed. While a pool of threads is being closed, it reports the work that
        it drops and holds its lock, so it can't accept more work.
        """
        with self._guard:
            self._is_over = True
            left = [*chain.from_iterable(self._waiting.values())]
            for waiting in self._waiting.values():
                waiting.clear()
        for each in left:
            if each.future.set_running_or_notify_cancel():
                each.future.set_exception(gone())

    def _start(self, name: Hashable) -> None:
        taken: list[_Waiting] = []

        def ended(done: Future[list[tuple[_Waiting, Any]]]) -> None:
            if done.cancelled() or done.exception():
                self._take(name, taken)  # if it didn't even begin, find out who waits
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
            self.close()

    def _do(self, name: Hashable, taken: list[_Waiting]) -> list[tuple[_Waiting, Any]]:
        """Do the waiting writes of a name together, and return their results.

        The writes are listed in `taken`. A write without a result has to be done separately.
        """
        self._take(name, taken)
        if not taken:
            return []
        try:
            answers = taken[0].joint.several([each.joint.item for each in taken])
        except Unavailable:
            raise
        except Exception as failed:  # noqa: BLE001 - one is at fault; doing each by itself finds it
            if not isinstance(failed, Refusal):
                _log.warning("changes could not be made together", changes=len(taken), exc_info=failed)
            return [(each, None) for each in taken]
        return list(zip(taken, answers, strict=True))  # a wrong number of answers fails them all

    def _take(self, name: Hashable, taken: list[_Waiting]) -> None:
        """Move up to `TOGETHER` waiting writes of a name to `taken`, if it is empty."""
        if taken:
            return
        with self._guard:
            waiting = self._waiting[name]
            while waiting and len(taken) < TOGETHER:
                each = waiting.popleft()
                if each.future.set_running_or_notify_cancel():
                    taken.append(each)

    def _tell(self, taken: Sequence[_Waiting], done: Future[list[tuple[_Waiting, Any]]]) -> None:
        failed = gone() if done.cancelled() else done.exception()
        for each, answer in [(each, failed) for each in taken] if failed else done.result():
            if isinstance(answer, BaseException):
                each.future.set_exception(answer)
            elif answer is None:
                self._do_alone(each)
            else:
                each.future.set_result(answer)

    def _do_alone(self, waiting: _Waiting) -> None:
        """Do a write separately that couldn't be done with others.

        If the write has waited too long, the caller gets `Unavailable` instead.
        """

        def in_time() -> Any:
            if time.monotonic() > waiting.until:
                raise too_busy()
            return waiting.joint.alone()

        try:
            self._submit(in_time).add_done_callback(partial(_pass_on, waiting.future))
        except RuntimeError:  # this process ends
            waiting.future.set_exception(gone())


def _pass_on(future: Future[Any], done: Future[Any]) -> None:
    """Copy the result or failure of the finished future `done` to another future."""
    failed = gone() if done.cancelled() else done.exception()
    if failed is not None:
        future.set_exception(failed)
    else:
        future.set_result(done.result())
