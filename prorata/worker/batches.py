"""The kind of job that does a batch's writes, each in its own transaction."""

from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

from prorata.actions.bulk import batches
from prorata.actions.bulk.batches import BATCH, Answered
from prorata.domain.texts import say
from prorata.errors import Unavailable
from prorata.store.bulk.batches import BatchRow, WriteRow
from prorata.store.database.engine import Database, Tx
from prorata.store.jobs.jobs import JobRow
from prorata.worker.job_kinds import Done, Job, Kind, Later, Lease, Outcome

Said = tuple[int, str]
"""The answer to a write: an HTTP status, and JSON, which may be empty."""


class Door(NamedTuple):
    """The two functions of the API with which batches are done.

    `perform` does one write on behalf of the API key that sent the batch. `refused` converts an exception, such as
    a refusal, to the answer for the write.
    """

    perform: Callable[[Tx, str, WriteRow], Said]
    refused: Callable[[Exception], Said]


def batch_kind(door: Callable[[], Door]) -> Kind:
    """Build the kind of job that does batches; `door` is called for each write."""

    def go_on(job: Job, database: Database, lease: Lease) -> Outcome:
        account_id, batch_id = job.account_id, job.payload["batch"]
        while not lease.is_lost:
            if lease.is_stopping:
                return Later(
                    say("The worker was told to stop; another one will continue where it left off."), counts=False
                )
            next_write = database.read(lambda tx: batches.next_write(tx, account_id, batch_id))
            if next_write is None:
                database.write(lambda tx: batches.end(tx, account_id, batch_id))
                return Done()
            do_one(database, door(), *next_write)
        return Later(say("Another worker has taken over this job."), counts=False)

    return Kind(
        BATCH,
        say("carries out a batch of changes, one after another"),
        go_on,
        at_once=2,
        called_off=lambda tx, job: batches.note_stopped(tx, job.account_id, _batch_of(job), None),
        given_up=lambda tx, job, why: batches.note_stopped(tx, job.account_id, _batch_of(job), why),
        tried_again=lambda tx, job: batches.note_resumed(tx, job.account_id, _batch_of(job)),
    )


def do_one(database: Database, door: Door, row: BatchRow, write: WriteRow) -> None:
    """Do a write of a batch, and store the answer.

    If the write is refused, it is undone, and the refusal is stored as the answer.
    """

    def perform(tx: Tx) -> None:
        batches.note_answer(tx, write, *door.perform(tx, row.actor, write))

    with suppress(Answered):
        try:
            database.write(perform)
        except (Answered, Unavailable):
            raise
        except Exception as failed:  # noqa: BLE001 - noted as its answer; what is no refusal is logged with its trace
            answer = door.refused(failed)
            database.write(lambda tx: batches.note_answer(tx, write, *answer))


def _batch_of(job: JobRow) -> str:
    assert job.subject is not None, "it is about a batch"
    return job.subject
