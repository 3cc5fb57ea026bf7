"""Orders of lists whose rows come of several tables, and how a list goes on behind a place in one.

A place is what a row has in the order's columns, so that it stays where it is when the row changes or goes. What is
behind it is looked for from the value of the first column on, by whose index the list is walked; what equals the place
there, and stands before it, is passed over.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Integer, and_, bindparam, literal_column, or_


class By(NamedTuple):
    """A column of an order, the name of its value in a place, and whether it goes down."""

    name: str
    column: ColumnElement[Any]
    goes_down: bool = False


Order = Sequence[By]
Place = Sequence[str | int]


def names_of(order: Order) -> list[str]:
    """The names of the values of a place."""
    return [by.name for by in order]


def in_order(order: Order, *, reverse: bool) -> list[ColumnElement[Any]]:
    """What a statement is ordered by."""
    return [by.column.desc() if by.goes_down != reverse else by.column.asc() for by in order]


def is_behind(order: Order, *, reverse: bool) -> ColumnElement[bool]:
    """The condition that a row is behind the place that `values_of` gives."""
    first = order[0]
    goes_down = first.goes_down != reverse
    steps = [
        and_(*(before.column == _at(before) for before in order[:number]), _is_past(by, reverse=reverse))
        for number, by in enumerate(order)
    ]
    return and_(first.column <= _at(first) if goes_down else first.column >= _at(first), or_(*steps))


def values_of(order: Order, place: Place) -> dict[str, str | int]:
    """What a statement that begins behind a place is run with."""
    return {_named(by): value for by, value in zip(order, place, strict=True)}


def by_no_index(column: ColumnElement[Any]) -> ColumnElement[Any]:
    """A column's value, whole number or text, which no index has. A table that is joined by it is read after the other
    one, as an order that begins with that one wants it.
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
