"""Share rules have versions, each from a billing month on; those of before are from always."""

import sqlalchemy as sa
from alembic import op

revision = "dated_rules"
down_revision = "people_and_forwarding"
branch_labels = None
depends_on = None


def _bytewise(length: int) -> sa.types.TypeEngine[str]:
    return sa.String(length).with_variant(sa.String(length, collation="C"), "postgresql")


def upgrade() -> None:
    op.add_column("share_rule", sa.Column("effective_from", _bytewise(7), nullable=True))
    op.create_table(
        "former_share_rule",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("property_id", _bytewise(64), nullable=False),
        sa.Column("utility_type", sa.String(length=16), nullable=False),
        sa.Column("effective_from", _bytewise(7), nullable=False),
        sa.Column("split_method", sa.String(length=16), nullable=False),
        sa.Column("split_method_id", _bytewise(64), nullable=True),
        sa.Column("components", sa.Text(), nullable=True),
        sa.Column("is_active", sa.Boolean(), nullable=False),
        sa.Column("weights", sa.Text(), nullable=True),
        sa.Column("owner_percent", _bytewise(40), nullable=False),
        sa.Column("vacant_occupants", _bytewise(40), nullable=False),
        sa.CheckConstraint(
            "split_method in ('EQUAL', 'SQFT', 'OCCUPANTS', 'BEDROOMS', 'PERCENTAGE', 'CUSTOM')",
            name=op.f("ck_former_share_rule_split_method"),
        ),
        sa.CheckConstraint(
            "utility_type in ('ELECTRICITY', 'WATER', 'GAS', 'INTERNET', 'SEWER', 'GARBAGE', 'OTHER')",
            name=op.f("ck_former_share_rule_utility_type"),
        ),
        sa.ForeignKeyConstraint(
            ["account_id", "property_id"],
            ["property.account_id", "property.id"],
            name=op.f("fk_former_share_rule_property"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            "account_id", "property_id", "utility_type", "effective_from", name=op.f("pk_former_share_rule")
        ),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_former_share_rule_split_method", "former_share_rule", ["account_id", "split_method_id"], unique=False
    )
