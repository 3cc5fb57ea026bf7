"""jobs, what recurs, and what is held"""

import sqlalchemy as sa
from alembic import op

from prorata.store.columns import bytewise
from prorata.store.migrations.steps import partial_index

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

RECURRING = ("overdue", "tidy")
LONG_AGO = "2000-01-01T00:00:00.000Z"
"""When what recurs for the accounts that are there already is due: as soon as a worker runs."""


def owner(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=f"fk_{table}_account", ondelete="CASCADE")


def upgrade() -> None:
    op.create_table(
        "job",
        sa.Column("account_id", bytewise(64), nullable=False),
        sa.Column("id", bytewise(64), nullable=False),
        sa.Column("kind", bytewise(32), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("unique_key", bytewise(200), nullable=True),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("subject", bytewise(64), nullable=True),
        sa.Column("due_at", bytewise(24), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("lease_until", bytewise(24), nullable=True),
        sa.Column("lease_token", bytewise(64), nullable=True),
        sa.Column("last_error", sa.Text(), nullable=True),
        sa.Column("created_at", bytewise(24), nullable=False),
        sa.Column("updated_at", bytewise(24), nullable=False),
        sa.Column("ended_at", bytewise(24), nullable=True),
        sa.CheckConstraint("state in ('waiting', 'running', 'done', 'failed', 'cancelled')", name=op.f("ck_job_state")),
        sa.CheckConstraint("attempts >= 0", name=op.f("ck_job_attempts")),
        sa.CheckConstraint("(state = 'running') = (lease_token is not null)", name=op.f("ck_job_lease")),
        sa.CheckConstraint("(lease_token is null) = (lease_until is null)", name=op.f("ck_job_lease_until")),
        sa.CheckConstraint("(state in ('waiting', 'running')) = (ended_at is null)", name=op.f("ck_job_ended")),
        sa.CheckConstraint("state <> 'failed' or last_error is not null", name=op.f("ck_job_last_error")),
        owner("job"),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_job")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_job_subject", "job", ["account_id", "subject", "id"], unique=False)
    partial_index("uq_job_unique_key", "job", ["account_id", "kind", "unique_key"], "ended_at IS NULL", unique=True)
    partial_index("ix_job_due", "job", ["kind", "due_at", "id"], "state = 'waiting'")
    partial_index("ix_job_turn", "job", ["kind", "account_id", "due_at"], "state = 'waiting'")
    partial_index("ix_job_lease", "job", ["lease_until"], "state = 'running'")
    partial_index("ix_job_failed", "job", ["kind"], "state = 'failed'")
    partial_index("ix_job_ended", "job", ["account_id", "ended_at"], "ended_at IS NOT NULL")
    op.create_table(
        "failed_try",
        sa.Column("account_id", bytewise(64), nullable=False),
        sa.Column("kind", bytewise(32), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        owner("failed_try"),
        sa.PrimaryKeyConstraint("account_id", "kind", name=op.f("pk_failed_try")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "recurring",
        sa.Column("account_id", bytewise(64), nullable=False),
        sa.Column("name", bytewise(32), nullable=False),
        sa.Column("next_at", bytewise(24), nullable=False),
        sa.Column("fired_at", bytewise(24), nullable=True),
        owner("recurring"),
        sa.PrimaryKeyConstraint("account_id", "name", name=op.f("pk_recurring")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_recurring_next", "recurring", ["next_at"], unique=False)
    op.create_table(
        "hold",
        sa.Column("name", bytewise(64), nullable=False),
        sa.Column("since", bytewise(24), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_hold")),
        sqlite_with_rowid=False,
    )
    rows = sa.table("recurring", *(sa.column(name) for name in ("account_id", "name", "next_at")))
    accounts = sa.table("account", sa.column("id"))
    for name in RECURRING:
        recurs = sa.select(accounts.c.id, sa.literal(name), sa.literal(LONG_AGO))
        op.execute(rows.insert().from_select(["account_id", "name", "next_at"], recurs))
