"""The events of an account, in the order in which programs can read them.

A worker numbers the committed events from 1 on, so no event can be read before another one with a lower number.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import islice
from typing import NamedTuple

from sqlalchemy import bindparam, delete, literal_column, select, update

from prorata.store.database.engine import Tx
from prorata.store.database.statements import Statement, adds_if_new, changes, is_one_of, returns, returns_one, saves
from prorata.store.schema.webhook_tables import UNCOUNTED, event_batch, event_feed
from prorata.store.webhooks.event_outbox import BatchRow, contents_of, event_id

LEAP = 1_000_000
"""The amount by which event numbers are increased after a restore.

It is higher than the number of events that an account has between two backups.
"""
COUNTED_AT_ONCE = 500
"""The number of batches that are numbered in one transaction."""


class EventRow(NamedTuple):
    """An event as programs read and receive it.

    `content` is the JSON of the record that the event is about. `sequence` is the event's number.
    """

    id: str
    type: str
    at: str
    sequence: int
    content: bytes


class _Uncounted(NamedTuple):
    """A batch of events without numbers, read without the events' contents.

    `number` is the number of events in the batch.
    """

    id: str
    type: str
    number: int


_mine = event_batch.c.account_id == bindparam("account")
_NEXT_UNCOUNTED = returns_one(
    select(event_batch.c.account_id)
    .where(event_batch.c.account_id > bindparam("after"), UNCOUNTED)
    .order_by(event_batch.c.account_id, event_batch.c.id)
    .limit(literal_column("1"))
)
_UNCOUNTED_OF = returns(
    _Uncounted,
    select(event_batch.c.id, event_batch.c.type, event_batch.c.number)
    .where(_mine, UNCOUNTED)
    .order_by(event_batch.c.id)
    .limit(bindparam("limit")),
)
_COUNT = saves(event_batch, only=("first_sequence",))
_BEGIN = adds_if_new(event_feed)
_my_feed = event_feed.c.account_id == bindparam("account")
_LAST = returns_one(select(event_feed.c.last_sequence).where(_my_feed))
_LOCK = returns_one(select(event_feed.c.last_sequence).where(_my_feed).with_for_update())
_OLDEST = returns_one(
    select(event_batch.c.first_sequence)
    .where(_mine, event_batch.c.first_sequence.is_not(None))
    .order_by(event_batch.c.first_sequence)
    .limit(literal_column("1"))
)
_SAVE_LAST = changes(update(event_feed).where(_my_feed).values(last_sequence=bindparam("last")))
_LEAP = changes(
    update(event_feed).values(last_sequence=event_feed.c.last_sequence + literal_column(str(LEAP)))
)  # fmt: skip
_HOLDING = returns(
    BatchRow,
    select(event_batch)
    .where(_mine, event_batch.c.first_sequence <= bindparam("sequence"))
    .order_by(event_batch.c.first_sequence.desc())
    .limit(literal_column("1")),
)
_IS_ANY_BEFORE = returns_one(
    select(event_batch.c.id).where(_mine, event_batch.c.id < bindparam("before")).limit(literal_column("1"))
)
_FORGET = changes(delete(event_batch).where(_mine, event_batch.c.id < bindparam("before")))
_TYPES = {
    "all": (),
    "one": (event_batch.c.type == bindparam("type"),),
    "some": (is_one_of(event_batch.c.type, "types"),),
}


class _Size(NamedTuple):
    """The number of a batch's first event, and how many events the batch contains."""

    first_sequence: int
    number: int


@cache
def _sizes(types: str) -> Statement[_Size]:
    """Build the statement that lists the sizes of batches from event number `begin` on.

    `types` is "all", "one" or "some", depending on how many event types are wanted.
    """
    return returns(
        _Size,
        select(event_batch.c.first_sequence, event_batch.c.number)
        .where(_mine, event_batch.c.first_sequence >= bindparam("begin"), *_TYPES[types])
        .order_by(event_batch.c.first_sequence)
        .limit(bindparam("limit")),
    )


@cache
def _page(types: str) -> Statement[BatchRow]:
    """Build the statement that finds the batches whose first event's number is in a range.

    `types` is "all", "one" or "some", as in `_sizes`.
    """
    reach = event_batch.c.first_sequence.between(bindparam("begin"), bindparam("end"))
    return returns(
        BatchRow, select(event_batch).where(_mine, reach, *_TYPES[types]).order_by(event_batch.c.first_sequence)
    )


# --- counting: for the worker ---------------------------------------------------------------------------------------


