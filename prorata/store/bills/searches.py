"""Searches for the ids of the first matching bills, with filters and in six orders.

Like the searches for invoices (`invoices.searches`), a search reads bills in the order's index and skips those that
don't match, or it reads the few matching bills and sorts them. A search begins at the start of the list, or after a
place in it.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    FromClause,
    Select,
    Subquery,
    and_,
    bindparam,
    func,
    literal_column,
    or_,
    select,
    union,
)

from prorata.domain.search_terms import LAST_CHARACTER
from prorata.store.bills import bills, held_lines
from prorata.store.bills.bills import BillRow, LineRow
from prorata.store.bills.flag_conditions import IS_FLAGGED, WAITS_FOR_A_PERSON
from prorata.store.bills.late_bills import MONTHS_WITH_LINES, WAITS
from prorata.store.bills.orders import BILLS_OF_PROPERTIES, BY_PROPERTY, DATE, ITS_PROPERTY, SORTS
from prorata.store.database.engine import Tx
from prorata.store.database.list_orders import by_no_index
from prorata.store.database.list_steps import (
    Order,
    Place,
    Step,
    in_steps,
    is_behind,
    is_of_step,
    sorted_by,
    steps_behind,
    values_of,
)
from prorata.store.database.statements import Asked, Statement, is_among, is_one_of, returns, returns_one
from prorata.store.database.walks import Walked
from prorata.store.limits import MOST_ISSUERS_SEARCHED
from prorata.store.schema.joins import named_by
from prorata.store.schema.tables import bill, bill_flag, bill_line, billing_month, held_line, property_

PROPERTY, MONTH, STATUS, TEXT, AMOUNT = "property", "month", "status", "text", "amount"
WAITING, GUESSED, FLAGGED, HELD = "waiting", "guessed", "flagged", "held"
NOT_WAITING, NOT_FLAGGED, NOT_HELD, SINCE, UNTIL = "not waiting", "not flagged", "not held", "since", "until"
GATHERED = (AMOUNT, TEXT, HELD, FLAGGED, PROPERTY, WAITING, GUESSED, MONTH, STATUS)
"""The filters whose matching bills an index can find.

To read the matching bills, the first filter in this order that is set is used.
"""
FILTERS = (*GATHERED, SINCE, UNTIL, NOT_WAITING, NOT_FLAGGED, NOT_HELD)
"""All filters of a list.

Most bills match the filters that are not in `GATHERED`, so no index finds bills by these. `SINCE` and `UNTIL` include
the days that they name.
"""
_mine = bill.c.account_id == bindparam("account")
_true: ColumnElement[bool] = literal_column("true")
_is_guessed: ColumnElement[bool] = bill.c.guessed.op("=", is_comparison=True)(_true)
_one: ColumnElement[Any] = literal_column("1")


Filters = Mapping[str, str | int]
"""The filters' values by name; the amount is in cents."""


class Sought(NamedTuple):
    """The matches of a search text: properties, issuers, and the beginnings of bill numbers.

    A bill matches if it has one of the properties or issuers, or a number that begins with one of `beginnings`: the
    text as typed, in upper case, or in lower case. `both` is for texts in which some words name a property and
    others an issuer. Each of its entries is a property's id and an issuer's name, joined by `of_both`.
    """

    properties: Sequence[str] = ()
    issuers: Sequence[str] = ()
    beginnings: tuple[str, str, str] | None = None
    both: Sequence[str] = ()

    @property
    def properties_of_both(self) -> list[str]:
        """The ids of the properties that occur in `both`."""
        return sorted({pair.partition(_BETWEEN)[0] for pair in self.both})


_BETWEEN = "|"


def of_both(property_id: str, issuer: str) -> str:
    """Join a property's id and an issuer's name with `|`, which no id contains."""
    return f"{property_id}{_BETWEEN}{issuer}"


_of_both = bill.c.property_id.op("||")(literal_column(f"'{_BETWEEN}'")).op("||")(bill.c.issuer_name)


def _begins(column: ColumnElement[Any]) -> ColumnElement[bool]:
    return or_(*(and_(column >= bindparam(f"first{at}"), column < bindparam(f"behind{at}")) for at in range(3)))


def has_number_that_begins() -> ColumnElement[bool]:
    """Build the condition that a bill's number or account number begins with a searched text.

    The texts are the parameters built by `beginning_values`.
    """
    return or_(_begins(bill.c.bill_number), _begins(bill.c.account_number))


