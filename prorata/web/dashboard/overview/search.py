"""The search field on every page, which finds tenants, units, properties, invoices and bills."""

from typing import Annotated

from msgspec import Struct

from prorata.actions.overview import search
from prorata.web.dashboard.kernel.pages import Ask, Shown, page
from prorata.web.http.fields import text

SHOWN = 8
"""The number of matches of each kind that are shown.

A link leads to the list of all matches.
"""


class SearchQuery(Struct, kw_only=True, forbid_unknown_fields=True):
    """The text to search for."""

    search: Annotated[str, text(255, least=0)] = ""


@page("GET", "/search", may="read", query=SearchQuery)
def search_page(ask: Ask[SearchQuery, None]) -> Shown:
    """Show the first matches of each kind, such as tenants or bills."""
    sought = ask.query.search
    everywhere = search.everywhere(ask.tx, ask.caller, sought, limit=SHOWN)
    return Shown("search.html", {"found": everywhere, "sought": sought, "shown": SHOWN})
