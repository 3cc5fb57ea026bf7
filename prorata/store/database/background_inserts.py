"""Rows that another thread writes beside the work that makes the next ones.

While a database writes many rows, or looks whether what they refer to is there, it lets the interpreter go. So work
that makes many computes the next ones meanwhile (measured: docs/adr/0004).
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
    """Rows that a thread is adding over a connection, which belongs to it until `wait` or `give_up` has returned.

    Whoever is interrupted while waiting, by Ctrl-C, does not have the connection yet: who then undoes the transaction
    with rows under way would have the rest of them committed by themselves.
    """

    def __init__(self, add_rows: AddRows) -> None:
        self._add_rows = add_rows
        self._waiting: SimpleQueue[_Some | None] = SimpleQueue()
        self._is_given_up = False
        self._is_done = threading.Event()
        self.failed: BaseException | None = None
        """What kept rows out, once they are waited for."""
        with _uninterrupted():  # a thread begins with the signals of its maker: Ctrl-C is not for this one
            threading.Thread(target=self._add_all, name="rows", daemon=True).start()

    def add(self, table: str, columns: Sequence[str], rows: Rows) -> None:
        """Add these behind those that are going in."""
        self._waiting.put(_Some(table, columns, rows))

    def wait(self) -> None:
        """Wait until all rows are there, or have failed."""
        self._waiting.put(None)
        self._is_done.wait()

    def give_up(self) -> None:
        """Leave out what has not begun to go in, and wait for the rest, which nothing interrupts: it is brief."""
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
    """Whether these are added before another thread would have begun to."""
    return len(columns) * len(rows) < _FEW_VALUES
