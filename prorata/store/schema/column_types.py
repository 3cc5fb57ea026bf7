"""Functions that build keys, columns and text types for the tables of the schema."""

from typing import Any

from sqlalchemy import (
    CheckConstraint,
    Column,
    ColumnElement,
    ForeignKeyConstraint,
    Index,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
)
from sqlalchemy.sql.schema import SchemaItem
from sqlalchemy.types import TypeEngine

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(referred_table_name)s",
        "uq": "uq_%(table_name)s_%(constraint_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)


def bytewise(length: int) -> TypeEngine[str]:
    """Build a text type that is compared byte by byte on both databases.

    This type is for ids, codes, ISO times and sort keys.
    """
    return String(length).with_variant(String(length, collation="C"), "postgresql")


ID, TIME, DAY, MONTH, NUMBER = bytewise(64), bytewise(24), bytewise(10), bytewise(7), bytewise(40)
ORDER = Text().with_variant(Text(collation="C"), "postgresql")


def needed(name: str, kind: TypeEngine[Any] | type[TypeEngine[Any]]) -> Column[Any]:
    """Build a column that may not be NULL."""
    return Column(name, kind, nullable=False)


def one_of(column: str, values: tuple[str, ...]) -> CheckConstraint:
    """Build the constraint that a column has one of these values."""
    listed = ", ".join(f"'{value}'" for value in values)
    return CheckConstraint(f"{column} in ({listed})", name=column)


def partial_index(
    name: str,
    *columns: str | ColumnElement[Any],
    where: ColumnElement[bool],
    postgresql_where: ColumnElement[bool] | None = None,
    unique: bool = False,
) -> Index:
    """Build an index of the rows that meet a condition.

    The condition may be written differently for PostgreSQL than for SQLite. A statement uses the index only if it
    repeats the condition literally, without a parameter.
    """
    its = where if postgresql_where is None else postgresql_where
    return Index(name, *columns, unique=unique, sqlite_where=where, postgresql_where=its)


def indexed_by_change(*tables: Table) -> None:
    """Add an index to each of these tables that finds records changed since a time."""
    for its_table in tables:
        Index(f"ix_{its_table.name}_updated", its_table.c.account_id, its_table.c.updated_at, its_table.c.id)


def table(name: str, *items: SchemaItem) -> Table:
    """Build a table that belongs to no account, or the table of accounts.

    Its primary key need not begin with an account's id.
    """
    return Table(name, metadata, *items, sqlite_with_rowid=False)


def owned(name: str, *items: SchemaItem, key: tuple[str, ...] = ("id",)) -> Table:
    """Build a table of an account's records, whose key begins with `account_id`.

    If one of `items` is a foreign key to a parent record (`of`), the parent already ensures that the account
    exists. Otherwise, the table gets a foreign key to the account.
    """
    own_id = (needed("id", ID),) if "id" in key else ()
    is_under_another = any(isinstance(item, ForeignKeyConstraint) for item in items)
    return table(
        name,
        needed("account_id", ID),
        *own_id,
        *items,
        PrimaryKeyConstraint("account_id", *key),
        *(() if is_under_another else (its_account(name),)),
    )


def its_account(name: str) -> ForeignKeyConstraint:
    """Build the foreign key from the table `name` to the account.

    A table needs this key in addition to that of a parent if some of its records have no parent.
    """
    return ForeignKeyConstraint(["account_id"], ["account.id"], ondelete="CASCADE", name=f"fk_{name}_account")


def of(parent: str, *columns: str) -> ForeignKeyConstraint:
    """Build the foreign key from a record to its parent in the same account.

    If the parent is deleted, the database deletes the record, too.
    """
    parent_key = ["account_id", *(("id",) if len(columns) == 1 else columns)]
    return ForeignKeyConstraint(
        ["account_id", *columns], [f"{parent}.{column}" for column in parent_key], ondelete="CASCADE"
    )
