"""Lists that are read by an index, in their usual order or by last change.

A page begins after a place in the list. So if records are added or deleted before that place, no other record is
repeated or missed. In the order of last changes, a record that changes while a program reads the list appears again
at the end, in its new state.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, FromClause, Select, and_, bindparam, func, literal_column, select, true

from prorata.store.database.engine import Tx
from prorata.store.database.list_steps import (
    Group,
    Groups,
    Order,
    Place,
    Step,
    in_steps,
    is_of_step,
    sorted_by,
    values_of,
)
from prorata.store.database.statements import Statement, returns_pairs
from prorata.store.limits import MOST_LOOKED_AT

_REACHES = (101, 1_001)
"""The numbers of rows to search for: one more than the longest answers contain.

They are literals in the SQL, so there are two statements of each kind. PostgreSQL plans for few rows only if the
statement itself states the number.
"""
_CHARACTERS_OF_A_TIME = 24


@dataclass(frozen=True, eq=False)
class Walked:
    """A list that can be read in its usual order or by last change.

    Each of the `filters` limits the list by a condition with a parameter of the same name. The conditions in `only`
    always apply. `order` is the usual order; its last `key` columns identify a record.
    """

    name: str
    source: FromClause
    account: ColumnElement[str]
    order: Groups
    changed: ColumnElement[str]
    filters: Mapping[str, ColumnElement[bool]] = field(default_factory=dict)
    only: tuple[ColumnElement[bool], ...] = ()
    key: int = 1

    @property
    def by_change(self) -> Groups:
        """The order in which records were last changed, earliest first."""
        return (Group((self.changed, *self.order[-1].columns[-self.key :])),)

    def id_at(self, place: Place) -> str:
        """Return the id of the record at a place.

        If the record's key has several columns, the id is their values, separated by spaces.
        """
        return " ".join(str(part) for part in place[-self.key :])

    def fit(self, names: frozenset[str]) -> list[ColumnElement[bool]]:
        """Build the conditions that a row must meet to match the filters with these names."""
        return [*self.only, *(condition for name, condition in self.filters.items() if name in names)]

    @property
    def mine(self) -> ColumnElement[bool]:
        """The condition that rows belong to the account."""
        return self.account == bindparam("account")


class Found(NamedTuple):
    """The ids of the records found, and the place of the last one.

    The ids are in the list's order. The list continues after this place, which is None at the end of the list.
    """

    ids: list[str]
    last: Place | None


def _reach(limit: int) -> int:
    return next(reach for reach in _REACHES if reach > limit)


@cache
def _walk(walked: Walked, reach: int, names: frozenset[str], step: Step | None) -> Statement[Place]:
    """Build the statement that finds the next `reach` places in the list's usual order.

    The search begins at the start of the list or, if `step` is given, after a place. `names` are the filters that
    apply.
    """
    order = Order(walked.order, reverse=False, limit=reach)
    behind = [is_of_step(order, step)] if step else []
    columns = [column for group in walked.order for column in group.columns]
    return Statement(
        select(*columns)
        .select_from(walked.source)
        .where(walked.mine, *walked.fit(names), *behind)
        .order_by(*sorted_by(order, indexed=True))
        .limit(order.literal_limit),
        tuple,
    )


@cache
def _looked_at(walked: Walked, names: frozenset[str], limit: int) -> Select[Any]:
    """Build the query for the next changed records and whether each of them matches.

    A record matches if it meets the filters `names`.
    """
    order = Order(walked.by_change, reverse=False, limit=limit)
    (changed, *key) = walked.by_change[0].columns
    fits = and_(true(), *walked.fit(names))
    return (
        select(
            changed.label("changed"), *(column.label(f"key{at}") for at, column in enumerate(key)), fits.label("fits")
        )
        .select_from(walked.source)
        .where(walked.mine, is_of_step(order, Step(0, "behind")))
        .order_by(*sorted_by(order, indexed=True))
        .limit(order.literal_limit)
    )


@cache
def _walk_changed(walked: Walked, reach: int, names: frozenset[str], most: int) -> Statement[Place]:
    """Build the statement that finds the matching records among the next changed records.

    At most `most` changed records are examined.
    """
    looked = _looked_at(walked, names, most if walked.fit(names) else reach).subquery("looked")
    return Statement(
        select(looked.c.changed, *_key_in(looked))
        .where(looked.c.fits)
        .order_by(looked.c.changed, *_key_in(looked))
        .limit(literal_column(str(reach))),
        tuple,
    )


@cache
def _furthest(walked: Walked, names: frozenset[str], most: int) -> Statement[tuple[int, str]]:
    """Build the statement that counts the next changed records, up to `most`.

    The statement also returns the place of the last record counted.
    """
    looked = _looked_at(walked, names, most).subquery("looked")
    first, *others = _key_in(looked)
    place: ColumnElement[Any] = looked.c.changed.op("||")(first)
    for other in others:
        place = place.op("||")(literal_column("' '")).op("||")(other)
    return returns_pairs(select(func.count(), func.max(place)))


def _key_in(looked: FromClause) -> list[ColumnElement[Any]]:
    return [column for column in looked.c if column.key.startswith("key")]


def find(
    tx: Tx, walked: Walked, account_id: str, filters: Mapping[str, Any], *, place: Place | None, limit: int
) -> Found:
    """Find the first `limit` records that match the filters, in the list's usual order.

    If `place` is given, only records after this place are found.
    """
    names, reach = frozenset(filters), _reach(limit)
    order = Order(walked.order, reverse=False, limit=reach)
    values = {"account": account_id, **filters, **values_of(order, place)}
    rows = in_steps(lambda step: tx.all(_walk(walked, reach, names, step), **values), order, place, names)
    return Found([walked.id_at(row) for row in rows[:limit]], rows[limit - 1] if len(rows) > limit else None)


def find_changed(
    tx: Tx, walked: Walked, account_id: str, filters: Mapping[str, Any], *, place: Place, limit: int,
    most: int = MOST_LOOKED_AT,
) -> Found:  # fmt: skip
    """Find the first matching records after `place`, in the order of last changes.

    Up to `limit` records are found, and at most `most` are examined. If too few of them match, the list continues
    after the last one examined.
    """
    names, reach = frozenset(filters), _reach(limit)
    values = {"account": account_id, **filters, **values_of(Order(walked.by_change, reverse=False, limit=0), place)}
    rows = tx.all(_walk_changed(walked, reach, names, most), **values)
    last = rows[limit - 1] if len(rows) > limit else None
    if last is None and walked.fit(names):
        looked, furthest = tx.one(_furthest(walked, names, most), **values) or (0, "")
        if looked == most:
            last = (furthest[:_CHARACTERS_OF_A_TIME], *furthest[_CHARACTERS_OF_A_TIME:].split(" "))
    return Found([walked.id_at(row) for row in rows[:limit]], last)
