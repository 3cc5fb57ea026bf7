"""The audit events of an account for the Activity page: actions, actors and times."""

import json
from datetime import date, datetime, timedelta
from itertools import chain
from typing import Any, NamedTuple

import structlog

from prorata.actions.accounts import accounts as account_actions, former_members
from prorata.actions.bills import lists as bill_lists
from prorata.actions.bulk import bulk
from prorata.actions.limits import (
    MOST_ACTIVITY_LISTED,
    MOST_ACTIVITY_LOOKED_AT,
    MOST_ACTIVITY_MATCHES,
    MOST_ACTIVITY_SEARCHED,
)
from prorata.actions.lists import searches
from prorata.domain.audit.actor_names import PROGRAMS, called, former
from prorata.domain.audit.diffs import Change, differences, name_of, units_in
from prorata.domain.audit.record_kinds import KINDS
from prorata.domain.audit.verbs import PAID_BY_MONEY, Verb, in_words
from prorata.domain.bulk.bulk import together_in_words
from prorata.domain.due_times import end_of_day
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.mail.deliveries import MAIL_STATES
from prorata.domain.texts import say
from prorata.ids import first_at, is_id
from prorata.store.accounts import api_keys, members
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx, timestamp
from prorata.store.invoices import invoices
from prorata.store.overview import activity
from prorata.store.overview.activity import About, EventRow
from prorata.store.properties import properties, units
from prorata.store.properties.search_words import ADDRESS, PROPERTY, TENANT, UNIT

_log = structlog.get_logger("prorata.actions")
KEYS_STAY = timedelta(days=90)
"""The time after the revocation of a key during which its actions can be searched."""
CLOCKS_DIFFER = timedelta(minutes=10)
ANYBODY = "all"
"""The actor filter that matches both people's actions and automatic ones."""
_OF_MAIL = frozenset(map(Verb.of_mail, MAIL_STATES))
"""The verbs that record a message's new state; their events are shown without the changed fields."""


_States = tuple[dict[str, Any] | None, dict[str, Any] | None]


