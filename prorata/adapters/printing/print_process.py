"""Invoices printed in a separate process, which keeps the typesetter out of the server's memory.

The process is started with the first invoice. It ends when nobody prints for a while, and after a number of
invoices. It also ends at once when its parent ends in any way, because their socket is then closed.
"""

import os
import pickle
import signal
import sys
import threading
import traceback
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing.connection import Connection

from prorata.adapters.files.child_process import Child
from prorata.adapters.limits import LONGEST_PRINT
from prorata.domain.printing.printed_letters import Printed
from prorata.domain.texts import say
from prorata.errors import Unavailable
from prorata.ports import Printer

IDLE = 120.0
"""The number of seconds without a document after which the process ends."""
PRINTED_BY_ONE = 1_000
"""The number of invoices that one process prints.

After that, another process is started, and the memory of the first one is freed.
"""
_COMMAND = (sys.executable, "-P", "-m", "prorata.adapters.printing.print_process")
_PRINTED, _FAILED = b"p", b"f"
_TIMES = 2


class PrintFailed(Exception):
    """Raised if the typesetter can't print a document.

    This is a bug in Prorata, so another attempt would fail as well.
    """


class PrintProcess:
    """A printer of one document at a time, in a process started on demand."""

    def __init__(self, *, patience: float = LONGEST_PRINT, command: Sequence[str] = _COMMAND) -> None:
        self._patience = patience
        self._command = command
        self._lock = threading.Lock()
        self._child: Child | None = None

    def __call__(self, printed: Printed) -> bytes:
        """Print an invoice, a lease's utility terms or a letter as PDF.

        Raises `Unavailable` if the process ends twice in a row before the document is printed, or if printing takes
        too long. The next document is then printed by a new process. Raises `PrintFailed` if the typesetter fails.
        """
        sent = pickle.dumps(printed, pickle.HIGHEST_PROTOCOL)
        with self._lock:
            for _ in range(_TIMES):  # it may have ended by itself just now
                answer = self._asked(sent)
                if answer is not None:
                    break
            else:
                raise _not_now()
        if answer[:1] == _FAILED:
            raise PrintFailed(answer[1:].decode())
        return answer[1:]

    def close(self) -> None:
        """End the process once the document that it is printing is finished."""
        with self._lock:
            self._end()

    @property
    def pid(self) -> int | None:
        """The process id of the printing process, or None if there is none."""
        child = self._child
        return child.process.pid if child else None

    def _asked(self, sent: bytes) -> bytes | None:
        """Return the answer of the process, or None if the process ended before it answered."""
        try:
            child = self._child = self._child or Child(self._command)
        except OSError:  # the system has no memory or no room for another process
            return None
        try:
            with child.within(self._patience) as connection:
                connection.send_bytes(sent)
                return connection.recv_bytes()
        except (OSError, EOFError):
            self._end()
            if child.was_slow:
                raise _not_now() from None
            return None

    def _end(self) -> None:
        if self._child is not None:
            self._child.end(self._patience)
            self._child = None


def _not_now() -> Unavailable:
    return Unavailable(
        say("The invoice can’t be printed at the moment. Nothing was changed; try again in a few seconds.")
    )


def serve_prints(connection: Connection, printer: Printer, *, idle: float = IDLE, most: int = PRINTED_BY_ONE) -> None:
    """Print documents until none arrives for `idle` seconds, `most` are printed, or input ends.

    The input ends when the other process closes the connection.
    """
    for _ in range(most):
        if not connection.poll(idle):
            return
        signal.alarm(2 * LONGEST_PRINT)  # ends this process in mid-print if the waiting one is gone
        try:
            printed: Printed = pickle.loads(connection.recv_bytes())  # noqa: S301 - from the one that started us
            answer = _PRINTED + printer(printed)
        except EOFError:
            return
        except Exception:  # noqa: BLE001 - the other process raises it where a request or a job waits
            answer = _FAILED + traceback.format_exc().encode()
        with suppress(ConnectionError):  # the client was killed meanwhile: the next read is the end
            connection.send_bytes(answer)
        signal.alarm(0)


def main() -> None:
    """Print documents for the process at the other end of standard input."""
    for name in (signal.SIGINT, signal.SIGTERM):  # a stop may signal every process at once; the server closes us
        signal.signal(name, signal.SIG_IGN)
    from prorata.adapters.printing.pdf import TypstPrinter  # noqa: PLC0415 - of the typesetter the other end loads nothing

    serve_prints(Connection(os.dup(0)), TypstPrinter())


if __name__ == "__main__":
    main()
