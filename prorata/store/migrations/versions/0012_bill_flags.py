"""flags of bills: what was found odd, who accepted it and why; the lines of bills that are held; whether they are"""

import sqlalchemy as sa
from alembic import op

from prorata.store.columns import bytewise

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("account", sa.Column("hold_flagged", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_table(
        "held_line",
        sa.Column("account_id", bytewise(64), nullable=False),
        sa.Column("bill_id", bytewise(64), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("property_id", bytewise(64), nullable=False),
        sa.Column("month", bytewise(7), nullable=False),
        sa.Column("utility_type", sa.String(length=16), nullable=True),
        sa.Column("not_billed", sa.String(length=24), nullable=True),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.CheckConstraint(
            "utility_type in ('ELECTRICITY', 'WATER', 'GAS', 'INTERNET', 'SEWER', 'GARBAGE', 'OTHER')",
            name=op.f("ck_held_line_utility_type"),
        ),
        sa.CheckConstraint(
            "not_billed in ('PREVIOUS_BALANCE', 'LATE_FEE', 'DEPOSIT', 'OWNER')", name=op.f("ck_held_line_not_billed")
        ),
        sa.CheckConstraint("(utility_type is null) <> (not_billed is null)", name=op.f("ck_held_line_kind")),
        _of_bill("held_line"),
        sa.PrimaryKeyConstraint("account_id", "bill_id", "number", name=op.f("pk_held_line")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_held_line_month", "held_line", ["account_id", "property_id", "month"], unique=False)
    op.create_table(
        "bill_flag",
        sa.Column("account_id", bytewise(64), nullable=False),
        sa.Column("bill_id", bytewise(64), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("property_id", bytewise(64), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("about", sa.Text(), nullable=False),
        sa.Column("found_at", bytewise(24), nullable=False),
        sa.Column("accepted_at", bytewise(24), nullable=True),
        sa.Column("accepted_by", bytewise(64), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.CheckConstraint(
            "kind in ('duplicate', 'overlap', 'gap', 'unusualAmount', 'dueBeforeBilled', 'doesNotSum')",
            name=op.f("ck_bill_flag_kind"),
        ),
        sa.CheckConstraint(
            "(accepted_at is null) = (accepted_by is null) and (accepted_at is null) = (reason is null)",
            name=op.f("ck_bill_flag_accepted"),
        ),
        _of_bill("bill_flag"),
        sa.PrimaryKeyConstraint("account_id", "bill_id", "number", name=op.f("pk_bill_flag")),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_bill_flag_open", "bill_flag", ["account_id", "property_id", "bill_id"], unique=False,
        sqlite_where=sa.text("accepted_at is null"), postgresql_where=sa.text("accepted_at is null"),
    )  # fmt: skip


def _of_bill(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["account_id", "bill_id"], ["bill.account_id", "bill.id"], name=op.f(f"fk_{table}_bill"), ondelete="CASCADE"
    )
