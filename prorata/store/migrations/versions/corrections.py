"""Corrections of months that were invoiced: kept by month, household and line, and charged in later months.

Months that are closed by now go on as before, until they are reopened.
"""

import sqlalchemy as sa
from alembic import op

from prorata.store.migrations.steps import partial_index

revision = "corrections"
down_revision = "dated_rules"
branch_labels = None
depends_on = None

_SUMS = ("right", "own", "elsewhere", "cancelled", "placed", "again", "left", "waiting", "to_charge")


def _bytewise(length: int) -> sa.types.TypeEngine[str]:
    return sa.String(length).with_variant(sa.String(length, collation="C"), "postgresql")


def upgrade() -> None:
    has_it = {column["name"] for column in sa.inspect(op.get_bind()).get_columns("account")} >= {"corrections"}
    if not has_it:  # a program that is still running reads its account until it is stopped
        op.add_column("account", sa.Column("corrections", sa.String(16), nullable=False, server_default="ask"))
    op.add_column("billing_month", sa.Column("settles", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("bill", sa.Column("corrected", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("charge", sa.Column("corrects_month", _bytewise(7), nullable=True))
    partial_index("ix_charge_corrects", "charge", ["account_id", "bill_id"], "corrects_month is not null")
    op.create_table(
        "correction",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("property_id", _bytewise(64), nullable=False),
        sa.Column("month", _bytewise(7), nullable=False),
        sa.Column("unit_id", _bytewise(64), nullable=False),
        sa.Column("tenant_id", _bytewise(64), nullable=False),
        sa.Column("bill_id", _bytewise(64), nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.Column("utility_type", sa.String(length=16), nullable=True),
        *(sa.Column(f"{name}_amount", sa.BigInteger(), nullable=False) for name in _SUMS),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("carrier", _bytewise(7), nullable=True),
        sa.ForeignKeyConstraint(
            ["account_id", "property_id"],
            ["property.account_id", "property.id"],
            name=op.f("fk_correction_property"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            "account_id", "property_id", "month", "unit_id", "tenant_id", "bill_id", "line", name=op.f("pk_correction")
        ),
        sqlite_with_rowid=False,
    )
    partial_index(
        "ix_correction_to_charge", "correction", ["account_id", "property_id", "carrier"], "to_charge_amount <> 0"
    )
