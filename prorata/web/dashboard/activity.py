"""Activity: who did what, when, and what was there before and after."""

from datetime import date
from typing import Annotated

import msgspec
from msgspec import UNSET, Struct, UnsetType

from prorata.actions import activity
from prorata.web.dashboard.pages import Ask, Shown, page
from prorata.web.fields import DateText, text

ROWS = 50


class ActivityQuery(Struct, kw_only=True, forbid_unknown_fields=True):
    """To which record, by whom, up to which day, and behind which event."""

    record: Annotated[str, text(64, least=0)] = ""
    by: Annotated[str, text(64, least=0)] = ""
    day: DateText | UnsetType = UNSET
    before: Annotated[str, text(64, least=0)] = ""


@page("GET", "/activity", may="read", query=ActivityQuery)
def activity_page(ask: Ask[ActivityQuery, None]) -> Shown:
    """What was done."""
    query = ask.query
    day = date.fromisoformat(query.day) if query.day is not UNSET else None
    found = activity.look(
        ask.tx, ask.caller, limit=ROWS, before=query.before or None, record=query.record, by=query.by, day=day
    )
    values = {"found": found, "actors": activity.actors(ask.tx, ask.caller), "query": query, "day": day}
    return Shown("activity.html", {**values, "parameters": msgspec.to_builtins(query)})
