"""Background jobs, each stored in the transaction that causes it.

For each run, a job is leased to one worker (docs/adr/0010).
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import (
    Integer,
    and_,
    bindparam,
    delete,
    func,
    literal,
    literal_column,
    not_,
    or_,
    select,
    update,
)

from prorata.domain.jobs.jobs import CANCELLED, FAILED
from prorata.store.database.engine import Tx
from prorata.store.database.statements import (
    Statement,
    added,
    adds_if_new,
    changes,
    is_one_of,
    returns,
    returns_one,
    row_values,
    saves,
)
from prorata.store.schema import job_tables
from prorata.store.schema.job_tables import failed_try, job

LOOKED_AT_ONCE = 100
"""The number of accounts whose first job is examined at once.

This applies when workers take jobs account by account, and not when they take the oldest jobs.
"""


class JobRow(NamedTuple):
    """A background job.

    `lease_token` identifies the job's current run, and is new for each run. `payload` is JSON.
    """

    account_id: str
    id: str
    kind: str
    state: str
    unique_key: str | None
    payload: str
    subject: str | None
    due_at: str
    attempts: int
    lease_until: str | None
    lease_token: str | None
    last_error: str | None
    created_at: str
    updated_at: str
    ended_at: str | None


class Turn(NamedTuple):
    """An account with waiting jobs of a kind, and the time the first is due."""

    account_id: str
    due_at: str


_LEASE = ("state", "attempts", "due_at", "lease_until", "lease_token", "last_error", "updated_at", "ended_at")
_mine = job.c.account_id == bindparam("account")
_this = job.c.id == bindparam("id")
_of_kind = job.c.kind == bindparam("kind")
_held = and_(job_tables.RUNNING, job.c.lease_token == bindparam("token"))

_ADD = adds_if_new(job)
_FIND = returns(JobRow, select(job).where(_mine, _this))
_LIVE = returns(
    JobRow, select(job).where(_mine, _of_kind, job.c.unique_key == bindparam("key"), job.c.ended_at.is_(None))
)
_OF_SUBJECT = returns(JobRow, select(job).where(_mine, job.c.subject == bindparam("subject")).order_by(job.c.id))
_BY_ID = returns(JobRow, select(job).where(_mine, _this).with_for_update())
_HURRY = changes(
    update(job)
    .where(_mine, _of_kind, job.c.unique_key == bindparam("key"), job.c.ended_at.is_(None), job_tables.WAITING)
    .values(due_at=bindparam("at"), updated_at=bindparam("at"))
)
_CALL_OFF = changes(
    update(job)
    .where(
        _mine, _of_kind, is_one_of(job.c.subject, "subjects"), is_one_of(job.c.unique_key, "keys"),
        or_(job_tables.WAITING, job_tables.FAILED),
    )
    .values(
        state=bindparam("to_state"), ended_at=func.coalesce(job.c.ended_at, bindparam("at")), updated_at=bindparam("at")
    )
)  # fmt: skip
_FAIL = changes(
    update(job)
    .where(
        _mine, _of_kind, job.c.subject == bindparam("about"), job.c.unique_key == bindparam("key"),
        not_(job_tables.RUNNING),
    )
    .values(
        state=bindparam("to_state"), last_error=bindparam("why"), updated_at=bindparam("at"),
        ended_at=func.coalesce(job.c.ended_at, bindparam("at")),
    )
)  # fmt: skip
_FORGET_KEYS = changes(
    delete(job).where(
        _mine, _of_kind, is_one_of(job.c.subject, "subjects"), is_one_of(job.c.unique_key, "keys")
    )
)  # fmt: skip
_FORGET_ABOUT = changes(delete(job).where(_mine, is_one_of(job.c.subject, "subjects")))
_SAVE = saves(job, only=_LEASE)
_END = changes(
    update(job)
    .where(_mine, _this, _held)
    .values({name: bindparam(f"to_{name}") for name in _LEASE if name != "attempts"} | {
        "attempts": job.c.attempts - bindparam("uncounted"),
    })
)  # fmt: skip
_EXTEND = changes(
    update(job).where(_mine, _this, _held).values(lease_until=bindparam("until"), updated_at=bindparam("at"))
)
_NOTE = changes(update(job).where(_mine, _this, _held).values(payload=bindparam("to_payload")))
_FORGET = changes(delete(job).where(_mine, job.c.ended_at < bindparam("before"), job.c.state != bindparam("but_state")))
_IS_ANY_BEFORE = returns_one(
    select(job.c.id)
    .where(_mine, job.c.ended_at < bindparam("before"), job.c.state != bindparam("but_state"))
    .limit(literal_column("1"))
)
_FIRST_ENDED = returns_one(
    select(job.c.ended_at)
    .where(_mine, job.c.ended_at >= bindparam("since"), job.c.state != bindparam("but_state"))
    .order_by(job.c.ended_at)
    .limit(literal_column("1"))
)
_COUNT_TRY = changes(
    added(failed_try).on_conflict_do_update(
        index_elements=[failed_try.c.account_id, failed_try.c.kind],
        set_={"number": failed_try.c.number + literal(1)},
    )
)

# --- over all accounts: what a worker and the operator ask ------------------------------------------------------------

_due = and_(job_tables.WAITING, _of_kind, job.c.due_at <= bindparam("now"))
_IS_DUE = returns_one(select(job.c.due_at).where(_due).order_by(job.c.due_at).limit(literal_column("1")))
# `skip_locked`: PostgreSQL skips rows that others have locked. SQLite ignores it: there is only one writer.
_OLDEST = returns(
    JobRow,
    select(job)
    .where(_due)
    .order_by(job.c.due_at, job.c.id)
    .limit(bindparam("limit"))
    .with_for_update(skip_locked=True),
)
_OLDEST_OF_ACCOUNT = returns(
    JobRow,
    select(job).where(_mine, _due).order_by(job.c.due_at).limit(bindparam("limit")).with_for_update(skip_locked=True),
)
_LEASE_OVER = returns(
    JobRow,
    select(job)
    .where(job_tables.RUNNING, job.c.lease_until < bindparam("now"), is_one_of(job.c.kind, "kinds"))
    .order_by(job.c.lease_until)
    .limit(bindparam("limit")),
)
_OWNER = returns_one(select(job.c.account_id).where(_this))


@cache
def _turns() -> Statement[Turn]:
    """Build the statement that finds accounts with waiting jobs of a kind.

    It finds up to `most` accounts with ids after the parameter `after`, each with the time at which its first job
    is due. It takes one index look-up for each account, however many jobs the account has.
    """
    following = job.alias("following")

    def next_account(after: Any) -> Any:
        return (
            select(following.c.account_id)
            .where(
                following.c.state == literal_column("'waiting'"),
                following.c.kind == bindparam("kind"),
                following.c.account_id > after,
            )
            .order_by(following.c.account_id)
            .limit(literal_column("1"))
            .correlate_except(following)
            .scalar_subquery()
        )

    first = select(next_account(bindparam("after")).label("account_id"), literal_column("1", Integer).label("step"))
    turn = first.cte("turn", recursive=True)
    turn = turn.union_all(
        select(next_account(turn.c.account_id), turn.c.step + literal_column("1")).where(
            turn.c.account_id.is_not(None), turn.c.step < bindparam("most")
        )
    )
    its_first = (
        select(func.min(job.c.due_at))
        .where(job_tables.WAITING, _of_kind, job.c.account_id == turn.c.account_id)
        .correlate(turn)
        .scalar_subquery()
    )
    return returns(
        Turn,
        select(turn.c.account_id, its_first.label("due_at"))
        .where(turn.c.account_id.is_not(None))
        .order_by(turn.c.step),
    )


# --- one account's ----------------------------------------------------------------------------------------------------


def add(tx: Tx, row: JobRow) -> bool:
    """Add a job; return False if an unfinished job has this kind and unique key."""
    return tx.run(_ADD, **row._asdict()) == 1


def add_many(tx: Tx, rows: Sequence[JobRow]) -> None:
    """Add jobs; no unfinished job may have the same kind and unique key."""
    tx.add_many("job", JobRow._fields, rows)


def find(tx: Tx, account_id: str, job_id: str) -> JobRow | None:
    """Find the account's job with this id."""
    return tx.one(_FIND, account=account_id, id=job_id)


