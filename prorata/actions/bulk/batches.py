"""Batches: a program's writes, which a job executes one by one like separate requests.

A write and the stored response to it are saved in one transaction, so that a worker that is killed neither loses a
write nor repeats one.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from prorata.actions.accounts import access
from prorata.actions.jobs import jobs
from prorata.actions.jobs.recurring import kept_for
from prorata.actions.limits import ANSWERS_KEPT, MOST_BATCHES_UNDER_WAY
from prorata.domain.accounts.scopes import EVERYTHING, Grant
from prorata.domain.bulk.bulk import DONE, GOING_ON, STOPPED
from prorata.errors import Conflict, NotFound
from prorata.store.accounts import api_keys
from prorata.store.audit.audit import Caller
from prorata.store.bulk import batches
from prorata.store.bulk.batches import BatchRow, Numbers, WriteRow
from prorata.store.database.engine import Tx

BATCH = "batch"
"""The kind of the job that continues a batch."""


class Wanted(NamedTuple):
    """A program's write as sent, with a JSON body.

    `sent` is the body. If the write could not be read, `refused` is the response to it: a status code and JSON.
    """

    method: str
    path: str
    sent: str | None
    refused: tuple[int, str] | None = None


class ShownBatch(NamedTuple):
    """A batch, and the numbers of its writes by outcome."""

    row: BatchRow
    numbers: Numbers


class Answered(Exception):
    """Raised if a write's response is already stored, or the write's batch was stopped.

    No effect of the write may be stored.
    """


def begin(tx: Tx, caller: Caller, wanted: Sequence[Wanted]) -> ShownBatch:
    """Queue writes for a job that executes them one by one.

    Raises `Conflict` while the account has too many batches.
    """
    if batches.under_way(tx, caller.account_id) >= MOST_BATCHES_UNDER_WAY:
        raise Conflict(
            f"This account already has {MOST_BATCHES_UNDER_WAY} unfinished batches, which is the maximum. Wait "
            "until one of them has finished."
        )
    row = BatchRow(
        caller.account_id, tx.new_id("batch"), caller.actor, GOING_ON, len(wanted), None, tx.now, None
    )  # fmt: skip
    writes = [
        WriteRow(row.account_id, row.id, number, item.method, item.path, item.sent, *(item.refused or (None, None)))
        for number, item in enumerate(wanted, start=1)
    ]
    batches.add(tx, row, writes)
    jobs.enqueue(tx, row.account_id, BATCH, {"batch": row.id}, subject=row.id, unique_key=row.id)
    refused = sum(item.refused is not None for item in wanted)
    return ShownBatch(row, Numbers(refused, refused))


def find(tx: Tx, caller: Caller, batch_id: str, grant: Grant = EVERYTHING) -> ShownBatch:
    """Find a batch that the caller or another API key sent.

    Another key's batch is found only if `grant` covers all rights of that key, because the responses in the batch may
    contain data that the caller may not read. Raises `NotFound` (BULK_NOT_FOUND).
    """
    row = access.the_one(batches.find, tx, caller, batch_id, "batch", "bulk")
    if row.actor != caller.actor and grant != EVERYTHING:  # its answers may be beyond what the caller may read
        sender = api_keys.find(tx, caller.account_id, row.actor)
        if sender is None or not grant.covers(sender.grant):
            raise NotFound("bulk")
    return ShownBatch(row, batches.numbers(tx, caller.account_id, row.id))


def results(tx: Tx, caller: Caller, batch_id: str, *, limit: int, offset: int) -> list[WriteRow]:
    """List one page of a batch's writes, with the responses to those already executed."""
    return batches.between(tx, caller.account_id, batch_id, offset + 1, offset + limit)


def next_write(tx: Tx, account_id: str, batch_id: str) -> tuple[BatchRow, WriteRow] | None:
    """Return a batch and its next write; None if the batch finished, stopped or vanished."""
    row = batches.find(tx, account_id, batch_id)
    write = batches.next_write(tx, account_id, batch_id) if row and row.state == GOING_ON else None
    return (row, write) if row and write else None


def note_answer(tx: Tx, write: WriteRow, status: int, answer: str) -> None:
    """Store the response to a write of a batch in the write's own transaction.

    Raises `Answered`, which undoes the write, if a response is already stored, or the batch was stopped or is
    gone.
    """
    row = batches.find(tx, write.account_id, write.batch_id)
    if row is None or row.state != GOING_ON or not batches.end_write(tx, write, status, answer):
        raise Answered


def end(tx: Tx, account_id: str, batch_id: str) -> None:
    """Set a batch's state to done if none of its writes is waiting any longer."""
    row = batches.lock(tx, account_id, batch_id)
    if row is not None and row.state == GOING_ON and batches.next_write(tx, account_id, batch_id) is None:
        batches.save(tx, row._replace(state=DONE, ended_at=tx.now))


def note_stopped(tx: Tx, account_id: str, batch_id: str, why: str | None) -> None:
    """Store that a batch was stopped by a person or by its job's failure (`why`)."""
    row = batches.lock(tx, account_id, batch_id)
    if row is not None and row.state == GOING_ON:
        batches.save(tx, row._replace(state=STOPPED, why=why, ended_at=tx.now))


def note_resumed(tx: Tx, account_id: str, batch_id: str) -> None:
    """Store that a batch continues, because a person retried its job."""
    row = batches.lock(tx, account_id, batch_id)
    if row is not None and row.state == STOPPED:
        batches.save(tx, row._replace(state=GOING_ON, why=None, ended_at=None))


ENDED: Final = kept_for(ANSWERS_KEPT, batches.is_any_before, batches.forget, batches.first_ended)
"""The retention of a batch's answers.

They are kept as long as the answer to one request under its Idempotency-Key.
"""
