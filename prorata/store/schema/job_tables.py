"""The tables of background work: jobs, how often they failed, what recurs, and what is held (docs/adr/0010)."""

from typing import Any

from sqlalchemy import BigInteger, CheckConstraint, Column, Index, Integer, String, Text, literal_column
from sqlalchemy.sql.elements import ColumnElement

from prorata.domain.jobs.jobs import STATES
from prorata.domain.limits import LONGEST_UNIQUE_KEY
from prorata.store.schema.column_types import ID, TIME, bytewise, needed, one_of, owned, table

INDEXES_OVER_ALL_ACCOUNTS = frozenset(
    {"ix_job_due", "ix_job_turn", "ix_job_lease", "ix_job_failed", "ix_recurring_next"}
)
"""The indexes that do not begin with the account: by them a worker finds what is due, whoever that belongs to."""
KIND = bytewise(32)

job = owned(
    "job",
    needed("kind", KIND),
    needed("state", String(16)),
    Column("unique_key", bytewise(LONGEST_UNIQUE_KEY)),
    needed("payload", Text),
    Column("subject", ID),
    needed("due_at", TIME),
    needed("attempts", Integer),
    Column("lease_until", TIME),
    Column("lease_token", ID),
    Column("last_error", Text),
    needed("created_at", TIME),
    needed("updated_at", TIME),
    Column("ended_at", TIME),
    one_of("state", STATES),
    CheckConstraint("attempts >= 0", name="attempts"),
    CheckConstraint("(state = 'running') = (lease_token is not null)", name="lease"),
    CheckConstraint("(lease_token is null) = (lease_until is null)", name="lease_until"),
    CheckConstraint("(state in ('waiting', 'running')) = (ended_at is null)", name="ended"),
    CheckConstraint("state <> 'failed' or last_error is not null", name="last_error"),
    Index("ix_job_subject", "account_id", "subject", "id"),
)
WAITING = job.c.state == literal_column("'waiting'")
RUNNING = job.c.state == literal_column("'running'")
FAILED = job.c.state == literal_column("'failed'")
"""Conditions of partial indexes: a statement that is to use one says the same, and not with a parameter."""


def _partial(name: str, where: ColumnElement[bool], *columns: Column[Any], unique: bool = False) -> None:
    Index(name, *columns, unique=unique, sqlite_where=where, postgresql_where=where)


_partial("uq_job_unique_key", job.c.ended_at.is_(None), job.c.account_id, job.c.kind, job.c.unique_key, unique=True)
_partial("ix_job_due", WAITING, job.c.kind, job.c.due_at, job.c.id)
_partial("ix_job_turn", WAITING, job.c.kind, job.c.account_id, job.c.due_at)
_partial("ix_job_lease", RUNNING, job.c.lease_until)
_partial("ix_job_failed", FAILED, job.c.kind)
_partial("ix_job_failed_account", FAILED, job.c.account_id)
_partial("ix_job_ended", job.c.ended_at.is_not(None), job.c.account_id, job.c.ended_at)

failed_try = owned("failed_try", needed("kind", KIND), needed("number", BigInteger), key=("kind",))

recurring = owned(
    "recurring",
    needed("name", KIND),
    needed("next_at", TIME),
    Column("fired_at", TIME),
    Index("ix_recurring_next", "next_at"),
    key=("name",),
)

hold = table("hold", Column("name", ID, primary_key=True), needed("since", TIME), needed("why", Text))
