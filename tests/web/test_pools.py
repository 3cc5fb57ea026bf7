"""The threads that checks run in: nobody waits for ever for the key of a request to be looked up."""

import asyncio
import threading

from prorata.errors import Unavailable
from prorata.web.pools import Pools


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