def find_live(tx: Tx, account_id: str, kind: str, unique_key: str) -> JobRow | None:
    """Find the unfinished job with this kind and unique key."""
    return tx.one(_LIVE, account=account_id, kind=kind, key=unique_key)


def hurry(tx: Tx, account_id: str, kind: str, unique_key: str) -> bool:
    """Make the waiting job with this kind and unique key due now.

    Return False if no such job is waiting.
    """
    return tx.run(_HURRY, account=account_id, kind=kind, key=unique_key, at=tx.now) > 0


def of_subject(tx: Tx, account_id: str, subject: str) -> list[JobRow]:
    """List every job about a record, oldest first."""
    return tx.all(_OF_SUBJECT, account=account_id, subject=subject)


def lock(tx: Tx, account_id: str, job_id: str) -> JobRow | None:
    """Find and lock a job of the account until the transaction ends."""
    return tx.one(_BY_ID, account=account_id, id=job_id)


def call_off(tx: Tx, account_id: str, kind: str, subjects: list[str], unique_keys: list[str]) -> None:
    """Cancel the waiting and failed jobs about these records that have these unique keys.

    A running job is not affected.
    """
    named = {"subjects": subjects, "keys": unique_keys, "to_state": CANCELLED, "at": tx.now}
    tx.run(_CALL_OFF, account=account_id, kind=kind, **named)


