"""Statements, built once at import with SQLAlchemy Core and run as text by the driver.

Each statement is compiled once for each kind of database. Parameters and results are only text, whole numbers, booleans
and None; a list is passed as one parameter (`is_one_of`).
"""

import json
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from sqlalchemy import ColumnElement, Select, String, Table, bindparam, func, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.dialects.postgresql import Insert, insert
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.expression import ClauseElement, FromClause, ReturnsRows
from sqlalchemy.types import Boolean

DialectName = Literal["sqlite", "postgresql"]
Row = TypeVar("Row")

_SEPARATOR = 31
"""The code of the character between the values of a list.

No id, month or name contains a control character.
"""
_DIALECTS: dict[DialectName, Callable[[], Any]] = {
    "sqlite": partial(sqlite.dialect, paramstyle="named"),
    "postgresql": postgresql.psycopg.dialect,
}


class Compiled(NamedTuple):
    """A statement compiled for one driver: the text, and the values of its constants."""

    text: str
    constants: dict[str, Any]


class Statement(Generic[Row]):
    """A statement and the function `row`, which converts each row that it returns.

    In most statements, `row` is a NamedTuple with the selected columns in their order.
    """

    def __init__(self, element: ClauseElement, row: Callable[[Sequence[Any]], Row]) -> None:
        self.element = element
        self.row = row
        self.adds_to: str | None = element.table.name if isinstance(element, Insert) else None
        """The table to which an INSERT adds rows; None for other statements."""
        self._compiled: dict[DialectName, Compiled] = {}

    def compiled(self, dialect: DialectName) -> Compiled:
        """Return the statement compiled for a kind of database; the first call compiles it."""
        compiled = self._compiled.get(dialect)
        if compiled is None:
            made = self.element.compile(dialect=_DIALECTS[dialect]())
            assert isinstance(made, SQLCompiler), "only statements are compiled here"
            constants = {name: value for name, value in made.params.items() if value is not None}
            compiled = self._compiled[dialect] = Compiled(made.string, constants)
        return compiled


def returns(row: type[Row], element: ReturnsRows) -> Statement[Row]:
    """Build a statement whose rows are read as the NamedTuple `row`.

    The NamedTuple's fields are the columns in their order.
    """
    fields: tuple[str, ...] = row._fields  # type: ignore[attr-defined]
    columns = tuple(column.key for column in element.exported_columns)
    assert fields == columns, f"{row.__name__} has {fields}, the statement {columns}"
    return Statement(element, row._make)  # type: ignore[attr-defined]


def columns_for(row: Any, *tables: FromClause, **others: ColumnElement[Any]) -> list[ColumnElement[Any]]:
    """List the columns for the fields of the NamedTuple `row`, in order.

    The column of a field is `others[field]`, if given. Otherwise, it is the column with the field's name in the first
    of `tables` that has such a column.
    """
    return [
        others[name].label(name) if name in others else next(table.c[name] for table in tables if name in table.c)
        for name in row._fields
    ]


def returns_one(element: ClauseElement) -> Statement[Any]:
    """Build a statement with one column; each row is read as the column's value."""
    return Statement(element, _first)


def returns_pairs(element: ClauseElement) -> Statement[tuple[Any, Any]]:
    """Build a statement of two columns, with rows that are read as pairs.

    A pair is, for example, a kind and a number.
    """
    return Statement(element, tuple)


class Asked(NamedTuple, Generic[Row]):
    """A statement, together with the values of its parameters."""

    statement: Statement[Row]
    values: dict[str, Any]


@cache
def counts(statement: Statement[Any]) -> Statement[int]:
    """Build the statement that counts the rows that another statement would return."""
    element = statement.element
    assert isinstance(element, Select), "only what is selected has rows to count"
    return returns_one(select(func.count()).select_from(element.subquery()))


def changes(element: ClauseElement) -> Statement[None]:
    """Build a statement that changes rows and returns none."""
    return Statement(element, _nothing)


def added(table: Table) -> Insert:
    """Build the INSERT of a row into `table`, with one parameter for each column."""
    return insert(table).values({column.name: bindparam(column.name) for column in table.columns})


def adds(table: Table) -> Statement[None]:
    """Build the statement that adds a row to `table`, with one parameter for each column."""
    return changes(added(table))


def adds_if_new(table: Table, *key: str) -> Statement[None]:
    """Build the statement that adds a row, unless that would violate a unique constraint.

    If `key` is given, only the constraint on these columns is checked: a row that violates another one raises an
    error.
    """
    return changes(added(table).on_conflict_do_nothing(index_elements=key or None))


