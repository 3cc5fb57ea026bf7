"""The list of invoices: filtering, searching, sorting and paging."""

from collections.abc import Sequence
from datetime import date
from typing import Literal, NamedTuple

from prorata.actions.accounts import accounts as account_actions
from prorata.actions.invoices import invoices as invoice_actions
from prorata.actions.invoices.invoices import ShownInvoice
from prorata.actions.limits import (
    MOST_GATHERED_TENANTS,
    MOST_INVOICES_COUNTED,
    MOST_INVOICES_COUNTED_OF_MANY,
    MOST_MONTHS_LISTED,
    MOST_MONTHS_MEANT,
    MOST_PROPERTIES_LISTED,
)
from prorata.actions.lists import page_cursors, searches
from prorata.actions.lists.page_cursors import FIRST, Leaf, place_of, reach_of
from prorata.actions.lists.walks import Listed, Window
from prorata.domain.invoice_states import CLOSING, UNSENT
from prorata.domain.invoices.numbers import invoice_number_order
from prorata.domain.mail.deliveries import TO_HAND_OVER
from prorata.domain.search_terms import Wanted, month_without_year, order_of
from prorata.errors import InvalidRequest
from prorata.ids import is_id
from prorata.store.accounts import accounts
from prorata.store.accounts.accounts import Counts
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.database.list_steps import Order, Place
from prorata.store.invoices import invoices, searches as invoice_searches
from prorata.store.invoices.invoices import InvoiceSummary
from prorata.store.invoices.orders import DUE, NUMBER, SORTS, STATUS, TENANT, TOTAL
from prorata.store.invoices.searches import AMOUNT, Asked, Found
from prorata.store.properties import properties, tenant_searches, units
from prorata.store.properties.properties import PropertyRow
from prorata.store.properties.units import UnitRow
from prorata.store.recalculation import billing_months, corrections

__all__ = ["DUE", "NUMBER", "SORTS", "STATUS", "TENANT", "TOTAL", "InvoiceList", "Leaf", "Wish", "ids_of", "page"]

FEW = 5_000
"""The most matching invoices that are loaded and sorted.

If more match, the search reads the list in its order until the page is full.
"""
MANY_RECORDS = 1_000
"""The number of matching units and tenants from which a search reads the list in its order.

It then counts only a few of the matches.
"""


class Wish(NamedTuple):
    """A request for a list of invoices: filters, search text and order.

    `filters` have the keys of `invoices.FILTERS`. `need` keeps only the invoices that a person must deal with
    (`domain.mail.deliveries.NEEDS`), or only those with an open amount (`domain.invoices.open_money`).
    """

    filters: dict[str, str]
    text: str | None = None
    sort: str = NUMBER
    reverse: bool = False
    need: Asked | None = None


class Choices(NamedTuple):
    """The values that the filters of an invoice list offer.

    `counts` are the numbers of invoices by status, or None if they are not stored for this list. `properties` are
    sorted by name; they are empty if there are more than `MOST_PROPERTIES_LISTED`. `property` and `unit` are those
    that the filters already name.
    """

    counts: Counts | None
    months: list[str]
    properties: list[PropertyRow]
    property: PropertyRow | None
    unit: UnitRow | None


class InvoiceList(NamedTuple):
    """A page of invoices, and the number of matches.

    If `is_more`, there are more matches than `total`; the dashboard then shows a number such as "5,000+". `has_more`
    is set if another page follows. If `is_cut`, there are so many matches that some may be missing. `first` and
    `last` are the cursors of the page's first and last invoice, for requesting the pages before and after it.
    """

    rows: list[InvoiceSummary]
    total: int
    is_more: bool = False
    has_more: bool = False
    is_cut: bool = False
    first: str = ""
    last: str = ""


_Way = Literal["walked", "gathered", "found", "many_need", "few_need"]


