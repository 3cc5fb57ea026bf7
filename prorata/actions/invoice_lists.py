"""Invoices as a person looks for them: by filters and a search text, in an order, a page at a time."""

from typing import NamedTuple

from prorata.actions import invoices as invoice_actions
from prorata.actions import searches
from prorata.domain.deliveries import Need
from prorata.domain.lifecycle import DRAFT
from prorata.domain.searching import folded
from prorata.errors import InvalidRequest
from prorata.ids import is_id
from prorata.store import accounts, billing_months, invoice_searches, invoices, properties, units
from prorata.store.accounts import Counts
from prorata.store.audit import Caller
from prorata.store.engine import Tx
from prorata.store.invoice_searches import DUE, NUMBER, SORTS, STATUS, TENANT, TOTAL, Found, Order
from prorata.store.invoices import InvoiceSummary
from prorata.store.properties import PropertyRow
from prorata.store.units import UnitRow

__all__ = ["DUE", "NUMBER", "SORTS", "STATUS", "TENANT", "TOTAL", "InvoiceList", "Wish", "ids_of", "page"]

MOST_SHOWN = 500
"""Invoices that can be leafed through in another order than the usual one, or by a search."""
MOST_PROPERTIES, MOST_MONTHS = 100, 120
"""That can be chosen from; others are found by typing."""
FEW = 5_000
"""So many are gathered and sorted; where more fit, the order is walked."""


class Wish(NamedTuple):
    """What a person asks of the list: `filters` as the API's (`invoices.FILTERS`), words, an order; and those alone
    that need something of a person (`domain.deliveries.NEEDS`).
    """

    filters: dict[str, str]
    text: str | None = None
    sort: str = NUMBER
    reverse: bool = False
    need: Need | None = None


class Choices(NamedTuple):
    """What a list can be narrowed to: statuses with how many stand in each (None where that is not kept), months, and
    properties by name. `properties` is empty where there are more than `MOST_PROPERTIES`; `property` and `unit` are
    those that the list is narrowed to.
    """

    counts: Counts | None
    months: list[str]
    properties: list[PropertyRow]
    property: PropertyRow | None
    unit: UnitRow | None


class InvoiceList(NamedTuple):
    """A page of invoices, how many fit in all, and how many of them can be leafed through. Where `is_more`, more than
    `total` fit: a page then says "500+". Where `is_cut`, its words begin so many that some may be missing.
    """

    rows: list[InvoiceSummary]
    total: int
    is_more: bool
    shown: int
    is_cut: bool = False


def page(tx: Tx, caller: Caller, wish: Wish, *, limit: int, offset: int) -> InvoiceList:
    """One page of the caller's invoices; `tx` shows one state of the database throughout.

    Without a search and in the usual order every page can be leafed to; else the first `MOST_SHOWN`.
    """
    wish, found = _read(tx, caller, wish)
    if wish.need is not None:
        return _needing(tx, caller, wish, wish.need, found, limit=limit, offset=offset)
    if found is None and wish.sort == NUMBER and not wish.reverse:
        shown, total = invoice_actions.page(tx, caller, wish.filters, limit=limit, offset=offset, details=False)
        return InvoiceList([one.summary for one in shown], total, is_more=False, shown=total)
    fit = invoice_actions.number_of(tx, caller, wish.filters)
    if found is not None:
        ids = _first(tx, caller, wish, found, fit=fit, limit=MOST_SHOWN + 1)
        total, is_more = min(len(ids), MOST_SHOWN), len(ids) > MOST_SHOWN
    else:
        reach = next(step for step in (100, MOST_SHOWN) if min(offset + limit, MOST_SHOWN) <= step)
        ids = _first(tx, caller, wish, None, fit=fit, limit=reach)
        total, is_more = fit, False
    its_page = ids[: min(total, MOST_SHOWN)][offset : offset + limit]
    rows = invoices.summaries(tx, caller.account_id, its_page)
    return InvoiceList(rows, total, is_more, min(total, MOST_SHOWN), is_cut=found is not None and found.is_cut)


