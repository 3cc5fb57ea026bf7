"""Rate limits counted in Redis: exact for any number of processes and hosts that share it."""

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from prorata.errors import Unavailable
from prorata.ports import Verdict, Window

TIMEOUT = 1.0
"""Seconds to connect, and seconds to wait for an answer."""

CONNECTIONS = 64
"""Requests of one process that are counted at once; the next waits for its turn, as long as for an answer."""

PREFIX = "prorata:limit:"

MICROSECONDS = 1_000_000

# One step on Redis's own clock. The set holds only admitted requests, scored by their microsecond; those of one
# microsecond are told apart by how many of it there were. Numbers are written out: Lua would round them to 14 digits.
_ADMIT = """
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local key = KEYS[1]
local function written(number) return string.format('%.0f', number) end

local windows, longest = {}, 0
for place = 1, #ARGV, 2 do
    local span = tonumber(ARGV[place + 1])
    table.insert(windows, {quota = tonumber(ARGV[place]), span = span})
    if span > longest then longest = span end
end
redis.call('ZREMRANGEBYSCORE', key, '-inf', written(now - longest))

local admitted = 1
for _, window in ipairs(windows) do
    window.used = redis.call('ZCOUNT', key, '(' .. written(now - window.span), '+inf')
    if window.used >= window.quota then admitted = 0 end
end
if admitted == 1 then
    local same = redis.call('ZCOUNT', key, written(now), written(now))
    redis.call('ZADD', key, written(now), written(now) .. '-' .. written(same))
    redis.call('PEXPIRE', key, written(longest / 1000))
end

local answer = {admitted}
for _, window in ipairs(windows) do
    local used = window.used + admitted
    local wait = 0
    if used > 0 then
        local place = math.min(used, window.quota) - 1
        local oldest = redis.call('ZREVRANGE', key, place, place, 'WITHSCORES')
        wait = tonumber(oldest[2]) + window.span - now
    end
    table.insert(answer, math.max(0, window.quota - used))
    table.insert(answer, wait)
end
return answer
"""


class RedisLimiter:
    """Counts requests per key in moving windows, in one script on Redis's clock (decisions section 2; `ports.Limiter`).

    A request is admitted if and only if in every window fewer than `quota` were admitted less than `seconds` ago. A
    key always comes with the same windows; Redis forgets it when its last admission has left the longest one.
    """

    def __init__(self, url: str, *, timeout: float = TIMEOUT) -> None:
        # No retries: a request that was counted but not answered must not be counted again. A connection that the
        # server has closed is noticed when it is taken from the pool, and made anew.
        pool = BlockingConnectionPool.from_url(
            url,
            max_connections=CONNECTIONS,
            timeout=timeout,
            protocol=2,
            socket_timeout=timeout,
            socket_connect_timeout=timeout,
            retry=Retry(NoBackoff(), retries=0),
        )
        self._redis = Redis.from_pool(pool)
        self._admit = self._redis.register_script(_ADMIT)  # sends the script's hash, and the script where it is unknown

    async def admit(self, key: str, windows: tuple[Window, ...]) -> Verdict:
        """Admit and count a request of `key`, or refuse it; a refused request uses up nothing.

        Raises `errors.Unavailable` when Redis does not answer as it should: never unlimited (decisions section 8).
        """
        assert windows
        assert all(window.quota > 0 and window.seconds > 0 for window in windows)
        arguments = [number for window in windows for number in (window.quota, window.seconds * MICROSECONDS)]
        try:
            admitted, *standing = await self._admit(keys=[PREFIX + key], args=arguments)
        except RedisError as gone:
            raise Unavailable("The service cannot count requests at the moment. Try again in a few seconds.") from gone
        remaining = tuple(standing[0::2])
        reset = tuple(-(-wait // MICROSECONDS) for wait in standing[1::2])
        wait = 0 if admitted else max(again for left, again in zip(remaining, reset, strict=True) if left == 0)
        return Verdict(bool(admitted), remaining, reset, wait)

    async def close(self) -> None:
        """Close the connections."""
        await self._redis.aclose()