def beginning_values(beginnings: tuple[str, str, str] | None) -> dict[str, str]:
    """Build the parameters of `has_number_that_begins`; if `beginnings` is None, no bill matches."""
    values: dict[str, str] = {}
    for at, beginning in enumerate(beginnings or (LAST_CHARACTER,) * 3):
        values |= {f"first{at}": beginning, f"behind{at}": beginning + LAST_CHARACTER}
    return values


_of_line = named_by(bill, bill_line.c.bill_id)
_held_of = named_by(bill, held_line.c.bill_id)
_flag_of = named_by(bill, bill_flag.c.bill_id)
_SEARCHED = or_(
    is_among(bill.c.property_id, "properties"),
    is_among(bill.c.issuer_name, "issuers"),
    is_among(_of_both, "both"),
    has_number_that_begins(),
)
_that_wait = (
    select(bill_line.c.bill_id)
    .select_from(MONTHS_WITH_LINES)
    .where(billing_month.c.account_id == bindparam("account"), *WAITS)
)
_of_month = (
    select(bill_line.c.bill_id)
    .select_from(property_)
    .join(bill_line, named_by(property_, bill_line.c.property_id))
    .where(property_.c.account_id == bindparam("account"), bill_line.c.month == bindparam(MONTH))
)
_held_of_month = (
    select(held_line.c.bill_id)
    .select_from(property_)
    .join(held_line, named_by(property_, held_line.c.property_id))
    .where(property_.c.account_id == bindparam("account"), held_line.c.month == bindparam(MONTH))
)
_flagged = select(bill_flag.c.bill_id).where(
    bill_flag.c.account_id == bindparam("account"), _flag_of, WAITS_FOR_A_PERSON
)
_held = select(held_line.c.bill_id).where(held_line.c.account_id == bindparam("account"))
_WAYS: dict[str, tuple[Select[Any], ...]] = {
    TEXT: tuple(
        select(bill.c.id.label("bill_id")).where(_mine, way)
        for way in (
            is_one_of(bill.c.property_id, "properties"),
            is_one_of(bill.c.issuer_name, "issuers"),
            and_(is_one_of(bill.c.property_id, "properties_of_both"), is_among(_of_both, "both")),
            _begins(bill.c.bill_number),
            _begins(bill.c.account_number),
        )
    ),
    AMOUNT: (select(bill.c.id.label("bill_id")).where(_mine, bill.c.total == bindparam(AMOUNT)),),
    PROPERTY: (select(bill.c.id.label("bill_id")).where(_mine, bill.c.property_id == bindparam(PROPERTY)),),
    WAITING: (_that_wait,),
    GUESSED: (select(bill.c.id.label("bill_id")).where(_mine, _is_guessed),),
    MONTH: (_of_month, _held_of_month),
    FLAGGED: (_flagged,),
    HELD: (_held,),
    STATUS: (select(bill.c.id.label("bill_id")).where(_mine, bill.c.payment_status == bindparam(STATUS)),),
}
"""The queries that find the bills matching one filter by its index."""
_FOUND: dict[str, Subquery] = {
    by: (union(*ways) if len(ways) > 1 else ways[0].distinct()).subquery("found") for by, ways in _WAYS.items()
}
"""The ids of all bills that match one filter, each once."""
_BILLS_FOUND: dict[str, FromClause] = {
    by: subquery.join(bill, and_(_mine, bill.c.id == subquery.c.bill_id)) for by, subquery in _FOUND.items()
}
_CONDITIONS: dict[str, ColumnElement[bool]] = {
    AMOUNT: by_no_index(bill.c.total) == bindparam(AMOUNT),
    TEXT: _SEARCHED,
    PROPERTY: by_no_index(bill.c.property_id) == bindparam(PROPERTY),
    WAITING: select(_one).select_from(MONTHS_WITH_LINES).where(_of_line, *WAITS).correlate(bill).exists(),
    GUESSED: bill.c.guessed.is_(True),
    MONTH: or_(
        select(_one).where(_of_line, bill_line.c.month == bindparam(MONTH)).correlate(bill).exists(),
        select(_one).where(_held_of, held_line.c.month == bindparam(MONTH)).correlate(bill).exists(),
    ),
    FLAGGED: IS_FLAGGED,
    HELD: select(_one).where(_held_of).correlate(bill).exists(),
    STATUS: by_no_index(bill.c.payment_status) == bindparam(STATUS),
    SINCE: bill.c.bill_date >= bindparam(SINCE),
    UNTIL: bill.c.bill_date <= bindparam(UNTIL),
}
_CONDITIONS |= {no: ~_CONDITIONS[yes] for no, yes in ((NOT_WAITING, WAITING), (NOT_FLAGGED, FLAGGED), (NOT_HELD, HELD))}
"""The condition of each filter for one bill."""


