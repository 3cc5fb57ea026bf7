"""The list of an account's events, for programs that poll it."""

from typing import NamedTuple

from prorata.errors import EventsGone
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.webhooks import event_feed
from prorata.store.webhooks.event_feed import EventRow


class Found(NamedTuple):
    """A page of events, oldest first.

    `is_more` is set if more events follow. `last` is the number of the account's last event. `oldest` is the number
    of the oldest stored event, or of the next event if none is stored.
    """

    events: list[EventRow]
    is_more: bool
    last: int
    oldest: int


def page(tx: Tx, caller: Caller, *, after: int | None, event_type: str | None, limit: int) -> Found:
    """List the account's events after the number `after`, or from the oldest stored one.

    With `event_type`, only events of that type are listed. Raises `EventsGone` if some events after that number are
    no longer stored.
    """
    oldest = event_feed.oldest_sequence(tx, caller.account_id)
    if after is not None and after < oldest - 1:
        raise EventsGone(
            f"Events after {after} are no longer kept; the oldest is {oldest}. Request without `after` to get "
            "`lastSequence`, read the records again, and continue after that number."
        )
    types = [event_type] if event_type else []
    begin = oldest - 1 if after is None else after
    rows = event_feed.page(tx, caller.account_id, after=begin, types=types, limit=limit + 1)
    return Found(rows[:limit], len(rows) > limit, event_feed.last_sequence(tx, caller.account_id), oldest)
