"""The hold that keeps all accounts' outgoing jobs waiting.

It is set when a backup is restored, or by the operator.
"""

from typing import NamedTuple

from sqlalchemy import bindparam, delete, select

from prorata.store.database.engine import Tx
from prorata.store.database.statements import adds_if_new, changes, returns
from prorata.store.schema.job_tables import hold

OUTSIDE_JOBS = "outside jobs"


class HoldRow(NamedTuple):
    """A hold on jobs; `name` says which jobs are held.

    `since` is the time at which the hold began, and `why` is the reason.
    """

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
    """Hold every outgoing job until the hold is released.

    If a hold already exists, it is left unchanged.
    """
    tx.run(_ADD, name=OUTSIDE_JOBS, since=tx.now, why=why)


def as_sql(why: str, at: str) -> str:
    """Return the SQL by which PostgreSQL holds outgoing jobs while a database is restored.

    The SQL is run in the transaction that restores the database. `why` and `at` are the reason and the time of the
    hold. The SQL does nothing in an old schema that has neither holds nor jobs.
    """
    values = ", ".join("'{}'".format(text.replace("'", "''").replace("$", "")) for text in (OUTSIDE_JOBS, at, why))
    add = f"INSERT INTO public.hold (name, since, why) VALUES ({values}) ON CONFLICT DO NOTHING"  # noqa: S608 - quoted
    return f"DO $hold$ BEGIN IF to_regclass('public.hold') IS NOT NULL THEN {add}; END IF; END $hold$;\n"


def release(tx: Tx) -> bool:
    """Release the hold on outgoing jobs; return False if there was none."""
    return tx.run(_RELEASE, name=OUTSIDE_JOBS) == 1
