"""Who did what: an event per change, written in its transaction, with the record before and after."""

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import bindparam, null, select, update

from prorata.domain import people
from prorata.store.engine import Tx
from prorata.store.statements import changes, returns_one
from prorata.store.tables import event

Caller = people.Caller
_COLUMNS = tuple(column.name for column in event.columns)
_mine = event.c.account_id == bindparam("account")
_BLANK_PROPERTY = changes(
    update(event).where(_mine, event.c.property_id == bindparam("property")).values(before=null(), after=null())
)
_BLANK_RECORD = changes(
    update(event).where(_mine, event.c.record_id == bindparam("record")).values(before=null(), after=null())
)
_BEFORE_THE_LAST = returns_one(
    select(event.c.before)
    .where(_mine, event.c.record_id == bindparam("record"), event.c.verb == bindparam("verb"))
    .order_by(event.c.id.desc())
    .limit(bindparam("limit"))
)


def record(tx: Tx, caller: Caller, verb: str, record_id: str, *, before: Any = None, after: Any = None) -> None:
    """Write down that `caller` did `verb` to a record, with what it was and became (NamedTuples, or None)."""
    record_many(tx, caller, verb, [(record_id, before, after)])


def record_many(tx: Tx, caller: Caller, verb: str, changed: Sequence[tuple[str, Any, Any]]) -> None:
    """Write down that `caller` did the same `verb` to many records, each given as (id, before, after)."""
    rows = [
        (
            caller.account_id,
            tx.new_id("evt"),
            tx.now,
            caller.actor,
            verb,
            record_id,
            _property_of(record_id, after or before),
            _text(before),
            _text(after),
        )
        for record_id, before, after in changed
    ]
    tx.add_many("event", _COLUMNS, rows)


def before_the_last(tx: Tx, account_id: str, record_id: str, verb: str) -> str | None:
    """A record as JSON, as it was before `verb` was done to it the last time; None where that is not known."""
    return tx.one(_BEFORE_THE_LAST, account=account_id, record=record_id, verb=verb, limit=1)


def forget_property(tx: Tx, account_id: str, property_id: str) -> None:
    """Blank what the events of a property and of everything under it hold: it is deleted, and its people with it."""
    tx.run(_BLANK_PROPERTY, account=account_id, property=property_id)


def forget_record(tx: Tx, account_id: str, record_id: str) -> None:
    """Blank what the events of one record hold: it was entered by mistake."""
    tx.run(_BLANK_RECORD, account=account_id, record=record_id)


def _property_of(record_id: str, row: Any) -> str | None:
    if record_id.startswith("prop_"):
        return record_id
    return getattr(row, "property_id", None)


def _text(row: Any) -> str | None:
    if row is None:
        return None
    kept = {name: value for name, value in row._asdict().items() if name not in {"account_id", "snapshot", "printed"}}
    return json.dumps(kept, ensure_ascii=False)
