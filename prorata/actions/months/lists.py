"""The lists of property-months, for one property or all: filtering, searching and paging."""

from typing import Any, Literal, NamedTuple

from prorata.actions.accounts import access, accounts as account_actions
from prorata.actions.limits import MOST_LISTED_MONTHS_COUNTED, MOST_MONTHS_OF_PROPERTY
from prorata.actions.lists import page_cursors, searches
from prorata.actions.lists.page_cursors import FIRST, Leaf
from prorata.domain.billing_calendar import Month, month_of
from prorata.store.accounts import accounts
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.months import reviews as month_reviews, searches as month_searches
from prorata.store.months.reviews import LinesOfMonth, ListedMonth
from prorata.store.months.searches import MonthKey, PlacedMonth, Which
from prorata.store.properties.search_words import ADDRESS, PROPERTY

Sort = Literal["-month", "month", "property", "-property", "total", "-total"]
"""The orders of a list of months; a dash means descending.

Equal months are sorted by property, in natural order.
"""
SortOfProperty = Literal["-month", "month", "billed", "-billed"]
OnlyOfProperty = Literal["", "open", "closed", "history"]
"""The filters for one property's months: not sent yet, sent, or before billing starts."""
FEW = 500
"""The most matching months that are loaded and sorted.

If more match, the list is read in its order instead.
"""


class Wish(NamedTuple):
    """A request for a list of months, by a person or a program.

    A person chooses a set of months or one month, search words for properties or a month, and an order. A program
    chooses the property whose months it needs.
    """

    which: Which
    month: Month | None = None
    text: str = ""
    sort: Sort = "-month"
    property_id: str | None = None


class MonthList(NamedTuple):
    """A page of months, the number of matches, and cursors for the neighboring pages.

    If `is_more`, there are more matches than `total`. `first` and `last` are the cursors of the page's first and last
    month. If there are few matches, both are empty, and the neighboring pages are requested by page number.
    """

    rows: list[PlacedMonth]
    total: int
    is_more: bool = False
    has_more: bool = False
    first: str = ""
    last: str = ""


class MonthOfProperty(NamedTuple):
    """A month in a property's list, and the sum of its bills in cents.

    `is_history` is set if the month is before billing starts.
    """

    row: ListedMonth
    is_history: bool
    bills: int
    amount: int

    @property
    def was_never_billed(self) -> bool:
        """True if the month is before billing starts and none of its invoices was sent."""
        return self.is_history and not self.row.is_closed


class MonthsOfProperty(NamedTuple):
    """A page of a property's months, and the number of matches.

    `has_any` is set if the property has any months, even if none of them matches.
    """

    rows: list[MonthOfProperty]
    total: int
    has_any: bool


def page(tx: Tx, caller: Caller, wish: Wish, *, limit: int, leaf: Leaf = FIRST) -> MonthList:
    """List one page of the matching property-months.

    Raises `InvalidRequest` if the cursor in `leaf` was made for another order.
    """
    account_id, filters = caller.account_id, _filters(tx, caller, wish)
    if filters is None:
        return MonthList([], 0)
    month_keys = month_searches.keys(tx, account_id, wish.which, filters, limit=FEW + 1)
    if len(month_keys) <= FEW and not (leaf.after or leaf.before):
        end = leaf.offset + limit
        its_page = _in_order(month_keys, wish.sort)[leaf.offset : end]
        return MonthList(month_searches.at(tx, account_id, its_page), len(month_keys), has_more=end < len(month_keys))
    rows, has_more = _walked(tx, caller, wish, filters, leaf, limit)
    first, last = (_mark(wish.sort, rows[at]) if rows else "" for at in (0, -1))
    number = month_searches.count(tx, account_id, wish.which, filters, most=MOST_LISTED_MONTHS_COUNTED + 1)
    return MonthList(
        rows, min(number, MOST_LISTED_MONTHS_COUNTED), number > MOST_LISTED_MONTHS_COUNTED, has_more, first, last
    )


def numbered(tx: Tx, caller: Caller, wish: Wish, *, limit: int, offset: int) -> tuple[list[PlacedMonth], int]:
    """List the matching property-months in order, from an offset on; also count all matches."""
    account_id, filters = caller.account_id, _filters(tx, caller, wish)
    if filters is None:
        return [], 0
    rows = month_searches.walked(tx, account_id, wish.which, filters, wish.sort, limit=limit, offset=offset)
    return rows, month_searches.number(tx, account_id, wish.which, filters)


def _walked(
    tx: Tx, caller: Caller, wish: Wish, filters: dict[str, Any], leaf: Leaf, limit: int
) -> tuple[list[PlacedMonth], bool]:
    """Return a page's months, and True if another page follows."""
    asked = (tx, caller.account_id, wish.which, filters, wish.sort)
    columns = month_searches.columns_of(wish.sort)
    if leaf.before:
        place = page_cursors.values_of(leaf.before, columns)
        return month_searches.walked_behind(*asked, place, limit=limit, back=True)[::-1], True
    if leaf.after:
        rows = month_searches.walked_behind(*asked, page_cursors.values_of(leaf.after, columns), limit=limit + 1)
    else:
        rows = month_searches.walked(*asked, limit=limit + 1, offset=leaf.offset)
    return rows[:limit], len(rows) > limit


