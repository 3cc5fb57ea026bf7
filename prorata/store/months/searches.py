"""Lists of months of all properties: all months, or those that need a certain action.

If few months match, all of them are read and the caller sorts them. If many match, they are read in the list's
order by an index.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Literal, NamedTuple

from sqlalchemy import ColumnElement, Select, and_, bindparam, func, literal_column, not_, or_, select

from prorata.domain.invoice_states import DRAFT
from prorata.store.database import list_orders
from prorata.store.database.engine import Tx
from prorata.store.database.list_orders import By, Place, by_no_index, in_order, is_behind
from prorata.store.database.statements import Statement, columns_for, is_one_of, returns, returns_one
from prorata.store.schema.correction_tables import correction
from prorata.store.schema.joins import alike, named_by
from prorata.store.schema.tables import bill_line, billing_month, invoice, property_

Which = Literal["drafts", "pending", "otherwise", "missingFacts", "open", "closed", "all"]
_NO_FILTERS: Mapping[str, Any] = {}


class MonthKey(NamedTuple):
    """A month of a property, with the fields by which lists of months are sorted.

    `billed` is the sum of the month's invoices in cents.
    """

    property_id: str
    month: str
    billed: int
    name_key: str


class PlacedMonth(NamedTuple):
    """A month of a property as a list of all properties' months shows it.

    Invoices are counted by status; `billed` is their sum in cents. `missing_count` is the number of missing facts,
    and `pending` is set if the month has pending corrections.
    """

    property_id: str
    property_name: str
    currency: str
    month: str
    draft: int
    sent: int
    paid: int
    overdue: int
    cancelled: int
    billed: int
    missing_count: int
    pending: bool
    is_closed: bool
    name_key: str


_mine = billing_month.c.account_id == bindparam("account")
_its_property = named_by(property_, billing_month.c.property_id)
_none: ColumnElement[Any] = literal_column("0")
_is_closed = billing_month.c.snapshot.is_not(None)
_for_somebody = (
    select(literal_column("1"))
    .select_from(invoice)
    .where(
        alike(invoice, billing_month, "property_id", "month"),
        invoice.c.status == literal_column(f"'{DRAFT}'"),
        invoice.c.tenant_id.is_not(None),
    )
    .correlate(billing_month)
    .exists()
)
_uncharged: Select[Any] = (
    select(literal_column("1"))
    .select_from(bill_line)
    .where(alike(bill_line, billing_month, "property_id", "month"), not_(bill_line.c.charged))
)
_of_late_bill = _uncharged.where(
    bill_line.c.bill_id == correction.c.bill_id, bill_line.c.number == correction.c.line
).correlate(billing_month, correction)
_of_charged_bill: Select[Any] = (
    select(literal_column("1"))
    .select_from(correction)
    .where(
        alike(correction, billing_month, "property_id", "month"),
        correction.c.waiting_amount != _none,
        not_(_of_late_bill.exists()),
    )
    .correlate(billing_month)
)
WHICH: dict[Which, tuple[ColumnElement[bool], ...]] = {
    "drafts": (billing_month.c.draft > _none, _for_somebody),
    "pending": (billing_month.c.pending,),
    "otherwise": (
        billing_month.c.pending,
        or_(not_(_uncharged.correlate(billing_month).exists()), _of_charged_bill.exists()),
    ),
    "missingFacts": (billing_month.c.missing_count > _none, billing_month.c.snapshot.is_(None)),
    "open": (billing_month.c.snapshot.is_(None),),
    "closed": (_is_closed,),
    "all": (),
}
"""The conditions of each choice of months.

