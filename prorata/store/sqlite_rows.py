"""Adding many rows to SQLite: several by one statement, and beside the work that makes the next ones.

Rows that go in together cost a quarter less than one by one, and while SQLite writes them it lets the interpreter go,
so the next ones are computed meanwhile (measured: docs/adr/0004).
"""

import sqlite3
import threading
from collections.abc import Sequence
from itertools import chain
from queue import SimpleQueue
from typing import Any, NamedTuple

Rows = Sequence[Sequence[Any]]
_VALUES_AT_ONCE = (16_000, 2_000, 1)
"""Values of one statement: as many as can be; of what is left; and then a row. SQLite takes 32,766 since 3.32."""
_FEW_VALUES = 8_000
"""So many are written before somebody else could have begun to."""


class _Rows(NamedTuple):
    table: str
    columns: Sequence[str]
    rows: Rows


class RowsGoingIn:
    """Rows that another thread is adding over a connection, which belongs to it until `wait` or `end` returns."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._waiting: SimpleQueue[_Rows | None] = SimpleQueue()
        self._failed: BaseException | None = None
        self._thread = threading.Thread(target=self._add_all, daemon=True)
        self._thread.start()

    def add(self, table: str, columns: Sequence[str], rows: Rows) -> None:
        """Add these behind those that are going in."""
        self._waiting.put(_Rows(table, columns, rows))

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
                add_rows(self._connection, *some)
        except BaseException as failed:  # noqa: BLE001 - `wait` raises it where the transaction is
            self._failed = failed


def are_few(columns: Sequence[str], rows: Rows) -> bool:
    """Whether adding these takes less than handing them to another thread would be worth."""
    return len(columns) * len(rows) < _FEW_VALUES


def add_rows(connection: sqlite3.Connection, table: str, columns: Sequence[str], rows: Rows) -> None:
    """Add `rows`, which give the columns in order."""
    begin = 0
    for values in _VALUES_AT_ONCE:
        together = max(1, values // len(columns))
        end = len(rows) - (len(rows) - begin) % together
        if begin < end:
            groups = (rows[at : at + together] for at in range(begin, end, together))
            connection.executemany(_insert(table, columns, together), map(_flat, groups))
            begin = end


def _flat(rows: Rows) -> list[Any]:
    return list(chain.from_iterable(rows))


def _insert(table: str, columns: Sequence[str], rows: int) -> str:
    names = ", ".join(f'"{column}"' for column in columns)
    marks = f"({', '.join('?' * len(columns))})"
    return f'INSERT INTO "{table}" ({names}) VALUES {", ".join([marks] * rows)}'  # noqa: S608
