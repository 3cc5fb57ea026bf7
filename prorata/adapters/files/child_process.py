"""Child processes, each with a socket through which it takes requests."""

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path


class Child:
    """A process that takes requests on standard input, and ends together with its parent.

    Its standard error is that of the parent, or is discarded if `is_mute` is set.
    """

    def __init__(self, command: Sequence[str], *, is_mute: bool = False) -> None:
        ours, theirs = socket.socketpair()
        with ours, theirs:
            # It needs none of our settings. Only this process may know where Python finds the program.
            environment = {name: value for name, value in os.environ.items() if not name.startswith("PRORATA_")}
            environment["PYTHONPATH"] = os.pathsep.join(path or str(Path.cwd()) for path in sys.path)
            self.process = subprocess.Popen(  # noqa: S603 - our own program
                command,
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL if is_mute else None,
                env=environment,
            )
            self._connection = Connection(ours.detach())
        self.was_slow = False

    @contextmanager
    def within(self, patience: float) -> Iterator[Connection]:
        """Yield the connection to the process, and kill the process after `patience` seconds.

        If the block ends earlier, the process is not killed. Once the process has ended, whether on its own or
        because it was too slow, using the connection raises `OSError` or `EOFError`.
        """
        self.was_slow = False
        limit = threading.Timer(patience, self._kill)
        limit.start()
        try:
            yield self._connection
        finally:
            limit.cancel()

    def _kill(self) -> None:
        self.was_slow = True
        self.process.kill()

    def end(self, patience: float) -> None:
        """Close the socket, so that the process ends, and kill it if it doesn't."""
        self._connection.close()
        try:
            self.process.wait(patience)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
