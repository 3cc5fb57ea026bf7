"""The tables of background work: jobs, failed attempts, recurring work, and holds.

See docs/adr/0010.
"""

from sqlalchemy import BigInteger, CheckConstraint, Column, Index, Integer, String, Text, literal_column

from prorata.domain.jobs.jobs import STATES
from prorata.domain.limits import LONGEST_UNIQUE_KEY
from prorata.store.schema.column_types import ID, TIME, bytewise, needed, one_of, owned, partial_index, table

INDEXES_OVER_ALL_ACCOUNTS = frozenset(
    {"ix_job_due", "ix_job_turn", "ix_job_lease", "ix_job_failed", "ix_recurring_next"}
)
"""The indexes that do not begin with the account.

A worker uses them to find due work, whichever account it belongs to.
"""
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
    partial_index("ix_job_ended", "account_id", "ended_at", where=literal_column("ended_at IS NOT NULL")),
    partial_index(
        "uq_job_unique_key", "account_id", "kind", "unique_key", where=literal_column("ended_at IS NULL"), unique=True
    ),
)
WAITING = job.c.state == literal_column("'waiting'")
RUNNING = job.c.state == literal_column("'running'")
FAILED = job.c.state == literal_column("'failed'")
"""The condition for failed jobs, as in the partial indexes of these jobs."""
partial_index("ix_job_due", job.c.kind, job.c.due_at, job.c.id, where=WAITING)
partial_index("ix_job_turn", job.c.kind, job.c.account_id, job.c.due_at, where=WAITING)
partial_index("ix_job_lease", job.c.lease_until, where=RUNNING)
partial_index("ix_job_failed", job.c.kind, where=FAILED)
partial_index("ix_job_failed_account", job.c.account_id, where=FAILED)

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
