"""Events, as programs read them that ask."""

from typing import NamedTuple

from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.webhooks import event_feed
from prorata.store.webhooks.event_feed import EventRow


class Found(NamedTuple):
    """Events, the oldest first; whether there are more behind these; and the number of the last of all."""

    events: list[EventRow]
    is_more: bool
    last: int


def page(tx: Tx, caller: Caller, *, after: int, event_type: str | None, limit: int) -> Found:
    """What happened in the caller's account behind the number `after`, of one type or of all."""
    types = [event_type] if event_type else []
    rows = event_feed.page(tx, caller.account_id, after=after, types=types, limit=limit + 1)
    return Found(rows[:limit], len(rows) > limit, event_feed.last_sequence(tx, caller.account_id))
