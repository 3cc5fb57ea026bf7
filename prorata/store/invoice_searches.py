"""Invoices by search and in other orders than the usual: the ids of the first so many, walked or gathered.

Where much fits, the index of the order is walked and what does not fit is passed over; where little fits, that is
gathered by its own index and sorted. Which of the two is the caller's to say, and each is written so that neither
database can take the other way: a column that is added to nothing is in no index. What was seen at 100,000 invoices
without that: SQLite walked all of them for the eleven of a tenant.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, and_, bindparam, func, literal_column, or_, select, union

from prorata.domain.deliveries import NEEDS, Need
from prorata.domain.lifecycle import UNPAID
from prorata.store.engine import Tx
from prorata.store.invoices import FILTERS
from prorata.store.statements import Statement, is_among, is_one_of, returns_one
from prorata.store.tables import NEEDING, invoice

NUMBER, TOTAL, DUE, STATUS, TENANT = "number", "total", "due", "status", "tenant"
SORTS: dict[str, tuple[tuple[ColumnElement[Any], bool], ...]] = {
    NUMBER: ((invoice.c.month, True), (invoice.c.number_key, False), (invoice.c.id, False)),
    TOTAL: ((invoice.c.total, False), (invoice.c.id, False)),
    DUE: ((invoice.c.due_date, False), (invoice.c.id, False)),
    STATUS: (
        (invoice.c.status, False), (invoice.c.month, True), (invoice.c.number_key, False), (invoice.c.id, False)
    ),
    TENANT: ((invoice.c.tenant_name, False), (invoice.c.id, False)),
}  # fmt: skip
"""The columns of each order, and whether they go down. What has no value comes last, and first in the reverse order."""
_MAY_LACK = {invoice.c.due_date, invoice.c.tenant_name}
_mine = invoice.c.account_id == bindparam("account")
_as_text: ColumnElement[Any] = literal_column("''")
_as_number: ColumnElement[Any] = literal_column("0")


class Order(NamedTuple):
    """An order, by its name in `SORTS`, and how many are looked for in it."""

    sort: str
    reverse: bool
    limit: int


class Found(NamedTuple):
    """What a search text leads to: invoices of these properties, of these units, and of these tenants, whose units are
    `units_of_tenants`. Together they are what is looked for.
    """

    properties: Sequence[str] = ()
    units: Sequence[str] = ()
    tenants: Sequence[str] = ()
    units_of_tenants: Sequence[str] = ()
    is_cut: bool = False
    """Its words begin so many that not all of them were looked at."""

    @property
    def is_nothing(self) -> bool:
        """Whether nothing is found by it."""
        return not (self.properties or self.units or self.tenants)


_SEARCHED = or_(
    is_among(invoice.c.unit_id, "units"),
    is_among(invoice.c.property_id, "properties"),
    is_among(invoice.c.tenant_id, "tenants"),
)


def _unindexed(column: ColumnElement[Any]) -> ColumnElement[Any]:
    """A column's value, by no index."""
    if column is invoice.c.total:
        return column + _as_number
    return column.op("||")(_as_text)


def _in_order(sort: str, *, reverse: bool, indexed: bool) -> list[ColumnElement[Any]]:
    columns: list[ColumnElement[Any]] = []
    for column, down in SORTS[sort]:
        value = column if indexed else _unindexed(column)
        is_down = down != reverse
        if column in _MAY_LACK:
            columns.append(value.desc().nulls_first() if is_down else value.asc().nulls_last())
        else:
            columns.append(value.desc() if is_down else value.asc())
    return columns


_WAYS = {
    "units": is_one_of(invoice.c.unit_id, "units"),
    "tenants": and_(is_one_of(invoice.c.unit_id, "units_of_tenants"), is_among(invoice.c.tenant_id, "tenants")),
    "properties": is_one_of(invoice.c.property_id, "properties"),
}
"""The ways from what a search leads to, to its invoices: each by an index."""
_NARROW = ("property", "unit", "month")
"""Filters that narrow each of the ways from a search to its invoices, by their indexes."""


