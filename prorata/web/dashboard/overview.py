"""The first page: how the month stands, what needs a person, what utilities cost, and the first steps of an account."""

from collections import Counter
from typing import NamedTuple

from markupsafe import Markup
from msgspec import UNSET, Struct, UnsetType

from prorata.actions import onboarding, overview
from prorata.actions.overview import Overview, UtilityCosts
from prorata.domain.bills import UTILITY_TYPES
from prorata.domain.months import Month, months_back, next_month
from prorata.ports import Forms
from prorata.web.dashboard.charts import Column, columns
from prorata.web.dashboard.pages import Ask, Shown, page
from prorata.web.fields import MonthText

_HUES = {kind: number for number, kind in enumerate((*UTILITY_TYPES, None), start=1)}
"""The same hue for the same utility, whatever else is drawn; the last is for what is not billed."""
_WIDE, _HALF = 940, 520
"""How wide a drawing is that stands alone, and one that stands beside another: as on a screen, so that its text is."""


class OverviewQuery(Struct, kw_only=True, forbid_unknown_fields=True):
    """The month that is looked at; empty for the one at hand."""

    month: MonthText | UnsetType = UNSET


class Chart(NamedTuple):
    """What utilities cost in one currency, by month: a drawing, and the same as a table."""

    currency: str
    drawing: Markup
    costs: tuple[UtilityCosts, ...]
    sums: tuple[int, ...]
    hues: dict[str | None, int]


@page("GET", "/", may="read", query=OverviewQuery)
def overview_page(ask: Ask[OverviewQuery, None]) -> Shown:
    """The figures of a month, or the first steps of a new account."""
    month = ask.query.month or overview.latest_month(ask.tx, ask.caller)
    found = overview.of_month(ask.tx, ask.caller, month)
    steps = onboarding.checklist(ask.tx, ask.caller)
    first = None if all(step.is_done for step in steps) else onboarding.first_property(ask.tx, ask.caller)
    values = {
        "found": found,
        "figures": sorted(found.figures, key=lambda one: -one.billed),
        "before": months_back(Month(found.month), 1),
        "after": next_month(Month(found.month)),
        "charts": _charts(found, ask.write),
        "steps": steps,
        "first": first,
        "is_new": not all(step.is_done for step in steps),
    }
    return Shown("overview.html", values)


def _currencies(found: Overview) -> list[str]:
    """The currencies of what utilities cost, the one with the largest sum first."""
    sums: Counter[str] = Counter()
    for one in found.costs:
        sums[one.currency] += sum(one.amounts)
    return [currency for currency, _ in sums.most_common()]


def _charts(found: Overview, write: Forms) -> list[Chart]:
    currencies = _currencies(found)
    width = _WIDE if len(currencies) == 1 else _HALF
    return [_chart(found, currency, write, width) for currency in currencies]


def _chart(found: Overview, currency: str, write: Forms, width: int) -> Chart:
    its = (one for one in found.costs if one.currency == currency)
    costs = tuple(sorted(its, key=lambda one: _HUES[one.utility_type]))
    sums = tuple(sum(amounts) for amounts in zip(*(one.amounts for one in costs), strict=True))

    def money(cents: int) -> str:
        return write.money(cents, currency)

    drawn = [
        Column(
            write.short_month(Month(month)),
            f"{write.month(Month(month))}: {money(sums[at])}",
            [(_HUES[one.utility_type], one.amounts[at]) for one in costs],
        )
        for at, month in enumerate(found.months)
    ]
    return Chart(currency, columns(drawn, lambda cents: write.whole_money(cents, currency), width), costs, sums, _HUES)