class _Asked(NamedTuple):
    """A person's request after its search text is parsed and its matches are counted.

    A month or amount in the text is among the `filters`; the records that the words match are in `found`. `way` is
    the kind of query that finds the matching invoices. `total` is the number of matches, or a lower bound if
    `is_more`.
    """

    wish: Wish
    filters: dict[str, str | int]
    found: Found | None = None
    way: _Way = "gathered"
    total: int = 0
    is_more: bool = False

    @property
    def is_usual(self) -> bool:
        """True if the request has only filters, without a search or special order."""
        return self.wish == Wish(self.wish.filters) and self.found is None and AMOUNT not in self.filters


def page(tx: Tx, caller: Caller, wish: Wish, *, limit: int, leaf: Leaf = FIRST) -> InvoiceList:
    """List one page of the account's invoices.

    All SQL statements of `tx` must see the same state of the database. A page requested by a cursor (`first` or
    `last` of another page) takes the same time anywhere in the list. Raises `InvalidRequest` for an unknown order or
    an invalid cursor.
    """
    asked = _read(tx, caller, wish)
    is_cut = asked.found is not None and asked.found.is_cut
    if asked.is_usual:
        filters = {name: str(value) for name, value in asked.filters.items()}
        shown, total = invoice_actions.page(tx, caller, filters, limit=limit, offset=leaf.offset, details=False)
        return InvoiceList([invoice.summary for invoice in shown], total, has_more=leaf.offset + len(shown) < total)
    ids, has_more = _of_leaf(tx, caller, asked, leaf, limit)
    rows = invoices.summaries(tx, caller.account_id, ids)
    first, last = (mark_of(asked.wish.sort, rows[at]) if rows else "" for at in (0, -1))
    return InvoiceList(rows, max(asked.total, len(rows)), asked.is_more, has_more, is_cut, first, last)


def next_due(tx: Tx, caller: Caller, wish: Wish) -> date | None:
    """Return the first due date of the unpaid invoices that match a request's other filters.

    The request's status and need are not applied. The result is None if there is no such invoice.
    """
    filters = {name: value for name, value in wish.filters.items() if name != "status"}
    rows = page(tx, caller, Wish(filters, sort=DUE, need="owed"), limit=1).rows
    return date.fromisoformat(rows[0].due_date) if rows and rows[0].due_date else None


def lived_in_since(tx: Tx, caller: Caller, rows: Sequence[InvoiceSummary]) -> set[str]:
    """Find the invoices without a tenant whose unit is now known to have been occupied."""
    return corrections.lived_in_since(tx, caller.account_id, [row.id for row in rows if row.tenant_name is None])


def needing(tx: Tx, caller: Caller, wish: Wish, window: Window, *, details: bool) -> Listed[ShownInvoice]:
    """List, for a program, the invoices that a person must handle or that are unpaid."""
    invoice_list = page(tx, caller, wish, limit=window.limit, leaf=Leaf(window.offset))
    return Listed(invoice_actions.shown(tx, caller, invoice_list.rows, details=details), invoice_list.total)


def _of_leaf(tx: Tx, caller: Caller, asked: _Asked, leaf: Leaf, limit: int) -> tuple[list[str], bool]:
    """Return the ids of a page's invoices, and True if another page follows."""
    sort, reverse = asked.wish.sort, asked.wish.reverse
    if leaf.before:
        back = Order(SORTS[sort], reverse=not reverse, limit=limit)
        return _first(tx, caller, asked, back, place_of(SORTS[sort], leaf.before))[::-1], True
    if leaf.after:
        order = Order(SORTS[sort], reverse=reverse, limit=limit + 1)
        ids = _first(tx, caller, asked, order, place_of(SORTS[sort], leaf.after))
        return ids[:limit], len(ids) > limit
    end = leaf.offset + limit
    ids = _first(tx, caller, asked, Order(SORTS[sort], reverse=reverse, limit=reach_of(end)))
    return ids[leaf.offset : end], len(ids) > end


