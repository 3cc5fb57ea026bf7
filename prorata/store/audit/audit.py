"""The record of all actions and their actors, with an event per change.

An event is written in the transaction that makes the change, with the record before and after the change.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, and_, bindparam, func, literal_column, not_, null, or_, select, true, update

from prorata.domain import callers
from prorata.domain.audit.verbs import Verb
from prorata.store.audit import chains as audit_chains
from prorata.store.database.engine import Tx
from prorata.store.database.statements import changes, returns_one, returns_pairs
from prorata.store.schema.tables import event

Caller = callers.Caller
_COLUMNS = tuple(column.name for column in event.columns)
_mine = event.c.account_id == bindparam("account")


def begins(column: ColumnElement[str], prefix: str) -> ColumnElement[bool]:
    """Build the condition that an id in `column` begins with `prefix` and an underscore."""
    return and_(column >= literal_column(f"'{prefix}_'"), column < literal_column(f"'{prefix}`'"))


def _says(field: str) -> ColumnElement[bool]:
    """Build the condition that an event's contents include a text for the field `field`."""
    held = f'%"{field}": "%'
    return or_(event.c.before.like(held), event.c.after.like(held))


_is_of_nobody = or_(
    *(begins(event.c.record_id, prefix) for prefix in ("prop", "unit", "rule", "bulk")),
    and_(
        begins(event.c.record_id, "bill"),
        *(func.coalesce(not_(_says(field)), true()) for field in ("notes", "reason")),
    ),
)
"""The condition that an entry contains nothing about people.

Such entries record changes of a property and of its units, rules and bills, and the number of invoices in a bulk
change.
"""
_of_people = and_(_mine, event.c.property_id == bindparam("property"), not_(_is_of_nobody))
_BLANK_PROPERTY = changes(update(event).where(_of_people).values(before=null(), after=null()))
_BLANK_RECORD = changes(
    update(event).where(_mine, event.c.record_id == bindparam("record")).values(before=null(), after=null())
)
_LAST_AT, _BEFORE_THE_LAST = (
    returns_one(
        select(column)
        .where(_mine, event.c.record_id == bindparam("record"), event.c.verb == bindparam("verb"))
        .order_by(event.c.id.desc())
        .limit(bindparam("limit"))
    )
    for column in (event.c.at, event.c.before)
)
_OF_PROPERTY = returns_one(select(event.c.id).where(_of_people))
_OF_RECORD = returns_one(select(event.c.id).where(_mine, event.c.record_id == bindparam("record")))
_CONTENTS_OF_RECORD = returns_pairs(
    select(event.c.before, event.c.after).where(_mine, event.c.record_id == bindparam("record"))
)


class With(NamedTuple):
    """A record with data that belong to it in other tables.

    `row` is the record, `also` are the data. The log stores them as one state.
    """

    row: Any
    also: Mapping[str, Any]


class Together(NamedTuple):
    """A bulk change as the audit log summarizes it.

    `done` is the action, and `number` is the number of records. `property_id` is None if the records belong to
    several properties.
    """

    done: str
    number: int
    property_id: str | None = None


def record_together(tx: Tx, caller: Caller, change_id: str, noted: Together) -> Caller:
    """Record that `caller` began the bulk change `change_id`.

    Return a caller that stands for the bulk change; its single changes are recorded under this caller. The activity
    list then has one line for all of the changes, and each change can still be found.
    """
    record(tx, caller, Verb.CHANGE_TOGETHER, change_id, after=noted)
    return Caller(caller.account_id, change_id)


def record(
    tx: Tx,
    caller: Caller,
    verb: Verb,
    record_id: str,
    *,
    before: Any = None,
    after: Any = None,
    property_id: str | None = None,
) -> None:
    """Record `caller`'s action `verb` on a record, with the record before and after it.

    Each of the two states is a NamedTuple or a `With`, or None if the record did not exist before or does not exist
    after the action. `property_id` is needed only if neither state names the property.
    """
    record_many(tx, caller, verb, [(record_id, before, after)], {record_id: property_id} if property_id else None)


def record_many(
    tx: Tx,
    caller: Caller,
    verb: Verb,
    changed: Sequence[tuple[str, Any, Any]],
    properties: Mapping[str, str] | None = None,
) -> None:
    """Record the action `verb` of `caller` on many records, each given as (id, before, after).

    `properties` maps the ids of records whose states name no property to their properties' ids.
    """
    known = properties or {}
    rows = [
        (
            caller.account_id,
            tx.new_id("evt"),
            tx.now,
            caller.actor,
            verb,
            record_id,
            known.get(record_id) or _property_of(record_id, _row(after or before)),
            _text(before),
            _text(after),
        )
        for record_id, before, after in changed
    ]
    tx.add_many("event", _COLUMNS, rows)
    tx.tell(
        caller.account_id,
        verb,
        [(record_of_change, _row(was), _row(became)) for record_of_change, was, became in changed],
    )


def before_the_last(tx: Tx, account_id: str, record_id: str, verb: Verb) -> str | None:
    """Return a record as JSON, as it was before the last action `verb`.

    Return None if the audit log does not have it.
    """
    return tx.one(_BEFORE_THE_LAST, account=account_id, record=record_id, verb=verb, limit=1)


def last_at(tx: Tx, account_id: str, record_id: str, verb: Verb) -> str | None:
    """Return the time of the last action `verb` on a record, or None."""
    return tx.one(_LAST_AT, account=account_id, record=record_id, verb=verb, limit=1)


def said_of(tx: Tx, account_id: str, record_id: str, field: str) -> set[str]:
    """Return every text that the record's events in the audit log contain for a field."""
    contents = [text for row in tx.all(_CONTENTS_OF_RECORD, account=account_id, record=record_id) for text in row]
    values = [json.loads(text).get(field) for text in contents if text]
    return {value for value in values if isinstance(value, str)}


def forget_property(tx: Tx, account_id: str, property_id: str) -> None:
    """Blank the personal data in all events of a deleted property and of its records.

    The log still shows who did what and when, and what was changed in the property itself, its units, rules and
    bills.
    """
    audit_chains.lock(tx, account_id)  # entries being chained now are chained before we read on
    audit_chains.drop_salts(tx, account_id, tx.all(_OF_PROPERTY, account=account_id, property=property_id))
    tx.run(_BLANK_PROPERTY, account=account_id, property=property_id)


def forget_record(tx: Tx, account_id: str, record_id: str) -> None:
    """Blank the contents of all events of a record that was entered by mistake."""
    audit_chains.lock(tx, account_id)
    audit_chains.drop_salts(tx, account_id, tx.all(_OF_RECORD, account=account_id, record=record_id))
    tx.run(_BLANK_RECORD, account=account_id, record=record_id)


def _row(record: Any) -> Any:
    return record.row if isinstance(record, With) else record


def _property_of(record_id: str, row: Any) -> str | None:
    if record_id.startswith("prop_"):
        return record_id
    return getattr(row, "property_id", None)


def _text(record: Any) -> str | None:
    if record is None:
        return None
    values, also = _row(record)._asdict(), record.also if isinstance(record, With) else {}
    kept = {name: value for name, value in values.items() if name not in {"account_id", "snapshot", "printed"}}
    return json.dumps({**kept, **also}, ensure_ascii=False)