def fail(tx: Tx, account_id: str, kind: str, subject: str, unique_key: str, why: str) -> bool:
    """Turn the job with this unique key into a failed one, unless it is running.

    `why` is the reason, which people read. Return False if there is no such job.
    """
    named = {"about": subject, "key": unique_key, "to_state": FAILED, "why": why, "at": tx.now}
    return tx.run(_FAIL, account=account_id, kind=kind, **named) > 0


def forget_keys(tx: Tx, account_id: str, kind: str, subjects: list[str], unique_keys: list[str]) -> None:
    """Delete the jobs about these records with these unique keys.

    This is needed because the errors of jobs may contain personal data.
    """
    tx.run(_FORGET_KEYS, account=account_id, kind=kind, subjects=subjects, keys=unique_keys)


def forget_about(tx: Tx, account_id: str, subjects: list[str]) -> None:
    """Delete every job about records that are being deleted.

    This is needed because jobs contain personal data.
    """
    tx.run(_FORGET_ABOUT, account=account_id, subjects=subjects)


def save(tx: Tx, rows: Sequence[JobRow]) -> None:
    """Save the fields of these jobs that change when a job is run."""
    tx.run_many(_SAVE, [row_values(job, row, _LEASE) for row in rows])


def end(tx: Tx, row: JobRow, *, token: str, uncounted: int = 0) -> bool:
    """Save the outcome of a job's run, if the run still has the lease `token`.

    `uncounted` is subtracted from the number of attempts. Return False if the run no longer has the lease.
    """
    values = {f"to_{name}": getattr(row, name) for name in _LEASE if name != "attempts"}
    return tx.run(_END, account=row.account_id, id=row.id, token=token, uncounted=uncounted, **values) == 1


def extend(tx: Tx, account_id: str, job_id: str, *, token: str, until: str) -> bool:
    """Extend a run's lease; return False if the run no longer has the lease."""
    return tx.run(_EXTEND, account=account_id, id=job_id, token=token, until=until, at=tx.now) == 1


def note(tx: Tx, account_id: str, job_id: str, *, token: str, payload: str) -> bool:
    """Save a job's payload if its run still has the lease `token`; return False otherwise."""
    return tx.run(_NOTE, account=account_id, id=job_id, token=token, to_payload=payload) == 1


def forget(tx: Tx, account_id: str, before: str) -> int:
    """Delete the account's jobs that were done or cancelled before a timestamp.

    Failed jobs are kept.
    """
    return tx.run(_FORGET, account=account_id, before=before, but_state=FAILED)


def is_any_before(tx: Tx, account_id: str, before: str) -> bool:
    """True if a job of the account was done or cancelled before a timestamp."""
    return tx.one(_IS_ANY_BEFORE, account=account_id, before=before, but_state=FAILED) is not None


def first_ended(tx: Tx, account_id: str, since: str) -> str | None:
    """Find the time at which the first of the account's done or cancelled jobs ended.

    Jobs that ended before the timestamp `since` are ignored, and so are failed jobs, because `forget` keeps them.
    Return None if no job is found.
    """
    return tx.one(_FIRST_ENDED, account=account_id, since=since, but_state=FAILED)


def count_failed_try(tx: Tx, account_id: str, kind: str) -> None:
    """Add 1 to an account's number of failed attempts of this kind of job."""
    tx.run(_COUNT_TRY, account_id=account_id, kind=kind, number=1)


# --- over all accounts ------------------------------------------------------------------------------------------------


def is_due(tx: Tx, kind: str, now: str) -> bool:
    """True if a job of a kind, of any account, is due."""
    return tx.one(_IS_DUE, kind=kind, now=now) is not None


def oldest_due(tx: Tx, kind: str, now: str, limit: int) -> list[JobRow]:
    """Lock the jobs of a kind that have been due the longest, and return them.

    Up to `limit` jobs are returned. Jobs that another worker has locked are skipped.
    """
    return tx.all(_OLDEST, kind=kind, now=now, limit=limit)


def oldest_due_of(tx: Tx, account_id: str, kind: str, now: str) -> JobRow | None:
    """Lock and return the account's job of a kind that was due first.

    A job that another worker has locked is skipped.
    """
    return tx.one(_OLDEST_OF_ACCOUNT, account=account_id, kind=kind, now=now, limit=1)


def turns(tx: Tx, kind: str, after: str) -> list[Turn]:
    """List accounts with waiting jobs of a kind, and when the first job is due.

    Up to `LOOKED_AT_ONCE` accounts with ids after `after` are listed.
    """
    return tx.all(_turns(), kind=kind, after=after, most=LOOKED_AT_ONCE)


def leases_over(tx: Tx, kinds: list[str], now: str, limit: int) -> list[JobRow]:
    """List running jobs of these kinds whose leases have run out, the longest ago first."""
    return tx.all(_LEASE_OVER, kinds=kinds, now=now, limit=limit)


def owner_of(tx: Tx, job_id: str) -> str | None:
    """Find the account of a job; the operator names jobs by their ids only."""
    return tx.one(_OWNER, id=job_id)
