"""How the jobs of each kind stand, over all accounts; what is done is not read."""

from typing import NamedTuple

from sqlalchemy import BigInteger, cast, func, select

from prorata.store.database.engine import Tx
from prorata.store.database.statements import returns, returns_pairs
from prorata.store.schema import job_tables
from prorata.store.schema.job_tables import failed_try, job


class Depth(NamedTuple):
    """How many jobs of a kind wait, and since when the first of them is due."""

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
    """How many jobs of each kind wait, and since when the first is due."""
    return tx.all(_DEPTHS)


def dead(tx: Tx) -> dict[str, int]:
    """How many jobs of each kind failed and wait for a person."""
    return dict(tx.all(_DEAD))


def failed_tries(tx: Tx) -> dict[str, int]:
    """How many tries of each kind have failed, ever."""
    return dict(tx.all(_TRIES))
