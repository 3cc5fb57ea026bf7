"""Tests of the threads in which requests run.

No request waits for ever, and brief writes that wait are committed together.
"""

import asyncio
import gc
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from prorata.errors import Unavailable
from prorata.store.database.schema_state import gone
from prorata.web.http.group_commit import TOGETHER
from prorata.web.http.pools import LARGE_WRITE, Pools


def test_a_check_that_takes_too_long_is_503_and_so_is_one_that_waits_behind_it() -> None:
    released = threading.Event()
    pools = Pools("postgresql", longest_check=0.2)

    async def ask() -> str:
        stuck = [asyncio.ensure_future(pools.check(released.wait)) for _ in range(4)]
        said = await asyncio.gather(*stuck, return_exceptions=True)
        assert [type(one) for one in said] == [Unavailable] * 4
        released.set()
        return await pools.check(lambda: "well again")

    try:
        assert asyncio.run(ask()) == "well again"
    finally:
        released.set()
        pools.close()


def test_after_a_large_write_what_python_keeps_of_it_is_given_back_and_after_a_small_one_nothing_is() -> None:
    pools, whole = Pools("sqlite"), []

    def note(phase: str, about: dict[str, int]) -> None:
        if phase == "start" and about["generation"] == 2:
            whole.append(about)

    def large() -> str:
        until = time.thread_time() + 1.2 * LARGE_WRITE
        while time.thread_time() < until:
            pass
        return "written"

    gc.callbacks.append(note)
    try:
        assert asyncio.run(pools.write(lambda: "written")) == "written"
        before = len(whole)
        assert asyncio.run(pools.write(large)) == "written"
    finally:
        gc.callbacks.remove(note)
        pools.close()
    assert (before, len(whole)) == (0, 1)


def test_no_page_waits_for_a_file_that_is_read() -> None:
    released, pools = threading.Event(), Pools("sqlite")

    async def ask() -> str:
        reading = [asyncio.ensure_future(pools.read_file(released.wait)) for _ in range(4)]
        answer = await asyncio.wait_for(pools.page(lambda: "a page"), 5)
        released.set()
        assert await asyncio.gather(*reading) == [True] * 4
        return answer

    try:
        assert asyncio.run(ask()) == "a page"
    finally:
        released.set()
        pools.close()


def test_pages_do_not_wait_behind_passwords_that_are_hashed() -> None:
    released, pools = threading.Event(), Pools("sqlite")

    async def ask() -> str:
        hashing = [asyncio.ensure_future(pools.hash(released.wait)) for _ in range(8)]
        said = await asyncio.wait_for(pools.page(lambda: "a page"), 5)
        released.set()
        await asyncio.gather(*hashing)
        return said

    try:
        assert asyncio.run(ask()) == "a page"
    finally:
        released.set()
        pools.close()


class Disk:
    """A database with one writer that performs brief writes.

    `committed` contains the writes that are on the disk.
    """

    def __init__(self) -> None:
        self.committed: list[list[int]] = []
        self.fails = False
        self._written: list[int] = []

    @contextmanager
    def together(self) -> Iterator[None]:
        self._written = []
        yield
        if self.fails:
            raise gone()
        self.committed.append(self._written)

    def write(self, number: int) -> int:
        self._written.append(number)
        return number


def all_at_once(pools: Pools, works: list[Callable[[], int]]) -> list[Any]:
    """Return the results of the writes that arrive while the writer is busy."""

    async def ask() -> list[Any]:
        released = threading.Event()
        first = asyncio.ensure_future(pools.write(released.wait))
        waiting = [asyncio.ensure_future(pools.write_briefly(work)) for work in works]
        await asyncio.sleep(0.02)
        assert not any(each.done() for each in waiting)
        released.set()
        await first
        return await asyncio.gather(*waiting, return_exceptions=True)

    try:
        return asyncio.run(ask())
    finally:
        pools.close()


def pools_over(disk: Disk, longest: float = 60.0) -> Pools:
    """Threads in which waiting writes join a write in progress, however busy the machine."""
    return Pools("sqlite", together=disk.together, longest_together=longest)


def test_brief_writes_that_wait_are_committed_together_in_the_order_they_came() -> None:
    disk = Disk()
    assert all_at_once(pools_over(disk), [partial(disk.write, n) for n in range(7)]) == [*range(7)]
    assert disk.committed == [[0, 1, 2, 3, 4, 5, 6]]


def test_no_more_than_so_many_are_committed_together() -> None:
    disk, many = Disk(), TOGETHER + 3
    all_at_once(pools_over(disk), [partial(disk.write, n) for n in range(many)])
    assert [len(some) for some in disk.committed] == [TOGETHER, 3]


def test_behind_a_long_write_none_is_committed_with_it() -> None:
    disk = Disk()

    def slowly() -> int:
        time.sleep(1)
        return disk.write(1)

    all_at_once(pools_over(disk, longest=0.5), [slowly, partial(disk.write, 2), partial(disk.write, 3)])
    assert disk.committed == [[1], [2, 3]]


def test_one_that_is_refused_is_told_so_and_the_others_are_written() -> None:
    disk = Disk()

    def refused() -> int:
        raise LookupError

    said = all_at_once(pools_over(disk), [partial(disk.write, 1), refused, partial(disk.write, 2)])
    assert (said[0], type(said[1]), said[2]) == (1, LookupError, 2)
    assert disk.committed == [[1, 2]]


def test_nobody_is_answered_when_the_commit_fails() -> None:
    disk = Disk()
    disk.fails = True
    said = all_at_once(pools_over(disk), [partial(disk.write, n) for n in range(3)])
    assert [type(one) for one in said] == [Unavailable] * 3


def test_one_that_is_given_up_while_it_waits_is_not_done() -> None:
    disk, released = Disk(), threading.Event()
    pools = pools_over(disk)

    async def ask() -> None:
        first = asyncio.ensure_future(pools.write(released.wait))
        kept, given_up = (asyncio.ensure_future(pools.write_briefly(partial(disk.write, n))) for n in (1, 2))
        await asyncio.sleep(0.02)
        given_up.cancel()
        await asyncio.sleep(0)
        released.set()
        await asyncio.gather(first, kept)

    try:
        asyncio.run(ask())
    finally:
        pools.close()
    assert disk.committed == [[1]]
