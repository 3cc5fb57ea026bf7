"""Rate limits counted in this process: exact for one process, forgotten when it ends."""

import threading
import time
from array import array
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Callable

from prorata.adapters.limits import MOST_RATE_LIMIT_KEYS
from prorata.errors import Unavailable
from prorata.ports import Verdict, Window

SECOND = 1_000_000_000
"""The number of clock ticks in a second; the limiter's clock counts nanoseconds."""


_FORGOTTEN_PER_REQUEST = 2
_DROPPED_TOGETHER = 64


class MemoryLimiter:
    """A counter of requests per key in moving windows, under one lock.

    A request is admitted if and only if, in every window, fewer than `quota` requests were admitted less than
    `seconds` ago. The keys of each set of windows are stored separately, so that too many keys in one set do not
    affect the others. A key is forgotten once its last admitted request is older than the longest window.
    """

    def __init__(
        self, monotonic_ns: Callable[[], int] = time.monotonic_ns, *, most_keys: int = MOST_RATE_LIMIT_KEYS
    ) -> None:
        self._monotonic_ns = monotonic_ns
        self._most_keys = most_keys
        self._lock = threading.Lock()
        self._kept: dict[tuple[Window, ...], _Kept] = {}

    async def admit(self, key: str, windows: tuple[Window, ...], requests: int = 1) -> Verdict:
        """Admit and count requests of `key`, or refuse them.

        Raises the errors of `count`, which does the work.
        """
        return self.count(key, windows, requests)

    async def take_back(self, key: str, windows: tuple[Window, ...], mark: str) -> None:
        """Remove an admitted request from the count (see `ports.Limiter`)."""
        with self._lock:
            kept = self._kept.get(windows)
            admissions = kept.keys.get(key) if kept else None
            if kept is not None and admissions is not None and admissions.take_back(int(mark)):
                del kept.keys[key]

    async def close(self) -> None:
        """Do nothing, because there is nothing to release."""

    def count(self, key: str, windows: tuple[Window, ...], requests: int = 1) -> Verdict:
        """Admit and count one or several requests of `key`, or refuse them without counting.

        This takes constant time, averaged over requests. Raises `errors.Unavailable` if more keys are in use than can
        be stored.
        """
        with self._lock:
            now = self._monotonic_ns()
            kept = self._kept.get(windows)
            if kept is None:
                kept = self._kept[windows] = _Kept(windows)
            kept.forget_idle(now)
            admissions = kept.keys.get(key)
            if admissions is None:
                if len(kept.keys) >= self._most_keys:
                    raise Unavailable("Too many clients at once. Try again in a moment.")
                admissions = kept.keys[key] = _Admissions(len(windows))
            verdict = admissions.admit(now, kept.windows, requests)
            if verdict.admitted:
                kept.keys.move_to_end(key)
            return verdict

    def __len__(self) -> int:
        """Count the stored keys."""
        with self._lock:
            return sum(len(kept.keys) for kept in self._kept.values())


class _Kept:
    """The keys that are counted in one set of windows, the least recently used first."""

    __slots__ = ("_longest", "keys", "windows")

    def __init__(self, windows: tuple[Window, ...]) -> None:
        assert windows
        assert all(window.quota > 0 and window.seconds > 0 for window in windows)
        self.windows = tuple((window.quota, window.seconds * SECOND) for window in windows)
        self.keys: OrderedDict[str, _Admissions] = OrderedDict()
        self._longest = max(span for _, span in self.windows)

    def forget_idle(self, now: int) -> None:
        """Forget some of the keys whose last admitted request has left the longest window.

        This is called at each request.
        """
        before = now - self._longest
        for _ in range(min(_FORGOTTEN_PER_REQUEST, len(self.keys))):
            key = next(iter(self.keys))
            if self.keys[key].newest > before:
                break
            del self.keys[key]


class _Admissions:
    """The times at which one key's requests were admitted, oldest first.

    For each window, the index of the first time that lies in the window is stored, too.
    """

    __slots__ = ("_begins", "_times")

    def __init__(self, windows: int) -> None:
        self._times = array("q")
        self._begins = [0] * windows

    @property
    def newest(self) -> int:
        """The time of the last admitted request.

        There is always such a request, because the first request of a key is never refused, and a key is forgotten
        when its last request is removed from the count.
        """
        return self._times[-1]

    def admit(self, now: int, windows: tuple[tuple[int, int], ...], requests: int) -> Verdict:
        """Admit or refuse requests; `windows` are pairs (quota, nanoseconds).

        All windows are handled in one loop for speed, since every request runs this code.
        """
        times, begins, count = self._times, self._begins, len(self._times)
        admitted = True
        for place, (quota, span) in enumerate(windows):
            begin, before = begins[place], now - span
            while begin < count and times[begin] <= before:
                begin += 1
            begins[place] = begin
            admitted = admitted and count - begin <= quota - requests
        self._drop_what_left()
        if admitted:
            times.extend([now] * requests)
        count = len(times)
        remaining, reset, wait = [], [], 0
        for (quota, span), begin in zip(windows, begins, strict=True):
            left = quota - count + begin
            # An empty window begins where the times end.
            again = (span - now + times[begin] + SECOND - 1) // SECOND if begin < count else 0
            if not admitted and left < requests:
                wait = max(wait, (span - now + times[count - 1 - quota + requests] + SECOND - 1) // SECOND)
            remaining.append(left)
            reset.append(again)
        return Verdict(admitted, tuple(remaining), tuple(reset), wait, str(now) if admitted else "")

    def take_back(self, at: int) -> bool:
        """Forget a request that was admitted at this time; return True if no request remains."""
        place = bisect_left(self._times, at)
        if place < len(self._times) and self._times[place] == at:
            del self._times[place]
            self._begins[:] = [begin - (begin > place) for begin in self._begins]
        return not self._times

    def _drop_what_left(self) -> None:
        """Drop the times that are older than all windows.

        For speed, this happens only when they are many and at least half of all stored times.
        """
        left = min(self._begins)
        if left >= _DROPPED_TOGETHER and left * 2 >= len(self._times):
            del self._times[:left]
            self._begins[:] = [begin - left for begin in self._begins]