@cache
def _walk(order: Order, filters: frozenset[str], *, search: bool) -> Statement[str]:
    """The first `limit` in an order that an index has, of those that fit. The usual order has an index for each of the
    filters too.
    """
    free = order.sort == NUMBER
    conditions = [
        (column if free else _unindexed(column)) == bindparam(name)
        for name, column in FILTERS.items()
        if name in filters
    ]
    if search:
        conditions.append(_SEARCHED)
    return returns_one(
        select(invoice.c.id)
        .where(_mine, *conditions)
        .order_by(*_in_order(order.sort, reverse=order.reverse, indexed=True))
        .limit(literal_column(str(order.limit)))
    )


@cache
def _gather(order: Order, filters: frozenset[str], *, search: bool) -> Statement[str]:
    """The first `limit` of few that fit the filters, which are all read and sorted."""
    conditions = [column == bindparam(name) for name, column in FILTERS.items() if name in filters]
    if search:
        conditions.append(_SEARCHED)
    return returns_one(
        select(invoice.c.id)
        .where(_mine, *conditions)
        .order_by(*_in_order(order.sort, reverse=order.reverse, indexed=False))
        .limit(literal_column(str(order.limit)))
    )


@cache
def _gather_found(order: Order, filters: frozenset[str], only: str | None = None) -> Statement[str]:
    """The first `limit` of few that a search leads to and that fit, which are all read and sorted; where it leads
    there by one of the ways alone, none is found twice.
    """
    narrow = [FILTERS[name] == bindparam(name) for name in _NARROW if name in filters]
    conditions = [_unindexed(FILTERS[name]) == bindparam(name) for name in sorted(filters - set(_NARROW))]
    if only is not None:
        which = select(invoice.c.id).where(_mine, _WAYS[only], *narrow, *conditions)
    else:
        found = union(*(select(invoice.c.id).where(_mine, way, *narrow) for way in _WAYS.values())).subquery("found")
        both = found.join(invoice, and_(_mine, invoice.c.id == found.c.id))
        which = select(invoice.c.id).select_from(both).where(*conditions)
    return returns_one(
        which.order_by(*_in_order(order.sort, reverse=order.reverse, indexed=False)).limit(
            literal_column(str(order.limit))
        )
    )


@cache
def _walk_needing(need: Need, order: Order, filters: frozenset[str], *, search: bool) -> Statement[str]:
    """The first `limit` of many that need something and fit, by walking the order's index: the usual order is that of
    their own index too.
    """
    free = order.sort == NUMBER
    conditions = [_unindexed(FILTERS[name]) == bindparam(name) for name in sorted(filters)]
    if search:
        conditions.append(_SEARCHED)
    return returns_one(
        select(invoice.c.id)
        .where(_mine, *(NEEDING[need] if free else _needing_unindexed(need)), *conditions)
        .order_by(*_in_order(order.sort, reverse=order.reverse, indexed=True))
        .limit(literal_column(str(order.limit)))
    )


def _needing_unindexed(need: Need) -> tuple[ColumnElement[bool], ...]:
    """Those that need something, by no index."""
    return (
        or_(*(_unindexed(invoice.c.delivery) == literal_column(f"'{delivery}'") for delivery in NEEDS[need])),
        or_(*(_unindexed(invoice.c.status) == literal_column(f"'{status}'") for status in UNPAID)),
        _unindexed(invoice.c.tenant_id).is_not(None),
    )


def _fit_needing(need: Need, filters: frozenset[str], *, search: bool) -> list[ColumnElement[bool]]:
    """Those that need something and fit, by their own index."""
    conditions = [
        (FILTERS[name] if name in _NARROW else _unindexed(FILTERS[name])) == bindparam(name) for name in sorted(filters)
    ]
    return [_mine, *NEEDING[need], *conditions, *([_SEARCHED] if search else [])]


