"""Steps that several migrations use, with the same effect on both kinds of database."""

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
    """Create an index of the rows that meet the condition `where`.

    `on_postgresql` is the condition in PostgreSQL's syntax if that differs, as it does for booleans.
    """
    op.create_index(
        name,
        table,
        columns,
        unique=unique,
        sqlite_where=sa.text(where),
        postgresql_where=sa.text(on_postgresql or where),
    )


def change_check(table: str, constraint: str, had: str, has: str) -> None:
    """Change the condition of a check constraint.

    `had` is the old condition, in the exact wording of the table's stored CREATE TABLE text in SQLite.
    """
    if op.get_bind().dialect.name == "sqlite":
        change_tables_of_sqlite({table: instead({had: has})})
    else:
        op.drop_constraint(op.f(constraint), table, type_="check")
        op.create_check_constraint(op.f(constraint), table, has)


def instead(texts: Mapping[str, str]) -> Callable[[str], str]:
    """Build a function for `change_tables_of_sqlite` that replaces strings in a table's text.

    `texts` maps each old string to the new string. The function raises `AssertionError` unless the text has each old
    string exactly once.
    """

    def change(written: str) -> str:
        for had, has in texts.items():
            assert written.count(had) == 1, f"the table does not say {had} once"
            written = written.replace(had, has)
        return written

    return change


def change_tables_of_sqlite(changes: Mapping[str, Callable[[str], str]]) -> None:
    """Change constraints of SQLite's tables without rewriting their rows.

    `changes` maps each table to the function that makes its new CREATE TABLE text from the old one. SQLite
    describes this procedure in section 8 of ALTER TABLE.
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