The choice `drafts` contains months with a draft that has a tenant, and `otherwise` those with pending corrections other
than those of late bills. The conditions for pending corrections and missing facts are worded like those of the indexes
for them.
"""
_FILTERS: dict[str, ColumnElement[bool]] = {
    "month": billing_month.c.month == bindparam("month"),
    "properties": is_one_of(billing_month.c.property_id, "properties"),
}
_month, _billed = By("month", billing_month.c.month), By("billed", billing_month.c.billed)
_place, _newest = By("property_id", billing_month.c.property_id), _month._replace(goes_down=True)
_names = (By("name_key", property_.c.name_key), By("property_id", property_.c.id))
SORTS: dict[str, tuple[By, ...]] = {
    "month": (_month, _place),
    "-month": (_newest, _place._replace(goes_down=True)),
    "property": (*_names, _newest),
    "-property": (*(by._replace(goes_down=True) for by in _names), _newest),
    "total": (_billed, _newest, _place),
    "-total": (_billed._replace(goes_down=True), _newest, _place),
}
"""The orders in which months can be listed, each of which has an index."""
_shown = select(
    *columns_for(PlacedMonth, billing_month, property_, property_name=property_.c.name, is_closed=_is_closed)
)
_with_property = billing_month.join(property_, _its_property)
_of_properties = property_.join(
    billing_month,
    and_(
        property_.c.account_id == bindparam("account"),
        billing_month.c.property_id == by_no_index(property_.c.id),
    ),
)
"""The join of properties with their months that reads the properties first, by their index."""


def _of_these(statement: Select[Any], which: Which, filters: frozenset[str]) -> Select[Any]:
    conditions = (condition for name, condition in _FILTERS.items() if name in filters)
    return statement.where(_mine, *WHICH[which], *conditions)


@cache
def _keys(which: Which, filters: frozenset[str]) -> Statement[MonthKey]:
    keys = select(*columns_for(MonthKey, billing_month, property_))
    return returns(MonthKey, _of_these(keys.select_from(_with_property), which, filters).limit(bindparam("limit")))


@cache
def _walk(
    which: Which, filters: frozenset[str], sort: str, *, back: bool = False, placed: bool = False
) -> Statement[PlacedMonth]:
    order = SORTS[sort]
    walked = _shown.select_from(_of_properties if sort.endswith("property") else _with_property)
    statement = _of_these(walked, which, filters).order_by(*in_order(order, reverse=back)).limit(bindparam("limit"))
    if placed:
        return returns(PlacedMonth, statement.where(is_behind(order, reverse=back)))
    return returns(PlacedMonth, statement.offset(bindparam("offset")))


@cache
def _number(which: Which, filters: frozenset[str]) -> Statement[int]:
    return returns_one(_of_these(select(func.count()).select_from(billing_month), which, filters))


@cache
def _count(which: Which, filters: frozenset[str]) -> Statement[int]:
    some = _of_these(select(billing_month.c.month), which, filters).limit(bindparam("most"))
    return returns_one(select(func.count()).select_from(some.subquery()))


_AT = returns(
    PlacedMonth,
    _shown.select_from(_with_property).where(
        _mine, is_one_of(billing_month.c.property_id, "properties"), is_one_of(billing_month.c.month, "months")
    ),
)


def keys(tx: Tx, account_id: str, which: Which, filters: Mapping[str, Any], *, limit: int) -> list[MonthKey]:
    """List up to `limit` months in the selection `which`, in no particular order.

    `which` is, for example, "drafts". `filters` may contain `month`, and `properties`, a list of ids.
    """
    return tx.all(_keys(which, frozenset(filters)), account=account_id, limit=limit, **filters)


def walked(
    tx: Tx,
    account_id: str,
    which: Which,
    filters: Mapping[str, Any],
    sort: str = "-month",
    *,
    limit: int,
    offset: int = 0,
) -> list[PlacedMonth]:
    """List up to `limit` matching months in the order `sort`, after skipping `offset` of them."""
    statement = _walk(which, frozenset(filters), sort)
    return tx.all(statement, account=account_id, limit=limit, offset=offset, **filters)


def walked_behind(
    tx: Tx,
    account_id: str,
    which: Which,
    filters: Mapping[str, Any],
    sort: str,
    place: Place,
    *,
    limit: int,
    back: bool = False,
) -> list[PlacedMonth]:
    """List up to `limit` matching months after a place in the list.

    If `back` is set, list the months before the place. The months nearest to the place come first.
    """
    statement = _walk(which, frozenset(filters), sort, back=back, placed=True)
    placed = list_orders.values_of(SORTS[sort], place)
    return tx.all(statement, account=account_id, limit=limit, **placed, **filters)


def columns_of(sort: str) -> list[str]:
    """List the names of the values that make up a place in the order `sort`."""
    return list_orders.names_of(SORTS[sort])


def at(tx: Tx, account_id: str, places: Sequence[MonthKey]) -> list[PlacedMonth]:
    """List the months with these keys as a list shows them, in the keys' order."""
    if not places:
        return []
    properties, months = sorted({place.property_id for place in places}), sorted({place.month for place in places})
    rows = tx.all(_AT, account=account_id, properties=properties, months=months)
    by_place = {(row.property_id, row.month): row for row in rows}
    return [by_place[place.property_id, place.month] for place in places]


def number(tx: Tx, account_id: str, which: Which, filters: Mapping[str, Any] = _NO_FILTERS) -> int:
    """Count the months in the selection `which` that match the filters."""
    return tx.one(_number(which, frozenset(filters)), account=account_id, **filters) or 0


def count(tx: Tx, account_id: str, which: Which, filters: Mapping[str, Any], *, most: int) -> int:
    """Count the months in the selection `which` that match the filters, up to `most`."""
    return tx.one(_count(which, frozenset(filters)), account=account_id, most=most, **filters) or 0
