"""A reader of files that does what the kind says: what goes wrong in a process that reads hostile files."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from itertools import repeat
from pathlib import Path
from typing import Any

from prorata.errors import InvalidRequest


class Trap:
    """A value that would run code where it is taken out."""

    def __reduce__(self) -> Any:
        return os.system, ("echo harm",)


def _swell(_data: bytes) -> int:
    return len(bytearray(1024 * 1024 * 1024))


def _spin(_data: bytes) -> None:
    while True:
        pass


def _refuse(_data: bytes) -> None:
    raise InvalidRequest("Line 3 is no bill.")


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
    "swell": _swell,
    "trap": lambda _: Trap(),
    "write": lambda data: Path(data.decode()).write_text("harm", encoding="utf-8"),
}


def in_parts(data: bytes, kind: str) -> Iterator[Any]:
    """The parts of a file: what the deed gives, or one text after the other without end."""
    yield from repeat("x" * 1_000_000) if kind == "chatter" else [DEEDS[kind](data)]
