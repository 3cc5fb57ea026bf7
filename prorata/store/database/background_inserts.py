"""Row inserts on another thread, while the caller computes the next rows.

While a database writes many rows, or checks their references, other Python threads can run. So while a thread
inserts rows, the caller already computes the next ones (measurements: docs/adr/0004).
"""

import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from queue import SimpleQueue
from typing import Any, NamedTuple

Rows = Sequence[Sequence[Any]]
AddRows = Callable[[str, Sequence[str], Rows], None]
_FEW_VALUES = 8_000
_INTERRUPTS = {signal.SIGINT}


class _Some(NamedTuple):
    table: str
    columns: Sequence[str]
    rows: Rows


class RowsGoingIn:
    """Rows that a thread is inserting over a connection.

    Until `wait` or `give_up` has returned, only the inserting thread may use the connection. This also holds for a
    caller that is interrupted by Ctrl-C while waiting: if the transaction were undone while rows are being inserted,
    the remaining rows would be committed on their own.
    """

    def __init__(self, add_rows: AddRows) -> None:
        self._add_rows = add_rows
        self._waiting: SimpleQueue[_Some | None] = SimpleQueue()
        self._is_given_up = False
        self._is_done = threading.Event()
        self.failed: BaseException | None = None
        """The error that kept rows from being inserted; `wait` sets it."""
        with _uninterrupted():  # a thread inherits its maker's signal mask: Ctrl-C is not for this one
            threading.Thread(target=self._add_all, name="rows", daemon=True).start()

    def add(self, table: str, columns: Sequence[str], rows: Rows) -> None:
        """Add rows to the end of the queue of rows to be inserted."""
        self._waiting.put(_Some(table, columns, rows))

    def wait(self) -> None:
        """Wait until all queued rows are inserted, or until an insertion fails."""
        self._waiting.put(None)
        self._is_done.wait()

    def give_up(self) -> None:
        """Drop the rows that are still queued, and wait for those being inserted.

        The wait is brief and can't be interrupted.
        """
        with _uninterrupted():
            self._is_given_up = True
            self.wait()

    def _add_all(self) -> None:
        try:
            while (some := self._waiting.get()) is not None and not self._is_given_up:
                self._add_rows(*some)
        except BaseException as failed:  # noqa: BLE001 - raised where the transaction is
            self.failed = failed
        finally:
            self._is_done.set()


@contextmanager
def _uninterrupted() -> Iterator[None]:
    held = signal.pthread_sigmask(signal.SIG_BLOCK, _INTERRUPTS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, held)


def are_few(columns: Sequence[str], rows: Rows) -> bool:
    """True if inserting these rows in the calling thread is faster than starting another thread."""
    return len(columns) * len(rows) < _FEW_VALUES