def account_with_uncounted(tx: Tx, after: str = "") -> str | None:
    """Find the first account with an id after `after` that has unnumbered events.

    The index of unnumbered events makes this fast, however many events exist.
    """
    return tx.one(_NEXT_UNCOUNTED, after=after)


def count_some(tx: Tx, account_id: str) -> set[str]:
    """Number the events in up to `COUNTED_AT_ONCE` batches, and return the events' types.

    If another worker is numbering events of the same account, wait for it.
    """
    tx.run(_BEGIN, account_id=account_id, last_sequence=0)
    last: int = tx.one(_LOCK, account=account_id) or 0
    rows, counted = tx.all(_UNCOUNTED_OF, account=account_id, limit=COUNTED_AT_ONCE), []
    for row in rows:
        counted.append({"key_account_id": account_id, "key_id": row.id, "first_sequence": last + 1})
        last += row.number
    if counted:
        tx.run_many(_COUNT, counted)
        tx.run(_SAVE_LAST, account=account_id, last=last)
    return {row.type for row in rows}


def leap(tx: Tx) -> None:
    """Leave out `LEAP` numbers before the next event of every account.

    After a backup is restored, the numbers given since the backup was made are unknown, and no number may be given
    twice.
    """
    tx.run(_LEAP)


def leap_as_sql() -> str:
    """Return the SQL by which PostgreSQL does what `leap` does, during a restore.

    The SQL is run in the transaction that restores the database. It does nothing if the restored schema is so old
    that it has no events.
    """
    leap = f"UPDATE public.event_feed SET last_sequence = last_sequence + {LEAP}"  # noqa: S608 - our own number
    return f"DO $leapt$ BEGIN IF to_regclass('public.event_feed') IS NOT NULL THEN {leap}; END IF; END $leapt$;\n"


# --- reading --------------------------------------------------------------------------------------------------------


def last_sequence(tx: Tx, account_id: str) -> int:
    """Return the highest number given to an event of the account.

    Return 0 if no event has a number yet.
    """
    return tx.one(_LAST, account=account_id) or 0


def oldest_sequence(tx: Tx, account_id: str) -> int:
    """Return the number of the account's oldest stored event.

    If no event is stored, return the next number.
    """
    oldest: int | None = tx.one(_OLDEST, account=account_id)
    return last_sequence(tx, account_id) + 1 if oldest is None else oldest


def page(tx: Tx, account_id: str, *, after: int, types: Sequence[str], limit: int) -> list[EventRow]:
    """List events after the number `after`, oldest first, up to `limit`.

    Only events of these types are listed, or events of all types if none is given. A batch may contain as many events
    as a property has units, so only the batches that the page needs are read.
    """
    holding = tx.one(_HOLDING, account=account_id, sequence=after)
    begin = after + 1 if holding is None or holding.first_sequence is None else holding.first_sequence
    kind = "all" if not types else "one" if len(types) == 1 else "some"
    named = {} if not types else {"type": types[0]} if kind == "one" else {"types": list(types)}
    end, number = begin, 0
    for size in tx.all(_sizes(kind), account=account_id, begin=begin, limit=limit + 1, **named):
        end = size.first_sequence
        number += min(size.number, size.first_sequence + size.number - 1 - after)
        if number >= limit:
            break
    rows = tx.all(_page(kind), account=account_id, begin=begin, end=end, **named)
    return list(islice((event for event in _events(rows) if event.sequence > after), limit))


def find(tx: Tx, account_id: str, sequence: int) -> EventRow | None:
    """Find the account's event with this number; return None if it was deleted."""
    row = tx.one(_HOLDING, account=account_id, sequence=sequence)
    return next((event for event in _events([row] if row else []) if event.sequence == sequence), None)


def _events(rows: Iterable[BatchRow]) -> Iterable[EventRow]:
    for row in rows:
        assert row.first_sequence is not None, "only counted ones are read"
        for place, content in enumerate(contents_of(row)):
            yield EventRow(event_id(row, place), row.type, row.at, row.first_sequence + place, content)


# --- letting go -----------------------------------------------------------------------------------------------------


def is_any_before(tx: Tx, account_id: str, before: str) -> bool:
    """True if the account has an event that is older than the event id `before`."""
    return tx.one(_IS_ANY_BEFORE, account=account_id, before=before) is not None


def forget(tx: Tx, account_id: str, before: str) -> None:
    """Delete the account's events that are older than the event id `before`.

    The numbers of deleted events are never reused.
    """
    tx.run(_FORGET, account=account_id, before=before)
