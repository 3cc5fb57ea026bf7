"""Disputes of charges with their files, and the days in which an account answers them."""

import sqlalchemy as sa
from alembic import op

revision = "disputes"
down_revision = "rule_announcements"
branch_labels = None
depends_on = None


def _bytewise(length: int) -> sa.types.TypeEngine[str]:
    return sa.String(length).with_variant(sa.String(length, collation="C"), "postgresql")


def upgrade() -> None:
    if "answer_days" not in {column["name"] for column in sa.inspect(op.get_bind()).get_columns("account")}:
        op.add_column("account", sa.Column("answer_days", sa.Integer(), nullable=False, server_default="14"))
    _create_disputes()
    op.create_table(
        "dispute_file",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("question_id", _bytewise(64), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id", "question_id"],
            ["tenant_question.account_id", "tenant_question.id"],
            name=op.f("fk_dispute_file_tenant_question"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", "question_id", "number", name=op.f("pk_dispute_file")),
        sqlite_with_rowid=False,
    )


def _create_disputes() -> None:
    op.create_table(
        "dispute",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("question_id", _bytewise(64), nullable=False),
        sa.Column("invoice_id", _bytewise(64), nullable=False),
        sa.Column("charge_id", _bytewise(64), nullable=False),
        sa.Column("tenant_id", _bytewise(64)),
        sa.Column("bill_id", _bytewise(64)),
        sa.Column("line", sa.Integer()),
        sa.Column("charged", sa.BigInteger(), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("answer_by", _bytewise(10), nullable=False),
        sa.Column("opened_by", sa.Text()),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("ended_at", _bytewise(24)),
        sa.Column("ended_by", sa.Text()),
        sa.Column("reason", sa.Text()),
        sa.Column("corrected", sa.BigInteger()),
        sa.Column("carrier", _bytewise(7)),
        sa.CheckConstraint("state in ('OPEN', 'RESOLVED', 'CORRECTED', 'WITHDRAWN')", name=op.f("ck_dispute_state")),
        sa.CheckConstraint("amount > 0 and amount <= abs(charged)", name=op.f("ck_dispute_amount")),
        sa.CheckConstraint("(state = 'OPEN') = (ended_at is null)", name=op.f("ck_dispute_ended")),
        sa.CheckConstraint("(state = 'CORRECTED') = (corrected is not null)", name=op.f("ck_dispute_corrected")),
        sa.ForeignKeyConstraint(
            ["account_id", "question_id"],
            ["tenant_question.account_id", "tenant_question.id"],
            name=op.f("fk_dispute_tenant_question"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", "question_id", name=op.f("pk_dispute")),
        sqlite_with_rowid=False,
    )
    is_open = sa.text("state = 'OPEN'")
    op.create_index(
        "ix_dispute_open",
        "dispute",
        ["account_id", "invoice_id", "charge_id", "tenant_id"],
        unique=True,
        sqlite_where=is_open,
        postgresql_where=is_open,
    )
    op.create_index("ix_dispute_invoice", "dispute", ["account_id", "invoice_id", "question_id"])
