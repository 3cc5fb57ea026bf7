"""charge_exports: what other programs call our records, the files of charges made for them, and what went into each"""

import sqlalchemy as sa
from alembic import op

from prorata.store.columns import bytewise

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def of_account(table: str) -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_{table}_account")
    return sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=name, ondelete="CASCADE")


def of(table: str, parent: str, column: str) -> sa.ForeignKeyConstraint:
    columns, theirs = ["account_id", column], [f"{parent}.account_id", f"{parent}.id"]
    return sa.ForeignKeyConstraint(columns, theirs, name=op.f(f"fk_{table}_{parent}"), ondelete="CASCADE")


def upgrade() -> None:
    op.create_table(
        "charge_name",
        sa.Column("account_id", bytewise(64), nullable=False),
        sa.Column("system", bytewise(32), nullable=False),
        sa.Column("field", bytewise(32), nullable=False),
        sa.Column("record_id", bytewise(64), nullable=False),
        sa.Column("property_id", bytewise(64), nullable=True),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("updated_at", bytewise(24), nullable=False),
        of_account("charge_name"),
        of("charge_name", "property", "property_id"),
        sa.PrimaryKeyConstraint("account_id", "system", "field", "record_id", name=op.f("pk_charge_name")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_charge_name_property", "charge_name", ["account_id", "property_id"], unique=False)
    op.create_table(
        "charge_export",
        sa.Column("account_id", bytewise(64), nullable=False),
        sa.Column("id", bytewise(64), nullable=False),
        sa.Column("system", bytewise(32), nullable=False),
        sa.Column("month", bytewise(7), nullable=False),
        sa.Column("property_id", bytewise(64), nullable=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("encoding", sa.String(length=16), nullable=False),
        sa.Column("head", sa.Text(), nullable=False),
        sa.Column("invoices", sa.Integer(), nullable=False),
        sa.Column("rows", sa.Integer(), nullable=False),
        sa.Column("total", sa.BigInteger(), nullable=False),
        sa.Column("currency", sa.String(length=3), nullable=False),
        sa.Column("created_at", bytewise(24), nullable=False),
        of_account("charge_export"),
        of("charge_export", "property", "property_id"),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_charge_export")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_charge_export_system", "charge_export", ["account_id", "system", "id"], unique=False)
    op.create_table(
        "exported_invoice",
        sa.Column("account_id", bytewise(64), nullable=False),
        sa.Column("export_id", bytewise(64), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("number", bytewise(48), nullable=False),
        sa.Column("system", bytewise(32), nullable=False),
        sa.Column("property_id", bytewise(64), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("lines", sa.Text(), nullable=False),
        of("exported_invoice", "charge_export", "export_id"),
        of("exported_invoice", "property", "property_id"),
        sa.PrimaryKeyConstraint("account_id", "export_id", "place", name=op.f("pk_exported_invoice")),
        sqlite_with_rowid=False,
    )
    for name, columns in (
        ("number", ["account_id", "system", "number", "export_id"]),
        ("property", ["account_id", "property_id"]),
    ):
        op.create_index(f"ix_exported_invoice_{name}", "exported_invoice", columns, unique=False)
