"""Processes of a measurement: pinned to cores, measured through /proc, and ended with us."""

import contextlib
import ctypes
import os
import pwd
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

SECONDS_TO_START = 60.0
SECONDS_TO_STOP = 20.0
_DEATH_SIGNAL_OPTION = 1  # PR_SET_PDEATHSIG of prctl(2)
_TICKS = os.sysconf("SC_CLK_TCK")

Cores = frozenset[int]
ALL_CORES: Cores = frozenset(os.sched_getaffinity(0))
CAN_PIN = len(ALL_CORES) > 1
SERVER_CORES: Cores = frozenset({min(ALL_CORES)})
OTHER_CORES: Cores = (ALL_CORES - SERVER_CORES) or ALL_CORES
"""Pinned: the server under test on one core; the load and PostgreSQL on the others."""


def unprivileged_user() -> pwd.struct_passwd | None:
    """Find a user for a server that refuses root.

    Return None if we are not root.
    """
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name)
    raise SystemExit("This machine has neither a user postgres nor nobody to run PostgreSQL as.")


def find_program(name: str) -> Path | None:
    """Find a server's program: on the PATH, or in the newest of Debian's versioned directories."""
    on_path = shutil.which(name)
    if on_path:
        return Path(on_path)
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=_version, reverse=True)
    return next((folder / name for folder in folders if (folder / name).exists()), None)


def _version(folder: Path) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", folder.parent.name))


def free_port(first: int, last: int) -> int:
    """Find a port that nobody listens on."""
    for port in random.sample(range(first, last + 1), last + 1 - first):
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise SystemExit(f"No port from {first} to {last} is free.")


class Process:
    """A program that runs until `stop`; its output goes to `log`."""

    def __init__(
        self,
        command: Sequence[str | Path],
        log: Path,
        *,
        cores: Cores = ALL_CORES,
        environment: Mapping[str, str] | None = None,
        folder: Path | None = None,
        user: pwd.struct_passwd | None = None,
        stops_on: signal.Signals = signal.SIGTERM,
    ) -> None:
        self.name = Path(command[0]).name
        self.log = log
        self._stops_on = stops_on
        who: dict[str, Any] = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []} if user else {}
        self.begun = time.perf_counter()
        with log.open("ab") as into:
            self._popen = subprocess.Popen(
                [str(word) for word in command],
                stdin=subprocess.DEVNULL,
                stdout=into,
                stderr=subprocess.STDOUT,
                cwd=folder,
                env=None if environment is None else dict(environment),
                start_new_session=True,
                preexec_fn=lambda: _before(cores, stops_on),  # noqa: PLW1509 - this process has no other threads
                **who,
            )

    @property
    def pid(self) -> int:
        """The id of the started process, which may have started others."""
        return self._popen.pid

    @property
    def running(self) -> bool:
        """True if the process is still running."""
        return self._popen.poll() is None

    @property
    def failed(self) -> bool:
        """True if the process has ended with a failure."""
        return bool(self._popen.poll())

    def said(self) -> str:
        """Return the end of the process's output."""
        return self.log.read_text(errors="replace")[-3000:]

    def wait_until(self, answers: Callable[[], bool], pause: float = 0.02) -> float:
        """Wait until the process answers, and return the seconds since its start."""
        deadline = time.monotonic() + SECONDS_TO_START
        while not answers():
            if not self.running:
                raise SystemExit(f"{self.name} ended:\n{self.said()}")
            if time.monotonic() > deadline:
                raise SystemExit(f"{self.name} does not answer:\n{self.said()}")
            time.sleep(pause)
        return time.perf_counter() - self.begun

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """End the process, and everything that it started."""
        below = tree(self.pid)
        with contextlib.suppress(ProcessLookupError):
            self._popen.send_signal(self._stops_on)
        try:
            self._popen.wait(SECONDS_TO_STOP)
        except subprocess.TimeoutExpired:
            self._popen.kill()
            self._popen.wait()
        for pid in below:
            if _begun(pid) == below[pid]:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)


