"""The hold on all accounts' outgoing work, after a restore or by an operator."""

from typing import NamedTuple

from sqlalchemy import bindparam, delete, select

from prorata.store.database.engine import Tx
from prorata.store.database.statements import adds_if_new, changes, returns
from prorata.store.schema.job_tables import hold

OUTSIDE_JOBS = "outside jobs"


class HoldRow(NamedTuple):
    """A hold: its target, its start, and its reason."""

    name: str
    since: str
    why: str


_FIND = returns(HoldRow, select(hold).where(hold.c.name == bindparam("name")))
_ADD = adds_if_new(hold)
_RELEASE = changes(delete(hold).where(hold.c.name == bindparam("name")))


def found(tx: Tx) -> HoldRow | None:
    """Find the hold on outgoing jobs, if one exists."""
    return tx.one(_FIND, name=OUTSIDE_JOBS)


def hold_outside_jobs(tx: Tx, why: str) -> None:
    """Hold every outgoing job until released.

    An existing hold is left unchanged.
    """
    tx.run(_ADD, name=OUTSIDE_JOBS, since=tx.now, why=why)


def as_sql(why: str, at: str) -> str:
    """Write the hold on outgoing jobs as SQL for PostgreSQL.

    `why` and `at` are its reason and time. The SQL is for restoring a database and holding its jobs in one
    transaction. It does nothing in a schema without holds, which has no jobs either.
    """
    values = ", ".join("'{}'".format(text.replace("'", "''").replace("$", "")) for text in (OUTSIDE_JOBS, at, why))
    add = f"INSERT INTO public.hold (name, since, why) VALUES ({values}) ON CONFLICT DO NOTHING"  # noqa: S608 - quoted
    return f"DO $hold$ BEGIN IF to_regclass('public.hold') IS NOT NULL THEN {add}; END IF; END $hold$;\n"


def release(tx: Tx) -> bool:
    """Release the hold; return False if none existed."""
    return tx.run(_RELEASE, name=OUTSIDE_JOBS) == 1
