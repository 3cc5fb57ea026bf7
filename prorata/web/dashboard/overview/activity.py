"""The activity page, which shows the audit log: who changed what, and when."""

from datetime import date
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from prorata.actions.audit import activity
from prorata.actions.audit.activity import Looked
from prorata.domain.audit.record_kinds import KINDS, KindName
from prorata.ids import is_id
from prorata.web.dashboard.kernel.pages import Ask, Shown, page
from prorata.web.http.fields import DateText, text

ROWS = 50


class ActivityQuery(Struct, kw_only=True, forbid_unknown_fields=True):
    """Filters, order and cursor of the activity list."""

    search: Annotated[str, text(255, least=0)] = ""
    record: Annotated[str, text(64, least=0)] = ""
    kind: Literal["", KindName] = ""
    by: Annotated[str, text(64, least=0)] = ""
    day: DateText | UnsetType = UNSET
    sort: Literal["", "oldest"] = ""
    before: Annotated[str, text(64, least=0)] = ""

    @property
    def looked(self) -> Looked:
        """Convert the query to a search of the audit log."""
        day = date.fromisoformat(self.day) if self.day is not UNSET else None
        return Looked(self.record, self.by, day, self.kind, self.search, self.sort == "oldest")


@page("GET", "/activity", may="read", query=ActivityQuery)
def activity_page(ask: Ask[ActivityQuery, None]) -> Shown:
    """Show the account's audit log, as filtered by the query."""
    query = ask.query
    events = activity.look(ask.tx, ask.caller, query.looked, limit=ROWS, before=query.before or None, write=ask.write)
    values = {"found": events, "actors": activity.actors(ask.tx, ask.caller), "query": query, "day": query.looked.day}
    values |= {"of_many": query.by if is_id(query.by, "bulk") else "", "kinds": KINDS}
    return Shown("activity.html", {**values, "parameters": msgspec.to_builtins(query)})
