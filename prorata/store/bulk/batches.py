"""Batches of writes, and the outcome of each write."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import bindparam, delete, func, literal_column, null, select, update

from prorata.store.database.engine import Tx
from prorata.store.database.statements import adds, changes, returns, returns_one, row_values, saves
from prorata.store.schema.batch_tables import batch, batched_write


class BatchRow(NamedTuple):
    """A batch of writes.

    If the batch stopped by itself, `why` is the reason.
    """

    account_id: str
    id: str
    actor: str
    state: str
    total: int
    why: str | None
    created_at: str
    ended_at: str | None


class WriteRow(NamedTuple):
    """A write of a batch.

    `sent` is the body of the write's request as JSON; it is deleted once the write is done. `status` and `answer` are
    the response.
    """

    account_id: str
    batch_id: str
    number: int
    method: str
    path: str
    sent: str | None
    status: int | None
    answer: str | None


class Numbers(NamedTuple):
    """The number of a batch's completed writes, and how many of them were refused."""

    done: int = 0
    failed: int = 0


_mine = batch.c.account_id == bindparam("account")
_this = batch.c.id == bindparam("id")
_its = (batched_write.c.account_id == bindparam("account"), batched_write.c.batch_id == bindparam("batch"))
_waits = batched_write.c.status.is_(None)
_ADD, _SAVE = adds(batch), saves(batch)
_FIND = returns(BatchRow, select(batch).where(_mine, _this))
_LOCK = returns(BatchRow, select(batch).where(_mine, _this).with_for_update())
_NEXT = returns(
    WriteRow,
    select(batched_write).where(*_its, _waits).order_by(batched_write.c.number).limit(literal_column("1")),
)
_BETWEEN = returns(
    WriteRow,
    select(batched_write)
    .where(*_its, batched_write.c.number.between(bindparam("first"), bindparam("last")))
    .order_by(batched_write.c.number),
)
_END = changes(
    update(batched_write)
    .where(*_its, batched_write.c.number == bindparam("at"), _waits)
    .values(status=bindparam("to_status"), answer=bindparam("to_answer"), sent=null())
)
_refused = batched_write.c.status >= literal_column("400")
_NUMBERS = returns(
    Numbers,
    select(
        func.count(batched_write.c.status).label("done"), func.count().filter(_refused).label("failed")
    ).where(*_its),
)  # fmt: skip
_UNDER_WAY = returns_one(select(func.count()).select_from(batch).where(_mine, batch.c.ended_at.is_(None)))
_IS_ANY_BEFORE = returns_one(
    select(batch.c.id).where(_mine, batch.c.ended_at < bindparam("before")).limit(literal_column("1"))
)
_FIRST_ENDED = returns_one(
    select(batch.c.ended_at)
    .where(_mine, batch.c.ended_at >= bindparam("since"))
    .order_by(batch.c.ended_at)
    .limit(literal_column("1"))
)
_FORGET = changes(delete(batch).where(_mine, batch.c.ended_at < bindparam("before")))


def add(tx: Tx, row: BatchRow, writes: Sequence[WriteRow]) -> None:
    """Add a batch of writes, and the writes themselves."""
    tx.run(_ADD, **row._asdict())
    tx.add_many("batched_write", WriteRow._fields, writes)


def save(tx: Tx, row: BatchRow) -> None:
    """Save the state of a batch."""
    tx.run(_SAVE, **row_values(batch, row))


def find(tx: Tx, account_id: str, batch_id: str) -> BatchRow | None:
    """Find the account's batch of writes with this id."""
    return tx.one(_FIND, account=account_id, id=batch_id)


def lock(tx: Tx, account_id: str, batch_id: str) -> BatchRow | None:
    """Find and lock the account's batch of writes with this id until the transaction ends."""
    return tx.one(_LOCK, account=account_id, id=batch_id)


def next_write(tx: Tx, account_id: str, batch_id: str) -> WriteRow | None:
    """Find the first write of a batch that has not been made yet."""
    return tx.one(_NEXT, account=account_id, batch=batch_id)


def between(tx: Tx, account_id: str, batch_id: str, first: int, last: int) -> list[WriteRow]:
    """List the writes of a batch from number `first` to number `last`, both included."""
    return tx.all(_BETWEEN, account=account_id, batch=batch_id, first=first, last=last)


def end_write(tx: Tx, write: WriteRow, status: int, answer: str) -> bool:
    """Store the response to a write; return False if one is stored already."""
    named = {"account": write.account_id, "batch": write.batch_id, "at": write.number}
    return tx.run(_END, **named, to_status=status, to_answer=answer) == 1


def numbers(tx: Tx, account_id: str, batch_id: str) -> Numbers:
    """Count a batch's completed writes, and how many of them were refused."""
    return tx.one(_NUMBERS, account=account_id, batch=batch_id) or Numbers()


def under_way(tx: Tx, account_id: str) -> int:
    """Count the account's batches that have not ended."""
    return tx.one(_UNDER_WAY, account=account_id) or 0


def is_any_before(tx: Tx, account_id: str, before: str) -> bool:
    """True if a batch of the account ended before a timestamp."""
    return tx.one(_IS_ANY_BEFORE, account=account_id, before=before) is not None


def first_ended(tx: Tx, account_id: str, since: str) -> str | None:
    """Return the time of the account's first batch that ended at `since` or later.

    Return None if there is none.
    """
    return tx.one(_FIRST_ENDED, account=account_id, since=since)


def forget(tx: Tx, account_id: str, before: str) -> int:
    """Delete the account's batches that ended before a timestamp, with the responses to their writes."""
    return tx.run(_FORGET, account=account_id, before=before)
