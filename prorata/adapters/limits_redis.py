"""Rate limits counted in Redis, exact for all processes and hosts that share it."""

import asyncio
import hashlib
from collections import deque
from functools import lru_cache
from typing import Any, NamedTuple

from redis.asyncio import ConnectionPool
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import NoScriptError, RedisError

from prorata.errors import Unavailable
from prorata.ports import Verdict, Window

TIMEOUT = 1.0
"""The maximum number of seconds for connecting, answering, and waiting to be sent."""

AT_ONCE = 100
"""The maximum number of requests that one run of the script counts.

Redis does nothing else while the script runs, which takes about a millisecond for this many requests.
"""

PREFIX = "prorata:limit:"

MICROSECONDS = 1_000_000

# One step for each request, or for several as one, on Redis's own clock. The set holds only admitted requests, scored
# by their microsecond; those of one microsecond are told apart by how many of it there were. Numbers are written out:
# Lua would round them to 14 digits. All answers are one text, "1 1767225600000000-0 0 99 60000000;0 - 250000 0 250000",
# which costs the client one look into what came; a key that cannot be counted answers "?" by itself, and the others are
# not its concern.
_ADMIT = """
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local function written(number) return string.format('%.0f', number) end

local requests, longest = tonumber(ARGV[1]), 0
for place = 3, #ARGV, 2 do longest = math.max(longest, tonumber(ARGV[place])) end

local function admit(key)
    redis.call('ZREMRANGEBYSCORE', key, '-inf', written(now - longest))
    local admitted, windows = 1, {}
    for place = 2, #ARGV, 2 do
        local window = {quota = tonumber(ARGV[place]), span = tonumber(ARGV[place + 1])}
        window.used = redis.call('ZCOUNT', key, '(' .. written(now - window.span), '+inf')
        if window.used > window.quota - requests then admitted = 0 end
        table.insert(windows, window)
    end
    local mark = '-'
    if admitted == 1 then
        local same = redis.call('ZCOUNT', key, written(now), written(now))
        for _ = 1, requests do
            mark = written(now) .. '-' .. written(same)
            while redis.call('ZADD', key, 'NX', written(now), mark) == 0 do
                same = same + 1
                mark = written(now) .. '-' .. written(same)
            end
        end
        redis.call('PEXPIRE', key, written(longest / 1000))
    end

    local function until_gone(window, place)
        local one = redis.call('ZREVRANGE', key, place, place, 'WITHSCORES')
        return tonumber(one[2]) + window.span - now
    end

    local again, standing = 0, {}
    for _, window in ipairs(windows) do
        local used = window.used + admitted * requests
        local wait = 0
        if used > 0 then wait = until_gone(window, math.min(used, window.quota) - 1) end
        if admitted == 0 and used > window.quota - requests then
            again = math.max(again, until_gone(window, window.quota - requests))
        end
        table.insert(standing, written(math.max(0, window.quota - used)))
        table.insert(standing, written(wait))
    end
    return table.concat({written(admitted), mark, written(again), unpack(standing)}, ' ')
end

local answers = {}
for _, key in ipairs(KEYS) do
    local counted, answer = pcall(admit, key)
    table.insert(answers, counted and answer or '?')
end
return table.concat(answers, ';')
"""
_HASH = hashlib.sha1(_ADMIT.encode(), usedforsecurity=False).hexdigest()


class _Asked(NamedTuple):
    """A request that waits to be counted, with its arrival time and verdict's future."""

    key: str
    counted: tuple[tuple[Window, ...], int]
    since: float
    verdict: "asyncio.Future[Verdict]"


class _Returned(NamedTuple):
    """An admitted request to be removed from the count.

    Its future is completed once the request has been removed.
    """

    key: str
    mark: str
    done: "asyncio.Future[None]"


