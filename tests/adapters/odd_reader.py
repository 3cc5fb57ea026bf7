"""A file reader that misbehaves in the way its kind says.

It does what can go wrong in a process that reads hostile files.
"""

import os
import signal
import time
from collections.abc import Callable, Iterator
from itertools import repeat
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from prorata.domain.problems import Problem
from prorata.errors import InvalidRequest


class Trap:
    """A value that runs code when it is unpickled."""

    def __reduce__(self) -> Any:
        return os.system, ("echo harm",)


def _swell(_data: bytes) -> int:
    return len(bytearray(1024 * 1024 * 1024))


def _spin(_data: bytes) -> None:
    while True:
        pass


def _refuse(_data: bytes) -> None:
    raise InvalidRequest("Line 3 is no bill.", problems=[Problem("line", "It is no bill.")])


def _say(said: bytes) -> None:
    """Send bytes to the other process without the usual channel, and end."""
    Connection(os.dup(0)).send_bytes(said)
    os.kill(os.getpid(), signal.SIGKILL)


def _fail(data: bytes) -> None:
    raise LookupError(data.decode())


DEEDS: dict[str, Callable[[bytes], Any]] = {
    "count": len,
    "settings": lambda _: tuple(name for name in os.environ if name.startswith("PRORATA_")),
    "refuse": _refuse,
    "fail": _fail,
    "hang": lambda _: time.sleep(60),
    "spin": _spin,
    "die": lambda _: os.kill(os.getpid(), signal.SIGKILL),
    "say": _say,
    "swell": _swell,
    "trap": lambda _: Trap(),
    "write": lambda data: Path(data.decode()).write_text("harm", encoding="utf-8"),
}


def in_parts(data: bytes, kind: str) -> Iterator[Any]:
    """The parts of a file: the result of its deed, or endless text."""
    yield from repeat("x" * 1_000_000) if kind == "chatter" else [DEEDS[kind](data)]
