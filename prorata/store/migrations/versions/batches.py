"""Batches of writes that a program sends together."""

import sqlalchemy as sa
from alembic import op

revision = "batches"
down_revision = "lists_by_change"
branch_labels = None
depends_on = None


def _bytewise(length: int) -> sa.types.TypeEngine[str]:
    return sa.String(length).with_variant(sa.String(length, collation="C"), "postgresql")


def upgrade() -> None:
    if sa.inspect(op.get_bind()).has_table("batch"):
        return
    op.create_table(
        "batch",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("id", _bytewise(64), nullable=False),
        sa.Column("actor", _bytewise(64), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("why", sa.Text()),
        sa.Column("created_at", _bytewise(24), nullable=False),
        sa.Column("ended_at", _bytewise(24)),
        sa.CheckConstraint("state in ('going on', 'done', 'stopped')", name=op.f("ck_batch_state")),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_batch")),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_batch_account"), ondelete="CASCADE"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_batch_ended", "batch", ["account_id", "ended_at"])
    op.create_table(
        "batched_write",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("batch_id", _bytewise(64), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("method", sa.String(8), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("sent", sa.Text()),
        sa.Column("status", sa.Integer()),
        sa.Column("answer", sa.Text()),
        sa.PrimaryKeyConstraint("account_id", "batch_id", "number", name=op.f("pk_batched_write")),
        sa.ForeignKeyConstraint(
            ["account_id", "batch_id"], ["batch.account_id", "batch.id"], name=op.f("fk_batched_write_batch"),
            ondelete="CASCADE",
        ),
        sqlite_with_rowid=False,
    )  # fmt: skip
