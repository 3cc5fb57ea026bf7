"""Commands run to their end, several at a time, with their duration and peak memory."""

import os
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

_PAUSE = 0.02


class Command(NamedTuple):
    """A command, and the log of its output."""

    words: Sequence[str | Path]
    environment: dict[str, str]
    log: Path


class Done(NamedTuple):
    """A successful command: seconds, seconds of CPU, and peak megabytes."""

    seconds: float
    cpu: float
    megabytes: float
    said: str


class _Running:
    """A running command."""

    def __init__(self, place: int, command: Command) -> None:
        self.place, self._command = place, command
        self._begun = time.perf_counter()
        with command.log.open("wb") as into:
            self._popen = subprocess.Popen(
                [str(word) for word in command.words],
                stdin=subprocess.DEVNULL,
                stdout=into,
                stderr=subprocess.STDOUT,
                env=command.environment,
                cwd=command.log.parent,
                start_new_session=True,
            )

    def ended(self) -> Done | None:
        """Return the result, or None if the command still runs; exit if it failed."""
        pid, status, usage = os.wait4(self._popen.pid, os.WNOHANG)
        if not pid:
            return None
        seconds = time.perf_counter() - self._begun
        self._popen.returncode = os.waitstatus_to_exitcode(status)
        said = self._command.log.read_text(errors="replace")
        if self._popen.returncode:
            raise SystemExit(f"{' '.join(map(str, self._command.words))} failed:\n{said[-2000:]}")
        return Done(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, said)

    def stop(self) -> None:
        """End the command now, if it still runs."""
        if self._popen.returncode is None:
            self._popen.kill()
            self._popen.wait()


def run(words: Sequence[str | Path], environment: dict[str, str], log: Path) -> Done:
    """Run one command."""
    return run_all([Command(words, environment, log)], at_once=1)[0]


def run_all(
    commands: Sequence[Command], *, at_once: int, tell: Callable[[int, Done], None] = lambda *_: None
) -> list[Done]:
    """Run commands in order, several at a time, and call `tell` when one ends.

    `tell` gets the place of the command in the list.
    """
    waiting = list(enumerate(commands))[::-1]
    done: dict[int, Done] = {}
    running: list[_Running] = []
    try:
        while waiting or running:
            while waiting and len(running) < at_once:
                running.append(_Running(*waiting.pop()))
            for each in list(running):
                result = each.ended()
                if result is not None:
                    running.remove(each)
                    done[each.place] = result
                    tell(each.place, result)
            time.sleep(_PAUSE)
    finally:
        for each in running:
            each.stop()
    return [done[place] for place in range(len(commands))]
