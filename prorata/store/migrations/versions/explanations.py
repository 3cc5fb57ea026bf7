"""Explanations are kept with what is issued."""

import sqlalchemy as sa
from alembic import op

revision = "explanations"
down_revision = "disputes"
branch_labels = None
depends_on = None


def _bytewise(length: int) -> sa.types.TypeEngine[str]:
    return sa.String(length).with_variant(sa.String(length, collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "month_explanation",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("property_id", _bytewise(64), nullable=False),
        sa.Column("month", _bytewise(7), nullable=False),
        sa.Column("facts", _bytewise(64), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("kept_at", _bytewise(24), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id", "property_id", "month"],
            ["billing_month.account_id", "billing_month.property_id", "billing_month.month"],
            name=op.f("fk_month_explanation_billing_month"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", "property_id", "month", "facts", name=op.f("pk_month_explanation")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "invoice_explanation",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("invoice_id", _bytewise(64), nullable=False),
        sa.Column("number", _bytewise(48), nullable=False),
        sa.Column("facts", _bytewise(64), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("kept_at", _bytewise(24), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id", "invoice_id"],
            ["invoice.account_id", "invoice.id"],
            name=op.f("fk_invoice_explanation_invoice"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", "invoice_id", "number", name=op.f("pk_invoice_explanation")),
        sqlite_with_rowid=False,
    )