def _before(cores: Cores, death_signal: signal.Signals) -> None:
    """Set the cores of a new process, and make it end with its parent."""
    os.sched_setaffinity(0, cores)
    end_with_parent(death_signal)


def end_with_parent(death_signal: signal.Signals) -> None:
    """Have a new process get this signal when its parent ends in any way."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_DEATH_SIGNAL_OPTION, int(death_signal))


def pin(pid: int, cores: Cores) -> None:
    """Move a process, and its present and future children, to other cores."""
    for each in tree(pid):
        with contextlib.suppress(OSError):
            for thread in os.listdir(f"/proc/{each}/task"):  # noqa: PTH208
                os.sched_setaffinity(int(thread), cores)


def tree(pid: int) -> dict[int, str]:
    """List a process and its living descendants, each with its start time."""
    found: dict[int, str] = {}
    left = [pid]
    while left:
        each = left.pop()
        begun = _begun(each)
        if begun is None:
            continue
        found[each] = begun
        with contextlib.suppress(OSError):
            for task in Path(f"/proc/{each}/task").iterdir():
                with contextlib.suppress(OSError):
                    left += [int(child) for child in (task / "children").read_text().split()]
    return found


def _stat(pid: int) -> list[str] | None:
    """Return the fields of /proc/PID/stat from the third on."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None


def _begun(pid: int) -> str | None:
    fields = _stat(pid)
    return None if fields is None or fields[0] == "Z" else fields[19]


def seconds_since_begun(pid: int) -> float:
    """Return the seconds since a process was started."""
    fields = _stat(pid)
    assert fields is not None, "it runs"
    return time.clock_gettime(time.CLOCK_BOOTTIME) - int(fields[19]) / _TICKS


def cpu_of(pids: Iterable[int]) -> dict[int, float]:
    """Return the seconds of CPU that each process has used, user and system."""
    used = {}
    for pid in pids:
        fields = _stat(pid)
        if fields is not None:
            used[pid] = (int(fields[11]) + int(fields[12])) / _TICKS
    return used


def cpu_of_all(pids: Iterable[int]) -> float:
    """Sum the seconds of CPU of processes, including their ended children."""
    fields = (_stat(pid) for pid in pids)
    return sum(sum(map(int, each[11:15])) / _TICKS for each in fields if each is not None)


class Memory(NamedTuple):
    """Megabytes of a process: resident, proportional, and the peak.

    Proportional memory divides shared pages by the number of processes that share them. The peak is since the
    process's start, or since `forget_most_held`.
    """

    resident: float
    proportional: float
    most: float = 0.0


def memory_below(pid: int) -> Memory:
    """Sum the memory of all processes that a process has started."""
    found = []
    for each in tree(pid).keys() - {pid}:
        with contextlib.suppress(OSError):  # it has ended meanwhile
            found.append(memory_of(each))
    return Memory(*map(sum, zip(*found, strict=True))) if found else Memory(0.0, 0.0)


def memory_of(pid: int) -> Memory:
    """Read a process's memory."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    kilobytes = {line.split(":")[0]: int(line.split()[1]) for line in lines[1:]}
    return Memory(kilobytes["Rss"] / 1024, kilobytes["Pss"] / 1024, most_held(pid))


def most_held(pid: int) -> float:
    """Return the peak megabytes of a process; return 0 if it has ended."""
    with contextlib.suppress(OSError):
        found = re.search(r"VmHWM:\s*(\d+)", Path(f"/proc/{pid}/status").read_text())
        if found:
            return int(found[1]) / 1024
    return 0.0


def forget_most_held(pids: Iterable[int]) -> None:
    """Reset the peak memory of processes.

    If the kernel forbids that, their peaks count from their start, and are never lower.
    """
    for pid in pids:
        with contextlib.suppress(OSError):
            Path(f"/proc/{pid}/clear_refs").write_text("5")
