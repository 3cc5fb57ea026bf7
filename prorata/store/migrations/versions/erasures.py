"""Erased tenants, and how long what was sent is kept."""

import sqlalchemy as sa
from alembic import op

revision = "erasures"
down_revision = "payments_and_rules_by_change"
branch_labels = None
depends_on = None

PERIODS = {"keep_invoices_years": 10, "keep_tenants_years": 0, "keep_bank_files_days": 0}


def _bytewise(length: int) -> sa.types.TypeEngine[str]:
    return sa.String(length).with_variant(sa.String(length, collation="C"), "postgresql")


def upgrade() -> None:
    inspected = sa.inspect(op.get_bind())
    there = {column["name"] for column in inspected.get_columns("account")}
    for name, default in PERIODS.items():
        if name not in there:
            op.add_column("account", sa.Column(name, sa.Integer(), nullable=False, server_default=str(default)))
    op.execute(
        "INSERT INTO recurring (account_id, name, next_at) SELECT id, 'forget', updated_at FROM account "
        "WHERE id NOT IN (SELECT account_id FROM recurring WHERE name = 'forget')"
    )
    if inspected.has_table("erasure"):
        return
    op.create_table(
        "erasure",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("tenant_id", _bytewise(64), nullable=False),
        sa.Column("erased_at", _bytewise(24), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id", "tenant_id"],
            ["tenant.account_id", "tenant.id"],
            name=op.f("fk_erasure_tenant"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", "tenant_id", name=op.f("pk_erasure")),
        sqlite_with_rowid=False,
    )