def choices(tx: Tx, caller: Caller, wish: Wish) -> Choices:
    """Return the values that the filters of an invoice list offer.

    This takes five SQL statements for any number of invoices.
    """
    words, month, amount = wanted = searches.read(wish.text)
    filters = wish.filters | ({"month": month} if month else {})
    account_id, property_id = caller.account_id, wish.filters.get("property", "")
    known = not words and amount is None and "unit" not in filters and wish.need is None
    is_none = _fits_nothing(wish, wanted)
    of_property = properties.find(tx, account_id, property_id) if is_id(property_id, "prop") else None
    unit_id = wish.filters.get("unit", "")
    if of_property is not None:
        by_month = billing_months.invoice_counts_by_month(tx, account_id, of_property.id)
    else:
        by_month = accounts.invoice_counts_by_month(tx, account_id)
    named = properties.page(tx, account_id, limit=MOST_PROPERTIES_LISTED + 1, offset=0)
    return Choices(
        (Counts() if is_none else invoice_actions.counts(tx, caller, filters)) if known else None,
        [row.month for row in by_month[:MOST_MONTHS_LISTED]],
        sorted(named, key=lambda row: order_of(row.name)) if len(named) <= MOST_PROPERTIES_LISTED else [],
        of_property,
        units.find(tx, account_id, unit_id) if is_id(unit_id, "unit") else None,
    )


def months_meant(wish: Wish, months: list[str]) -> tuple[list[str], str] | None:
    """Return the months meant by a month's name without a year in a search text.

    They are the newest of `months` with that name. The second result is the text without the month's name. Return
    None if the text names no month or also names a year.
    """
    meant = month_without_year(wish.text or "")
    return meant and ([month for month in months if month.endswith(meant[0])][:MOST_MONTHS_MEANT], meant[1])


def ids_of(tx: Tx, caller: Caller, wish: Wish, *, most: int) -> list[str]:
    """Return the ids of the first `most` matching invoices, in the requested order."""
    asked = _read(tx, caller, wish, whole=True)
    return _first(tx, caller, asked, Order(SORTS[asked.wish.sort], reverse=wish.reverse, limit=most))


def number_on_paper(tx: Tx, caller: Caller, property_id: str, month: str) -> int:
    """Count the invoices of a property's month that have to be handed over."""
    return _read(tx, caller, Wish({"property": property_id, "month": month}, need=TO_HAND_OVER)).total


def _read(tx: Tx, caller: Caller, wish: Wish, *, whole: bool = False) -> _Asked:
    """Parse a request for invoices, count the matches, and choose how to find them.

    With `whole`, all matches are wanted instead of one page. Raises `InvalidRequest` for an unknown order.
    """
    if wish.sort not in SORTS:
        raise InvalidRequest(f"sort must be one of {', '.join(SORTS)}.")
    words, month, amount = wanted = searches.read(wish.text)
    is_none = _fits_nothing(wish, wanted)
    status = wish.filters.get("status")
    if status is not None and (wish.sort == STATUS or (wish.sort == DUE and status in UNSENT)):
        wish = wish._replace(sort=NUMBER)  # all have the same value there
    wish = wish._replace(text=None)
    if is_none:
        return _Asked(wish, {}, Found())
    kept = wish.filters | ({"month": month} if month else {})
    matches = searches.for_invoices(tx, caller, words) if words else None
    asked = _Asked(wish, {**kept, **({} if amount is None else {AMOUNT: amount})}, matches)
    if matches is not None and matches.is_nothing:
        return asked
    if wish.need is not None:
        return _of_need(tx, caller, asked, wish.need)
    fit = invoice_actions.number_of(tx, caller, kept)
    if not fit:
        return asked
    return _counted(tx, caller, asked, fit, whole=whole)


def _fits_nothing(wish: Wish, wanted: Wanted) -> bool:
    """True if no invoice can match a request with a search text.

    That is so if the text and the filters name different months, or if the text contains nothing to search for.
    """
    other_month = wanted.month is not None and wish.filters.get("month", wanted.month) != wanted.month
    return other_month or (wanted.is_nothing and bool(wish.text and wish.text.strip()))


