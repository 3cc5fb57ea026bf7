"""Searches for the ids of the first matching invoices, in any order.

A search begins at the start of a list or at a place in it (`list_steps`). If many invoices match, the index of the
list's order is read, and invoices that don't match are skipped. If few match, they are found by another index and
then sorted. The caller chooses between the two. Each statement is written so that a database can only use the
chosen index: adding an empty string to a column rules out the indexes of that column. Before this was done, SQLite
read all of 100,000 invoices to find the eleven of one tenant.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import chain
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, and_, bindparam, false, func, literal_column, or_, select, union

from prorata.domain.invoice_states import UNPAID
from prorata.domain.invoices.open_money import REFUNDS, Open
from prorata.domain.mail.deliveries import NEEDS, Need
from prorata.store.database.engine import Tx
from prorata.store.database.list_orders import by_no_index
from prorata.store.database.list_steps import (
    Order,
    Place,
    Step,
    has_value,
    in_steps,
    is_behind,
    is_of_step,
    sorted_by,
    steps_behind,
    values_of,
)
from prorata.store.database.statements import Statement, is_among, is_one_of, returns, returns_one
from prorata.store.invoices import invoices, open_money
from prorata.store.invoices.orders import NUMBER, SORTS, STATUS
from prorata.store.schema.invoice_indexes import Conditions
from prorata.store.schema.tables import NEEDING, invoice

Asked = Need | Open
"""The need of an invoice: an action that it requires, or an open amount."""
AMOUNT = "total"
CURRENCY = "currency"
"""The filter by currency, for invoices that need action or have an open amount."""
FILTERS = {**invoices.FILTERS, AMOUNT: invoice.c.total, CURRENCY: open_money.CURRENCY}
_ASKED: dict[str, Conditions] = dict(chain(NEEDING.items(), open_money.BY_INDEX.items()))
_DELIVERIES: dict[str, Sequence[str]] = dict(NEEDS.items())
Filters = Mapping[str, str | int]
"""The values of filters, by their names in `FILTERS`; the amount is in cents."""
_mine = invoice.c.account_id == bindparam("account")


class Found(NamedTuple):
    """The properties, units and tenants that match a search text.

    An invoice matches if it belongs to one of these. `units_of_tenants` are the units of the `tenants`; the
    tenants' invoices are found by an index of units.
    """

    properties: Sequence[str] = ()
    units: Sequence[str] = ()
    tenants: Sequence[str] = ()
    units_of_tenants: Sequence[str] = ()
    is_cut: bool = False
    """True if the search's words match so many records that some were not examined."""

    @property
    def is_of_tenants(self) -> bool:
        """True if the search text matches no property and no unit."""
        return not (self.properties or self.units)

    @property
    def is_nothing(self) -> bool:
        """True if the search text matches no property, unit or tenant."""
        return not (self.properties or self.units or self.tenants)


_SEARCHED = or_(
    is_among(invoice.c.unit_id, "units"),
    is_among(invoice.c.property_id, "properties"),
    is_among(invoice.c.tenant_id, "tenants"),
)


_WAYS = {
    "units": is_one_of(invoice.c.unit_id, "units"),
    "tenants": and_(is_one_of(invoice.c.unit_id, "units_of_tenants"), is_among(invoice.c.tenant_id, "tenants")),
    "properties": is_one_of(invoice.c.property_id, "properties"),
}
"""The condition that finds the invoices of each kind of match by an index."""
_NARROW = ("property", "unit", "month")
"""The filters that the indexes used by `_WAYS` can apply."""


@cache
def _walk(order: Order, filters: frozenset[str], step: Step | None, *, search: bool) -> Statement[str]:
    """Build the statement that finds the first matching invoices by reading the order's index.

    It finds up to `order.limit` invoices: the first of the list or, if `step` is given, the first that this step
    finds after a place. In the usual order, by number, the database may also use an index for one of the filters.
    """
    free = order.groups is SORTS[NUMBER]
    conditions = [
        (FILTERS[name] if free and name != AMOUNT else by_no_index(FILTERS[name])) == bindparam(name)
        for name in sorted(filters)
    ]
    return returns_one(_walked(order, conditions, step, search=search))


