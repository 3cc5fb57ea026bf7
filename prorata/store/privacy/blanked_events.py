"""Audit log events about a tenant or with a tenant's name: finding and blanking them."""

from functools import cache
from typing import NamedTuple

from sqlalchemy import bindparam, literal_column, null, or_, select, update

from prorata.domain.audit.verbs import Verb
from prorata.domain.privacy.personal_words import Cutter, PersonalWords
from prorata.store.audit import chains as audit_chains
from prorata.store.database.engine import Tx
from prorata.store.database.statements import (
    Statement,
    changes,
    columns_for,
    containing,
    is_one_of,
    returns,
    returns_one,
)
from prorata.store.schema.tables import event

_mine = event.c.account_id == bindparam("account")
_says_something = or_(event.c.before.is_not(None), event.c.after.is_not(None))
_is_other = event.c.verb != literal_column(f"'{Verb.ERASE_TENANT}'")
_OF_RECORDS = returns_one(select(event.c.id).where(_mine, is_one_of(event.c.record_id, "records"), _is_other))
_BLANK = changes(
    update(event).where(_mine, is_one_of(event.c.id, "events"), _says_something).values(before=null(), after=null())
)


class _Said(NamedTuple):
    """The states of a record before and after an event, as JSON."""

    id: str
    before: str | None
    after: str | None


@cache
def _saying(number: int) -> Statement[_Said]:
    """Build the statement that finds the events whose states contain one of several patterns.

    `number` is the number of patterns. One statement searches for all of them, so that the long log is read only
    once.
    """
    like = [
        column.like(bindparam(f"pattern_{at}")) for at in range(number) for column in (event.c.before, event.c.after)
    ]
    return returns(_Said, select(*columns_for(_Said, event)).where(_mine, or_(*like)))


def find(tx: Tx, account_id: str, record_ids: list[str], words: PersonalWords) -> list[str]:
    """Find the ids of the events that are about these records or contain personal `words`."""
    found = set(tx.all(_OF_RECORDS, account=account_id, records=record_ids))
    cutter, patterns = Cutter(words), [containing(*way) for way in words.searched]
    if patterns:
        asked = {f"pattern_{at}": pattern for at, pattern in enumerate(patterns)}
        rows = tx.all(_saying(len(patterns)), account=account_id, **asked)
        found |= {one.id for one in rows if cutter.finds(f"{one.before}\n{one.after}")}
    return sorted(found)


def blank(tx: Tx, account_id: str, event_ids: list[str]) -> None:
    """Delete the records' states, before and after, that are stored in these events.

    The events still show who did what and when, and the chain stays valid.
    """
    if event_ids:
        audit_chains.lock(tx, account_id)
        audit_chains.drop_salts(tx, account_id, event_ids)
        tx.run(_BLANK, account=account_id, events=event_ids)
