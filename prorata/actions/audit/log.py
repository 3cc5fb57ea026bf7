"""The audit log for programs, with each entry's position in the chain of hashes."""

from typing import NamedTuple

from prorata.actions.audit import activity as activity_pages
from prorata.actions.audit.activity import ShownEvent
from prorata.actions.limits import MOST_ACTIVITY_LOOKED_AT
from prorata.domain.audit.chains import Link
from prorata.domain.audit.record_kinds import KINDS
from prorata.store.audit import chains as audit_chains
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.overview import activity
from prorata.store.overview.activity import EventRow


class Wish(NamedTuple):
    """Filters of the audit log; a filter that is None does not restrict it.

    The filters are a record, a property with everything that belongs to it, an actor, and a kind of record
    (`KINDS`).
    """

    record_id: str | None = None
    property_id: str | None = None
    actor: str | None = None
    kind: str | None = None


class LogEntry(NamedTuple):
    """An audit event as stored and as shown to people, with its chain position.

    The position is None as long as the event has not been added to the chain of hashes.
    """

    row: EventRow
    shown: ShownEvent
    link: Link | None


class LogPage(NamedTuple):
    """One page of the audit log.

    `further` is the id of the event after which the next page begins; it is None if there is no next page.
    """

    entries: list[LogEntry]
    further: str | None


def page(tx: Tx, caller: Caller, wish: Wish, *, limit: int, before: str | None = None) -> LogPage:
    """List one page of the account's events older than the event `before`, newest first.

    A filter is applied to the next `MOST_ACTIVITY_LOOKED_AT` events only. So a page may contain fewer than `limit`
    events, or none, although another page follows. A page takes about twelve SQL statements.
    """
    since = None
    if wish != Wish():
        since = activity.so_far_back(tx, caller.account_id, before=before, places=MOST_ACTIVITY_LOOKED_AT)
    rows = activity.page(
        tx,
        caller.account_id,
        before=before,
        since=since,
        record=wish.record_id,
        of_property=wish.property_id,
        by=wish.actor,
        limit=limit + 1,
        but=frozenset({f"of {wish.kind}"}) if wish.kind in KINDS else frozenset(),
    )
    further = rows[limit - 1].id if len(rows) > limit else since
    rows = rows[:limit]
    links = audit_chains.of_events(tx, caller.account_id, [row.id for row in rows])
    told = activity_pages.shown(tx, caller, rows)
    return LogPage([LogEntry(row, event, links.get(row.id)) for row, event in zip(rows, told, strict=True)], further)