_IDS = select(invoice.c.id)


def _walked(
    order: Order, conditions: Sequence[ColumnElement[bool]], step: Step | None, *, search: bool
) -> Select[tuple[str]]:
    behind = [is_of_step(order, step)] if step else []
    searched = [_SEARCHED] if search else []
    return (
        _IDS.where(_mine, *conditions, *has_value(order), *behind, *searched)
        .order_by(*sorted_by(order, indexed=True))
        .limit(order.literal_limit)
    )


def _gathered(order: Order, conditions: Sequence[ColumnElement[bool]], steps: tuple[Step, ...]) -> Select[tuple[str]]:
    return (
        _IDS.where(*conditions, *is_behind(order, steps))
        .order_by(*sorted_by(order, indexed=False))
        .limit(order.literal_limit)
    )


def _fit(filters: frozenset[str], *, search: bool) -> list[ColumnElement[bool]]:
    """Build the conditions of the filters so that the filters' indexes can be used.

    If the amount is one of the filters, only the amount's index is used.
    """
    by = {AMOUNT} if AMOUNT in filters else filters
    conditions = [
        (FILTERS[name] if name in by else by_no_index(FILTERS[name])) == bindparam(name) for name in sorted(filters)
    ]
    return [_mine, *conditions, *([_SEARCHED] if search else [])]


@cache
def _gather(order: Order, filters: frozenset[str], steps: tuple[Step, ...], *, search: bool) -> Statement[str]:
    """Build the statement that reads the few matching invoices and sorts them.

    It returns the first `order.limit` ids.
    """
    return returns_one(_gathered(order, _fit(filters, search=search), steps))


@cache
def _count(filters: frozenset[str], most: int, *, search: bool) -> Statement[int]:
    """Build the statement that counts the matching invoices by their indexes, up to `most`."""
    fit = select(invoice.c.id).where(*_fit(filters, search=search)).limit(literal_column(str(most)))
    return returns_one(select(func.count()).select_from(fit.subquery()))


@cache
def _gather_found(
    order: Order, filters: frozenset[str], steps: tuple[Step, ...] = (), only: str | None = None
) -> Statement[str]:
    """Build the statement that reads and sorts the few invoices that match a search text.

    It returns the first `order.limit` ids that meet the filters. If the text matches only "units", only "tenants"
    or only "properties", `only` is that word, and no invoice can be found twice.
    """
    narrow = [FILTERS[name] == bindparam(name) for name in _NARROW if name in filters]
    conditions = [by_no_index(FILTERS[name]) == bindparam(name) for name in sorted(filters - set(_NARROW))]
    if only is not None:
        return returns_one(_gathered(order, [_mine, _WAYS[only], *narrow, *conditions], steps))
    subquery = union(*(select(invoice.c.id).where(_mine, way, *narrow) for way in _WAYS.values())).subquery("found")
    both = subquery.join(invoice, and_(_mine, invoice.c.id == subquery.c.id))
    return returns_one(
        select(invoice.c.id)
        .select_from(both)
        .where(*conditions, *is_behind(order, steps))
        .order_by(*sorted_by(order, indexed=False))
        .limit(order.literal_limit)
    )


@cache
def _walk_needing(
    need: Asked, order: Order, filters: frozenset[str], step: Step | None, *, search: bool
) -> Statement[str]:
    """Build the statement that finds the first invoices with a need, if many have it.

    It returns the first `order.limit` ids by reading the order's index. In the usual order, by number, it reads the
    need's own index, which has the same order.
    """
    conditions = [by_no_index(FILTERS[name]) == bindparam(name) for name in sorted(filters)]
    needing = _ASKED[need] if order.groups is SORTS[NUMBER] else _needing_unindexed(need)
    return returns_one(_walked(order, [*needing, *conditions], step, search=search))


