"""Rows that another thread writes beside the work that makes the next ones.

While a database writes many rows, or looks whether what they refer to is there, it lets the interpreter go. So work
that makes many computes the next ones meanwhile (measured: docs/adr/0004).
"""

import threading
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from typing import Any, NamedTuple

Rows = Sequence[Sequence[Any]]
AddRows = Callable[[str, Sequence[str], Rows], None]
_FEW_VALUES = 8_000


class _Some(NamedTuple):
    table: str
    columns: Sequence[str]
    rows: Rows


class RowsGoingIn:
    """Rows that a thread is adding over a connection, which belongs to it until `wait` or `end` returns."""

    def __init__(self, add_rows: AddRows) -> None:
        self._add_rows = add_rows
        self._waiting: SimpleQueue[_Some | None] = SimpleQueue()
        self._failed: BaseException | None = None
        self._thread = threading.Thread(target=self._add_all, name="rows", daemon=True)
        self._thread.start()

    def add(self, table: str, columns: Sequence[str], rows: Rows) -> None:
        """Add these behind those that are going in."""
        self._waiting.put(_Some(table, columns, rows))

    def wait(self) -> None:
        """Wait until all rows are there. Raises what kept them out."""
        self.end()
        if self._failed is not None:
            raise self._failed

    def end(self) -> None:
        """Wait until the connection is free, whatever became of the rows."""
        self._waiting.put(None)
        self._thread.join()

    def _add_all(self) -> None:
        try:
            while (some := self._waiting.get()) is not None:
                self._add_rows(*some)
        except BaseException as failed:  # noqa: BLE001 - `wait` raises it where the transaction is
            self._failed = failed


def are_few(columns: Sequence[str], rows: Rows) -> bool:
    """Whether these are added before another thread would have begun to."""
    return len(columns) * len(rows) < _FEW_VALUES
