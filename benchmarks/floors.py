"""The time that the database alone takes to write the same rows.

It is the limit of imports and rule changes, for which there are no peers.
"""

import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import psycopg

from benchmarks.databases import Copy
from prorata.store.schema.tables import metadata

Rows = dict[str, list[tuple[Any, ...]]]
WRITTEN = ("bill", "bill_line", "billing_month", "invoice", "charge")
"""The tables that an import fills most and that a rule change writes. An import also writes an audit entry for each
bill, events with what they tell, flags, and words to search by; a rule change audit entries and events. They are left
out: this limit is of less work.
"""


@contextmanager
def opened(copy: Copy) -> Iterator[Any]:
    """Open a connection that commits only when it is told to."""
    if copy.file is None:
        with psycopg.connect(copy.url, autocommit=True) as connection:
            yield connection
        return
    lite = sqlite3.connect(copy.file, isolation_level=None)
    lite.executescript("pragma synchronous=FULL; pragma foreign_keys=on; pragma cache_size=-65536")
    try:
        yield lite
    finally:
        lite.close()


def rows_of(copy: Copy) -> Rows:
    """Read all rows of the tables in the order of their keys.

    The columns of the key come first.
    """
    with opened(copy) as connection:
        return {
            name: connection.execute(
                f"select {_names(columns_of(name))} from {name} order by {_names(_keys(name))}"
            ).fetchall()
            for name in WRITTEN
        }


def seconds_to_add(copy: Copy, rows: Rows) -> float:
    """Measure the seconds to add rows in one transaction.

    SQLite uses `executemany`, and PostgreSQL uses COPY.
    """
    with opened(copy) as connection:
        begun = time.perf_counter()
        connection.execute("begin")
        for name, some in rows.items():
            columns = columns_of(name)
            if copy.file is not None:
                marks = ", ".join("?" * len(columns))
                connection.executemany(f"insert into {name} ({_names(columns)}) values ({marks})", some)
                continue
            with connection.cursor().copy(f"copy {name} ({_names(columns)}) from stdin") as into:
                for row in some:
                    into.write_row(row)
        connection.execute("commit")
        return time.perf_counter() - begun


def seconds_to_change(copy: Copy, now: Rows, wanted: Rows) -> float:
    """Measure the seconds to apply the changes, and no other columns, in one transaction.

    SQLite uses `executemany` of one UPDATE for each table. On PostgreSQL, this took as long as the whole PATCH, so it
    uses COPY, and one UPDATE from the copied rows.
    """
    changes = [change for name in WRITTEN if (change := _change(name, now[name], wanted[name]))]
    with opened(copy) as connection:
        begun = time.perf_counter()
        connection.execute("begin")
        for name, columns, keys, values in changes:
            if copy.file is not None:
                settings, found = (
                    ", ".join(f"{each} = ?" for each in columns),
                    " and ".join(f"{each} = ?" for each in keys),
                )
                connection.executemany(f"update {name} set {settings} where {found}", values)
                continue
            named = _names([*columns, *keys])
            connection.execute(f"create temp table new_{name} on commit drop as select {named} from {name} limit 0")
            with connection.cursor().copy(f"copy new_{name} ({named}) from stdin") as into:
                for row in values:
                    into.write_row(row)
            settings = ", ".join(f"{each} = n.{each}" for each in columns)
            found = " and ".join(f"o.{each} = n.{each}" for each in keys)
            connection.execute(f"update {name} o set {settings} from new_{name} n where {found}")
        connection.execute("commit")
        return time.perf_counter() - begun


class _Change(NamedTuple):
    """The changes to a table: columns, key columns, and the values of each row.

    In each row, the values of the columns come first, and those of the keys follow.
    """

    table: str
    columns: list[str]
    keys: list[str]
    values: list[tuple[Any, ...]]


def _change(table: str, now: Sequence[tuple[Any, ...]], wanted: Sequence[tuple[Any, ...]]) -> _Change | None:
    columns, keys = columns_of(table), _keys(table)
    pairs = [pair for pair in zip(now, wanted, strict=True) if pair[0] != pair[1]]
    places = [place for place in range(len(columns)) if any(was[place] != is_[place] for was, is_ in pairs)]
    values = [(*(row[place] for place in places), *row[: len(keys)]) for _, row in pairs]
    return _Change(table, [columns[place] for place in places], keys, values) if places else None


def _keys(name: str) -> list[str]:
    return [column.name for column in metadata.tables[name].primary_key]


def columns_of(name: str) -> list[str]:
    """List the columns of a table, with the columns of its key first."""
    keys = _keys(name)
    return [*keys, *(column.name for column in metadata.tables[name].columns if column.name not in keys)]


def _names(columns: Sequence[str]) -> str:
    return ", ".join(f'"{column}"' for column in columns)
