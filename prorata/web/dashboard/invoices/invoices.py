"""The list of invoices, which can be searched, filtered, sorted, ticked and exported."""

from collections.abc import Sequence
from datetime import date
from functools import partial
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from prorata.actions.delivery import send_schedule
from prorata.actions.exports import list_exports
from prorata.actions.invoices import lists as invoice_lists
from prorata.actions.invoices.lists import InvoiceList, Wish
from prorata.actions.limits import LONGEST_CURSOR
from prorata.actions.lists.page_cursors import Leaf
from prorata.domain.billing_calendar import Month
from prorata.domain.bulk.verbs import BulkVerb
from prorata.domain.invoice_states import CLOSING, Status
from prorata.domain.mail.deliveries import need_of
from prorata.domain.texts import say
from prorata.web.dashboard.kernel.list_headers import spreadsheet
from prorata.web.dashboard.kernel.pages import Ask, Shown, Streamed, page
from prorata.web.dashboard.kernel.stored_sentences import charge_in_words
from prorata.web.dashboard.kernel.translations import speech_in
from prorata.web.http.fields import MonthText, text
from prorata.web.http.limits import LONGEST_TICKED

ROWS = 50
_NEEDS = (
    ("owed", say("Owed to you")),
    ("overdue", say("Past due")),
    ("credits", say("With a credit")),
    ("refunds", say("Refund due")),
    ("undelivered", say("Not delivered")),
    ("handOver", say("To hand over")),
)
_FILTERS = ("property", "unit", "month", "status")
_Sort = Literal[
    "number", "-number", "total", "-total", "due", "-due", "status", "-status", "tenant", "-tenant"
]  # fmt: skip
_Id = Annotated[str, text(64, least=0)]


class InvoiceFilters(Struct, kw_only=True, forbid_unknown_fields=True):
    """Filters and order of the invoices list."""

    search: Annotated[str, text(255, least=0)] = ""
    property: _Id = ""
    unit: _Id = ""
    month: MonthText | UnsetType = UNSET
    status: Status | UnsetType = UNSET
    only: Literal["", "owed", "overdue", "credits", "refunds", "undelivered", "handOver"] = ""
    currency: Annotated[str, text(3, least=0)] = ""
    sort: _Sort = "number"


class InvoicesPage(InvoiceFilters, kw_only=True):
    """Filters, order and page of the invoices list.

    The page comes after the cursor `after` or before the cursor `before`; `page` is the page's number.
    """

    page: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] = 1
    after: Annotated[str, text(LONGEST_CURSOR, least=0)] = ""
    before: Annotated[str, text(LONGEST_CURSOR, least=0)] = ""


class InvoicesQuery(InvoicesPage, kw_only=True):
    """The query of the invoices list, with the invoices that are shown ticked.

    `ticked` contains their ids, separated by commas; `all` means that all matching invoices are ticked.
    """

    ticked: Annotated[str, text(LONGEST_TICKED, least=0)] = ""
    all: bool = False


class ExportQuery(InvoiceFilters, kw_only=True):
    """Filters and file format of an invoice export."""

    rows: Literal["invoices", "charges"] = "invoices"
    format: Literal["csv", "xlsx"] = "csv"


def wanted_by(query: InvoicesPage) -> InvoiceFilters:
    """Return the filters and order of a query of the invoices list, without its page."""
    return InvoiceFilters(**{name: getattr(query, name) for name in InvoiceFilters.__struct_fields__})


def wish_of(filters: InvoiceFilters) -> Wish:
    """Convert the filters of the invoices list to a search for invoices."""
    given = {name: str(value) for name in _FILTERS if (value := getattr(filters, name))}
    if filters.only and filters.currency:
        given["currency"] = filters.currency
    by, goes_down = filters.sort.removeprefix("-"), filters.sort.startswith("-")
    return Wish(given, filters.search or None, by, reverse=goes_down, need=filters.only or None)


def _next_due(ask: Ask[Any, None], query: InvoicesQuery, wish: Wish) -> dict[str, date | None]:
    """Find the due date to show in an empty list of overdue invoices."""
    is_of_overdue = not query.search and "overdue" in (query.only, (query.status or "").lower())
    return {"next_due": invoice_lists.next_due(ask.tx, ask.caller, wish)} if is_of_overdue else {}


@page("GET", "/invoices", may="read", query=InvoicesQuery)
def invoices_page(ask: Ask[Any, None]) -> Shown:
    """Show the list of invoices, with buttons for bulk changes."""
    query = ask.query if isinstance(ask.query, InvoicesQuery) else InvoicesQuery()
    wish = wish_of(query)
    leaf = Leaf((query.page - 1) * ROWS, query.after, query.before)
    found = invoice_lists.page(ask.tx, ask.caller, wish, limit=ROWS, leaf=leaf)
    choices = invoice_lists.choices(ask.tx, ask.caller, wish)
    months = [(month, ask.write.month(Month(month))) for month in choices.months]
    values = {"found": found, "choices": choices, "months": months, "month_in_words": ask.write.month, "limit": ROWS}
    values |= {"lived_in": invoice_lists.lived_in_since(ask.tx, ask.caller, found.rows)}
    values |= {"meant": None if found.rows else invoice_lists.months_meant(wish, choices.months)}
    values |= {} if found.total else _next_due(ask, query, wish)
    ticked = ask.each("chosen") or query.ticked.split(",")
    values |= {"need_of": need_of, "needs": _NEEDS, "ticked": ticked}
    values |= {"mail_waits": send_schedule.beyond_today(ask.tx, ask.caller, ask.write)}
    values |= {"main_verb": _main_verb(found, None if query.all else ticked)}
    return Shown("invoices.html", {**values, "query": query, "parameters": msgspec.to_builtins(wanted_by(query))})


def _main_verb(found: InvoiceList, ticked: Sequence[str] | None) -> BulkVerb:
    """Return the bulk change whose button is highlighted below the list.

    The button is "Back to draft…" if every ticked invoice is sent, paid or overdue and at least one has pending
    changes. Otherwise, it is "Send…". If `ticked` is None, all invoices are ticked.
    """
    rows = [row for row in found.rows if ticked is None or row.id in ticked]
    is_stale = all(row.status in CLOSING for row in rows) and any(row.pending for row in rows)
    return BulkVerb.REOPEN if is_stale else BulkVerb.SEND


@page("GET", "/invoices/export", may="read", query=ExportQuery)
def export_invoices(ask: Ask[ExportQuery, None]) -> Streamed:
    """Export the invoices in the filtered list, or their charges, to a file."""
    query, caller = ask.query, ask.caller
    name, read = say("invoices"), list_exports.of_invoices
    if query.rows == "charges":
        name = say("charges")
        describe = partial(charge_in_words, speech=speech_in(ask.person.locale, ask.write))
        read = partial(list_exports.of_charges, describe=describe)
    return spreadsheet(ask, name, query.format, lambda tx: read(tx, caller, wish_of(query)))