class RedisLimiter:
    """A counter of requests per key in moving windows, kept by a script in Redis.

    See docs/decisions.md#rate-limits and `ports.Limiter`. A request is admitted if and only if, in every window,
    fewer than `quota` requests were admitted less than `seconds` ago, by Redis's clock. A key must always be used
    with the same windows. Redis forgets a key when its last admitted request is older than the longest window.

    Only one call of the script is under way at a time. Requests that arrive meanwhile are sent together in the next
    call, in the order in which they arrived, because each call costs the client more than it costs Redis.
    """

    def __init__(self, url: str, *, timeout: float = TIMEOUT) -> None:
        # No retries: a request that was counted but not answered must not be counted again. A connection that the
        # server has closed is noticed when it is taken from the pool, and made anew.
        self._pool: ConnectionPool = ConnectionPool.from_url(
            url,
            max_connections=1,
            protocol=2,
            socket_timeout=timeout,
            socket_connect_timeout=timeout,
            retry=Retry(NoBackoff(), retries=0),
        )
        self._timeout = timeout
        self._waiting: deque[_Asked] = deque()
        self._returned: deque[_Returned] = deque()
        self._asking: asyncio.Task[None] | None = None

    async def admit(self, key: str, windows: tuple[Window, ...], requests: int = 1) -> Verdict:
        """Admit and count one or several requests of `key`, or refuse them without counting.

        Raises `errors.Unavailable` if Redis does not answer correctly, so that requests are never unlimited
        (docs/decisions.md#rate-limits).
        """
        assert windows
        assert all(window.quota >= requests > 0 and window.seconds > 0 for window in windows)
        loop = asyncio.get_running_loop()
        asked = _Asked(key, (windows, requests), loop.time(), loop.create_future())
        self._waiting.append(asked)
        self._begin_asking()
        return await asked.verdict

    async def take_back(self, key: str, windows: tuple[Window, ...], mark: str) -> None:  # noqa: ARG002 - of the port
        """Remove an admitted request from the count (see `ports.Limiter`)."""
        returned = _Returned(key, mark, asyncio.get_running_loop().create_future())
        self._returned.append(returned)
        self._begin_asking()
        await returned.done

    def _begin_asking(self) -> None:
        if self._asking is None:
            self._asking = asyncio.get_running_loop().create_task(self._ask_all())

    async def _ask_all(self) -> None:
        """Send waiting requests until none is left."""
        try:
            while self._waiting or self._returned:
                some = self._next()
                if some:
                    await self._ask(some)
                if self._returned:
                    await self._forget(self._returned.popleft())
        finally:
            self._asking = None
            while self._waiting:
                _refuse(self._waiting.popleft().verdict, None)  # only after a cancellation
            while self._returned:
                _refuse(self._returned.popleft().done, None)

    def _next(self) -> list[_Asked]:
        """Return the requests to send in the next call, those that have waited longest first.

        All of them ask to count the same number of requests in the same windows. Requests whose caller no longer
        waits, or that have waited too long, are left out.
        """
        some: list[_Asked] = []
        now = asyncio.get_running_loop().time()
        while self._waiting and len(some) < AT_ONCE:
            asked = self._waiting[0]
            if some and asked.counted != some[0].counted:
                break
            self._waiting.popleft()
            if now - asked.since > self._timeout:
                _refuse(asked.verdict, None)
            elif not asked.verdict.done():
                some.append(asked)
        return some

    async def _ask(self, some: list[_Asked]) -> None:
        """Count these requests in Redis, and pass each caller the verdict or the error."""
        try:
            keys = [PREFIX + asked.key for asked in some]
            answers = (await self._run(len(keys), *keys, *_arguments(*some[0].counted))).split(b";")
            assert len(answers) == len(some)
            for asked, answer in zip(some, answers, strict=True):
                if answer == b"?":
                    _refuse(asked.verdict, None)
                elif not asked.verdict.done():
                    asked.verdict.set_result(_verdict(answer))
        except RedisError as gone:
            for asked in some:
                _refuse(asked.verdict, gone)
        except BaseException as failed:
            for asked in some:
                _refuse(asked.verdict, failed)
            raise

    async def _forget(self, returned: _Returned) -> None:
        """Remove an admitted request from the count in Redis."""
        try:
            connection = await self._pool.get_connection()  # type: ignore[no-untyped-call]
            try:
                await connection.send_command("ZREM", PREFIX + returned.key, returned.mark)
                await connection.read_response()
            finally:
                await self._pool.release(connection)
        except RedisError as gone:
            _refuse(returned.done, gone)
        except BaseException as failed:
            _refuse(returned.done, failed)
            raise
        if not returned.done.done():
            returned.done.set_result(None)

    async def _run(self, *arguments: str | int) -> bytes:
        """Run the script by its hash, or send it if Redis does not know it.

        This uses a connection of the pool directly, because running a script through the Redis client takes a third
        more time.
        """
        connection = await self._pool.get_connection()  # type: ignore[no-untyped-call]
        try:
            try:
                await connection.send_command("EVALSHA", _HASH, *arguments)
                answer: bytes = await connection.read_response()
            except NoScriptError:
                await connection.send_command("EVAL", _ADMIT, *arguments)
                answer = await connection.read_response()
            return answer
        finally:
            await self._pool.release(connection)

    async def close(self) -> None:
        """Close the connection, and make the requests that are still waiting fail."""
        if self._asking is not None:
            self._asking.cancel()
            await asyncio.wait([self._asking])
        await self._pool.aclose()


@lru_cache(maxsize=16)
def _arguments(windows: tuple[Window, ...], requests: int) -> list[int]:
    return [requests, *(number for window in windows for number in (window.quota, window.seconds * MICROSECONDS))]


def _verdict(answer: bytes) -> Verdict:
    is_admitted, mark, *numbers = answer.split()
    admitted, again, *standing = int(is_admitted), *(int(number) for number in numbers)
    remaining = tuple(standing[0::2])
    reset = tuple(-(-wait // MICROSECONDS) for wait in standing[1::2])
    return Verdict(bool(admitted), remaining, reset, -(-again // MICROSECONDS), mark.decode() if admitted else "")


def _refuse(awaited: "asyncio.Future[Any]", why: BaseException | None) -> None:
    """Make a waiting request fail with an error of its own, caused by `why`.

    If several requests raised the same error object, its traceback would grow each time.
    """
    if not awaited.done():
        refusal = Unavailable("The service cannot count requests at the moment. Try again in a few seconds.")
        refusal.__cause__ = why
        awaited.set_exception(refusal)
