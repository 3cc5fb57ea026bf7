"""Tests of the exact moving windows of both limiters, in memory and in Redis (docs/decisions.md#rate-limits)."""

import asyncio
import itertools
import os
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
import redis
from hypothesis import given, strategies as st

from prorata.adapters.limits_memory import SECOND, MemoryLimiter
from prorata.adapters.limits_redis import PREFIX, RedisLimiter
from prorata.errors import Unavailable
from prorata.ports import Limiter, Verdict, Window
from tests.servers import RedisServer

CONTRACT = (Window("minute", 100, 60), Window("hour", 1000, 3600))
_keys = (f"tests-limits-{os.getpid()}-{number}" for number in itertools.count())


class FakeClock:
    """A monotonic clock in nanoseconds that moves only when a test moves it."""

    def __init__(self) -> None:
        self.now = 1_000_000 * SECOND

    def __call__(self) -> int:
        return self.now

    def wait(self, seconds: float) -> None:
        self.now += int(seconds * SECOND)


class Knocking:
    """A limiter in its own event loop, as in servers, for any thread."""

    def __init__(self, limiter: Limiter) -> None:
        self._limiter = limiter
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()

    def admit(self, key: str, windows: tuple[Window, ...], requests: int = 1) -> Verdict:
        return asyncio.run_coroutine_threadsafe(self._limiter.admit(key, windows, requests), self._loop).result()

    def take_back(self, key: str, windows: tuple[Window, ...], mark: str) -> None:
        asyncio.run_coroutine_threadsafe(self._limiter.take_back(key, windows, mark), self._loop).result()

    def close(self) -> None:
        if isinstance(self._limiter, RedisLimiter):
            asyncio.run_coroutine_threadsafe(self._limiter.close(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


def knocking_at_redis(url: str, **settings: float) -> Knocking:
    return Knocking(RedisLimiter(url, **settings))


@pytest.fixture(params=["memory", "redis"])
def limiter(request: pytest.FixtureRequest) -> Iterator[Knocking]:
    of_memory = request.param == "memory"
    made: Limiter = MemoryLimiter() if of_memory else RedisLimiter(request.getfixturevalue("redis_url"))
    knocking = Knocking(made)
    yield knocking
    knocking.close()


# --- what holds for both -----------------------------------------------------------------------------------------------


def test_the_quota_is_admitted_and_not_one_more(limiter: Knocking) -> None:
    key = next(_keys)
    verdicts = [limiter.admit(key, CONTRACT) for _ in range(101)]
    assert [verdict.remaining for verdict in verdicts[:100]] == [(99 - n, 999 - n) for n in range(100)]
    assert all(verdict.admitted and verdict.retry_after == 0 for verdict in verdicts[:100])
    refused = verdicts[100]
    assert (refused.admitted, refused.remaining) == (False, (0, 900))
    assert 55 <= refused.retry_after == refused.reset[0] <= 60
    assert 3595 <= refused.reset[1] <= 3600


def test_keys_are_counted_each_by_itself(limiter: Knocking) -> None:
    one, other = next(_keys), next(_keys)
    window = (Window("minute", 1, 60),)
    assert [limiter.admit(key, window).admitted for key in (one, one, other, other)] == [True, False, True, False]


def test_an_address_is_counted_with_windows_of_its_own(limiter: Knocking) -> None:
    windows = (Window("address", 300, 60),)
    key = next(_keys)
    verdict = limiter.admit(key, windows)
    assert verdict._replace(mark="") == Verdict(admitted=True, remaining=(299,), reset=(60,), retry_after=0)


def test_who_waits_as_told_is_admitted(limiter: Knocking) -> None:
    key, windows = next(_keys), (Window("second", 2, 1), Window("minute", 10, 60))
    assert [limiter.admit(key, windows).admitted for _ in range(3)] == [True, True, False]
    time.sleep(limiter.admit(key, windows).retry_after)
    again = limiter.admit(key, windows)
    assert again.admitted
    assert again.remaining == (1, 7)  # the refused ones used up nothing


def test_several_requests_are_admitted_as_one_or_none_of_them(limiter: Knocking) -> None:
    key, windows = next(_keys), (Window("second", 5, 1), Window("minute", 10, 60))
    verdicts = [limiter.admit(key, windows, requests) for requests in (3, 3, 2, 1)]
    assert [(one.admitted, one.remaining) for one in verdicts] == [
        (True, (2, 7)), (False, (2, 7)), (True, (0, 5)), (False, (0, 5)),
    ]  # fmt: skip
    assert [one.retry_after for one in verdicts] == [0, 1, 0, 1]
    time.sleep(1.01)
    assert limiter.admit(key, windows, 5).remaining == (0, 0)
    assert 58 <= limiter.admit(key, windows, 5).retry_after <= 60  # the five of before, not the first alone


def test_of_32_threads_at_once_exactly_100_requests_are_admitted(limiter: Knocking) -> None:
    key, barrier = next(_keys), threading.Barrier(32)

    def knock() -> int:
        barrier.wait()
        return sum(limiter.admit(key, CONTRACT).admitted for _ in range(10))

    with ThreadPoolExecutor(32) as pool:
        assert sum(pool.map(lambda _: knock(), range(32))) == 100


def test_a_request_that_is_taken_back_has_never_come_and_no_other_goes_with_it(limiter: Knocking) -> None:
    key, windows = next(_keys), (Window("minute", 3, 60), Window("hour", 4, 3600))
    first, second, third = (limiter.admit(key, windows) for _ in range(3))
    limiter.take_back(key, windows, second.mark)
    again = [limiter.admit(key, windows) for _ in range(2)]
    assert [verdict.admitted for verdict in again] == [True, False]
    for verdict in (first, third, again[0]):
        limiter.take_back(key, windows, verdict.mark)
    assert limiter.admit(key, windows).remaining == (2, 3)


def test_of_32_threads_that_take_theirs_back_exactly_those_that_stay_are_counted(limiter: Knocking) -> None:
    key, windows, barrier = next(_keys), (Window("minute", 1_000, 60),), threading.Barrier(32)

    def knock(number: int) -> None:
        barrier.wait()
        for _ in range(10):
            verdict = limiter.admit(key, windows)
            if number % 2:
                limiter.take_back(key, windows, verdict.mark)

    with ThreadPoolExecutor(32) as pool:
        list(pool.map(knock, range(32)))
    assert limiter.admit(key, windows).remaining == (839,)


def test_taking_back_at_a_limiter_that_forgot_the_key_changes_nothing(limiter: Knocking) -> None:
    key, windows = next(_keys), (Window("minute", 3, 60),)
    limiter.take_back(key, windows, "17")
    assert limiter.admit(key, windows).remaining == (2,)


# --- in memory ---------------------------------------------------------------------------------------------------------


class Model:
    """A model that follows the documented rule simply.

    It remembers each admitted request forever.
    """

    def __init__(self) -> None:
        self.admitted: list[int] = []

    def used(self, window: Window, now: int) -> list[int]:
        return [moment for moment in self.admitted if now - moment < window.seconds * SECOND]

    def fits(self, now: int, windows: tuple[Window, ...], requests: int = 1) -> bool:
        return all(len(self.used(window, now)) + requests <= window.quota for window in windows)

    def admit(self, now: int, windows: tuple[Window, ...], requests: int = 1) -> tuple[bool, tuple[int, ...]]:
        admitted = self.fits(now, windows, requests)
        if admitted:
            self.admitted.extend([now] * requests)
        return admitted, tuple(window.quota - len(self.used(window, now)) for window in windows)

    def take_back(self, moment: int) -> None:
        self.admitted.remove(moment)


small = st.builds(Window, st.just("w"), st.integers(1, 6), st.integers(1, 8))
waits = st.integers(0, 3 * SECOND) | st.sampled_from([0, 1, SECOND - 1, SECOND, SECOND + 1, 8 * SECOND, 60 * SECOND])


@given(
    st.lists(small, min_size=1, max_size=3).map(tuple),
    st.lists(st.tuples(waits, st.sampled_from("ab"), st.integers(-3, 8)), max_size=60),
)
def test_what_is_taken_back_is_counted_no_more(windows: tuple[Window, ...], steps: list[tuple[int, str, int]]) -> None:
    clock, models = FakeClock(), {"a": Model(), "b": Model()}
    limiter = MemoryLimiter(clock)
    for wait, key, place in steps:
        clock.now += wait
        there = models[key].admitted
        if 0 <= place < len(there):
            moment = there[-1 - place]
            asyncio.run(limiter.take_back(key, windows, str(moment)))
            # One that had left every window may be forgotten already: it counts for nothing in either.
            models[key].take_back(moment)
        verdict = limiter.count(key, windows)
        assert (verdict.admitted, verdict.remaining) == models[key].admit(clock.now, windows)
        assert bool(verdict.mark) == verdict.admitted


@given(
    st.lists(small, min_size=1, max_size=3).map(tuple),
    st.lists(st.tuples(waits, st.sampled_from("ab"), st.sampled_from([1, 1, 1, 2, 3, 6])), max_size=60),
)
def test_it_does_what_the_sentence_of_the_rule_says(
    windows: tuple[Window, ...], steps: list[tuple[int, str, int]]
) -> None:
    clock, models = FakeClock(), {"a": Model(), "b": Model()}
    limiter = MemoryLimiter(clock)
    for wait, key, wanted in steps:
        clock.now += wait
        requests = min(wanted, *(window.quota for window in windows))
        verdict = limiter.count(key, windows, requests)
        assert (verdict.admitted, verdict.remaining) == models[key].admit(clock.now, windows, requests)
        for window, left, reset in zip(windows, verdict.remaining, verdict.reset, strict=True):
            assert (reset == 0) == (left == window.quota)
            if reset:
                assert window.quota - len(models[key].used(window, clock.now + reset * SECOND)) > left
                assert window.quota - len(models[key].used(window, clock.now + (reset - 1) * SECOND)) == left
        assert (verdict.retry_after == 0) == verdict.admitted
        if not verdict.admitted:
            early, late = (clock.now + (verdict.retry_after - less) * SECOND for less in (1, 0))
            assert (models[key].fits(early, windows, requests), models[key].fits(late, windows, requests)) == (
                False,
                True,
            )


def test_a_long_run_agrees_with_the_model_though_old_times_are_dropped() -> None:
    clock, model = FakeClock(), Model()
    limiter, windows = MemoryLimiter(clock), (Window("short", 30, 2), Window("long", 200, 30))
    for step in range(3000):
        clock.now += (step * 7919 % 97) * SECOND // 400
        verdict = limiter.count("a", windows)
        assert (verdict.admitted, verdict.remaining) == model.admit(clock.now, windows)
        model.admitted = [moment for moment in model.admitted if clock.now - moment < 30 * SECOND]


def test_an_admission_counts_until_its_window_has_passed_to_the_nanosecond() -> None:
    clock = FakeClock()
    limiter, window = MemoryLimiter(clock), (Window("minute", 1, 60),)
    limiter.count("a", window)
    clock.now += 60 * SECOND - 1
    assert limiter.count("a", window) == Verdict(admitted=False, remaining=(0,), reset=(1,), retry_after=1)
    clock.now += 1
    assert limiter.count("a", window).admitted


def test_a_full_hour_refuses_though_the_minute_is_free() -> None:
    clock = FakeClock()
    limiter = MemoryLimiter(clock)
    for _ in range(10):
        assert all(limiter.count("a", CONTRACT).admitted for _ in range(100))
        clock.wait(60)
    assert limiter.count("a", CONTRACT) == Verdict(
        admitted=False, remaining=(100, 0), reset=(0, 3000), retry_after=3000
    )


def test_keys_that_are_idle_are_forgotten() -> None:
    clock = FakeClock()
    limiter = MemoryLimiter(clock)
    for number in range(1000):
        limiter.count(f"address {number}", (Window("minute", 300, 60),))
        limiter.count(f"key {number}", CONTRACT)
    assert len(limiter) == 2000
    clock.wait(61)
    for _ in range(600):
        limiter.count("one", (Window("minute", 1000, 60),))  # another set of windows
        limiter.count("address 999", (Window("minute", 300, 60),))
    assert len(limiter) == 1002
    clock.wait(3600)
    for _ in range(600):
        limiter.count("key 999", CONTRACT)
    assert len(limiter) == 3


def test_more_keys_than_fit_are_refused_and_the_known_ones_are_served() -> None:
    clock = FakeClock()
    limiter, window = MemoryLimiter(clock, most_keys=3), (Window("minute", 2, 60),)
    for key in "abc":
        limiter.count(key, window)
    with pytest.raises(Unavailable):
        limiter.count("d", window)
    assert limiter.count("a", window).admitted
    assert limiter.count("d", CONTRACT).admitted
    clock.wait(60)
    assert limiter.count("d", window).admitted


# --- in Redis ----------------------------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_whatever_the_timing_no_second_admits_more_than_its_quota(redis_url: str) -> None:
    key, windows = next(_keys), (Window("second", 20, 1), Window("hour", 1000, 3600))
    ends = time.monotonic() + 2.2

    def knock(_: int) -> int:
        limiter, admitted = knocking_at_redis(redis_url), 0
        while time.monotonic() < ends:
            admitted += limiter.admit(key, windows).admitted
            time.sleep(0.002)
        limiter.close()
        return admitted

    with ThreadPoolExecutor(4) as pool:
        admitted = sum(pool.map(knock, range(4)))
    client = redis.Redis.from_url(redis_url)
    moments = [int(score) for _, score in client.zrange(PREFIX + key, 0, -1, withscores=True)]
    client.close()
    assert len(moments) == admitted
    assert 40 <= admitted <= 60  # a full second's quota in each of two seconds, and what fits in the rest
    assert all(later - earlier >= 1_000_000 for earlier, later in zip(moments, moments[20:], strict=False))


def test_redis_forgets_a_key_and_keeps_no_refused_request(redis_url: str) -> None:
    key, limiter = next(_keys), knocking_at_redis(redis_url)
    verdicts = [limiter.admit(key, (Window("second", 3, 1),)) for _ in range(50)]
    assert sum(verdict.admitted for verdict in verdicts) == 3
    client = redis.Redis.from_url(redis_url)
    assert client.zcard(PREFIX + key) == 3
    assert 0 < client.pttl(PREFIX + key) <= 1000
    time.sleep(1.1)
    assert client.exists(PREFIX + key) == 0
    client.close()
    limiter.close()


def test_a_redis_that_forgot_the_script_is_sent_it_again(redis_url: str) -> None:
    key, limiter = next(_keys), knocking_at_redis(redis_url)
    limiter.admit(key, CONTRACT)
    client = redis.Redis.from_url(redis_url)
    client.script_flush()
    client.close()
    assert limiter.admit(key, CONTRACT).remaining == (98, 998)
    limiter.close()


def test_a_redis_that_cannot_answer_is_unavailable_and_never_unlimited(redis_url: str) -> None:
    key, limiter = next(_keys), knocking_at_redis(redis_url)
    client = redis.Redis.from_url(redis_url)
    client.set(PREFIX + key, "not a sorted set", ex=60)
    client.close()
    with pytest.raises(Unavailable) as refused:
        limiter.admit(key, CONTRACT)
    assert refused.value.status == 503
    assert "redis" not in refused.value.message.lower()
    limiter.close()


@pytest.fixture
def own_redis() -> Iterator[RedisServer]:
    """A Redis server that its test may stop and start."""
    with RedisServer() as server:
        yield server


def test_it_is_unavailable_while_redis_is_gone_and_comes_back_with_it(own_redis: RedisServer) -> None:
    limiter = knocking_at_redis(own_redis.url)
    for _ in range(2):
        assert limiter.admit("a", CONTRACT).remaining == (99, 999)
        own_redis.kill()
        with pytest.raises(Unavailable):
            limiter.admit("a", CONTRACT)
        own_redis.start()
    limiter.close()


def test_a_redis_that_hangs_is_given_up_after_the_timeout(own_redis: RedisServer) -> None:
    known, new = knocking_at_redis(own_redis.url, timeout=0.2), knocking_at_redis(own_redis.url, timeout=0.2)
    known.admit("a", CONTRACT)
    client = redis.Redis.from_url(own_redis.url)
    client.execute_command("CLIENT", "PAUSE", 1500, "ALL")
    client.close()
    for limiter in (known, new):
        began = time.monotonic()
        with pytest.raises(Unavailable):
            limiter.admit("a", CONTRACT)
        assert time.monotonic() - began < 1
    time.sleep(1.3)
    for limiter in (known, new):
        assert limiter.admit("a", CONTRACT).admitted
        limiter.close()
