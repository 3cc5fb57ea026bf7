"""The list of bills, searched and filtered on the server."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from prorata.actions.bills import flag_acceptances, lists as bill_lists
from prorata.actions.bills.lists import Wish
from prorata.actions.exports import list_exports
from prorata.actions.limits import LONGEST_CURSOR
from prorata.actions.lists.page_cursors import Leaf
from prorata.actions.overview import onboarding
from prorata.actions.properties import properties
from prorata.domain.texts import say
from prorata.domain.utility_names import PAYMENT_STATUSES
from prorata.web.dashboard.kernel.list_headers import spreadsheet
from prorata.web.dashboard.kernel.list_queries import ROWS
from prorata.web.dashboard.kernel.pages import Ask, Shown, Streamed, page
from prorata.web.http.fields import MonthText, text

Sort = Literal[
    "-date", "date", "total", "-total", "issuer", "-issuer", "due", "-due", "property", "-property",
    "month", "-month",
]  # fmt: skip


class BillFilters(Struct, kw_only=True, forbid_unknown_fields=True):
    """Filters and order of the bills list."""

    search: Annotated[str, text(255, least=0)] = ""
    property: Annotated[str, text(64, least=0)] = ""
    month: MonthText | UnsetType = UNSET
    status: Annotated[str, text(10, least=0)] = ""
    only: Literal["", "flagged", "waiting", "guessed"] = ""
    sort: Sort = "-date"


class BillsQuery(BillFilters, kw_only=True):
    """Filters, order and page of the bills list.

    The page comes after the cursor `after` or before the cursor `before`; `page` is the page's number.
    """

    page: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] = 1
    after: Annotated[str, text(LONGEST_CURSOR, least=0)] = ""
    before: Annotated[str, text(LONGEST_CURSOR, least=0)] = ""


class ExportQuery(BillFilters, kw_only=True):
    """Filters and file format of a bill export."""

    format: Literal["csv", "xlsx"] = "csv"


@page("GET", "/bills", may="read", query=BillsQuery)
def bills_page(ask: Ask[Any, Any]) -> Shown:
    """Show the list of bills."""
    query: BillsQuery = ask.query if isinstance(ask.query, BillsQuery) else BillsQuery(only=_only(ask))
    leaf = Leaf((query.page - 1) * ROWS, query.after, query.before)
    bill_list = bill_lists.page(ask.tx, ask.caller, wish_of(query), limit=ROWS, leaf=leaf)
    is_asked = bool(query.search or _filters(query))
    ids = [row.id for row in bill_list.rows] if query.only == "flagged" else []
    values = {
        "found": bill_list, "limit": ROWS, "statuses": PAYMENT_STATUSES,
        "flagged": flag_acceptances.open_of(ask.tx, ask.caller, ids),
        "query": query, "parameters": parameters_of(query), "is_asked": is_asked,
        "properties": properties.to_choose_from(ask.tx, ask.caller),
        "has_properties": bill_list.total or is_asked or properties.page(ask.tx, ask.caller, limit=1, offset=0)[1],
        "may_be_history": onboarding.may_be_history(ask.tx, ask.caller), "ticked": ask.each("chosen"),
    }  # fmt: skip
    return Shown("bills.html", values)


def _only(ask: Ask[Any, Any]) -> Literal["flagged", "waiting"]:
    """Return the filter under which the bills list is shown again with a refused form.

    The filter is `waiting` if the form was filled in under that filter, and otherwise `flagged`.
    """
    return "waiting" if ask.typed.get("only") == "waiting" else "flagged"


@page("GET", "/bills/export", may="read", query=ExportQuery)
def export_bills(ask: Ask[ExportQuery, None]) -> Streamed:
    """Export the bills in the filtered list as a file that can be imported again."""
    query, caller = ask.query, ask.caller
    return spreadsheet(ask, say("bills"), query.format, lambda tx: list_exports.of_bills(tx, caller, wish_of(query)))


def parameters_of(query: BillFilters) -> dict[str, Any]:
    """Return the list's filters and order, but not its page, as query parameters for links."""
    parameters: dict[str, Any] = msgspec.to_builtins(query)
    return {name: parameters[name] for name in BillFilters.__struct_fields__ if name in parameters}


def wish_of(query: BillFilters) -> Wish:
    """Convert the query of the bills list to a search for bills.

    By default, bills that are sorted by date come with the newest first, and bills that are sorted by another column
    come in ascending order. If `sort` begins with a hyphen, the order is reversed.
    """
    by, goes_down = query.sort.removeprefix("-"), query.sort.startswith("-")
    return Wish(_filters(query), query.search or None, by, reverse=goes_down != (by == bill_lists.DATE))


def _filters(query: BillFilters) -> dict[str, str]:
    month = query.month or ""
    named = {"property": query.property, "month": month, "status": query.status, query.only: query.only}
    return {name: value for name, value in named.items() if value}
