"""Processes that tests start in order to kill them."""

import itertools
import os
import time
from pathlib import Path
from typing import Self

from tests.cli.forking import ROOT, forkery

SECONDS_TO_START = 60
_numbers = itertools.count(1)


class Victim:
    """A test program in a process of its own.

    Its output goes to a file in `folder`.
    """

    def __init__(self, program: str, *arguments: str, folder: Path) -> None:
        self._said = folder / f"said-{next(_numbers)}"
        environment = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
        with Path(os.devnull).open("r+b") as nothing, self._said.open("wb") as said:
            self._process = forkery().start(program, arguments, ROOT, environment, (nothing, nothing, said))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def wait_until_it_says(self, words: bytes) -> None:
        """Wait until the process has said something, however busy the machine is.

        A process that has not begun yet is in the middle of nothing, so a kill would show nothing.
        """
        deadline = time.monotonic() + SECONDS_TO_START
        while words not in self._said.read_bytes():
            assert time.monotonic() < deadline, f"it did not say {words!r}"
            time.sleep(0.01)

    def kill(self) -> None:
        """End the process as a power cut would."""
        self._process.kill()
        self._process.wait()