def _needing_unindexed(need: Asked) -> Conditions:
    """Build the conditions of a need as one expression, so that no index is used.

    PostgreSQL has no statistics for several conditions together. It would assume that hardly any rows meet them,
    and would read and sort all rows.
    """
    if need not in _DELIVERIES:
        return open_money.BY_NO_INDEX[need]
    needing = and_(
        or_(*(by_no_index(invoice.c.delivery) == literal_column(f"'{delivery}'") for delivery in _DELIVERIES[need])),
        or_(*(by_no_index(invoice.c.status) == literal_column(f"'{status}'") for status in UNPAID)),
        invoice.c.tenant_id.is_not(None),
    )
    return (func.coalesce(needing, false()),)


def _fit_needing(need: Asked, filters: frozenset[str], *, search: bool) -> list[ColumnElement[bool]]:
    """Build the conditions of a need and filters, for use with the need's index."""
    conditions = [
        (FILTERS[name] if name in _NARROW else by_no_index(FILTERS[name])) == bindparam(name)
        for name in sorted(filters)
    ]
    return [_mine, *_ASKED[need], *conditions, *([_SEARCHED] if search else [])]


@cache
def _gather_needing(
    need: Asked, order: Order, filters: frozenset[str], steps: tuple[Step, ...] = (), *, search: bool
) -> Statement[str]:
    """Build the statement that reads and sorts the few invoices with a need. It returns the first `order.limit` ids."""
    return returns_one(_gathered(order, _fit_needing(need, filters, search=search), steps))


@cache
def _count_needing(need: Asked, filters: frozenset[str], *, search: bool) -> Statement[int]:
    """Build the statement that counts the invoices with a need that meet the filters."""
    return returns_one(select(func.count()).select_from(invoice).where(*_fit_needing(need, filters, search=search)))


class Size(NamedTuple):
    """The number of invoices that match a search text, and how many meet the filters.

    `led_to` is the first of these numbers, and `fit` is the second.
    """

    led_to: int
    fit: int


@cache
def _size(filters: frozenset[str], most: int) -> Statement[Size]:
    """Build the statement that counts the invoices of units, tenants and properties.

    These are the units, tenants and properties that match a search text. For each of the three, the statement counts up
    to `most` invoices, and how many of them meet the filters.
    """
    narrow = [FILTERS[name] == bindparam(name) for name in _NARROW if name in filters]
    others = sorted(filters - set(_NARROW))
    read = [invoice.c.id, *(FILTERS[name] for name in others)]
    counted = []
    for name, way in _WAYS.items():
        led_to = select(*read).where(_mine, way, *narrow).limit(literal_column(str(most))).subquery(f"found_by_{name}")
        fit = [led_to.c[str(FILTERS[other].key)] == bindparam(other) for other in others]
        number = func.count().filter(*fit) if fit else func.count()
        counts = select(func.count().label("led_to"), number.label("fit")).select_from(led_to)
        counted.append(counts.subquery(f"found_{name}"))
    first, second, third = counted
    return returns(
        Size,
        select(
            (first.c.led_to + second.c.led_to + third.c.led_to).label("led_to"),
            (first.c.fit + second.c.fit + third.c.fit).label("fit"),
        ).select_from(first, second, third),
    )


def first_walked(
    tx: Tx, account_id: str, filters: Filters, matches: Found | None, order: Order, place: Place | None = None
) -> list[str]:
    """Find the first `order.limit` matching ids by reading the list in its order.

    Use it only when many invoices match.
    """
    names, search = frozenset(filters), matches is not None
    values = _values(account_id, filters, matches, order, place)
    return in_steps(lambda step: tx.all(_walk(order, names, step, search=search), **values), order, place, names)


def first_gathered(
    tx: Tx, account_id: str, filters: Filters, matches: Found | None, order: Order, place: Place | None = None
) -> list[str]:
    """Find the first `order.limit` matching ids by reading every matching invoice.

    Use it only when few invoices match.
    """
    names = frozenset(filters)
    statement = _gather(order, names, steps_behind(order, place, names), search=matches is not None)
    return tx.all(statement, **_values(account_id, filters, matches, order, place))


