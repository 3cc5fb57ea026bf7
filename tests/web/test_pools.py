"""The threads that checks run in: nobody waits for ever for the key of a request to be looked up."""

import asyncio
import gc
import threading
import time

from prorata.errors import Unavailable
from prorata.web.pools import LARGE_WRITE, Pools


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
