"""What tenants are told of rules that change: how many days before, by account, 0 for never; and what each was told."""

import sqlalchemy as sa
from alembic import op

revision = "rule_announcements"
down_revision = "usage_and_price"
branch_labels = None
depends_on = None

_UTILITIES = ("ELECTRICITY", "WATER", "GAS", "INTERNET", "SEWER", "GARBAGE", "OTHER")


def _bytewise(length: int) -> sa.types.TypeEngine[str]:
    return sa.String(length).with_variant(sa.String(length, collation="C"), "postgresql")


def upgrade() -> None:
    if "announce_days" not in {one["name"] for one in sa.inspect(op.get_bind()).get_columns("account")}:
        op.add_column("account", sa.Column("announce_days", sa.Integer(), nullable=False, server_default="0"))
    op.create_table(
        "rule_announcement",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("id", _bytewise(64), nullable=False),
        sa.Column("property_id", _bytewise(64), nullable=False),
        sa.Column("utility_type", sa.String(16), nullable=False),
        sa.Column("effective_from", _bytewise(7), nullable=False),
        sa.Column("mark", _bytewise(64), nullable=False),
        sa.Column("unit_id", _bytewise(64), nullable=False),
        sa.Column("unit_label", sa.Text(), nullable=False),
        sa.Column("tenant_id", _bytewise(64), nullable=False),
        sa.Column("to_name", sa.Text(), nullable=False),
        sa.Column("told", sa.Text(), nullable=False),
        sa.Column("told_at", _bytewise(24), nullable=False),
        sa.CheckConstraint(
            f"utility_type in ({', '.join(map(repr, _UTILITIES))})", name=op.f("ck_rule_announcement_utility_type")
        ),
        sa.ForeignKeyConstraint(
            ["account_id", "property_id"], ["property.account_id", "property.id"],
            name="fk_rule_announcement_property", ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_rule_announcement")),
        sqlite_with_rowid=False,
    )  # fmt: skip
    op.create_index("ix_rule_announcement_property", "rule_announcement", ["account_id", "property_id", "id"])
    op.execute(
        "INSERT INTO recurring (account_id, name, next_at) SELECT id, 'announce', updated_at FROM account "
        "WHERE id NOT IN (SELECT account_id FROM recurring WHERE name = 'announce')"
    )