def puts(table: Table, *others: str) -> Statement[None]:
    """Build the statement that adds a row, or updates the row with the same key.

    An update leaves the columns `others` unchanged.
    """
    row = added(table)
    values = {name: row.excluded[name] for name in _names_but_for(table, others)}
    return changes(row.on_conflict_do_update(index_elements=list(table.primary_key.columns), set_=values))


def saves(table: Table, *others: str, only: Sequence[str] = ()) -> Statement[None]:
    """Build the statement that updates all columns of a row except its key and `others`.

    If `only` is given, the statement updates just these columns. This saves work, because setting a column rewrites
    its indexes even if the value stays the same.
    """
    keys = table.primary_key.columns
    values: dict[str, Any] = {name: bindparam(name) for name in only or _names_but_for(table, others)}
    return changes(update(table).where(*(key == bindparam(f"key_{key.name}") for key in keys)).values(values))


def _names_but_for(table: Table, others: Sequence[str]) -> list[str]:
    return [column.name for column in table.columns if not column.primary_key and column.name not in others]


def row_values(table: Table, row: NamedTuple, only: Sequence[str] = ()) -> dict[str, Any]:
    """Return the parameters with which a statement built by `saves` updates a row.

    The parameters are the values of all columns, or of those in `only`, and the row's key.
    """
    values = {name: getattr(row, name) for name in only} if only else row._asdict()
    return values | {f"key_{column.name}": getattr(row, column.name) for column in table.primary_key.columns}


def _first(row: Sequence[Any]) -> Any:
    return row[0]


def _nothing(_row: Sequence[Any]) -> None:
    return None


class _IsOneOf(ColumnElement[bool]):
    """The condition that `column` equals one of several values, passed as one parameter.

    `taken_apart` is the SQL that follows the column on PostgreSQL. In it, `{array}` stands for the list of values.
    """

    inherit_cache = False  # SQLAlchemy would confuse conditions of two forms
    type = Boolean()
    _is_implicitly_boolean = True  # a condition already: without this SQLite gets "… = 1", which no index serves

    def __init__(self, column: ColumnElement[Any], name: str, taken_apart: str) -> None:
        self.column = column
        self.values = bindparam(name, type_=String())
        self.taken_apart = taken_apart


@compiles(_IsOneOf, "sqlite")
def _is_one_of_sqlite(element: _IsOneOf, compiler: SQLCompiler, **kw: Any) -> str:
    column, values = compiler.process(element.column, **kw), compiler.process(element.values, **kw)
    return f"{column} IN (SELECT value FROM json_each({values}))"  # noqa: S608


@compiles(_IsOneOf, "postgresql")
def _is_one_of_postgresql(element: _IsOneOf, compiler: SQLCompiler, **kw: Any) -> str:
    array = f"string_to_array(%({element.values.key})s, chr({_SEPARATOR}))"
    return f"{compiler.process(element.column, **kw)} {element.taken_apart.format(array=array)}"


def containing(*parts: str) -> str:
    """Build a LIKE pattern of texts that contain these parts in order.

    A percent sign in a part matches any character.

    >>> containing("10% off"), containing("zt", "rk")
    ('%10_ off%', '%zt%rk%')
    """
    return f"%{'%'.join(one.replace('%', '_') for one in parts)}%"


def is_one_of(column: ColumnElement[Any], name: str) -> ColumnElement[bool]:
    """Build the condition that `column` is one of the texts in the list `name`."""
    return _IsOneOf(column, name, "= ANY({array})")


def is_one_of_numbers(column: ColumnElement[Any], name: str) -> ColumnElement[bool]:
    """Build the condition that `column` is one of the numbers in the list `name`."""
    return _IsOneOf(column, name, "= ANY({array}::bigint[])")


def is_among(column: ColumnElement[Any], name: str) -> ColumnElement[bool]:
    """Build a condition like `is_one_of`, for testing many rows against a long list.

    On PostgreSQL, the condition uses no index of the column. The list is converted once into a table, and the value
    of each row is looked up in it.
    """
    return _IsOneOf(column, name, "IN (SELECT unnest({array}))")


def for_postgresql(value: Any) -> Any:
    """Convert a parameter for psycopg.

    A list becomes one text, which the SQL of `is_one_of` splits. This takes 5 µs for a hundred ids; psycopg's own array
    took 120 µs.
    """
    return chr(_SEPARATOR).join(map(str, value)) if isinstance(value, list) else value


def for_sqlite(value: Any) -> Any:
    """Convert a parameter for sqlite3.

    A list becomes the JSON that `is_one_of` reads.
    """
    return json.dumps(value) if isinstance(value, list) else value
