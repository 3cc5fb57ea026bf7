"""The months of all properties: those that something is to be done about, or all; searched and sorted on the server."""

from typing import Annotated

import msgspec
from msgspec import UNSET, Struct, UnsetType

from prorata.actions.limits import LONGEST_CURSOR
from prorata.actions.lists.page_cursors import Leaf
from prorata.actions.months import lists as month_lists
from prorata.actions.months.lists import Sort, Wish
from prorata.domain.billing_calendar import Month
from prorata.store.months.searches import Which
from prorata.web.dashboard.kernel.pages import Ask, Shown, page
from prorata.web.http.fields import MonthText, text

ROWS = 50


class MonthsQuery(Struct, kw_only=True, forbid_unknown_fields=True):
    """Which months of properties, in which order, and which page of them: the one behind the place that `after` marks,
    or before that of `before`; `page` is its number.
    """

    only: Which = "drafts"
    search: Annotated[str, text(255, least=0)] = ""
    month: MonthText | UnsetType = UNSET
    sort: Sort = "-month"
    page: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] = 1
    after: Annotated[str, text(LONGEST_CURSOR, least=0)] = ""
    before: Annotated[str, text(LONGEST_CURSOR, least=0)] = ""


@page("GET", "/months", may="read", query=MonthsQuery)
def months_to_look_at(ask: Ask[MonthsQuery, None]) -> Shown:
    """The months of all properties that fit."""
    query = ask.query
    month = Month(query.month) if query.month else None
    wish = Wish(query.only, month, query.search, query.sort)
    leaf = Leaf((query.page - 1) * ROWS, query.after, query.before)
    found = month_lists.page(ask.tx, ask.caller, wish, limit=ROWS, leaf=leaf)
    parameters = msgspec.to_builtins(query) | {"page": None, "after": "", "before": ""}
    return Shown("months_to_look_at.html", {"found": found, "query": query, "parameters": parameters, "limit": ROWS})
