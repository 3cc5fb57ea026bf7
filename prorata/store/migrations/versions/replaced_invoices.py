"""An invoice that is sent with another total gets another number, and what was sent before is kept."""

import sqlalchemy as sa
from alembic import op

revision = "replaced_invoices"
down_revision = "corrections"
branch_labels = None
depends_on = None


def _bytewise(length: int) -> sa.types.TypeEngine[str]:
    return sa.String(length).with_variant(sa.String(length, collation="C"), "postgresql")


def upgrade() -> None:
    op.add_column("invoice", sa.Column("revision", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("invoice", sa.Column("replaces_number", _bytewise(48), nullable=True))
    op.create_table(
        "earlier_invoice",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("invoice_id", _bytewise(64), nullable=False),
        sa.Column("number", _bytewise(48), nullable=False),
        sa.Column("replaces_number", _bytewise(48), nullable=True),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("invoice_date", _bytewise(10), nullable=False),
        sa.Column("due_date", _bytewise(10), nullable=True),
        sa.Column("total", sa.BigInteger(), nullable=False),
        sa.Column("paid_amount", sa.BigInteger(), nullable=False),
        sa.Column("paid_at", _bytewise(24), nullable=True),
        sa.Column("tenant_id", _bytewise(64), nullable=True),
        sa.Column("tenant_name", sa.Text().with_variant(sa.Text(collation="C"), "postgresql"), nullable=True),
        sa.Column("printed", sa.Text(), nullable=False),
        sa.Column("generated_at", _bytewise(24), nullable=False),
        sa.Column("charges", sa.Text(), nullable=False),
        sa.Column("facts", _bytewise(64), nullable=True),
        sa.Column("kept_at", _bytewise(24), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id", "invoice_id"],
            ["invoice.account_id", "invoice.id"],
            name=op.f("fk_earlier_invoice_invoice"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", "invoice_id", "number", name=op.f("pk_earlier_invoice")),
        sa.UniqueConstraint("account_id", "number", name=op.f("uq_earlier_invoice_number")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "earlier_facts",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("property_id", _bytewise(64), nullable=False),
        sa.Column("month", _bytewise(7), nullable=False),
        sa.Column("digest", _bytewise(64), nullable=False),
        sa.Column("snapshot", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id", "property_id", "month"],
            ["billing_month.account_id", "billing_month.property_id", "billing_month.month"],
            name=op.f("fk_earlier_facts_billing_month"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", "property_id", "month", "digest", name=op.f("pk_earlier_facts")),
        sqlite_with_rowid=False,
    )
