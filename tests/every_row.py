"""Every row of a database, to check that nothing has changed.

The rows are read without the program.
"""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from typing import Any

import psycopg

Rows = dict[str, list[dict[str, Any]]]
_TABLES = {
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name",
    "postgresql": "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1",
}


def every_row(url: str, account_id: str | None = None, tables: Sequence[str] = ()) -> Rows:
    """Return the rows of all tables, or of the given tables, in a fixed order.

    If an account is given, only its rows are returned.
    """
    kind = url.partition(":")[0]
    opened: Any = sqlite3.connect(url.removeprefix("sqlite:///")) if kind == "sqlite" else psycopg.connect(url)
    with closing(opened) as connection:
        names = tables or [name for (name,) in connection.execute(_TABLES[kind]).fetchall()]
        return {name: list(_rows(connection, name, account_id)) for name in names}


def _rows(connection: Any, table: str, account_id: str | None) -> list[dict[str, Any]]:
    found = connection.execute(f'SELECT * FROM "{table}" LIMIT 0')
    columns = [column[0] for column in found.description]
    of = f" WHERE account_id = '{account_id}'" if account_id and "account_id" in columns else ""
    rows = connection.execute(f'SELECT * FROM "{table}"{of}').fetchall()
    return [dict(zip(columns, row, strict=True)) for row in sorted(rows, key=repr)]
