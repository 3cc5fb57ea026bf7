"""The kind of job that continues a bulk change of invoices.

Each transaction changes a few invoices of one month.
"""

from functools import partial

from prorata.actions.bulk import bulk
from prorata.actions.bulk.bulk import BULK, Step
from prorata.domain.texts import say
from prorata.errors import Refusal, Unavailable
from prorata.store.database.engine import Database, Tx
from prorata.store.jobs.jobs import JobRow
from prorata.worker.job_kinds import Done, Job, Kind, Later, Lease, Outcome


def _go_on(job: Job, database: Database, lease: Lease) -> Outcome:
    """Change the invoices of a bulk change, step by step, until none is left.

    The outcome for an invoice is stored together with the change, so that no invoice is changed twice.
    """
    account_id, bulk_id = job.account_id, job.payload["bulk"]
    while not lease.is_lost:
        if lease.is_stopping:
            return Later(say("The worker was told to stop; another one will continue where it left off."), counts=False)
        step = database.read(lambda tx: bulk.next_step(tx, account_id, bulk_id))
        if step is None:
            database.write(lambda tx: bulk.end(tx, account_id, bulk_id))
            return Done()
        _do(database, account_id, step)
    return Later(say("Another worker has taken over this job."), counts=False)


def _do(database: Database, account_id: str, step: Step) -> None:
    """Change the invoices of a step in one transaction.

    If the change of one invoice is refused, the transaction is undone, and the invoices are changed one by one.
    Those whose change is refused are then stored as skipped.
    """
    try:
        database.write(partial(bulk.go_on, account_id=account_id, step=step))
    except Unavailable:
        raise
    except Refusal as refusal:
        if step.first == step.last:
            database.write(partial(bulk.pass_over, account_id=account_id, step=step, refusal=refusal))
        else:
            for part in step.apart:
                _do(database, account_id, part)


def _call_off(tx: Tx, job: JobRow) -> None:
    bulk.note_stopped(tx, job.account_id, _bulk_of(job), None)


def _give_up(tx: Tx, job: JobRow, why: str) -> None:
    bulk.note_stopped(tx, job.account_id, _bulk_of(job), why)


def _try_again(tx: Tx, job: JobRow) -> None:
    bulk.note_resumed(tx, job.account_id, _bulk_of(job))


def _bulk_of(job: JobRow) -> str:
    assert job.subject is not None, "it is about a bulk change"
    return job.subject


BULK_KIND = Kind(
    BULK,
    say("changes many invoices that a person has chosen"),
    _go_on,
    at_once=2,
    called_off=_call_off,
    given_up=_give_up,
    tried_again=_try_again,
)
