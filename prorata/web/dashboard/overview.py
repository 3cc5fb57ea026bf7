"""The first page: how the month stands, and what to do next."""

from prorata.actions import overviews
from prorata.domain.months import Month
from prorata.web.dashboard.charts import columns
from prorata.web.dashboard.pages import Ask, Shown, page


@page("GET", "/", may="read")
def overview_page(ask: Ask[None, None]) -> Shown:
    """The figures of the month, or the first steps of a new account."""
    found = overviews.overview(ask.tx, ask.caller)
    shown = [(ask.write.short_month(Month(one.month)), [one.billed, one.owner_amount]) for one in found.charted]
    chart = columns(shown)
    return Shown("overview.html", {"found": found, "month": ask.write.month(found.month), "chart": chart})
