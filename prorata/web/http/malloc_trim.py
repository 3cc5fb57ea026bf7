"""The release of unused memory by the C library; without glibc, nothing is done."""

import ctypes
import threading

from prorata.domain.jobs.recurrences import WORKER, Recurrence, every

_M_ARENA_MAX = -8
"""The number of glibc's setting for the maximum number of heaps (malloc.h)."""
SECONDS_BETWEEN = 5.0
GIVING_MEMORY_BACK = Recurrence(
    "give memory back", "returns free memory to the operating system", every(SECONDS_BETWEEN), WORKER
)
_LIBRARY = ctypes.CDLL(None)


def share_one() -> None:
    """Let all threads of this process allocate from one heap.

    By default each thread has its own heap, and memory that a large change leaves in one heap can't be used by the
    others.
    """
    if hasattr(_LIBRARY, "mallopt"):
        _LIBRARY.mallopt(_M_ARENA_MAX, 1)


def give_back() -> None:
    """Return unused memory to the operating system, which takes a millisecond or two."""
    if hasattr(_LIBRARY, "malloc_trim"):
        _LIBRARY.malloc_trim(0)


def keep_giving_back(stop: threading.Event, seconds: float = SECONDS_BETWEEN) -> None:
    """Start a thread that regularly returns free memory to the system.

    The thread does so every `seconds`, until `stop` is set. So a process that reads large messages now and then
    shrinks again after each of them.
    """

    def tidy() -> None:
        while not stop.wait(seconds):
            give_back()

    threading.Thread(target=tidy, name="heap", daemon=True).start()
