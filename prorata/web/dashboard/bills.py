"""Bills: the list, searched and narrowed on the server."""

from typing import Annotated, Literal

import msgspec

from prorata.actions import bill_lists, properties
from prorata.actions.bill_lists import Wish
from prorata.domain.bills import PAYMENT_STATUSES
from prorata.web.dashboard.pages import Ask, Shown, page
from prorata.web.dashboard.properties import ROWS, ListQuery
from prorata.web.fields import text

Sort = Literal["-date", "date", "total", "-total", "issuer", "-issuer"]


class BillsQuery(ListQuery, kw_only=True):
    """Which bills are shown, in which order."""

    property: Annotated[str, text(64, least=0)] = ""
    month: Annotated[str, text(7, least=0)] = ""
    status: Annotated[str, text(10, least=0)] = ""
    only: Literal["", "waiting", "guessed"] = ""
    sort: Sort = "-date"


@page("GET", "/bills", may="read", query=BillsQuery)
def bills_page(ask: Ask[BillsQuery, None]) -> Shown:
    """The list of bills."""
    query = ask.query
    found = bill_lists.page(ask.tx, ask.caller, wish_of(query), limit=ROWS, offset=query.offset)
    is_asked = bool(query.search or _filters(query))
    values = {
        "found": found,
        "limit": ROWS,
        "query": query,
        "parameters": msgspec.to_builtins(query),
        "is_asked": is_asked,
        "properties": properties.to_choose_from(ask.tx, ask.caller),
        "has_properties": found.total or is_asked or properties.page(ask.tx, ask.caller, limit=1, offset=0)[1],
        "statuses": PAYMENT_STATUSES,
    }
    return Shown("bills.html", values)


def wish_of(query: BillsQuery) -> Wish:
    """What is asked of the list, whose order by date goes down by itself."""
    by, goes_down = query.sort.removeprefix("-"), query.sort.startswith("-")
    return Wish(_filters(query), query.search or None, by, reverse=goes_down != (by == bill_lists.DATE))


def _filters(query: BillsQuery) -> dict[str, str]:
    named = {"property": query.property, "month": query.month, "status": query.status, query.only: query.only}
    return {name: value for name, value in named.items() if value}
