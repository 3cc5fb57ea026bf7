"""Data of `prorata check` about jobs: those with contradictory fields or equal keys."""

from typing import NamedTuple

from sqlalchemy import and_, bindparam, func, literal, or_, select

from prorata.domain.jobs.jobs import DONE, FAILED, RUNNING, STATES, WAITING
from prorata.store.database.engine import Tx
from prorata.store.database.statements import is_one_of, returns, returns_one
from prorata.store.schema.job_tables import job


class OddJob(NamedTuple):
    """A job with fields that contradict each other."""

    id: str
    state: str


_mine = job.c.account_id == bindparam("account")
_runs = job.c.state == bindparam("running")
_has_lease = and_(job.c.lease_token.is_not(None), job.c.lease_until.is_not(None))
_has_none = and_(job.c.lease_token.is_(None), job.c.lease_until.is_(None))
_is_open = or_(_runs, job.c.state == bindparam("waiting"))
_ODD = returns(
    OddJob,
    select(job.c.id, job.c.state)
    .where(
        _mine,
        or_(
            ~is_one_of(job.c.state, "states"),
            and_(_runs, ~_has_lease),
            and_(~_runs, ~_has_none),
            and_(_is_open, job.c.ended_at.is_not(None)),
            and_(~_is_open, job.c.ended_at.is_(None)),
            and_(job.c.state == bindparam("failed"), job.c.last_error.is_(None)),
            and_(or_(_runs, job.c.state == bindparam("done")), job.c.attempts < literal(1)),
            job.c.attempts < literal(0),
        ),
    )
    .order_by(job.c.id),
)
_TWICE = returns_one(
    select(job.c.unique_key)
    .where(_mine, job.c.unique_key.is_not(None), job.c.ended_at.is_(None))
    .group_by(job.c.kind, job.c.unique_key)
    .having(func.count() > literal(1))
)


def odd_jobs(tx: Tx, account_id: str) -> list[OddJob]:
    """List jobs whose state, lease, end and number of attempts contradict each other."""
    named = {"running": RUNNING, "waiting": WAITING, "failed": FAILED, "done": DONE, "states": list(STATES)}
    return tx.all(_ODD, account=account_id, **named)


def keys_twice(tx: Tx, account_id: str) -> list[str]:
    """List the unique keys that several unfinished jobs of one kind have."""
    return tx.all(_TWICE, account=account_id)
