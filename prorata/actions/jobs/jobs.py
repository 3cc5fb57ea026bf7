"""Jobs: storing them in the transaction that causes them, and people's actions on them."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from prorata.actions.jobs.recurring import kept_for
from prorata.domain.jobs.jobs import CANCELLED, DAYS_KEPT, DONE, FAILED, RUNNING, WAITING, may_cancel, may_retry
from prorata.domain.limits import LARGEST_PAYLOAD, LONGEST_UNIQUE_KEY
from prorata.domain.texts import say
from prorata.errors import Conflict, NotFound
from prorata.ids import is_id
from prorata.store.database.engine import Tx, timestamp
from prorata.store.jobs import counts as job_counts, jobs
from prorata.store.jobs.jobs import JobRow

KEPT = timedelta(days=DAYS_KEPT)
"""The time for which ended jobs are kept."""
_WHY_NOT = {
    RUNNING: say("is being done at the moment"),
    DONE: say("is done"),
    CANCELLED: say("was cancelled"),
}


def enqueue(
    tx: Tx,
    account_id: str,
    kind: str,
    payload: Mapping[str, Any],
    *,
    subject: str | None = None,
    unique_key: str | None = None,
    due_at: datetime | None = None,
) -> str | None:
    """Queue a job that begins after this transaction, or at `due_at`; return its id.

    `payload` is the JSON that the job's handler gets: ids rather than records. `subject` is the record that the
    job concerns; it is used to find and withdraw the job. If a `unique_key` is given and the account has a waiting
    or running job of this kind with this key, no job is queued and the result is None. That job, if it is running,
    may have read the state before this change; if that matters, include the change in the key.
    """
    row = _new(tx, account_id, kind, payload, subject, unique_key, due_at)
    return row.id if jobs.add(tx, row) else None


class Wanted(NamedTuple):
    """One of many jobs to queue: its payload, its subject, and its unique key."""

    payload: Mapping[str, Any]
    subject: str
    unique_key: str


def enqueue_many(tx: Tx, account_id: str, kind: str, wanted: Sequence[Wanted], *, due_at: datetime) -> None:
    """Queue many jobs of a kind that begin after this transaction, at `due_at`.

    The unique keys in `wanted` must not be in use.
    """
    jobs.add_many(tx, [_new(tx, account_id, kind, *job, due_at) for job in wanted])


def fail(
    tx: Tx, account_id: str, kind: str, payload: Mapping[str, Any], subject: str, unique_key: str, why: str
) -> None:  # fmt: skip
    """Note that what a job did has failed after all.

    A running job is left alone. Otherwise, the job with this unique key becomes a failed one, or a new one is added if
    it is no longer kept. `why` is the reason, which people read.
    """
    if not jobs.fail(tx, account_id, kind, subject, unique_key, why):
        row = _new(tx, account_id, kind, payload, subject, unique_key, None)
        jobs.add(tx, row._replace(state=FAILED, last_error=why, ended_at=tx.now))


def _new(
    tx: Tx,
    account_id: str,
    kind: str,
    payload: Mapping[str, Any],
    subject: str | None,
    unique_key: str | None,
    due_at: datetime | None,
) -> JobRow:
    text = json.dumps(payload, ensure_ascii=False, separators=(",", ":"))
    assert len(text) <= LARGEST_PAYLOAD, "a payload names records and does not hold them"
    assert unique_key is None or 0 < len(unique_key) <= LONGEST_UNIQUE_KEY, "a key is short"
    return JobRow(
        account_id=account_id,
        id=tx.new_id("job"),
        kind=kind,
        state=WAITING,
        unique_key=unique_key,
        payload=text,
        subject=subject,
        due_at=timestamp(due_at) if due_at else tx.now,
        attempts=0,
        lease_until=None,
        lease_token=None,
        last_error=None,
        created_at=tx.now,
        updated_at=tx.now,
        ended_at=None,
    )


def retry(tx: Tx, account_id: str, job_id: str) -> JobRow:
    """Retry a failed job or run a waiting one at once; reset its attempts.

    Raises `NotFound` if there is no such job, and `Conflict` if it is running or has succeeded, or if another
    unfinished job has its unique key.
    """
    row = _job(tx, account_id, job_id)
    if not may_retry(row.state):
        raise Conflict(say("This task {state} and cannot be tried again.", state=_WHY_NOT[row.state]))
    if row.state == FAILED and row.unique_key and jobs.find_live(tx, account_id, row.kind, row.unique_key):
        raise Conflict(say("Another unfinished task does the same. Cancel this one: the other continues."))
    after = row._replace(state=WAITING, attempts=0, due_at=tx.now, updated_at=tx.now, ended_at=None)
    jobs.save(tx, [after])
    return after


def cancel(tx: Tx, account_id: str, job_id: str) -> JobRow:
    """Cancel a job for good.

    The final writes of a running job are undone; messages that were already sent are not. Raises `NotFound` if there is
    no such job, and `Conflict` if it has already ended.
    """
    row = _job(tx, account_id, job_id)
    if not may_cancel(row.state):
        raise Conflict(say("This task {state} and cannot be cancelled.", state=_WHY_NOT[row.state]))
    jobs.save(
        tx,
        [
            row._replace(
                state=CANCELLED, lease_token=None, lease_until=None, updated_at=tx.now, ended_at=row.ended_at or tx.now
            )
        ],
    )
    return row


def account_of(tx: Tx, job_id: str) -> str:
    """Return the account of the job that the operator named.

    Raises `NotFound` if there is no such job.
    """
    account_id = jobs.owner_of(tx, job_id) if is_id(job_id, "job") else None
    if account_id is None:
        raise NotFound("job")
    return account_id


class KindInNumbers(NamedTuple):
    """The numbers of jobs of one kind over all accounts.

    They are the number of waiting jobs, the seconds since the first of these was due, the number of jobs that
    failed for good, and the number of all failed attempts.
    """

    kind: str
    waiting: int
    oldest_seconds: float
    failed: int
    failed_tries: int


def in_numbers(tx: Tx) -> list[KindInNumbers]:
    """Count the jobs of each kind over all accounts, without reading finished jobs."""
    waiting = {row.kind: row for row in job_counts.depths(tx)}
    failed, tries = job_counts.dead(tx), job_counts.failed_tries(tx)
    return [
        KindInNumbers(
            kind,
            waiting[kind].number if kind in waiting else 0,
            _seconds_since(tx, waiting[kind].due_at) if kind in waiting else 0.0,
            failed.get(kind, 0),
            tries.get(kind, 0),
        )
        for kind in sorted(waiting.keys() | failed.keys() | tries.keys())
    ]


def _seconds_since(tx: Tx, due_at: str) -> float:
    return max(0.0, (tx.moment - datetime.fromisoformat(due_at)).total_seconds())


def _job(tx: Tx, account_id: str, job_id: str) -> JobRow:
    row = jobs.lock(tx, account_id, job_id) if is_id(job_id, "job") else None
    if row is None:
        raise NotFound("job")
    return row


def long_ago(tx: Tx) -> str:
    """Return the timestamp up to which ended jobs are old enough to be deleted."""
    return timestamp(tx.moment - KEPT)


ENDED: Final = kept_for(KEPT, jobs.is_any_before, jobs.forget, jobs.first_ended)
