"""Rate limits counted in this process: exact for one process, forgotten when it ends."""

import threading
import time
from array import array
from collections import OrderedDict
from collections.abc import Callable

from prorata.errors import Unavailable
from prorata.ports import Verdict, Window

SECOND = 1_000_000_000
"""A second on the limiter's clock, which counts nanoseconds."""

MOST_KEYS = 500_000
"""How many keys may be in use at once under one set of windows; beyond it new keys are answered 503."""

_FORGOTTEN_PER_REQUEST = 2
_FEWEST_DROPPED = 64


class MemoryLimiter:
    """Counts requests per key in moving windows under one lock (decisions section 2; `ports.Limiter`).

    A request is admitted if and only if in every window fewer than `quota` were admitted less than `seconds` ago. Each
    set of windows keeps its own keys: addresses that flood one leave the others alone. A key is forgotten once its
    last admission has left the longest window.
    """

    def __init__(self, monotonic_ns: Callable[[], int] = time.monotonic_ns, *, most_keys: int = MOST_KEYS) -> None:
        self._monotonic_ns = monotonic_ns
        self._most_keys = most_keys
        self._lock = threading.Lock()
        self._keys: dict[tuple[Window, ...], OrderedDict[str, _Admissions]] = {}

    def admit(self, key: str, windows: tuple[Window, ...]) -> Verdict:
        """Admit and count a request of `key`, or refuse it; a refused request uses up nothing.

        Constant time, spread over requests. Raises `errors.Unavailable` when more keys are in use than are kept.
        """
        with self._lock:
            now = self._monotonic_ns()
            keys = self._keys.get(windows)
            if keys is None:
                assert windows
                assert all(window.quota > 0 and window.seconds > 0 for window in windows)
                keys = self._keys[windows] = OrderedDict()
            _forget_idle(keys, before=now - max(window.seconds for window in windows) * SECOND)
            admissions = keys.get(key)
            if admissions is None:
                if len(keys) >= self._most_keys:
                    raise Unavailable("Too many clients at once. Try again in a moment.")
                admissions = keys[key] = _Admissions(len(windows))
            verdict = admissions.admit(now, windows)
            if verdict.admitted:
                keys.move_to_end(key)
            return verdict

    def __len__(self) -> int:
        """How many keys are kept."""
        with self._lock:
            return sum(map(len, self._keys.values()))


class _Admissions:
    """The times at which one key's requests were admitted, oldest first, and where each window begins among them."""

    __slots__ = ("_begins", "_times")

    def __init__(self, windows: int) -> None:
        self._times = array("q")
        self._begins = [0] * windows

    @property
    def newest(self) -> int:
        """When the last request was admitted; there is always one, as a first request is never refused."""
        return self._times[-1]

    def admit(self, now: int, windows: tuple[Window, ...]) -> Verdict:
        times, begins = self._times, self._begins
        for place, window in enumerate(windows):
            begin, before = begins[place], now - window.seconds * SECOND
            while begin < len(times) and times[begin] <= before:
                begin += 1
            begins[place] = begin
        self._drop_what_left()
        admitted = all(len(times) - begin < window.quota for begin, window in zip(begins, windows, strict=True))
        if admitted:
            times.append(now)
        remaining = tuple(window.quota - len(times) + begin for begin, window in zip(begins, windows, strict=True))
        # A window that nothing is left in begins where the times end.
        reset = tuple(
            window.seconds - (now - times[begin]) // SECOND if begin < len(times) else 0
            for begin, window in zip(begins, windows, strict=True)
        )
        wait = 0 if admitted else max(again for left, again in zip(remaining, reset, strict=True) if left == 0)
        return Verdict(admitted, remaining, reset, wait)

    def _drop_what_left(self) -> None:
        """Cut off times that have left every window, when they are at least half of them."""
        left = min(self._begins)
        if left >= _FEWEST_DROPPED and left * 2 >= len(self._times):
            del self._times[:left]
            self._begins[:] = [begin - left for begin in self._begins]


def _forget_idle(keys: "OrderedDict[str, _Admissions]", before: int) -> None:
    """Forget the keys whose last admission was long ago, a few per request; the longest idle stands first."""
    for _ in range(min(_FORGOTTEN_PER_REQUEST, len(keys))):
        key, admissions = next(iter(keys.items()))
        if admissions.newest > before:
            break
        del keys[key]