def _needing(
    tx: Tx, caller: Caller, wish: Wish, need: Need, found: Found | None, *, limit: int, offset: int
) -> InvoiceList:
    """A page of those that need something of a person: all are counted, the first `MOST_SHOWN` can be leafed to."""
    if found is not None and found.is_nothing:
        return InvoiceList([], 0, is_more=False, shown=0, is_cut=found.is_cut)
    total = invoice_searches.number_needing(tx, caller.account_id, need, wish.filters, found)
    ids = _first(tx, caller, wish, found, fit=total, limit=MOST_SHOWN)[offset : offset + limit]
    rows = invoices.summaries(tx, caller.account_id, ids)
    is_cut = found is not None and found.is_cut
    return InvoiceList(rows, total, is_more=False, shown=min(total, MOST_SHOWN), is_cut=is_cut)


def choices(tx: Tx, caller: Caller, wish: Wish) -> Choices:
    """What a person can narrow the list to. Five statements, however many invoices there are."""
    words, month = searches.read(wish.text)
    filters = wish.filters | ({"month": month} if month else {})
    account_id, property_id = caller.account_id, wish.filters.get("property", "")
    known = not words and "unit" not in filters and wish.need is None
    is_none = month is not None and wish.filters.get("month", month) != month  # the text names another month
    of_property = properties.find(tx, account_id, property_id) if is_id(property_id, "prop") else None
    unit_id = wish.filters.get("unit", "")
    if of_property is not None:
        by_month = billing_months.invoice_counts_by_month(tx, account_id, of_property.id)
    else:
        by_month = accounts.invoice_counts_by_month(tx, account_id)
    named = properties.page(tx, account_id, limit=MOST_PROPERTIES + 1, offset=0)
    return Choices(
        (Counts() if is_none else invoice_actions.counts(tx, caller, filters)) if known else None,
        [row.month for row in by_month[:MOST_MONTHS]],
        sorted(named, key=lambda row: folded(row.name)) if len(named) <= MOST_PROPERTIES else [],
        of_property,
        units.find(tx, account_id, unit_id) if is_id(unit_id, "unit") else None,
    )


def ids_of(tx: Tx, caller: Caller, wish: Wish, *, most: int) -> list[str]:
    """The ids of all invoices that fit, in their order, `most` of them at the most."""
    wish, found = _read(tx, caller, wish)
    if wish.need is not None:
        fit = invoice_searches.number_needing(tx, caller.account_id, wish.need, wish.filters, found)
    else:
        fit = invoice_actions.number_of(tx, caller, wish.filters)
    return _first(tx, caller, wish, found, fit=fit, limit=most)


def _read(tx: Tx, caller: Caller, wish: Wish) -> tuple[Wish, Found | None]:
    """The wish with what its text says of a month among the filters, and what its words lead to. Raises
    `InvalidRequest` for an order that is not known.
    """
    if wish.sort not in SORTS:
        raise InvalidRequest(f"sort must be one of {', '.join(SORTS)}.")
    if wish.sort == DUE and wish.filters.get("status") == DRAFT:
        wish = wish._replace(sort=NUMBER)  # none of them has a due date
    words, month = searches.read(wish.text)
    if month and wish.filters.get("month", month) != month:
        return wish, Found()
    if month:
        wish = wish._replace(filters=wish.filters | {"month": month})
    return wish, searches.for_invoices(tx, caller, words) if words else None


def _first(tx: Tx, caller: Caller, wish: Wish, found: Found | None, *, fit: int, limit: int) -> list[str]:
    """The ids of the first `limit` that fit; `fit` fit the filters alone."""
    if not fit or (found is not None and found.is_nothing):
        return []
    order = Order(wish.sort, wish.reverse, limit)
    account_id, filters = caller.account_id, wish.filters
    if wish.need is not None:
        many = fit > FEW and found is None
        return invoice_searches.first_needing(tx, account_id, wish.need, filters, found, order, many=many)
    if fit <= FEW and (found is None or len(wish.filters) > 0):
        return invoice_searches.first_gathered(tx, account_id, filters, found, order)
    if found is not None and invoice_searches.size(tx, account_id, filters, found, most=FEW + 1) <= FEW:
        return invoice_searches.first_found(tx, account_id, filters, found, order)
    return invoice_searches.first_walked(tx, account_id, filters, found, order)
