"""Whether what leaves the house is held back, for all accounts: after a restore, or because an operator says so."""

from typing import NamedTuple

from sqlalchemy import bindparam, delete, select

from prorata.store.database.engine import Tx
from prorata.store.database.statements import adds_if_new, changes, returns
from prorata.store.schema.job_tables import hold

OUTSIDE_JOBS = "outside jobs"


class HoldRow(NamedTuple):
    """What is held, since when, and why."""

    name: str
    since: str
    why: str


_FIND = returns(HoldRow, select(hold).where(hold.c.name == bindparam("name")))
_ADD = adds_if_new(hold)
_RELEASE = changes(delete(hold).where(hold.c.name == bindparam("name")))


def found(tx: Tx) -> HoldRow | None:
    """The hold on jobs that leave the house, if there is one."""
    return tx.one(_FIND, name=OUTSIDE_JOBS)


def hold_outside_jobs(tx: Tx, why: str) -> None:
    """Hold every job that leaves the house until it is released; a hold that is there stays as it is."""
    tx.run(_ADD, name=OUTSIDE_JOBS, since=tx.now, why=why)


def as_sql(why: str, at: str) -> str:
    """The hold on jobs that leave the house as SQL for PostgreSQL: for who restores a database in one transaction, and
    holds its jobs in the same. A schema that has no holds has no jobs either.
    """
    values = ", ".join("'{}'".format(text.replace("'", "''").replace("$", "")) for text in (OUTSIDE_JOBS, at, why))
    add = f"INSERT INTO public.hold (name, since, why) VALUES ({values}) ON CONFLICT DO NOTHING"  # noqa: S608 - quoted
    return f"DO $hold$ BEGIN IF to_regclass('public.hold') IS NOT NULL THEN {add}; END IF; END $hold$;\n"


def release(tx: Tx) -> bool:
    """Let them go; False when nothing was held."""
    return tx.run(_RELEASE, name=OUTSIDE_JOBS) == 1
