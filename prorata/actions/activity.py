"""What was done in an account, by whom: the Activity page."""

import json
from typing import Any, NamedTuple

from prorata.ids import is_id
from prorata.store import activity
from prorata.store.activity import EventRow
from prorata.store.audit import Caller
from prorata.store.engine import Tx

MOST_AT_ONCE = 100
_PROGRAMS = {
    "cli": "The operator",
    "clock": "Prorata, by itself",
    "mail": "Prorata, sending mail",
    "demo": "The demo",
}
_GONE = {"member": "A former member", "key": "A former API key"}


class ShownEvent(NamedTuple):
    """Something that was done: when, by whom, what, to which record, and what that was and became."""

    id: str
    at: str
    actor: str
    actor_name: str
    verb: str
    record_id: str
    property_id: str | None
    before: dict[str, Any] | None
    after: dict[str, Any] | None


def page(
    tx: Tx, caller: Caller, *, before: str | None = None, limit: int = MOST_AT_ONCE, record: str | None = None
) -> list[ShownEvent]:
    """What was done, newest first, to one record or to any; `before` is the id of the last event of the page before."""
    behind = before if before is not None and is_id(before, "evt") else None
    rows = activity.page(tx, caller.account_id, before=behind, record=record, limit=min(limit, MOST_AT_ONCE))
    return [_shown(row) for row in rows]


def _shown(row: EventRow) -> ShownEvent:
    return ShownEvent(
        row.id,
        row.at,
        row.actor,
        _name(row),
        row.verb,
        row.record_id,
        row.property_id,
        _read(row.before),
        _read(row.after),
    )


def _name(row: EventRow) -> str:
    """Whoever did it, as a person knows them: a member by name or address, a key by its name, a program by its work."""
    if named := row.member_name or row.member_email:
        return named
    if row.key_name:
        return f"API key {row.key_name}"
    return _PROGRAMS.get(row.actor) or _GONE.get(row.actor.partition("_")[0], row.actor)


def _read(text: str | None) -> dict[str, Any] | None:
    return json.loads(text) if text is not None else None
