"""months that run themselves, and the chain of the audit log: what is chained stands beside the events"""

import sqlalchemy as sa
from alembic import op

from prorata.store.columns import bytewise

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None

LONG_AGO = "2000-01-01T00:00:00.000Z"


def owner(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f(f"fk_{table}_account"), ondelete="CASCADE")


def upgrade() -> None:
    op.add_column("account", sa.Column("automatic", sa.String(length=8), nullable=False, server_default="off"))
    op.add_column("account", sa.Column("automatic_day", sa.Integer(), nullable=False, server_default="5"))
    op.add_column("account", sa.Column("automatic_from", bytewise(7), nullable=True))
    if op.get_bind().dialect.name == "postgresql":
        op.alter_column("account", "automatic", server_default=None)
        op.alter_column("account", "automatic_day", server_default=None)
    _months()
    _chain()
    rows = sa.table("recurring", *(sa.column(name) for name in ("account_id", "name", "next_at")))
    recurs = sa.select(sa.table("account", sa.column("id")).c.id, sa.literal("months"), sa.literal(LONG_AGO))
    op.execute(rows.insert().from_select(["account_id", "name", "next_at"], recurs))


def _months() -> None:
    op.create_table(
        "month_run",
        sa.Column("account_id", bytewise(64), nullable=False),
        sa.Column("property_id", bytewise(64), nullable=False),
        sa.Column("month", bytewise(7), nullable=False),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("invoices", sa.Integer(), nullable=False),
        sa.Column("why", sa.Text(), nullable=True),
        sa.Column("since", bytewise(24), nullable=False),
        sa.CheckConstraint("state in ('ready', 'waits', 'proposed', 'sent')", name=op.f("ck_month_run_state")),
        sa.ForeignKeyConstraint(
            ["account_id", "property_id"],
            ["property.account_id", "property.id"],
            name=op.f("fk_month_run_property"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", "property_id", "month", name=op.f("pk_month_run")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_month_run_state", "month_run", ["account_id", "state", "month", "property_id"], unique=False)
    op.create_table(
        "month_round",
        sa.Column("account_id", bytewise(64), nullable=False),
        sa.Column("day", bytewise(10), nullable=False),
        sa.Column("sent_months", sa.Integer(), nullable=False),
        sa.Column("sent_invoices", sa.Integer(), nullable=False),
        sa.Column("proposed_months", sa.Integer(), nullable=False),
        sa.Column("property_id", bytewise(64), nullable=True),
        owner("month_round"),
        sa.PrimaryKeyConstraint("account_id", "day", name=op.f("pk_month_round")),
        sqlite_with_rowid=False,
    )


def _chain() -> None:
    op.create_table(
        "audit_link",
        sa.Column("account_id", bytewise(64), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("event_id", bytewise(64), nullable=False),
        sa.Column("salt", bytewise(32), nullable=True),
        sa.Column("contents", bytewise(64), nullable=False),
        sa.Column("hash", bytewise(64), nullable=False),
        owner("audit_link"),
        sa.PrimaryKeyConstraint("account_id", "number", name=op.f("pk_audit_link")),
        sa.UniqueConstraint("account_id", "event_id", name=op.f("uq_audit_link_event")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "audit_chain",
        sa.Column("account_id", bytewise(64), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("hash", bytewise(64), nullable=False),
        sa.Column("settled", bytewise(64), nullable=False),
        owner("audit_chain"),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_audit_chain")),
        sqlite_with_rowid=False,
    )