@cache
def _gather_needing(need: Need, order: Order, filters: frozenset[str], *, search: bool) -> Statement[str]:
    """The first `limit` of few that need something and fit, which are all read and sorted."""
    return returns_one(
        select(invoice.c.id)
        .where(*_fit_needing(need, filters, search=search))
        .order_by(*_in_order(order.sort, reverse=order.reverse, indexed=False))
        .limit(literal_column(str(order.limit)))
    )


@cache
def _count_needing(need: Need, filters: frozenset[str], *, search: bool) -> Statement[int]:
    """How many need something and fit."""
    return returns_one(select(func.count()).select_from(invoice).where(*_fit_needing(need, filters, search=search)))


@cache
def _size(filters: frozenset[str], most: int) -> Statement[int]:
    """How many a search leads to, by each way `most` at the most; filters that narrow no way are passed over."""
    narrow = [FILTERS[name] == bindparam(name) for name in _NARROW if name in filters]
    limit: ColumnElement[Any] = literal_column(str(most))
    each = [
        select(func.count())
        .select_from(select(invoice.c.id).where(_mine, way, *narrow).limit(limit).subquery())
        .scalar_subquery()
        for way in _WAYS.values()
    ]
    return returns_one(select(each[0] + each[1] + each[2]))


def first_walked(tx: Tx, account_id: str, filters: dict[str, str], found: Found | None, order: Order) -> list[str]:
    """The ids of the first `limit` that fit, by walking the order's index: for filters that much fits."""
    statement = _walk(order, frozenset(filters), search=found is not None)
    return tx.all(statement, account=account_id, **filters, **_searched(found))


def first_gathered(tx: Tx, account_id: str, filters: dict[str, str], found: Found | None, order: Order) -> list[str]:
    """The ids of the first `limit` that fit, by reading all that fit the filters: for filters that few fit."""
    statement = _gather(order, frozenset(filters), search=found is not None)
    return tx.all(statement, account=account_id, **filters, **_searched(found))


def first_needing(
    tx: Tx, account_id: str, need: Need, filters: dict[str, str], found: Found | None, order: Order, *, many: bool
) -> list[str]:
    """The ids of the first `limit` that need something of a person and fit; whether those are many, the caller says."""
    of_order = _walk_needing if many and order.sort != STATUS else _gather_needing  # its own index has the status
    statement = of_order(need, order, frozenset(filters), search=found is not None)
    return tx.all(statement, account=account_id, **filters, **_searched(found))


def number_needing(tx: Tx, account_id: str, need: Need, filters: dict[str, str], found: Found | None = None) -> int:
    """How many invoices need something of a person and fit: what the overview counts, and its list."""
    statement = _count_needing(need, frozenset(filters), search=found is not None)
    return tx.one(statement, account=account_id, **filters, **_searched(found)) or 0


_NOT_SEARCHED = {"units_of_tenants", "is_cut"}


def _searched(found: Found | None) -> dict[str, list[str]]:
    """What `_SEARCHED` is asked with."""
    named = found._asdict() if found else {}
    return {name: list(ids) for name, ids in named.items() if name not in _NOT_SEARCHED}


def first_found(tx: Tx, account_id: str, filters: dict[str, str], found: Found, order: Order) -> list[str]:
    """The ids of the first `limit` that fit, by reading all that a search leads to: for one that leads to few."""
    searched = _searched(found) | {"units_of_tenants": list(found.units_of_tenants)}
    ways = [way for way in _WAYS if searched[way]]
    statement = _gather_found(order, frozenset(filters), ways[0] if len(ways) == 1 else None)
    return tx.all(statement, account=account_id, **filters, **searched)


def size(tx: Tx, account_id: str, filters: dict[str, str], found: Found, *, most: int) -> int:
    """How many invoices a search leads to at the most, counted as far as `most` and a bit."""
    searched = _searched(found) | {"units_of_tenants": list(found.units_of_tenants)}
    narrow = {name: value for name, value in filters.items() if name in _NARROW}
    return tx.one(_size(frozenset(narrow), most), account=account_id, **narrow, **searched) or 0
