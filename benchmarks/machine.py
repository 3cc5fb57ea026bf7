"""The machine on which measurements are made."""

import os
import platform
import re
import subprocess
import tempfile
import time
from pathlib import Path

from benchmarks.load import wrk
from benchmarks.places import ROOT
from benchmarks.processes import ALL_CORES, CAN_PIN, OTHER_CORES, SERVER_CORES

UNKNOWN, DIRTY = "unknown", "-dirty"
_PAGE = 4096
_WRITTEN = ("RESULTS.md", "SCALE.md", "notes.md")
"""Of benchmarks/: what figures are written to and explained by changes none of them."""


def described() -> dict[str, str]:
    """Describe the machine and its programs, as values by name."""
    processor = _found(r"model name[^:]*: (.+)", "/proc/cpuinfo")
    kilobytes = _found(r"MemTotal:\s+(\d+)", "/proc/meminfo")
    system = _found(r'PRETTY_NAME="(.+)"', "/etc/os-release")
    return {
        "processors": f"{len(ALL_CORES)} × {processor}",
        "memory": f"{int(kilobytes) / 1048576:.0f} GB" if kilobytes.isdigit() else kilobytes,
        "system": f"{system}, Linux {platform.release()}",
        "Python": platform.python_version(),
        "a page written and synced": f"{_sync_cost():.2f} ms",
        "ten million additions in Python": f"{_loop_cost():.2f} s",
        "load": _said([wrk(), "--version"]).split(" [")[0],
        "commit": commit(),
        "when": time.strftime("%Y-%m-%d"),
        "pinned": _pinned(),
    }


def commit(folder: Path = ROOT) -> str:
    """Return the measured commit, marked if files differ from it or are new."""
    git = ["git", "-C", str(folder)]
    name = _said([*git, "describe", "--always", "--exclude", "*"])
    but = [f":(exclude)benchmarks/{each}" for each in _WRITTEN]
    changed = _said([*git, "status", "--porcelain", "--", ".", *but])
    return name if UNKNOWN in (name, changed) or not changed else name + DIRTY


def commit_since(begun: str, folder: Path = ROOT) -> str:
    """Return the commit at the end of a run, also marked if it changed meanwhile."""
    now = commit(folder)
    return begun if now == begun else f"{begun}, in the end {now.removesuffix(DIRTY)}{DIRTY}"


def _pinned() -> str:
    if not CAN_PIN:
        return "one processor: server, database and load share it, so that every figure is worse than on two"
    return (
        f"one worker: the server on processor {min(SERVER_CORES)}, wrk and PostgreSQL on "
        f"{', '.join(map(str, sorted(OTHER_CORES)))}; two workers: nothing is pinned"
    )


def _found(pattern: str, file: str) -> str:
    try:
        found = re.search(pattern, Path(file).read_text())
    except OSError:
        return UNKNOWN
    return found[1].strip() if found else UNKNOWN


def _said(command: list[str]) -> str:
    """Return the first line of a command's output, even if it fails, or `unknown`."""
    try:
        done = subprocess.run(command, check=False, capture_output=True, text=True)
    except OSError:
        return UNKNOWN
    lines = done.stdout.splitlines()
    return lines[0].strip() if lines else "" if done.returncode == 0 else UNKNOWN


def _sync_cost(times: int = 200) -> float:
    """Measure the milliseconds to write a page and sync it to disk."""
    with tempfile.TemporaryFile() as file:
        begun = time.perf_counter()
        for number in range(times):
            os.pwrite(file.fileno(), b"x" * _PAGE, number * _PAGE)
            os.fsync(file.fileno())
        return (time.perf_counter() - begun) / times * 1000


def _loop_cost(times: int = 10_000_000) -> float:
    """Measure the seconds of a simple Python loop, which show the speed of this machine.

    Others who use the machine can make the loop slower.
    """
    begun, total = time.perf_counter(), 0
    for number in range(times):
        total += number
    return time.perf_counter() - begun