BILLS_SOUGHT = Walked(
    "bills sought", bill, bill.c.account_id, SORTS[DATE], bill.c.updated_at,
    {name: condition for name, condition in _CONDITIONS.items() if name != TEXT},
)  # fmt: skip


@cache
def _walk(order: Order, filters: frozenset[str], step: Step | None = None) -> Statement[str]:
    """Build the statement that finds the first matching bills by reading the order's index.

    The statement finds up to `order.limit` bills. If `step` is given, it considers only the bills that this step
    finds after a place in the list.
    """
    behind = [is_of_step(order, step)] if step else []
    return returns_one(
        select(bill.c.id)
        .select_from(BILLS_OF_PROPERTIES if order.groups is SORTS[BY_PROPERTY] else bill)
        .where(_mine, *behind, *_fit(filters))
        .order_by(*sorted_by(order, indexed=True))
        .limit(literal_column(str(order.limit)))
    )


def _fit(filters: frozenset[str]) -> Iterator[ColumnElement[bool]]:
    return (_CONDITIONS[name] for name in FILTERS if name in filters)


@cache
def _gather(order: Order, by: str, others: frozenset[str], steps: tuple[Step, ...] = ()) -> Statement[str]:
    """Build the statement that reads the few bills matching the filter `by`, and sorts them.

    It finds the first `order.limit` bills that also match the filters `others`, or, if there are `steps`, the first
    of those after a place in the list.
    """
    from_clause = _BILLS_FOUND[by]
    return returns_one(
        select(bill.c.id)
        .select_from(from_clause.join(property_, ITS_PROPERTY) if order.groups is SORTS[BY_PROPERTY] else from_clause)
        .where(*_fit(others), *is_behind(order, steps))
        .order_by(*sorted_by(order, indexed=False))
        .limit(literal_column(str(order.limit)))
    )


@cache
def _size(by: str, most: int) -> Statement[int]:
    """Build the statement that counts the bills matching the filter `by`.

    A bill can match a search text in several ways; for each of them, up to `most` bills are counted.
    """
    limit: ColumnElement[Any] = literal_column(str(most))
    counts = [select(func.count()).select_from(way.limit(limit).subquery()).scalar_subquery() for way in _WAYS[by]]
    return returns_one(select(sum(counts[1:], counts[0])))


@cache
def _number_of_gathered(by: str, others: frozenset[str]) -> Statement[int]:
    """Build the statement that counts the bills matching both `by` and the filters `others`."""
    if not others:
        return returns_one(select(func.count()).select_from(_FOUND[by]))
    return returns_one(select(func.count()).select_from(_BILLS_FOUND[by]).where(*_fit(others)))


@cache
def _number_of_walked(filters: frozenset[str], most: int) -> Statement[int]:
    """Build the statement that counts the bills matching the filters, and stops at `most`."""
    usual = Order(SORTS[DATE], reverse=False, limit=most)
    walked = (
        select(bill.c.id)
        .where(_mine, *_fit(filters))
        .order_by(*sorted_by(usual, indexed=True))
        .limit(literal_column(str(most)))
    )
    return returns_one(select(func.count()).select_from(walked.subquery()))


@cache
def _issuers() -> Statement[str]:
    """Build the statement that lists the account's issuer names.

    It takes one index look-up for each issuer, however many bills the account has.
    """
    following = bill.alias("following")

    def next_issuer(after: Any) -> Any:
        return (
            select(following.c.issuer_name)
            .where(following.c.account_id == bindparam("account"), following.c.issuer_name > after)
            .order_by(following.c.issuer_name)
            .limit(_one)
            .correlate_except(following)
            .scalar_subquery()
        )

    each = select(next_issuer(bindparam("after")).label("issuer")).cte("each_issuer", recursive=True)
    each = each.union_all(select(next_issuer(each.c.issuer)).where(each.c.issuer.is_not(None)))
    return returns_one(select(each.c.issuer).where(each.c.issuer.is_not(None)).limit(bindparam("limit")))


