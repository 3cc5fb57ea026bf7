"""webhooks: events in batches, how far they are counted, endpoints, and what became of each delivery"""

import sqlalchemy as sa
from alembic import op

from prorata.store.columns import bytewise

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "event_batch",
        sa.Column("account_id", bytewise(64), nullable=False),
        sa.Column("id", bytewise(64), nullable=False),
        sa.Column("type", bytewise(32), nullable=False),
        sa.Column("property_id", bytewise(64), nullable=True),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("first_sequence", sa.BigInteger(), nullable=True),
        sa.Column("at", bytewise(24), nullable=False),
        sa.Column("record_ids", sa.Text(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=True),
        sa.CheckConstraint("number > 0", name=op.f("ck_event_batch_number")),
        _account("event_batch"),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_event_batch")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_event_batch_sequence", "event_batch", ["account_id", "first_sequence"], unique=False)
    op.create_index("ix_event_batch_type", "event_batch", ["account_id", "type", "first_sequence"], unique=False)
    op.create_index("ix_event_batch_property", "event_batch", ["account_id", "property_id"], unique=False)
    uncounted = sa.text("first_sequence IS NULL")
    op.create_index(
        "ix_event_batch_uncounted", "event_batch", ["account_id", "id"], unique=False,
        sqlite_where=uncounted, postgresql_where=uncounted,
    )  # fmt: skip
    op.create_table(
        "event_feed",
        sa.Column("account_id", bytewise(64), nullable=False),
        sa.Column("last_sequence", sa.BigInteger(), nullable=False),
        _account("event_feed"),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_event_feed")),
        sqlite_with_rowid=False,
    )
    _endpoints()
    _deliveries()


def _endpoints() -> None:
    op.create_table(
        "webhook_endpoint",
        sa.Column("account_id", bytewise(64), nullable=False),
        sa.Column("id", bytewise(64), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("types", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("why_off", sa.Text(), nullable=True),
        sa.Column("secret", sa.Text(), nullable=False),
        sa.Column("secret_before", sa.Text(), nullable=True),
        sa.Column("before_until", bytewise(24), nullable=True),
        sa.Column("sent_to", sa.BigInteger(), nullable=False),
        sa.Column("next_at", bytewise(24), nullable=True),
        sa.Column("is_slow", sa.Boolean(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("delivered_at", bytewise(24), nullable=True),
        sa.Column("failed_at", bytewise(24), nullable=True),
        sa.Column("failure", sa.Text(), nullable=True),
        sa.Column("created_at", bytewise(24), nullable=False),
        sa.Column("updated_at", bytewise(24), nullable=False),
        sa.CheckConstraint("state in ('on', 'paused', 'off')", name=op.f("ck_webhook_endpoint_state")),
        _account("webhook_endpoint"),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_webhook_endpoint")),
        sqlite_with_rowid=False,
    )
    is_on = sa.text("state = 'on'")
    op.create_index(
        "ix_webhook_endpoint_next", "webhook_endpoint", ["next_at"], unique=False,
        sqlite_where=is_on, postgresql_where=is_on,
    )  # fmt: skip


def _deliveries() -> None:
    op.create_table(
        "webhook_delivery",
        sa.Column("account_id", bytewise(64), nullable=False),
        sa.Column("id", bytewise(64), nullable=False),
        sa.Column("endpoint_id", bytewise(64), nullable=False),
        sa.Column("sequence", sa.BigInteger(), nullable=False),
        sa.Column("event_id", bytewise(64), nullable=False),
        sa.Column("type", bytewise(32), nullable=False),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_at", bytewise(24), nullable=True),
        sa.Column("status", sa.Integer(), nullable=True),
        sa.Column("said", sa.Text(), nullable=False),
        sa.Column("milliseconds", sa.Integer(), nullable=False),
        sa.Column("created_at", bytewise(24), nullable=False),
        sa.Column("tried_at", bytewise(24), nullable=False),
        sa.CheckConstraint(
            "(state = 'waiting') = (next_at is not null)", name=op.f("ck_webhook_delivery_next_at")
        ),
        sa.CheckConstraint(
            "state in ('waiting', 'delivered', 'failed')", name=op.f("ck_webhook_delivery_state")
        ),
        sa.ForeignKeyConstraint(
            ["account_id", "endpoint_id"], ["webhook_endpoint.account_id", "webhook_endpoint.id"],
            name=op.f("fk_webhook_delivery_webhook_endpoint"), ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_webhook_delivery")),
        sa.UniqueConstraint("account_id", "endpoint_id", "sequence", name=op.f("uq_webhook_delivery_sequence")),
        sqlite_with_rowid=False,
    )  # fmt: skip
    waits = sa.text("state = 'waiting'")
    op.create_index(
        "ix_webhook_delivery_waiting", "webhook_delivery", ["account_id", "endpoint_id", "next_at"], unique=False,
        sqlite_where=waits, postgresql_where=waits,
    )  # fmt: skip


def _account(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f(f"fk_{table}_account"), ondelete="CASCADE")
