"""Steps that several migrations take, the same on both databases."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from alembic import op

_READ = "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?"
_WRITE = "UPDATE sqlite_schema SET sql = ? WHERE type = 'table' AND name = ?"


def partial_index(
    name: str,
    table: str,
    columns: Sequence[str | sa.ColumnElement[Any]],
    where: str,
    *,
    on_postgresql: str = "",
    unique: bool = False,
) -> None:
    """An index of the rows of which `where` holds; PostgreSQL has words of its own where a boolean is asked for."""
    op.create_index(
        name,
        table,
        columns,
        unique=unique,
        sqlite_where=sa.text(where),
        postgresql_where=sa.text(on_postgresql or where),
    )


def change_check(table: str, constraint: str, had: str, has: str) -> None:
    """Have a check of a table say something else; `had` is how it was written in the table of SQLite."""
    if op.get_bind().dialect.name == "sqlite":
        change_tables_of_sqlite({table: instead({had: has})})
    else:
        op.drop_constraint(op.f(constraint), table, type_="check")
        op.create_check_constraint(op.f(constraint), table, has)


def instead(texts: Mapping[str, str]) -> Callable[[str], str]:
    """What `change_tables_of_sqlite` writes: other texts in the place of these, each of which stands there once."""

    def change(written: str) -> str:
        for had, has in texts.items():
            assert written.count(had) == 1, f"the table does not say {had} once"
            written = written.replace(had, has)
        return written

    return change


def change_tables_of_sqlite(changes: Mapping[str, Callable[[str], str]]) -> None:
    """SQLite's own way to change the constraints of tables without writing their rows again (ALTER TABLE, section 8):
    the text of each table as its function has it.
    """
    connection = op.get_bind()
    version = connection.exec_driver_sql("PRAGMA schema_version").scalar_one()
    connection.exec_driver_sql("PRAGMA writable_schema = ON")
    for table, change in changes.items():
        written = connection.exec_driver_sql(_READ, (table,)).scalar_one()
        connection.exec_driver_sql(_WRITE, (change(written), table))
    connection.exec_driver_sql(f"PRAGMA schema_version = {version + 1}")
    connection.exec_driver_sql("PRAGMA writable_schema = RESET")
    assert connection.exec_driver_sql("PRAGMA integrity_check").scalar_one() == "ok"