class ShownEvent(NamedTuple):
    """An audit event as shown to people.

    `says` is the action in words, to be read after `actor_name`. `place` is the name of the event's property; it
    is empty if `says` contains the name. Amounts in `changes` are in cents of `currency`. `came_to` is the result
    of a bulk change; it is empty if all items changed, or once the result is no longer stored. `change_id` is the
    id of a bulk change, with which its items can be listed (`look`).
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
    came_to: str = ""
    change_id: str = ""


class Events(NamedTuple):
    """One page of audit events.

    `further` is the id of the event after which the next page starts; it is None if there is no next page. A page
    that is not the last may contain fewer events than requested, because each call searches a limited number of
    events, and only some of them match. `is_cut` means that the search text matches more records than can be
    searched, so that some events may be missing.
    """

    events: list[ShownEvent]
    further: str | None
    is_cut: bool = False


class Looked(NamedTuple):
    """A person's search of the activity; empty fields don't restrict it.

    `record` is the id of a record, `by` an actor, and `kind` a kind of record (`KINDS`). If `day` is set, only
    events up to the end of that day in the account's time zone are found. `text` finds events by their properties,
    units, tenants, bills and invoices. If `by` is the id of a bulk change, the change of each of its items is
    listed. `oldest_first` reverses the order.
    """

    record: str = ""
    by: str = ""
    day: date | None = None
    kind: str = ""
    text: str = ""
    oldest_first: bool = False


class _Place(NamedTuple):
    """A property to which events belong, even if it was deleted: id, name and currency."""

    id: str
    name: str
    currency: str


class _Known(NamedTuple):
    """Names and facts that are needed to describe events.

    `numbers` maps ids of invoices to their numbers, `places` ids of properties to the properties, and `labels` ids
    of units to their labels. `currency` is the account's. For each bulk change, `begun` contains the event that
    started it, and `came_to` its result. `former` maps ids of former members to their names.
    """

    numbers: dict[str, str]
    places: dict[str, _Place]
    labels: dict[str, str]
    currency: str
    begun: dict[str, EventRow]
    came_to: dict[str, str]
    former: dict[str, str]


class Actor(NamedTuple):
    """A person or program that may have caused events, with a name to show."""

    id: str
    name: str


def page(
    tx: Tx,
    caller: Caller,
    *,
    before: str | None = None,
    limit: int = MOST_ACTIVITY_LISTED,
    record: str | None = None,
    write: Forms = PLAIN,
) -> list[ShownEvent]:
    """List one page of the events of one record, or of all records, newest first.

    `before` is the id of the last event on the previous page.
    """
    rows = activity.page(
        tx, caller.account_id, before=_event(before), record=record, limit=min(limit, MOST_ACTIVITY_LISTED)
    )
    return shown(tx, caller, rows, write)


def look(tx: Tx, caller: Caller, looked: Looked, *, limit: int, before: str | None, write: Forms = PLAIN) -> Events:
    """List one page of the events that match a search, newest or oldest first.

    `before` is the id of the last event on the previous page, after which the list continues.

    If neither a record nor a person is given, events that Prorata caused automatically are left out, because they
    would hide people's actions. A bulk change is listed as one event.

    Each call searches only the next `MOST_ACTIVITY_LOOKED_AT` events, so that searching for a person who did
    little in a large account costs no more than other searches.
    """
    account = account_actions.the_account(tx, caller)
    if is_id(looked.by, "bulk"):
        return _each_of(tx, caller, looked.by, limit=limit, after=_event(before), write=write)
    ends = _end_of(looked.day, account.timezone) if looked.day else None
    bounds, end = _bounds(tx, caller, looked, _event(before), ends)
    but = {f"of {looked.kind}"} if looked.kind in KINDS else set()
    if not looked.record:
        but |= (set() if looked.by else {"people"}) | (set() if looked.text else {"one line of many"})
    by = None if looked.by == ANYBODY else looked.by or None
    about, is_cut = _about(tx, caller, looked.text) if looked.text.strip() else (None, False)
    rows = activity.page(
        tx, account.id, **bounds, oldest_first=looked.oldest_first, record=looked.record or None, by=by,
        limit=limit + 1, about=about, but=frozenset(but),
    )  # fmt: skip
    further = rows[limit - 1].id if len(rows) > limit else end
    return Events(shown(tx, caller, rows[:limit], write), further, is_cut)


def _bounds(
    tx: Tx, caller: Caller, looked: Looked, behind: str | None, ends: str | None
) -> tuple[dict[str, str | None], str | None]:
    """Return the range of events to search, and the id of the range's last event.

    `behind` is the last event of the previous page; the range begins after it in the order of the list. `ends` is
    the id at the end of a day; later events are left out. Either may be None. The second result, from which the
    next page continues, is None if the range reaches the end of the list.
    """
    most = MOST_ACTIVITY_SEARCHED if looked.text.strip() else MOST_ACTIVITY_LOOKED_AT
    if looked.oldest_first:
        far = None if looked.record else activity.so_far_on(tx, caller.account_id, after=behind, places=most)
        far = far if far and (ends is None or far < ends) else None
        return {"after": behind, "before": ends, "until": far}, far
    before = min(filter(None, (behind, ends)), default=None)
    far = None if looked.record else activity.so_far_back(tx, caller.account_id, before=before, places=most)
    return {"before": before, "since": far}, far


def _each_of(tx: Tx, caller: Caller, change_id: str, *, limit: int, after: str | None, write: Forms) -> Events:
    """List the events of a bulk change's items, oldest first.

    The search starts a little before the event that started the bulk change, because the clocks of machines may
    differ. `after` is the last event of the previous page.
    """
    begun = activity.begun(tx, caller.account_id, [change_id]).get(change_id)
    if begun is None:
        return Events([], None)
    first = first_at("evt", int((datetime.fromisoformat(begun.at) - CLOCKS_DIFFER).timestamp()) * 1000)
    rows = activity.parts(
        tx, caller.account_id, change_id, after=after or first, places=MOST_ACTIVITY_LOOKED_AT, limit=limit + 1
    )
    return Events(shown(tx, caller, rows[:limit], write), rows[limit - 1].id if len(rows) > limit else None)


def _about(tx: Tx, caller: Caller, text: str) -> tuple[About, bool]:
    """Find the properties, units, tenants, bill issuers, month or amount named by a search text.

    The second result is True if the text's words match so many records that some were skipped.
    """
    words, month, amount = searches.read(text)
    matched = searches.match(tx, caller, words, [PROPERTY, ADDRESS, UNIT, TENANT], most=MOST_ACTIVITY_MATCHES)
    about = About(sorted(matched.properties), sorted(matched.units), sorted(matched.tenants))
    if month or amount is not None or not words:
        return about._replace(month=month, amount=amount, is_anybody=not words), matched.is_cut
    of_bills = bill_lists.sought_by_issuer(tx, caller, text)
    return about._replace(issuers=of_bills.issuers, beginnings=of_bills.beginnings), matched.is_cut


def actors(tx: Tx, caller: Caller) -> list[Actor]:
    """List the possible actors: members, former members, recent API keys, and Prorata itself.

    API keys that were revoked long ago are left out.
    """
    people = [Actor(row.id, row.name or row.email) for row in members.all_of(tx, caller.account_id)]
    gone = activity.gone_members(tx, caller.account_id)
    people += [Actor(row.record_id, former(", ".join(former_members.names(row)))) for row in gone]
    since = timestamp(tx.moment - KEYS_STAY)
    keys = [Actor(row.id, say("API key {name}", name=row.name)) for row in api_keys.since(tx, caller.account_id, since)]
    return [*people, *keys, *(Actor(actor, name) for actor, name in PROGRAMS.items() if actor != "demo")]


def _event(event_id: str | None) -> str | None:
    return event_id if event_id is not None and is_id(event_id, "evt") else None


def _end_of(day: date, timezone: str) -> str:
    """Return an id that sorts after the ids of all events of a day."""
    return first_at("evt", int(end_of_day(day, timezone).timestamp()) * 1000)


def shown(tx: Tx, caller: Caller, rows: list[EventRow], write: Forms = PLAIN) -> list[ShownEvent]:
    """Describe audit events for people, in the order in which they were passed.

    This takes about ten SQL statements in total.
    """
    ids = sorted({row.record_id for row in rows if is_id(row.record_id, "inv")})
    numbers = {row.id: row.number for row in invoices.summaries(tx, caller.account_id, ids)}
    of = sorted({row.property_id for row in rows if row.property_id})
    places = _places(tx, caller, of)
    account = account_actions.the_account(tx, caller)
    states = {row.id: _states(row) for row in rows}
    named = sorted(units_in(*chain.from_iterable(states.values())))
    labels = {row.id: row.label for row in units.find_many(tx, caller.account_id, named)} if named else {}
    begun = activity.begun(tx, caller.account_id, sorted({row.actor for row in rows if is_id(row.actor, "bulk")}))
    of_many = sorted({row.record_id for row in rows if row.verb == Verb.CHANGE_TOGETHER})
    came_to = bulk.came_to(tx, caller, of_many, write)
    gone = {who.actor for who in (*rows, *begun.values()) if is_id(who.actor, "member") and who.member_email is None}
    names = former_members.called(tx, caller, gone)
    known = _Known(numbers, places, labels, account.currency, begun, came_to, names)
    return [_event_of(row, states[row.id], known, write) for row in rows]


def _places(tx: Tx, caller: Caller, ids: list[str]) -> dict[str, _Place]:
    """Map property ids to the properties' names and currencies, deleted properties included."""
    rows = properties.find_many(tx, caller.account_id, ids) if ids else []
    there = {row.id: _Place(row.id, row.name, row.currency) for row in rows}
    for row in activity.gone_properties(
        tx, caller.account_id, [property_id for property_id in ids if property_id not in there]
    ):
        was = json.loads(row.before)
        there[row.record_id] = _Place(row.record_id, say("{name} (deleted)", name=was["name"]), was["currency"])
    return there


