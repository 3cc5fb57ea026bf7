"""What was done in an account, by whom: the Activity page."""

import json
from datetime import date, timedelta
from itertools import chain
from typing import Any, NamedTuple

from prorata.actions import accounts as account_actions
from prorata.domain.clockwork import end_of_day
from prorata.domain.differences import Change, differences, in_words, name_of, units_in
from prorata.ids import first_at, is_id
from prorata.store import activity, api_keys, invoices, members, properties, units
from prorata.store.activity import EventRow
from prorata.store.audit import Caller
from prorata.store.engine import Tx, timestamp
from prorata.store.properties import PropertyRow

MOST_AT_ONCE = 100
MOST_LOOKED_AT = 10_000
"""Events among which those of one person are looked for at once."""
KEYS_STAY = timedelta(days=90)
"""So long after it was revoked can be asked for what a key did."""
ANYBODY = "all"
"""Asks for what people did and for what Prorata did by itself."""
_OF_MAIL = "mail "
"""How the verbs begin that say all there is to say."""
_PROGRAMS = {
    "cli": "The operator",
    "clock": "Prorata, by itself",
    "mail": "Prorata, sending mail",
    "demo": "The demo",
}
_GONE = {"member": "A former member", "key": "A former API key"}


class ShownEvent(NamedTuple):
    """Something that was done: when, by whom, what, to which record, and what that was and became. `says` is what was
    done in words, behind `actor_name`; `place` is the name of the property where that does not say it; amounts among
    `changes` are cents of `currency`.
    """

    id: str
    at: str
    actor: str
    actor_name: str
    verb: str
    record_id: str
    property_id: str | None
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    says: str
    changes: list[Change]
    currency: str
    place: str


class Events(NamedTuple):
    """A page of what was done. `further` is the id behind which there is more to look at, None at the end; then, where
    fewer than asked for are here, not all before it belonged to somebody who was asked for.
    """

    events: list[ShownEvent]
    further: str | None


class _Known(NamedTuple):
    """What events are told with: numbers of invoices, properties and labels of units by id; the account's currency."""

    numbers: dict[str, str]
    places: dict[str, PropertyRow]
    labels: dict[str, str]
    currency: str


class Actor(NamedTuple):
    """Somebody who may have done something, and what they are called."""

    id: str
    name: str


def page(
    tx: Tx, caller: Caller, *, before: str | None = None, limit: int = MOST_AT_ONCE, record: str | None = None
) -> list[ShownEvent]:
    """What was done, newest first, to one record or to any; `before` is the id of the last event of the page before."""
    rows = activity.page(tx, caller.account_id, before=_event(before), record=record, limit=min(limit, MOST_AT_ONCE))
    return _shown(tx, caller, rows)


def look(
    tx: Tx, caller: Caller, *, limit: int, before: str | None, record: str | None, by: str | None, day: date | None
) -> Events:
    """What was done, newest first: to a record, by somebody, up to the end of a day in the account's time zone. Where
    neither is asked for, what Prorata did by itself is left out: its notes would bury what people did.

    What some did is looked for among the `MOST_LOOKED_AT` events before, so that whoever did little in a large
    account costs no more than others.
    """
    account = account_actions.the_account(tx, caller)
    ends = _end_of(day, account.timezone) if day else None
    behind = min(filter(None, (_event(before), ends)), default=None)
    since = None
    people_only = not by and not record
    by = None if by == ANYBODY else by
    if (by or people_only) and not record:
        since = activity.so_far_back(tx, account.id, before=behind, places=MOST_LOOKED_AT)
    rows = activity.page(
        tx, account.id, before=behind, since=since, record=record or None, by=by or None, limit=limit + 1,
        people_only=people_only,
    )  # fmt: skip
    further = rows[limit - 1].id if len(rows) > limit else since
    return Events(_shown(tx, caller, rows[:limit]), further)


def actors(tx: Tx, caller: Caller) -> list[Actor]:
    """Whoever may have done something: members, API keys not revoked long ago, and what Prorata does by itself."""
    people = [Actor(row.id, row.name or row.email) for row in members.all_of(tx, caller.account_id)]
    since = timestamp(tx.moment - KEYS_STAY)
    keys = [Actor(row.id, f"API key {row.name}") for row in api_keys.since(tx, caller.account_id, since)]
    return [*people, *keys, *(Actor(actor, name) for actor, name in _PROGRAMS.items() if actor != "demo")]


def _event(event_id: str | None) -> str | None:
    return event_id if event_id is not None and is_id(event_id, "evt") else None


def _end_of(day: date, timezone: str) -> str:
    """What sorts behind every event of a day."""
    return first_at("evt", int(end_of_day(day, timezone).timestamp()) * 1000)


def _shown(tx: Tx, caller: Caller, rows: list[EventRow]) -> list[ShownEvent]:
    """Four statements for all of them."""
    ids = sorted({row.record_id for row in rows if is_id(row.record_id, "inv")})
    numbers = {row.id: row.number for row in invoices.summaries(tx, caller.account_id, ids)}
    of = sorted({row.property_id for row in rows if row.property_id})
    places = {row.id: row for row in properties.find_many(tx, caller.account_id, of)} if of else {}
    account = account_actions.the_account(tx, caller)
    states = {row.id: (_read(row.before), _read(row.after)) for row in rows}
    named = sorted(units_in(*chain.from_iterable(states.values())))
    labels = {row.id: row.label for row in units.find_many(tx, caller.account_id, named)} if named else {}
    known = _Known(numbers, places, labels, account.currency)
    return [_event_of(row, *states[row.id], known) for row in rows]


def _event_of(row: EventRow, before: dict[str, Any] | None, after: dict[str, Any] | None, known: _Known) -> ShownEvent:
    name = known.numbers.get(row.record_id) or name_of(before, after)
    changes = [] if row.verb.startswith(_OF_MAIL) else differences(before, after, known.labels)
    place = known.places.get(row.property_id or "")
    says_it = place is None or row.record_id == place.id or row.record_id in known.numbers
    return ShownEvent(
        row.id, row.at, row.actor, _name(row), row.verb, row.record_id, row.property_id, before, after,
        in_words(row.verb, name), changes,
        place.currency if place else known.currency, "" if says_it or place is None else place.name,
    )  # fmt: skip


def _name(row: EventRow) -> str:
    """Whoever did it, as a person knows them: a member by name or address, a key by its name, a program by its work."""
    if named := row.member_name or row.member_email:
        return named
    if row.key_name:
        return f"API key {row.key_name}"
    return _PROGRAMS.get(row.actor) or _GONE.get(row.actor.partition("_")[0], row.actor)


def _read(text: str | None) -> dict[str, Any] | None:
    return json.loads(text) if text is not None else None
