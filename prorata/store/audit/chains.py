"""The hash chain over an account's audit log: its state and its links.

There is one link for each event in the chain.
"""

import json
from collections import defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import (
    and_,
    bindparam,
    exists,
    func,
    literal_column,
    null,
    or_,
    select,
    update,
)

from prorata.domain.audit.chains import BEFORE_THE_FIRST, BLANKED_BY, Deletion, Entry, Event, Link
from prorata.domain.audit.verbs import Verb
from prorata.store.database.engine import Tx
from prorata.store.database.statements import (
    Statement,
    adds_if_new,
    changes,
    columns_for,
    is_one_of,
    returns,
    returns_one,
    returns_pairs,
    saves,
)
from prorata.store.schema.audit_tables import audit_chain, audit_link
from prorata.store.schema.joins import named_by
from prorata.store.schema.tables import account, event, property_, tenant


class ChainRow(NamedTuple):
    """The state of an account's chain.

    `number` and `hash` are the number and the hash of the chain's last entry. `settled` is the id up to which the
    account's events have been examined; all later events should have higher ids.
    """

    account_id: str
    number: int
    hash: str
    settled: str


class _DeletionRow(NamedTuple):
    record_id: str
    at: str
    number: int | None
    verb: str


ACCOUNTS_AT_ONCE = 100
"""The number of accounts with unchained events that are found at once."""
_my_event = event.c.account_id == bindparam("account")
_my_link = audit_link.c.account_id == bindparam("account")
_my_chain = audit_chain.c.account_id == bindparam("account")
_its_link = named_by(event, audit_link.c.event_id)
_is_in_no_chain = select(audit_link.c.number).where(_its_link).correlate(event).scalar_subquery().is_(None)
"""The condition that an event is not in the chain, checked for each event separately.

The statements examine only a few events. With "not exists", PostgreSQL would examine all events, and read every link.
"""
_of_event, _of_link = columns_for(Event, event), columns_for(Link, audit_link)
_FIND = returns(ChainRow, select(audit_chain).where(_my_chain))
_LOCK = returns(ChainRow, select(audit_chain).where(_my_chain).with_for_update())
_BEGIN = adds_if_new(audit_chain)
_SAVE = saves(audit_chain)
_UNCHAINED = returns(
    Event,
    select(*_of_event)
    .where(_my_event, event.c.id > bindparam("after"), _is_in_no_chain)
    .order_by(event.c.id)
    .limit(bindparam("limit")),
)
_LAST = returns_one(
    select(audit_link.c.number).where(_my_link).order_by(audit_link.c.number.desc()).limit(literal_column("1"))
)
_PUT_IN = returns_one(
    select(event.c.id)
    .where(_my_event, event.c.id > bindparam("after"), event.c.id <= bindparam("settled"), _is_in_no_chain)
    .order_by(event.c.id)
    .limit(bindparam("limit"))
)


def _entry(row: Sequence[Any]) -> Entry:
    link, event_ = row[: len(_of_link)], row[len(_of_link) :]
    return Entry(Link._make(link), None if event_[0] is None else Event._make(event_))


_ENTRIES = Statement(
    select(*_of_link, *_of_event)
    .select_from(audit_link)
    .outerjoin(event, _its_link)
    .where(_my_link, audit_link.c.number > bindparam("after"), audit_link.c.number <= bindparam("last"))
    .order_by(audit_link.c.number)
    .limit(bindparam("limit")),
    _entry,
)
_OF_EVENTS = returns(Link, select(*_of_link).where(_my_link, is_one_of(audit_link.c.event_id, "events")))
_is_gone = and_(
    *(~exists().where(named_by(there, event.c.record_id)).correlate(event) for there in (property_, tenant))
)
_DELETED = returns(
    _DeletionRow,
    select(event.c.record_id, event.c.at, audit_link.c.number, event.c.verb)
    .outerjoin(audit_link, _its_link)
    .where(_my_event, is_one_of(event.c.record_id, "records"), is_one_of(event.c.verb, "verbs"), _is_gone),
)
_ERASED = returns_pairs(
    select(event.c.after, audit_link.c.number)
    .outerjoin(audit_link, _its_link)
    .where(_my_event, event.c.verb == literal_column(f"'{Verb.ERASE_TENANT}'"), event.c.after.is_not(None))
)
_DROP_SALTS = changes(
    update(audit_link).where(_my_link, is_one_of(audit_link.c.event_id, "events")).values(salt=null())
)

# --- over all accounts: what the worker asks --------------------------------------------------------------------------

