"""Counts of jobs by kind and state in all accounts, without reading finished jobs."""

from typing import NamedTuple

from sqlalchemy import BigInteger, cast, func, select

from prorata.store.database.engine import Tx
from prorata.store.database.statements import returns, returns_pairs
from prorata.store.schema import job_tables
from prorata.store.schema.job_tables import failed_try, job


class Depth(NamedTuple):
    """The number of waiting jobs of a kind, and the time the first is due."""

    kind: str
    number: int
    due_at: str


_DEPTHS = returns(
    Depth,
    select(job.c.kind, func.count().label("number"), func.min(job.c.due_at).label("due_at"))
    .where(job_tables.WAITING)
    .group_by(job.c.kind)
    .order_by(job.c.kind),
)
_DEAD = returns_pairs(
    select(job.c.kind, func.count()).where(job_tables.FAILED).group_by(job.c.kind).order_by(job.c.kind)
)
_TRIES = returns_pairs(
    select(failed_try.c.kind, cast(func.sum(failed_try.c.number), BigInteger))
    .group_by(failed_try.c.kind)
    .order_by(failed_try.c.kind)
)


def depths(tx: Tx) -> list[Depth]:
    """Count the waiting jobs of each kind, and find when the first is due."""
    return tx.all(_DEPTHS)


def dead(tx: Tx) -> dict[str, int]:
    """Count, by kind, the jobs that have failed and wait for a person."""
    return dict(tx.all(_DEAD))


def failed_tries(tx: Tx) -> dict[str, int]:
    """Count, by the jobs' kind, all failed attempts ever made."""
    return dict(tx.all(_TRIES))
