"""Orders of lists that are read by an index, and places in such lists.

A place in a list consists of the values that a row had in the order's columns, so it stays valid when the row changes
or is deleted. The rows after a place are found in steps, each of which uses an index of the order. The first step
finds the rows that equal the place in all groups of columns but the last, and come after it in that group. Each
further step requires equality in one group fewer.
"""

from collections.abc import Callable
from typing import Any, Literal, NamedTuple, TypeVar

from sqlalchemy import ColumnElement, and_, bindparam, literal_column, or_, tuple_

from prorata.store.database.list_orders import by_no_index

Found = TypeVar("Found")
Place = tuple[str | int | None, ...]
"""A place in a list: a row's values in the columns of the order (`columns_of`)."""


class Group(NamedTuple):
    """Columns that are compared together, in descending order if `down` is set.

    If `may_lack` is set, the first column may be empty. Rows with an empty first column come last, or first in the
    reverse order.
    """

    columns: tuple[ColumnElement[Any], ...]
    down: bool = False
    may_lack: bool = False


Groups = tuple[Group, ...]


class Order(NamedTuple):
    """An order of a list, and the number of rows to find.

    If `is_whole` is set, rows with an empty first column are left out.
    """

    groups: Groups
    reverse: bool
    limit: int
    is_whole: bool = False

    @property
    def literal_limit(self) -> ColumnElement[Any]:
        """The limit as a literal in the SQL, so that PostgreSQL expects few rows."""
        return literal_column(str(self.limit))


class Step(NamedTuple):
    """Some rows after a place in a list, found by one look-up in an index.

    In the first `equal` groups of columns, the rows have the values of the place. `how` says how the rows and the
    place differ in the next group. "behind": the rows' values are later in the order. The other three are for a
    group whose first column may be empty. "lacking": it is empty in the rows, but not in the place. "having": it is
    empty in the place, but not in the rows. "lacking behind": it is empty in both, and the rows' other values are
    later in the order.
    """

    equal: int
    how: Literal["behind", "lacking", "lacking behind", "having"]


def columns_of(groups: Groups) -> list[str]:
    """Return the names of the columns in all groups of an order."""
    return [str(column.key) for group in groups for column in group.columns]


def values_of(order: Order, place: Place | None) -> dict[str, str | int | None]:
    """Build the parameters of statements that list the rows after a place.

    The result is empty if `place` is None, which means the start of the list.
    """
    if place is None:
        return {}
    return {f"place_{name}": value for name, value in zip(columns_of(order.groups), place, strict=True)}


def sorted_by(order: Order, *, indexed: bool) -> list[ColumnElement[Any]]:
    """Build the ORDER BY of a statement that lists rows in this order."""
    columns: list[ColumnElement[Any]] = []
    for group in order.groups:
        is_down = group.down != order.reverse
        for column in group.columns:
            value = column if indexed else by_no_index(column)
            by = value.desc() if is_down else value.asc()
            may_lack = group.may_lack and column is group.columns[0] and not order.is_whole
            columns.append((by.nulls_first() if is_down else by.nulls_last()) if may_lack else by)
    return columns


def steps_behind(order: Order, place: Place | None, fixed: frozenset[str] = frozenset()) -> tuple[Step, ...]:
    """List the queries (steps) that together find the rows after a place, in order.

    If `place` is None, the result is empty. `fixed` names the columns that have the same value in all wanted rows, so
    no step is needed for them.
    """
    if place is None:
        return ()
    steps: list[Step] = []
    for at in reversed(range(len(order.groups))):
        group = order.groups[at]
        if group.may_lack:
            steps += _of_one_that_may_lack(order, place, at)
        elif len(group.columns) > 1 or group.columns[0].key not in fixed:
            steps.append(Step(at, "behind"))
    return tuple(steps)


def _of_one_that_may_lack(order: Order, place: Place, at: int) -> list[Step]:
    assert at == 0, "its value is the first of the place"
    if order.reverse:
        return [Step(at, "lacking behind"), Step(at, "having")] if place[0] is None else [Step(at, "behind")]
    if place[0] is None:
        return [Step(at, "lacking behind")]
    return [Step(at, "behind"), *([] if order.is_whole else [Step(at, "lacking")])]


def is_of_step(order: Order, step: Step, *, indexed: bool = True) -> ColumnElement[bool]:
    """Build the condition that this step finds a row."""
    groups = order.groups
    group = groups[step.equal]

    def value(column: ColumnElement[Any]) -> ColumnElement[Any]:
        return column if indexed else by_no_index(column)

    equal = [value(column) == _at(column) for before in groups[: step.equal] for column in before.columns]
    first, *others = map(value, group.columns)
    if step.how == "having":
        return and_(*equal, first.is_not(None))
    if step.how == "lacking":
        return and_(*equal, first.is_(None))
    lacks = [first.is_(None)] if step.how == "lacking behind" else []
    compared, places = (others, group.columns[1:]) if lacks else ([first, *others], group.columns)
    here, there = tuple_(*compared), tuple_(*map(_at, places))
    return and_(*equal, *lacks, here < there if group.down != order.reverse else here > there)


def is_behind(order: Order, steps: tuple[Step, ...]) -> list[ColumnElement[bool]]:
    """Build the condition that one of these steps finds a row, without using an index.

    The result is a list with this one condition. If there are no steps, the list is empty, because every row is
    then wanted.
    """
    return [or_(*(is_of_step(order, step, indexed=False) for step in steps))] if steps else []


def has_value(order: Order) -> list[ColumnElement[bool]]:
    """Build the condition by which an `is_whole` order leaves out rows.

    The condition is that the order's first column is not empty. The result is a list with this one condition; for other
    orders, it is empty.
    """
    group = order.groups[0]
    return [group.columns[0].is_not(None)] if order.is_whole and group.may_lack else []


def in_steps(
    walk: Callable[[Step | None], list[Found]], order: Order, place: Place | None, fixed: frozenset[str] = frozenset()
) -> list[Found]:
    """Find rows from the start of the list, or step by step after a place.

    `walk` finds the rows of a step, or the list's first rows if it is called with None. The search ends when
    `order.limit` rows are found.
    """
    if place is None:
        return walk(None)
    rows: list[Found] = []
    for step in steps_behind(order, place, fixed):
        rows += walk(step)
        if len(rows) >= order.limit:
            break
    return rows[: order.limit]


def _at(column: ColumnElement[Any]) -> ColumnElement[Any]:
    return bindparam(f"place_{column.key}", type_=column.type)
