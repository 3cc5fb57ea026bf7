"""Redis counts simultaneous requests to one process together (`adapters/limits_redis.py`)."""

import asyncio
import itertools
import os
import time
from collections.abc import Iterator

import pytest
import redis
from hypothesis import HealthCheck, given, settings, strategies as st

from prorata.adapters.limits_memory import MemoryLimiter
from prorata.adapters.limits_redis import AT_ONCE, PREFIX, RedisLimiter
from prorata.errors import Unavailable
from prorata.ports import Verdict, Window
from tests.servers import RedisServer

CONTRACT = (Window("minute", 100, 60), Window("hour", 1000, 3600))
_keys = (f"tests-limits-at-once-{os.getpid()}-{number}" for number in itertools.count())


@pytest.fixture
def own_redis() -> Iterator[RedisServer]:
    """A Redis server for one test, which may stop and start it."""
    with RedisServer() as server:
        yield server


def all_at_once(url: str, asked: list[tuple[str, tuple[Window, ...]]]) -> list[Verdict | BaseException]:
    """Ask about requests in one turn of an event loop; return the verdicts in order."""

    async def ask() -> list[Verdict | BaseException]:
        limiter = RedisLimiter(url)
        try:
            return await asyncio.gather(*(limiter.admit(*one) for one in asked), return_exceptions=True)
        finally:
            await limiter.close()

    return asyncio.run(ask())


def test_requests_of_one_moment_are_counted_one_by_one_in_the_order_they_came_in(redis_url: str) -> None:
    key, windows = next(_keys), (Window("minute", 5 * AT_ONCE, 60),)
    verdicts = all_at_once(redis_url, [(key, windows)] * (5 * AT_ONCE + 3))
    assert [(verdict.admitted, verdict.remaining) for verdict in verdicts if isinstance(verdict, Verdict)] == [
        *((True, (left,)) for left in reversed(range(5 * AT_ONCE))),
        *[(False, (0,))] * 3,
    ]


def test_requests_of_one_moment_are_asked_about_in_few_scripts(own_redis: RedisServer) -> None:
    client = redis.Redis.from_url(own_redis.url)
    all_at_once(own_redis.url, [(f"key {number}", CONTRACT) for number in range(AT_ONCE + 1)])
    asked = client.info("commandstats")
    client.close()
    assert asked["cmdstat_zadd"]["calls"] == AT_ONCE + 1
    assert asked["cmdstat_evalsha"]["calls"] == 2
    assert asked["cmdstat_eval"]["calls"] == 1  # the first, which Redis did not know yet


@given(
    st.lists(
        st.tuples(st.sampled_from("abc"), st.sampled_from([CONTRACT, (Window("minute", 3, 60),)])),
        min_size=1,
        max_size=40,
    )
)
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_requests_of_one_moment_get_the_verdicts_they_get_one_after_the_other(
    redis_url: str, asked: list[tuple[str, tuple[Window, ...]]]
) -> None:
    ours, windows_of = next(_keys), dict(reversed(asked))  # a key has the same throughout
    plain = MemoryLimiter(lambda: 1_000_000_000_000)
    expected = [plain.count(key, windows_of[key]) for key, _ in asked]
    verdicts = all_at_once(redis_url, [(f"{ours}-{key}", windows_of[key]) for key, _ in asked])
    assert [(one.admitted, one.remaining) for one in verdicts if isinstance(one, Verdict)] == [
        (one.admitted, one.remaining) for one in expected
    ]


def test_a_key_that_cannot_be_counted_is_no_concern_of_the_others_of_that_moment(redis_url: str) -> None:
    odd, others = next(_keys), [next(_keys) for _ in range(3)]
    client = redis.Redis.from_url(redis_url)
    client.set(PREFIX + odd, "not a sorted set", ex=60)
    client.close()
    verdicts = all_at_once(redis_url, [(key, CONTRACT) for key in (others[0], odd, *others[1:])])
    assert isinstance(verdicts.pop(1), Unavailable)
    assert [one.remaining for one in verdicts if isinstance(one, Verdict)] == [(99, 999)] * 3


def test_each_request_of_a_moment_is_refused_by_itself_when_redis_is_gone(own_redis: RedisServer) -> None:
    own_redis.kill()
    refused = all_at_once(own_redis.url, [(f"key {number}", CONTRACT) for number in range(2 * AT_ONCE)])
    assert all(isinstance(one, Unavailable) for one in refused)
    assert len({id(one) for one in refused}) == 2 * AT_ONCE
    own_redis.start()


def test_a_request_that_is_given_up_harms_no_other_of_its_moment(redis_url: str) -> None:
    key, windows = next(_keys), (Window("minute", 10, 60),)

    async def some_give_up() -> list[Verdict]:
        limiter = RedisLimiter(redis_url)
        await limiter.admit(key, windows)
        asked = [asyncio.create_task(limiter.admit(key, windows)) for _ in range(6)]
        await asyncio.sleep(0)
        asked[0].cancel()  # before it is asked about
        await asyncio.sleep(0)
        asked[3].cancel()  # while it is
        verdicts = await asyncio.gather(*asked, return_exceptions=True)
        verdicts.append(await limiter.admit(key, windows))
        await limiter.close()
        assert [type(one) for one in (verdicts.pop(3), verdicts.pop(0))] == [asyncio.CancelledError] * 2
        return [one for one in verdicts if isinstance(one, Verdict)]

    left = [one.remaining[0] for one in asyncio.run(some_give_up())]
    assert left in ([8, 7, 5, 4, 3], [8, 7, 6, 5, 4], [7, 6, 4, 3, 2])  # it may have been counted by then, or not


def test_a_request_that_waits_too_long_for_its_turn_is_refused(own_redis: RedisServer) -> None:
    async def ask() -> list[Verdict | BaseException]:
        limiter = RedisLimiter(own_redis.url, timeout=0.2)
        await limiter.admit("a", CONTRACT)
        client = redis.Redis.from_url(own_redis.url)
        client.execute_command("CLIENT", "PAUSE", 3000, "ALL")
        client.close()
        first = asyncio.create_task(limiter.admit("a", CONTRACT))
        await asyncio.sleep(0.01)
        began = time.monotonic()
        verdicts = await asyncio.gather(first, limiter.admit("b", CONTRACT), return_exceptions=True)
        assert time.monotonic() - began < 2
        await limiter.close()
        return verdicts

    assert all(isinstance(one, Unavailable) for one in asyncio.run(ask()))


def test_closing_refuses_who_still_waits(own_redis: RedisServer) -> None:
    async def ask() -> list[Verdict | BaseException]:
        limiter = RedisLimiter(own_redis.url)
        await limiter.admit("a", CONTRACT)
        client = redis.Redis.from_url(own_redis.url)
        client.execute_command("CLIENT", "PAUSE", 600, "ALL")
        client.close()
        first = asyncio.create_task(limiter.admit("a", CONTRACT))
        await asyncio.sleep(0.01)
        second = asyncio.create_task(limiter.admit("b", CONTRACT))
        await asyncio.sleep(0)
        await limiter.close()
        return await asyncio.gather(first, second, return_exceptions=True)

    assert all(isinstance(one, Unavailable) for one in asyncio.run(ask()))