def _of_need(tx: Tx, caller: Caller, asked: _Asked, need: Asked) -> _Asked:
    today = account_actions.today(tx, caller).isoformat()
    total = invoice_searches.number_needing(tx, caller.account_id, need, asked.filters, asked.found, today)
    many = total > FEW and asked.found is None
    return asked._replace(total=total, way="many_need" if many else "few_need")


def _counted(tx: Tx, caller: Caller, asked: _Asked, fit: int, *, whole: bool) -> _Asked:
    """Count the invoices that match, and choose how to find them.

    `fit` is the number of invoices that match all filters, before the search words and amount are applied. With
    `whole`, all matches are wanted instead of one page.
    """
    account_id, filters, matches = caller.account_id, asked.filters, asked.found
    if matches is None and AMOUNT not in filters:
        return asked._replace(total=fit, way="gathered" if fit <= FEW else "walked")
    few = fit <= FEW and len(filters) > 0
    if AMOUNT in filters:
        its = {AMOUNT: filters[AMOUNT]}
        few = invoice_searches.number_of(tx, account_id, its, None, most=FEW + 1) <= FEW
    if few:
        total = invoice_searches.number_of(tx, account_id, filters, matches, most=FEW + 1)
        return asked._replace(total=total, way="gathered")
    if matches is None:
        return asked._replace(total=FEW, is_more=True, way="walked")
    is_together = asked.wish.sort == TENANT and matches.is_of_tenants and len(matches.tenants) <= MANY_RECORDS
    if is_together and not whole:
        matches = _first_by_name(tx, account_id, matches, reverse=asked.wish.reverse)
    most = FEW if matches.tenants or filters.keys() & {AMOUNT, "status"} else MOST_INVOICES_COUNTED
    if is_together or len(matches.units) + len(matches.tenants) > MANY_RECORDS:
        most = MOST_INVOICES_COUNTED_OF_MANY
    led_to, total = invoice_searches.size(tx, account_id, filters, matches, most=most + 1)
    way: _Way = "found" if led_to <= min(FEW, most) or is_together else "walked"
    return asked._replace(found=matches, total=total, is_more=led_to > most, way=way)


def _first_by_name(tx: Tx, account_id: str, matches: Found, *, reverse: bool) -> Found:
    """Keep only `MOST_GATHERED_TENANTS` of the matching tenants, the first or last by name."""
    if len(matches.tenants) <= MOST_GATHERED_TENANTS:
        return matches
    rows = tenant_searches.first_by_name(
        tx, account_id, list(matches.tenants), limit=MOST_GATHERED_TENANTS, reverse=reverse
    )
    units = sorted({row.unit_id for row in rows})
    return matches._replace(tenants=sorted(row.id for row in rows), units_of_tenants=units, is_cut=True)


def mark_of(sort: str, row: InvoiceSummary) -> str:
    """Encode an invoice's position in an order as a cursor for page addresses."""
    return page_cursors.mark_of(SORTS[sort], {**row._asdict(), "number_key": invoice_number_order(row.number)})


def _first(tx: Tx, caller: Caller, asked: _Asked, order: Order, place: Place | None = None) -> list[str]:
    """Return the ids of the first `order.limit` matches, or of the first ones after `place`."""
    account_id, (wish, filters, matches, way, total, is_more) = caller.account_id, asked
    if not total and not is_more:
        return []
    if order.groups is SORTS[DUE] and filters.get("status") in CLOSING:
        order = order._replace(is_whole=True)
    if order.groups is SORTS[TENANT] and matches is not None and matches.is_of_tenants:
        order = order._replace(is_whole=True)  # a vacant unit has no tenant
    if wish.need is not None:
        many = way == "many_need"
        today = account_actions.today(tx, caller).isoformat()
        return invoice_searches.first_needing(
            tx, account_id, wish.need, filters, matches, order, many=many, place=place, today=today
        )
    if way == "found":
        assert matches is not None, "words lead there"
        return invoice_searches.first_found(tx, account_id, filters, matches, order, place)
    of_way = invoice_searches.first_gathered if way == "gathered" else invoice_searches.first_walked
    return of_way(tx, account_id, filters, matches, order, place)
