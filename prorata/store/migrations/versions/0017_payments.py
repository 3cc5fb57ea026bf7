"""payments: the ledger of each invoice, how many entries it has, and files of a bank that payments come from"""

import sqlalchemy as sa
from alembic import op

from prorata.store.columns import bytewise

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("invoice", sa.Column("entries", sa.Integer(), nullable=False, server_default="0"))
    if op.get_bind().dialect.name == "postgresql":
        op.alter_column("invoice", "entries", server_default=None)
    op.create_table(
        "payment",
        sa.Column("account_id", bytewise(64), nullable=False),
        sa.Column("id", bytewise(64), nullable=False),
        sa.Column("invoice_id", bytewise(64), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("day", bytewise(10), nullable=False),
        sa.Column("at", bytewise(24), nullable=False),
        sa.Column("method", sa.String(length=8), nullable=False),
        sa.Column("provider", sa.String(length=16), nullable=True),
        sa.Column("reference", sa.Text(), nullable=True),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("source", bytewise(200), nullable=True),
        sa.Column("reverses", bytewise(64), nullable=True),
        sa.Column("actor", bytewise(64), nullable=False),
        sa.Column("created_at", bytewise(24), nullable=False),
        sa.CheckConstraint("kind in ('PAYMENT', 'REFUND', 'REVERSAL')", name=op.f("ck_payment_kind")),
        sa.CheckConstraint("method in ('CASH', 'TRANSFER', 'CHEQUE', 'CARD', 'OTHER')", name=op.f("ck_payment_method")),
        sa.CheckConstraint("amount > 0", name=op.f("ck_payment_amount")),
        sa.CheckConstraint("(kind = 'REVERSAL') = (reverses is not null)", name=op.f("ck_payment_reversal")),
        sa.ForeignKeyConstraint(
            ["account_id", "invoice_id"],
            ["invoice.account_id", "invoice.id"],
            name=op.f("fk_payment_invoice"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", "invoice_id", "id", name=op.f("pk_payment")),
        sa.UniqueConstraint("account_id", "source", name=op.f("uq_payment_source")),
        sa.UniqueConstraint("account_id", "reverses", name=op.f("uq_payment_reverses")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_payment_latest", "payment", ["account_id", "id"], unique=False)
    op.create_table(
        "payment_file",
        sa.Column("account_id", bytewise(64), nullable=False),
        sa.Column("id", bytewise(64), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("digest", bytewise(64), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("sheet", sa.LargeBinary(), nullable=False),
        sa.Column("rows", sa.Integer(), nullable=False),
        sa.Column("recorded", sa.Integer(), nullable=False),
        sa.Column("choices", sa.Text(), nullable=True),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("created_at", bytewise(24), nullable=False),
        sa.Column("updated_at", bytewise(24), nullable=False),
        sa.CheckConstraint("state in ('open', 'closed')", name=op.f("ck_payment_file_state")),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_payment_file_account"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_payment_file")),
        sa.UniqueConstraint("account_id", "digest", name=op.f("uq_payment_file_digest")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_payment_file_state", "payment_file", ["account_id", "state", "id"], unique=False)
    where = sa.text("status = 'CANCELLED' AND paid_amount > 0")
    columns: list[str | sa.TextClause] = ["account_id", sa.text("month DESC"), "number_key", "id"]
    op.create_index("ix_invoice_refund", "invoice", columns, unique=False, sqlite_where=where, postgresql_where=where)
