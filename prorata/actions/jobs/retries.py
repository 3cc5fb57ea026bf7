"""The retry of all failed jobs of a kind, for example after another service's outage.

A separate job retries each failed job once, as a person would; jobs that fail again are left for the person.
"""

from collections.abc import Callable
from typing import NamedTuple

from prorata.actions.jobs import jobs
from prorata.domain.audit.verbs import Verb
from prorata.domain.jobs.jobs import FAILED
from prorata.domain.texts import say
from prorata.errors import Conflict
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.jobs import jobs as stored
from prorata.store.jobs.jobs import JobRow
from prorata.store.overview import job_lists

RETRY = "retry"
"""The kind of the job that retries other jobs."""
IN_A_STEP = 100
"""The number of jobs to find at once.

Each is retried in its own transaction.
"""


class _Noted(NamedTuple):
    """A retry of all failed jobs of one kind, as recorded in the audit log."""

    kind: str
    number: str


def number_failed(tx: Tx, caller: Caller, kind: str) -> int:
    """Count the account's failed jobs of a kind.

    Raises `Conflict` if none has failed.
    """
    number = job_lists.failed_of_kinds(tx, caller.account_id).get(kind, 0)
    if not number:
        raise Conflict(say("There are no longer any failed tasks of this kind, so there is nothing to try again."))
    return number


def begin(tx: Tx, caller: Caller, kind: str) -> int:
    """Retry every failed job of a kind; return the number of jobs.

    Raises `Conflict` if no job of the kind has failed, or while an earlier retry of the kind is running.
    """
    number = number_failed(tx, caller, kind)
    job_id = jobs.enqueue(tx, caller.account_id, RETRY, {"kind": kind, "until": tx.now}, unique_key=kind)
    if job_id is None:
        raise Conflict(say("These tasks are already being tried again. Wait until that has finished."))
    audit.record(tx, caller, Verb.RETRY_JOBS, job_id, after=_Noted(kind, str(number)))
    return number


def next_failed(tx: Tx, account_id: str, kind: str, *, until: str, behind: str) -> list[str]:
    """Return the ids of the next failed jobs of a kind, after the id `behind`.

    Only jobs that failed at `until` or earlier, and were not retried since, are returned.
    """
    return job_lists.failed_of_kind(tx, account_id, kind, until=until, behind=behind, limit=IN_A_STEP)


def retry(tx: Tx, account_id: str, job_id: str, *, until: str, tried_again: Callable[[Tx, JobRow], None]) -> None:
    """Retry one failed job, unless somebody retried or cancelled it after `until`.

    `tried_again` is called with the job just before the retry. Raises `Conflict` if another unfinished job has the
    same unique key.
    """
    row = stored.find(tx, account_id, job_id)
    if row is not None and row.state == FAILED and row.ended_at is not None and row.ended_at <= until:
        tried_again(tx, row)
        jobs.retry(tx, account_id, job_id)