def _mark(sort: Sort, row: PlacedMonth) -> str:
    return page_cursors.written([getattr(row, name) for name in month_searches.columns_of(sort)])


def _filters(tx: Tx, caller: Caller, wish: Wish) -> dict[str, Any] | None:
    """Build a request's filters, including those in the search text; None if nothing can match."""
    words, named, amount = wanted = searches.read(wish.text)
    month = named or wish.month
    if amount is not None or (named and wish.month and named != wish.month):
        return None  # months can't be searched by amount
    if wanted.is_nothing and wish.text and wish.text.strip():
        return None
    filters: dict[str, Any] = {"month": month} if month else {}
    if wish.property_id is not None:
        filters["properties"] = [wish.property_id]
    if words:
        property_ids = searches.match(tx, caller, words, [PROPERTY, ADDRESS]).properties
        its = {wish.property_id} & property_ids if wish.property_id is not None else property_ids
        if not its:
            return None
        filters["properties"] = sorted(its)
    return filters


def _in_order(month_keys: list[MonthKey], sort: Sort) -> list[MonthKey]:
    by, goes_down = sort.removeprefix("-"), sort.startswith("-")
    month_keys = sorted(month_keys, key=lambda month_key: (month_key.name_key, month_key.property_id))
    month_keys.sort(key=lambda month_key: month_key.month, reverse=by != "month" or goes_down)
    if by == "property":
        return sorted(month_keys, key=lambda month_key: (month_key.name_key, month_key.property_id), reverse=goes_down)
    return (
        sorted(month_keys, key=lambda month_key: month_key.billed, reverse=goes_down) if by == "total" else month_keys
    )


def of_property(
    tx: Tx,
    caller: Caller,
    property_id: str,
    *,
    only: OnlyOfProperty = "",
    sort: SortOfProperty = "-month",
    limit: int,
    offset: int = 0,
) -> MonthsOfProperty:
    """List one page of a property's months, including its history.

    This takes four SQL statements. Raises `NotFound` if there is no such property.
    """
    property_row = access.property_(tx, caller, property_id)
    rows = month_reviews.months_of(tx, caller.account_id, property_row.id, MOST_MONTHS_OF_PROPERTY)
    of_history = month_reviews.months_of_history(tx, caller.account_id, property_row.id, MOST_MONTHS_OF_PROPERTY)
    rows = sorted([*rows, *map(_unbilled, of_history)], key=lambda row: row.month, reverse=True)
    counted = month_reviews.lines_of_months(tx, caller.account_id, property_row.id, [row.month for row in rows])
    starts = property_row.billing_starts_month or ""
    fit = [
        month_of_property
        for row in rows
        if _fits(month_of_property := _listed(row, counted.get(row.month), starts), only)
    ]
    if sort == "month":
        fit.reverse()
    elif sort != "-month":
        fit.sort(key=lambda month_of_property: month_of_property.row.billed, reverse=sort.startswith("-"))
    return MonthsOfProperty(fit[offset : offset + limit], len(fit), bool(rows))


def _fits(its_month: MonthOfProperty, only: OnlyOfProperty) -> bool:
    return {
        "": True,
        "open": not its_month.row.is_closed and not its_month.is_history,
        "closed": bool(its_month.row.is_closed),
        "history": its_month.was_never_billed,
    }[only]


def _unbilled(month: str) -> ListedMonth:
    """Build the list row of a month with bills for which nothing was calculated."""
    return ListedMonth(month, 0, 0, 0, 0, 0, 0, 0, 0, 0, pending=False, is_closed=False)


def _listed(row: ListedMonth, lines: LinesOfMonth | None, starts: str) -> MonthOfProperty:
    is_history = row.month < starts
    bills, amount = (lines.bills, lines.amount) if lines else (0, 0)
    return MonthOfProperty(row, is_history, bills, amount)


def latest_month(tx: Tx, caller: Caller) -> Month:
    """Return the month that a landlord last worked on, up to the current month.

    It is the newest month with sent invoices. If no invoice was sent, it is the newest month with invoices; if there
    is none either, it is the current month. Months after the current one are ignored, because they may already
    contain the final invoice of a tenant who is about to move out.
    """
    now = month_of(account_actions.today(tx, caller))
    months = [counts for counts in accounts.invoice_counts_by_month(tx, caller.account_id) if counts.month <= now]
    sent = (counts.month for counts in months if counts.sent + counts.paid + counts.overdue)
    begun = (counts.month for counts in months if any(counts[1:]))
    return Month(next(sent, next(begun, now)))