def first_needing(
    tx: Tx, account_id: str, need: Asked, filters: Filters, matches: Found | None, order: Order, *, many: bool,
    place: Place | None = None, today: str = "",
) -> list[str]:  # fmt: skip
    """Find the first `order.limit` ids of the matching invoices with the need `need`.

    A need is an action that an invoice requires, or an open amount. Set `many` if many invoices have the need.
    `today` is the day for needs that depend on whether a household has left.
    """
    if need != REFUNDS:
        order = order._replace(is_whole=True)  # they are for somebody, and have left DRAFT
    if many and order.groups is SORTS[STATUS]:
        return _by_status(tx, account_id, need, filters, matches, order, place, today)
    names, search = frozenset(filters), matches is not None
    values = _values(account_id, filters, matches, order, place) | _dated(need, today)
    if many:
        return in_steps(
            lambda step: tx.all(_walk_needing(need, order, names, step, search=search), **values), order, place, names
        )
    statement = _gather_needing(need, order, names, steps_behind(order, place, names), search=search)
    return tx.all(statement, **values)


def _by_status(
    tx: Tx, account_id: str, need: Asked, filters: Filters, matches: Found | None, order: Order, place: Place | None,
    today: str,
) -> list[str]:  # fmt: skip
    """Find the first invoices with a need that many invoices have, by status.

    The statuses are searched one after the other, by the need's own index, which has the usual order.
    """
    ids: list[str] = []
    asked = filters.get("status")
    for status in sorted(open_money.STATUSES_OF.get(need, UNPAID), reverse=order.reverse):
        if asked is not None and status != asked:
            continue
        if place is not None and place[0] != status and (str(place[0]) > status) != order.reverse:
            continue
        of_status, there = {**filters, "status": status}, place[1:] if place and place[0] == status else None
        usual = order._replace(groups=SORTS[NUMBER])
        ids += first_needing(tx, account_id, need, of_status, matches, usual, many=True, place=there, today=today)
        if len(ids) >= order.limit:
            break
    return ids[: order.limit]


def first_found(
    tx: Tx, account_id: str, filters: Filters, matches: Found, order: Order, place: Place | None = None
) -> list[str]:
    """Find the first `order.limit` ids by reading every invoice that matches a search text."""
    values = _values(account_id, filters, matches, order, place)
    ways = [way for way in _WAYS if values[way]]
    only = ways[0] if len(ways) == 1 else None
    statement = _gather_found(order, frozenset(filters), steps_behind(order, place, frozenset(filters)), only)
    return tx.all(statement, **values | {"units_of_tenants": list(matches.units_of_tenants)})


def number_needing(
    tx: Tx, account_id: str, need: Asked, filters: Filters, matches: Found | None = None, today: str = ""
) -> int:
    """Count the matching invoices that require an action or have an open amount.

    The overview shows this count, and its link lists these invoices.
    """
    statement = _count_needing(need, frozenset(filters), search=matches is not None)
    return tx.one(statement, account=account_id, **filters, **_searched(matches), **_dated(need, today)) or 0


def _dated(need: Asked, today: str) -> dict[str, str]:
    return {"today": today} if need in open_money.DATED else {}


def number_of(tx: Tx, account_id: str, filters: Filters, matches: Found | None, *, most: int) -> int:
    """Count the invoices that match the filters, up to `most`. Use it only when few invoices match."""
    statement = _count(frozenset(filters), most, search=matches is not None)
    return tx.one(statement, account=account_id, **filters, **_searched(matches)) or 0


def size(tx: Tx, account_id: str, filters: Filters, matches: Found, *, most: int) -> Size:
    """Count the invoices that match a search text, and those that meet the filters.

    Matches by unit, by tenant and by property are counted separately, each up to `most`.
    """
    searched = _searched(matches) | {"units_of_tenants": list(matches.units_of_tenants)}
    return tx.one(_size(frozenset(filters), most), account=account_id, **filters, **searched) or Size(0, 0)


_NOT_SEARCHED = {"units_of_tenants", "is_cut"}


def _searched(matches: Found | None) -> dict[str, list[str]]:
    """Build the parameters for the properties, units and tenants that match a search text."""
    named = matches._asdict() if matches else {}
    return {name: list(ids) for name, ids in named.items() if name not in _NOT_SEARCHED}


def _values(
    account_id: str, filters: Filters, matches: Found | None, order: Order, place: Place | None
) -> dict[str, Any]:
    return {"account": account_id, **filters, **_searched(matches), **values_of(order, place)}