def _event_of(row: EventRow, states: _States, known: _Known, write: Forms) -> ShownEvent:
    try:
        return _told(row, states, known, write)
    except Exception:  # noqa: BLE001 - whatever is wrong with one entry, it takes no list down
        _log.exception("entry not shown", record=row.id)
        return ShownEvent(
            row.id, row.at, row.actor, _name(row, known), row.verb, row.record_id, row.property_id, *states,
            say("did something that can’t be shown"), [], known.currency, "",
        )  # fmt: skip


def _told(row: EventRow, states: _States, known: _Known, write: Forms) -> ShownEvent:
    before, after = states
    name = known.numbers.get(row.record_id) or name_of(before, after)
    says, changes = in_words(row.verb, name), differences(before, after, known.labels)
    if row.verb == Verb.CHANGE_TOGETHER and after:
        says = together_in_words(after["done"], after["number"], write)
    elif (
        row.verb == Verb.SET_INVOICE_PAID and after and after.get("total", 0) > 0 and not after.get("paid_by_status", 1)
    ):
        says = PAID_BY_MONEY.format(name=name)
    place = known.places.get(row.property_id or "")
    says_it = place is None or row.record_id == place.id or row.record_id in known.numbers
    who = known.begun.get(row.actor, row)
    return ShownEvent(
        row.id, row.at, who.actor, _name(who, known), row.verb, row.record_id, row.property_id, before, after, says,
        [] if row.verb == Verb.CHANGE_TOGETHER or row.verb in _OF_MAIL else changes,
        place.currency if place else known.currency, "" if says_it or place is None else place.name,
        known.came_to.get(row.record_id, ""),
        row.record_id if row.verb == Verb.CHANGE_TOGETHER else row.actor if row.actor in known.begun else "",
    )  # fmt: skip


def _name(row: EventRow, known: _Known) -> str:
    """Return an actor's name.

    The actor is a current or former member, an API key, or a program.
    """
    if named := row.member_name or row.member_email:
        return named
    if row.key_name:
        return say("API key {name}", name=row.key_name)
    return known.former.get(row.actor) or called(row.actor)


def _states(row: EventRow) -> _States:
    """Return the record that an event changed, as it was before and after."""
    before, after = (json.loads(text) if text is not None else None for text in (row.before, row.after))
    return before, after
