"""tenants' pages: links that were stopped or replaced, what tenants asked, and whether they see the bills"""

import sqlalchemy as sa
from alembic import op

from prorata.store.columns import bytewise

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("account", sa.Column("shows_bills", sa.Boolean(), nullable=False, server_default=sa.true()))
    op.create_table(
        "tenant_link",
        sa.Column("account_id", bytewise(64), nullable=False),
        sa.Column("invoice_id", bytewise(64), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("is_stopped", sa.Boolean(), nullable=False),
        sa.Column("updated_at", bytewise(24), nullable=False),
        _of_invoice("tenant_link"),
        sa.PrimaryKeyConstraint("account_id", "invoice_id", name=op.f("pk_tenant_link")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "tenant_question",
        sa.Column("account_id", bytewise(64), nullable=False),
        sa.Column("id", bytewise(64), nullable=False),
        sa.Column("invoice_id", bytewise(64), nullable=False),
        sa.Column("asked", sa.Text(), nullable=False),
        sa.Column("asked_at", bytewise(24), nullable=False),
        sa.Column("answered_at", bytewise(24), nullable=True),
        _of_invoice("tenant_question"),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_tenant_question")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_tenant_question_invoice", "tenant_question", ["account_id", "invoice_id", "id"], unique=False)
    op.create_index(
        "ix_tenant_question_waits", "tenant_question", ["account_id", "id"], unique=False,
        sqlite_where=sa.text("answered_at IS NULL"), postgresql_where=sa.text("answered_at IS NULL"),
    )  # fmt: skip


def _of_invoice(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["account_id", "invoice_id"], ["invoice.account_id", "invoice.id"], name=op.f(f"fk_{table}_invoice"),
        ondelete="CASCADE",
    )  # fmt: skip
