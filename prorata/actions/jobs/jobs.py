"""Jobs, written in the transaction of the change that causes them; and what a person does about them."""

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
"""How long jobs are kept that have ended."""
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
    """Have a job done after this transaction, at `due_at` or at once; returns its id.

    `payload` is what its handler is told, as JSON: ids rather than records. `subject` is the record that it is about,
    by which it is found and withdrawn. With a `unique_key`, one of the account and kind waits or runs at a time: a
    second is not added, and the answer is None. The one that runs may have read what was before this change; where that
    matters, put what changed into the key.
    """
    row = _new(tx, account_id, kind, payload, subject, unique_key, due_at)
    return row.id if jobs.add(tx, row) else None


class Wanted(NamedTuple):
    """A job that is to be done, one of many: what its handler is told, what it is about, and its key, which is new."""

    payload: Mapping[str, Any]
    subject: str
    unique_key: str


def enqueue_many(tx: Tx, account_id: str, kind: str, wanted: Sequence[Wanted], *, due_at: datetime) -> None:
    """Have many jobs of a kind done after this transaction, at `due_at`; no other has any of their keys."""
    jobs.add_many(tx, [_new(tx, account_id, kind, *one, due_at) for one in wanted])


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
    """Have a job that failed done again, or one that waits done at once, with all of its attempts.

    Raises `NotFound`, or `Conflict` when it runs or has ended well, or when another that is not done does the same.
    """
    row = _job(tx, account_id, job_id)
    if not may_retry(row.state):
        raise Conflict(say("It {state}: there is nothing to try again.", state=_WHY_NOT[row.state]))
    if row.state == FAILED and row.unique_key and jobs.find_live(tx, account_id, row.kind, row.unique_key):
        raise Conflict(say("Another that is not done yet does the same. Cancel this one: the other goes on."))
    after = row._replace(state=WAITING, attempts=0, due_at=tx.now, updated_at=tx.now, ended_at=None)
    jobs.save(tx, [after])
    return after


def cancel(tx: Tx, account_id: str, job_id: str) -> JobRow:
    """Call a job off for good. What a running one writes at its end is undone; what has left the house has left.

    Raises `NotFound`, or `Conflict` when it has ended already.
    """
    row = _job(tx, account_id, job_id)
    if not may_cancel(row.state):
        raise Conflict(say("It {state}: there is nothing to cancel.", state=_WHY_NOT[row.state]))
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
    """The account of a job that the operator names. Raises `NotFound`."""
    account_id = jobs.owner_of(tx, job_id) if is_id(job_id, "job") else None
    if account_id is None:
        raise NotFound("job")
    return account_id


class KindInNumbers(NamedTuple):
    """How the jobs of a kind stand: those that wait, seconds since the first of them was due, those that failed for
    good, and tries that failed, ever.
    """

    kind: str
    waiting: int
    oldest_seconds: float
    failed: int
    failed_tries: int


def in_numbers(tx: Tx) -> list[KindInNumbers]:
    """How the jobs of each kind stand, over all accounts; what is done is not read."""
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
    """What has ended before this was kept long enough."""
    return timestamp(tx.moment - KEPT)


ENDED: Final = kept_for(KEPT, jobs.is_any_before, jobs.forget, jobs.first_ended)
