"""The page of one property with its units, and the page of its bills.

Both begin with the same heading and tabs, as do the property's other pages.
"""

from typing import Any

import msgspec

from prorata.actions.accounts import access
from prorata.actions.bills import lists as bill_lists
from prorata.actions.delivery import rule_announcements
from prorata.actions.properties import unit_lists
from prorata.actions.properties.unit_lists import Asked, Only, Sort
from prorata.domain.utility_names import UTILITY_NAMES
from prorata.store.properties.properties import PropertyRow
from prorata.web.dashboard.kernel.list_queries import ListQuery
from prorata.web.dashboard.kernel.pages import Ask, Shown, page

ROWS = 50
LAST_BILLS = 10


class UnitsQuery(ListQuery, kw_only=True):
    """Filters, order and page of a property's units."""

    inactive: bool = False
    only: Only = ""
    sort: Sort = "label"

    @property
    def offset(self) -> int:
        """The number of units in the list before this page."""
        return (self.page - 1) * ROWS


@page("GET", "/properties/{id}", may="read", query=UnitsQuery)
def property_page(ask: Ask[UnitsQuery, None]) -> Shown:
    """Show a property's units, their tenants, and missing facts."""
    query = ask.query
    asked = Asked(query.search, query.only, query.sort, query.inactive)
    unit_list = unit_lists.page(ask.tx, ask.caller, ask.path["id"], asked, limit=ROWS, offset=query.offset)
    parameters = msgspec.to_builtins(query) | {"inactive": "true" if query.inactive else ""}
    untold = rule_announcements.untold(ask.tx, ask.caller, unit_list.property)
    values = {"found": unit_list, "query": query, "parameters": parameters, "limit": ROWS, "untold": untold}
    values["names"] = UTILITY_NAMES
    return Shown("property.html", values | above(unit_list.property, "units"))


@page("GET", "/properties/{id}/bills", may="read")
def bills_of_property(ask: Ask[None, None]) -> Shown:
    """Show a property's latest bills."""
    row = access.property_(ask.tx, ask.caller, ask.path["id"])
    wish = bill_lists.Wish({"property": row.id})
    bill_list = bill_lists.page(ask.tx, ask.caller, wish, limit=LAST_BILLS)
    return Shown("property_bills.html", {"found": bill_list} | above(row, "bills"))


def above(row: PropertyRow, tab: str) -> dict[str, Any]:
    """Collect the values for the heading and tabs that all of a property's pages share."""
    return {"property": row, "tab": tab}