_ROWS = returns(BillRow, bills.ROW.where(_mine, is_one_of(bill.c.id, "ids")))
_LINES = returns(
    LineRow,
    select(bill_line).where(bill_line.c.account_id == bindparam("account"), is_one_of(bill_line.c.bill_id, "ids")),
)


def issuers(tx: Tx, account_id: str) -> list[str]:
    """List the account's issuer names, up to `MOST_ISSUERS_SEARCHED`."""
    return tx.all(_issuers(), account=account_id, after="", limit=MOST_ISSUERS_SEARCHED)


def size(tx: Tx, account_id: str, by: str, filters: Filters, sought: Sought | None, *, most: int) -> int:
    """Count the bills that match the filter `by`; the count may stop early.

    A bill can match a search text in several ways; for each of them, up to `most` bills are counted.
    """
    return tx.one(_size(by, most), account=account_id, **_values({by: filters.get(by, "")}, sought, by == TEXT)) or 0


def number_gathered(tx: Tx, account_id: str, by: str, filters: Filters, sought: Sought | None) -> int:
    """Count the bills that match all filters, by reading all that match `by`.

    Use it only when few bills match `by`.
    """
    names, values = _asked(account_id, filters, sought)
    return tx.one(_number_of_gathered(by, names - {by}), **values) or 0


def number_walked(tx: Tx, account_id: str, filters: Filters, sought: Sought | None, *, most: int) -> int:
    """Count the bills that match all filters, up to `most`. Use it only when many bills match."""
    names, values = _asked(account_id, filters, sought)
    return tx.one(_number_of_walked(names, most), **values) or 0


def first_gathered(
    account_id: str,
    by: str,
    filters: Filters,
    sought: Sought | None,
    order: Order,
    place: Place | None = None,
) -> Asked[str]:
    """Find the first bills that match all filters, by reading all that match `by`.

    Use it only when few bills match `by`.
    """
    names, values = _asked(account_id, filters, sought)
    statement = _gather(order, by, names - {by}, steps_behind(order, place))
    return Asked(statement, values | values_of(order, place))


def first_walked(account_id: str, filters: Filters, sought: Sought | None, order: Order) -> Asked[str]:
    """Find the first matching bills by reading the order's index.

    Use it only when many bills match.
    """
    names, values = _asked(account_id, filters, sought)
    return Asked(_walk(order, names), values)


def walked_behind(
    tx: Tx, account_id: str, filters: Filters, sought: Sought | None, order: Order, place: Place
) -> list[str]:
    """Find the first matching bills that come after a place in the list, like `first_walked`."""
    names, values = _asked(account_id, filters, sought)
    values |= values_of(order, place)
    return in_steps(lambda step: tx.all(_walk(order, names, step), **values), order, place)


def _asked(account_id: str, filters: Filters, sought: Sought | None) -> tuple[frozenset[str], dict[str, Any]]:
    names = frozenset(filters) | ({TEXT} if sought is not None else set())
    return names, {"account": account_id, **_values(filters, sought, sought is not None)}


def with_lines(tx: Tx, account_id: str, ids: list[str]) -> list[tuple[BillRow, list[LineRow]]]:
    """List the bills with these ids in the ids' order, with their lines.

    Lines of held bills are included.
    """
    rows = {row.id: (row, list[LineRow]()) for row in tx.all(_ROWS, account=account_id, ids=ids)}
    lines = [*tx.all(_LINES, account=account_id, ids=ids), *held_lines.of_bills(tx, account_id, ids)]
    for line in sorted(lines, key=lambda line_row: line_row.number):
        if line.bill_id in rows:
            rows[line.bill_id][1].append(line)
    return [rows[bill_id] for bill_id in ids if bill_id in rows]


_VALUED = (PROPERTY, MONTH, STATUS, AMOUNT, SINCE, UNTIL)


def _values(filters: Filters, sought: Sought | None, is_text: bool) -> dict[str, Any]:
    values: dict[str, Any] = {name: value for name, value in filters.items() if name in _VALUED}
    if is_text and sought is not None:
        values |= {"properties": list(sought.properties), "issuers": list(sought.issuers), "both": list(sought.both)}
        values["properties_of_both"] = sought.properties_of_both
        values |= beginning_values(sought.beginnings)
    return values
