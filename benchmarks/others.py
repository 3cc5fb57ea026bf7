"""The machine's use by others during a measurement: foreign processes, and the host."""

import gzip
import os
import platform
import time
from collections.abc import Callable
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from benchmarks.processes import cpu_of_all, tree

MOST = 0.1
"""Cores that others may take: a tenth of the one that is measured on, which is also what rounds on a quiet machine
differ by (`LINEAR` and `_GROWS` allow as much). More, and a rate can be wrong by more than what the goals look for.
"""
TRIES = 3
"""The maximum number of measurements of a round.

A disturbance of three consecutive rounds lasts longer than waiting can help.
"""
_TICKS = os.sysconf("SC_CLK_TCK")
_COUNTED = 3 / _TICKS
"""Seconds below which nothing is told: /proc/stat counts in ticks, of each kind of time by itself."""
_SYSTEM = Path("/proc/stat")
_KERNEL = 2
"""The parent of the kernel's own threads, which write to the disk what we and others have written."""

T = TypeVar("T")


class Taken(NamedTuple):
    """The cores that others kept busy, and those that the host took (`steal`)."""

    others: float = 0.0
    stolen: float = 0.0

    @property
    def is_much(self) -> bool:
        """True if a measurement during this was disturbed."""
        return self.others + self.stolen > MOST

    @property
    def said(self) -> str:
        """The use by others in words."""
        return f"others took {self.others:.2f} cores, the host {self.stolen:.2f}"


class Look(NamedTuple):
    """A reading in seconds: the clock, all CPU, this run's CPU, and stolen CPU.

    This run's CPU is that of its processes and of the kernel's threads.
    """

    clock: float
    by_all: float
    by_us: float
    stolen: float


class Watched(NamedTuple, Generic[T]):
    """A measurement, and the machine's use by others during it."""

    found: T
    taken: Taken


def look() -> Look:
    """Take a reading of how much of the machine has been used so far."""
    ours = cpu_of_all(tree(os.getpid())) + cpu_of_all(_kernel_threads())
    by_all, stolen = used_by_all(_SYSTEM.read_text(), counts_interrupts=not _INTERRUPTS_APART)
    return Look(time.monotonic(), by_all, ours, stolen)


def used_by_all(stat: str, *, counts_interrupts: bool) -> tuple[float, float]:
    """Return the seconds of CPU used by all, and stolen, from /proc/stat's first line.

    Waiting and idling are left out. Interrupts are included if the kernel counts them among the processes' time.
    """
    user, nice, system, _idle, _waiting, hard, soft, stolen = map(int, stat.split("\n", 1)[0].split()[1:9])
    interrupts = hard + soft if counts_interrupts else 0
    return (user + nice + system + interrupts) / _TICKS, stolen / _TICKS


def taken(before: Look, after: Look) -> Taken:
    """Compute the machine's use by others between two readings, in cores."""
    seconds = after.clock - before.clock
    others = (after.by_all - before.by_all) - (after.by_us - before.by_us)
    stolen = after.stolen - before.stolen
    if max(0.0, others) + stolen <= _COUNTED:
        return Taken()
    return Taken(max(0.0, others) / seconds, stolen / seconds)


def least_disturbed(
    measure: Callable[[], T],
    *,
    wait: Callable[[], object] = lambda: None,
    looks: Callable[[], Look] = look,
    tries: int = TRIES,
) -> Watched[T]:
    """Wait, then measure; if others disturbed the measurement, try again, up to a limit.

    Return the least disturbed measurement, not the one with the best figure. It is still a disturbed one if all were.
    """
    done: list[Watched[T]] = []
    for _ in range(tries):
        wait()
        before = looks()
        found = measure()
        done.append(Watched(found, taken(before, looks())))
        if not done[-1].taken.is_much:
            return done[-1]
    least = min(done, key=lambda each: sum(each.taken))
    print(f"  (disturbed{f', {tries} times' if tries > 1 else ''}: {least.taken.said})", flush=True)
    return least


def _kernel_threads() -> list[int]:
    try:
        is_theirs = Path(f"/proc/{_KERNEL}/comm").read_text().strip() == "kthreadd"
    except OSError:
        return []
    return list(tree(_KERNEL)) if is_theirs else []


def _counts_interrupts_apart() -> bool:
    """True if this kernel accounts for interrupts exactly, apart from the interrupted process."""
    for file in (Path("/proc/config.gz"), Path(f"/boot/config-{platform.release()}")):
        try:
            said = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
        except OSError:
            continue
        return b"CONFIG_IRQ_TIME_ACCOUNTING=y" in said
    return False


_INTERRUPTS_APART = _counts_interrupts_apart()
