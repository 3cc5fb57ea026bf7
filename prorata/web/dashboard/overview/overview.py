"""The overview, the dashboard's first page: a month's figures, tasks, and utility costs.

A new account sees its first steps instead.
"""

from typing import Any, NamedTuple

from markupsafe import Markup
from msgspec import UNSET, Struct, UnsetType

from prorata.actions.bulk import bulk
from prorata.actions.months import lists as month_lists, runs as month_runs
from prorata.actions.overview import onboarding, overview
from prorata.actions.overview.attention import Attention
from prorata.actions.overview.overview import Overview, UtilityCosts
from prorata.actions.recalculation import after_upgrades
from prorata.domain.accounts.permissions import Deed
from prorata.domain.billing_calendar import Month, months_back, next_month
from prorata.domain.bulk.bulk import GOING_ON
from prorata.domain.texts import say
from prorata.domain.utility_names import UTILITY_TYPES
from prorata.ports import Forms
from prorata.web.dashboard.kernel.charts import Column, columns
from prorata.web.dashboard.kernel.pages import Ask, GoTo, Shown, page
from prorata.web.http.fields import MonthText

_HUES = {kind: number for number, kind in enumerate((*UTILITY_TYPES, None), start=1)}
"""The hue of each utility, the same in every chart.

The last hue is for unbilled amounts.
"""
_WIDE, _HALF, _NARROW = 940, 520, 340
"""The widths of charts: alone, beside another chart, and on a phone.

They match the widths on a screen, so that the text has its usual size.
"""


class OverviewQuery(Struct, kw_only=True, forbid_unknown_fields=True):
    """The month to show.

    By default, it is the month that the landlord last worked on.
    """

    month: MonthText | UnsetType = UNSET


class Way(NamedTuple):
    """A button beside something that needs attention.

    `says` is its label, `to` the address of the list that it opens, and `deed` the permission needed to see that
    list.
    """

    says: str
    to: str
    deed: Deed = "read"


class Chart(NamedTuple):
    """Utility costs by month in one currency: charts of two widths, and a table."""

    currency: str
    drawing: Markup
    narrow: Markup
    costs: tuple[UtilityCosts, ...]
    sums: tuple[int, ...]
    hues: dict[str | None, int]


@page("GET", "/", may="read", query=OverviewQuery)
def overview_page(ask: Ask[OverviewQuery, None]) -> Shown:
    """Show a month's figures or, for a new account, the first steps."""
    its_overview, first_steps = _of_month(ask), _first_steps(ask)
    values = {
        "found": its_overview,
        "attention": [(attention, way_of(attention)) for attention in its_overview.attention],
        "beside": (months_back(Month(its_overview.month), 1), next_month(Month(its_overview.month))),
        "charts": _charts(its_overview, ask.write),
        "is_untold": after_upgrades.is_untold(ask.tx, ask.caller),
        "mail_held": ask.outside.mail_held if its_overview.open or not first_steps["is_new"] else None,
        "outlook": month_runs.outlook(ask.tx, ask.caller, ask.write),
        "changing": bulk.latest(ask.tx, ask.caller, limit=1, write=ask.write, state=GOING_ON),
    }
    return Shown("overview.html", values | first_steps)


def _first_steps(ask: Ask[OverviewQuery, None]) -> dict[str, Any]:
    steps = onboarding.checklist(ask.tx, ask.caller)
    is_new = not all(step.is_done for step in steps)
    first = onboarding.first_property(ask.tx, ask.caller) if is_new else None
    return {"steps": steps, "first": first, "is_new": is_new}


@page("POST", "/overview/read", may="write")
def note_read(ask: Ask[None, None]) -> GoTo:
    """Record that a person has read the notes about an upgrade of Prorata."""
    after_upgrades.note_read(ask.tx, ask.caller)
    return GoTo("/", say("Noted."))


def _of_month(ask: Ask[OverviewQuery, None]) -> Overview:
    month = ask.query.month or month_lists.latest_month(ask.tx, ask.caller)
    return overview.of_month(ask.tx, ask.caller, month, ask.write)


def way_of(item: Attention) -> Way:
    """Return the button for something that needs attention.

    The button opens the list of the records concerned. If all of them belong to the same month, the list shows only
    this month; if there is only one record, and it is not a late bill, the button opens the page of its property's
    month.
    """
    ways = {
        "overdue": Way(say("See them"), "/invoices?only=overdue"),
        "refunds": Way(say("See them"), "/invoices?only=refunds"),
        "mailFailed": Way(say("See them"), "/invoices?only=undelivered"),
        "jobsFailed": Way(say("See them"), "/jobs?state=failed"),
        "questions": Way(say("See them"), "/questions"),
        "disputes": Way(say("See them"), "/questions"),
        "paymentsToCheck": Way(say("See them"), "/settings/payments", "manage"),
        "statements": Way(say("See them"), "/payments"),
        "webhooksOff": Way(say("See why"), "/settings/webhooks", "manage"),
        "documents": Way(say("See them"), "/inbox"),
        "flagged": Way(say("Check them"), "/bills?only=flagged"),
        "mail": Way(say("Decide"), "/inbox/mail?show=waiting"),
        "mailNotTaken": Way(say("See why"), "/inbox/mail?show=notTaken"),
        "waiting": Way(say("Choose"), "/bills?only=waiting"),
        "handOver": Way(say("See them"), "/invoices?only=handOver"),
        "pending": Way(say("See them"), "/months?only=otherwise"),
        "missingFacts": Way(say("See them"), "/months?only=missingFacts"),
        "drafts": Way(say("Review"), "/months?only=drafts"),
    }
    way = ways[item.kind]
    if item.number == 1 and item.places and item.kind != "waiting":
        return way._replace(to=f"/properties/{item.places[0].property_id}/months/{item.places[0].month}")
    if len(item.months) == 1:
        return way._replace(to=f"{way.to}&month={item.months[0].month}")
    return way


def _charts(its_overview: Overview, write: Forms) -> list[Chart]:
    currencies = list(dict.fromkeys(cost.currency for cost in its_overview.costs))
    width = _WIDE if len(currencies) == 1 else _HALF
    return [_chart(its_overview, currency, write, width) for currency in currencies]


def _chart(its_overview: Overview, currency: str, write: Forms, width: int) -> Chart:
    its = (cost for cost in its_overview.costs if cost.currency == currency)
    costs = tuple(sorted(its, key=lambda utility_costs: _HUES[utility_costs.utility_type]))
    sums = tuple(sum(amounts) for amounts in zip(*(cost.amounts for cost in costs), strict=True))

    def money(cents: int) -> str:
        return write.money(cents, currency)

    drawn = [
        Column(
            write.short_month(Month(month)),
            f"{write.month(Month(month))}: {money(sums[at])}",
            [(_HUES[cost.utility_type], cost.amounts[at]) for cost in costs],
        )
        for at, month in enumerate(its_overview.months)
    ]

    def scale(cents: int) -> str:
        return write.whole_money(cents, currency)

    narrow = columns(drawn, scale, _NARROW, labelled=2)
    return Chart(currency, columns(drawn, scale, width), narrow, costs, sums, _HUES)
