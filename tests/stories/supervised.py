"""A server for tests to kill, which starts again at once.

A system's supervisor restarts a server in the same way.
"""

import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from tests.cli.forking import ROOT, Forked, forkery
from tests.stories.served import WEB, WORKER

SECONDS_TO_END = 60
EVERYTHING, VICTIMS = "everything", ("everything", WEB, WORKER)
"""The targets of a kill.

They are every process at once, as in a power cut; the process that answers; and the one for the background work.
"""


class Supervised:
    """The server `tests.stories.served` at a port, from `start` to `stop`.

    Its output goes to a file in `folder`.
    """

    def __init__(self, port: int, folder: Path, environment: Mapping[str, str]) -> None:
        self._port, self._folder, self._environment = port, folder, environment
        self._log = folder / "said"
        self._guard = threading.Lock()
        self._process: Forked | None = None
        self._is_ending = False
        self._keeper = threading.Thread(target=self._keep, name="supervisor", daemon=True)
        self.kills: list[str] = []

    def start(self) -> None:
        """Start the server, and keep it running."""
        self._keeper.start()

    def _keep(self) -> None:
        while True:
            with self._guard:
                if self._is_ending:
                    return
                if self._process is None or self._process.poll() is not None:
                    self._process = self._begun()
            time.sleep(0.05)

    def _begun(self) -> Forked:
        with Path(os.devnull).open("r+b") as nothing, self._log.open("ab") as said:
            words = ("tests.stories.served", [str(self._port)], ROOT, self._environment)
            return forkery().start(*words, (nothing, said, said))

    def kill(self, victim: str) -> None:
        """Kill one of the server's processes, or all of them.

        A process that is not there at the moment can't be killed.
        """
        with self._guard:
            if self._is_ending or self._process is None:
                return
            found = list(_and_all_under(self._process.pid))
            if victim != EVERYTHING:
                pid = int((self._folder / victim).read_text())
                found = [pid] if pid in found else []
            if found:
                _kill(found)
                self.kills.append(victim)

    def stop(self) -> None:
        """Tell the server to end, and wait until it has ended."""
        with self._guard:
            self._is_ending = True
            process = self._process
        if self._keeper.is_alive():
            self._keeper.join()
        if process is None:
            return
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            _kill(list(_and_all_under(process.pid)))
            process.wait(SECONDS_TO_END)

    def mistakes(self) -> list[str]:
        """List the mistakes in the program's own log.

        After a kill, tracebacks don't count, because a killed process may leave lines that end in the middle of a word.
        """
        signs = ('"level":"error"',) if self.kills else ('"level":"error"', "Traceback")
        lines = self._log.read_text(errors="replace").splitlines()
        return [line for line in lines if any(sign in line for sign in signs)]

    def said(self) -> str:
        """The end of the server's output."""
        return self._log.read_text(errors="replace")[-6000:] if self._log.exists() else ""


def _kill(pids: list[int]) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _and_all_under(pid: int) -> Iterator[int]:
    """A process and all of its descendants."""
    waiting = [pid]
    while waiting:
        one = waiting.pop()
        yield one
        with suppress(FileNotFoundError, ProcessLookupError):
            for task in Path(f"/proc/{one}/task").iterdir():
                with suppress(FileNotFoundError, ProcessLookupError):
                    waiting += map(int, (task / "children").read_text().split())
