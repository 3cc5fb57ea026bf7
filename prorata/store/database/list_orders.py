"""Orders of lists whose rows come from several tables, and places in such lists.

A place in a list consists of the values that a row had in the order's columns, so it stays valid when the row changes
or is deleted. A search for the rows after a place uses the index of the first column: it starts at the place's value
in that column, and skips the rows with the same value that come before the place.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Integer, and_, bindparam, literal_column, or_


class By(NamedTuple):
    """A column by which an order sorts.

    `name` is the name of the column's value in a place. If `goes_down`, larger values come first.
    """

    name: str
    column: ColumnElement[Any]
    goes_down: bool = False


Order = Sequence[By]
Place = Sequence[str | int]


def names_of(order: Order) -> list[str]:
    """List the names of an order's columns, under which a place stores its values."""
    return [by.name for by in order]


def in_order(order: Order, *, reverse: bool) -> list[ColumnElement[Any]]:
    """Build the ORDER BY of a statement that lists rows in this order."""
    return [by.column.desc() if by.goes_down != reverse else by.column.asc() for by in order]


def is_behind(order: Order, *, reverse: bool) -> ColumnElement[bool]:
    """Build the condition that a row comes after a place in the list.

    The place's values are parameters, which `values_of` builds.
    """
    first = order[0]
    goes_down = first.goes_down != reverse
    steps = [
        and_(*(before.column == _at(before) for before in order[:number]), _is_past(by, reverse=reverse))
        for number, by in enumerate(order)
    ]
    return and_(first.column <= _at(first) if goes_down else first.column >= _at(first), or_(*steps))


def values_of(order: Order, place: Place) -> dict[str, str | int]:
    """Build the parameters that give a statement the place after which it lists rows."""
    return {_named(by): value for by, value in zip(order, place, strict=True)}


def by_no_index(column: ColumnElement[Any]) -> ColumnElement[Any]:
    """Wrap a column's whole number or text so that no index can be used.

    A table joined by such a value is read after the other table, as required by an order that begins with the other
    table.
    """
    return column + _as_number if isinstance(column.type, Integer) else column.op("||")(_as_text)


_as_number: ColumnElement[Any] = literal_column("0")
_as_text: ColumnElement[Any] = literal_column("''")


def _is_past(by: By, *, reverse: bool) -> ColumnElement[bool]:
    return by.column < _at(by) if by.goes_down != reverse else by.column > _at(by)


def _at(by: By) -> ColumnElement[Any]:
    return bindparam(_named(by), type_=by.column.type)


def _named(by: By) -> str:
    return f"place_{by.name}"