_settled = func.coalesce(audit_chain.c.settled, literal_column("''"))
_of_account = select(event.c.id).where(event.c.account_id == account.c.id).limit(literal_column("1"))
_first_unchained = (
    _of_account.where(event.c.id > _settled, _is_in_no_chain)
    .order_by(event.c.id)
    .correlate(account, audit_chain)
    .scalar_subquery()
)
_last_to_settle = (
    _of_account.where(event.c.id <= bindparam("floor"))
    .order_by(event.c.id.desc())
    .correlate(account, audit_chain)
    .scalar_subquery()
)
_IS_BEHIND = returns_one(
    select(account.c.id)
    .outerjoin(audit_chain, audit_chain.c.account_id == account.c.id)
    .where(
        or_(
            _first_unchained.is_not(None),
            _last_to_settle > _settled,
            _settled > bindparam("floor"),
        )
    )
    .order_by(account.c.id)
    .limit(bindparam("limit"))
)


def behind(tx: Tx, floor: str) -> list[str]:
    """List up to `ACCOUNTS_AT_ONCE` accounts with events to be examined or chained.

    An account is listed if it has events that are not in the chain, or events up to the id `floor` that have not
    been examined yet. No new event will get an id up to `floor`. This is for the worker only: it reads all
    accounts.
    """
    return tx.all(_IS_BEHIND, floor=floor, limit=ACCOUNTS_AT_ONCE)


# --- one account's ----------------------------------------------------------------------------------------------------


def find(tx: Tx, account_id: str) -> ChainRow:
    """Return the state of the account's chain, which may have no entries."""
    return tx.one(_FIND, account=account_id) or _none(account_id)


def last_number(tx: Tx, account_id: str) -> int:
    """Return the number of the last entry in the account's chain, or 0 without entries."""
    return tx.one(_LAST, account=account_id) or 0


def lock(tx: Tx, account_id: str) -> ChainRow:
    """Find and lock the state of the account's chain.

    Until the transaction ends, nobody else can extend the chain, or blank events in it.
    """
    tx.run(_BEGIN, **_none(account_id)._asdict())
    row = tx.one(_LOCK, account=account_id)
    assert row is not None, "it was begun"
    return row


def _none(account_id: str) -> ChainRow:
    return ChainRow(account_id, 0, BEFORE_THE_FIRST, "")


def unchained(tx: Tx, account_id: str, *, after: str, limit: int) -> list[Event]:
    """List the account's first unchained events with ids after a given id, in id order."""
    return tx.all(_UNCHAINED, account=account_id, after=after, limit=limit)


def put_in(tx: Tx, row: ChainRow, *, after: str, limit: int) -> list[str]:
    """List unchained events that were inserted into the log's examined part, in id order.

    The examined part ends at the chain's `settled` id. Only events with ids after `after` are listed.
    """
    return tx.all(_PUT_IN, account=row.account_id, after=after, settled=row.settled, limit=limit)


def add(tx: Tx, row: ChainRow, links: Sequence[Link]) -> None:
    """Add links to the account's chain, and save the chain's new state."""
    tx.add_many("audit_link", ("account_id", *Link._fields), [(row.account_id, *link) for link in links])
    tx.run(_SAVE, **{name: getattr(row, name) for name in ("number", "hash", "settled")}, key_account_id=row.account_id)


def entries(tx: Tx, account_id: str, *, after: int, last: int, limit: int) -> list[Entry]:
    """List the chain's entries with numbers above `after`, up to the number `last`."""
    return tx.all(_ENTRIES, account=account_id, after=after, last=last, limit=limit)


def of_events(tx: Tx, account_id: str, event_ids: list[str]) -> dict[str, Link]:
    """Map each of these events to its link in the chain.

    Events that are not in the chain are left out.
    """
    rows = tx.all(_OF_EVENTS, account=account_id, events=event_ids) if event_ids else []
    return {row.event_id: row for row in rows}


def deleted_of(tx: Tx, account_id: str, record_ids: list[str]) -> dict[str, list[Deletion]]:
    """Map these records to the events by which they were deleted.

    Records that still exist, and records without a logged deletion, are left out.
    """
    asked = {"records": record_ids, "verbs": list(BLANKED_BY.values())}
    deletions = defaultdict[str, list[Deletion]](list)
    for row in tx.all(_DELETED, account=account_id, **asked) if record_ids else ():
        if BLANKED_BY.get(row.record_id.partition("_")[0]) == row.verb:
            deletions[row.record_id].append(Deletion(row.record_id, row.at, row.number))
    return deletions


def erased(tx: Tx, account_id: str) -> dict[str, int | None]:
    """Map each event blanked by a tenant's erasure to the erasure's number in the chain.

    The number is None if the erasure is not in the chain yet.
    """
    rows = tx.all(_ERASED, account=account_id)
    return {event_id: number for after, number in rows for event_id in json.loads(after)["blanked"].split()}


def drop_salts(tx: Tx, account_id: str, event_ids: list[str]) -> None:
    """Delete the salts of blanked events, so that their contents can't be found by guessing."""
    if event_ids:
        tx.run(_DROP_SALTS, account=account_id, events=event_ids)
