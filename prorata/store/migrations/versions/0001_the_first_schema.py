"""the first schema"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "account",
        sa.Column(
            "id", sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql"), nullable=False
        ),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("timezone", sa.Text(), nullable=False),
        sa.Column("locale", sa.Text(), nullable=False),
        sa.Column("currency", sa.String(length=3), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("contact", sa.Text(), nullable=False),
        sa.Column("payment_terms", sa.Integer(), nullable=False),
        sa.Column("late_bills", sa.String(length=16), nullable=False),
        sa.Column("property_count", sa.Integer(), nullable=False),
        sa.Column("bill_count", sa.Integer(), nullable=False),
        sa.Column(
            "created_at",
            sa.String(length=24).with_variant(sa.String(length=24, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column(
            "updated_at",
            sa.String(length=24).with_variant(sa.String(length=24, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.CheckConstraint("late_bills in ('ask', 'next open month')", name=op.f("ck_account_late_bills")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_account")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "api_key",
        sa.Column(
            "account_id",
            sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column(
            "id", sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql"), nullable=False
        ),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("permission", sa.String(length=8), nullable=False),
        sa.Column(
            "key_hash",
            sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column("last_four", sa.String(length=4), nullable=False),
        sa.Column(
            "created_at",
            sa.String(length=24).with_variant(sa.String(length=24, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column(
            "last_used_at",
            sa.String(length=24).with_variant(sa.String(length=24, collation="C"), "postgresql"),
            nullable=True,
        ),
        sa.Column(
            "expires_at",
            sa.String(length=24).with_variant(sa.String(length=24, collation="C"), "postgresql"),
            nullable=True,
        ),
        sa.Column(
            "revoked_at",
            sa.String(length=24).with_variant(sa.String(length=24, collation="C"), "postgresql"),
            nullable=True,
        ),
        sa.CheckConstraint("permission in ('READ', 'FULL')", name=op.f("ck_api_key_permission")),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_api_key_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_api_key")),
        sa.UniqueConstraint("key_hash", name=op.f("uq_api_key_key_hash")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "event",
        sa.Column(
            "account_id",
            sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column(
            "id", sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql"), nullable=False
        ),
        sa.Column(
            "at", sa.String(length=24).with_variant(sa.String(length=24, collation="C"), "postgresql"), nullable=False
        ),
        sa.Column(
            "actor",
            sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column("verb", sa.String(length=32), nullable=False),
        sa.Column(
            "record_id",
            sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column(
            "property_id",
            sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql"),
            nullable=True,
        ),
        sa.Column("before", sa.Text(), nullable=True),
        sa.Column("after", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_event_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_event")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_event_property", "event", ["account_id", "property_id"], unique=False)
    op.create_index("ix_event_record", "event", ["account_id", "record_id", "id"], unique=False)
    op.create_table(
        "idempotency_key",
        sa.Column(
            "account_id",
            sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column("key", sa.Text().with_variant(sa.Text(collation="C"), "postgresql"), nullable=False),
        sa.Column(
            "request_hash",
            sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column("status", sa.Integer(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column(
            "created_at",
            sa.String(length=24).with_variant(sa.String(length=24, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_idempotency_key_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "key", name=op.f("pk_idempotency_key")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_idempotency_key_created", "idempotency_key", ["account_id", "created_at"], unique=False)
    op.create_table(
        "member",
        sa.Column(
            "account_id",
            sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column(
            "id", sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql"), nullable=False
        ),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("password_hash", sa.Text(), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column(
            "created_at",
            sa.String(length=24).with_variant(sa.String(length=24, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.CheckConstraint("role in ('owner', 'manager', 'viewer')", name=op.f("ck_member_role")),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_member_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_member")),
        sa.UniqueConstraint("email", name=op.f("uq_member_email")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "property",
        sa.Column(
            "account_id",
            sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column(
            "id", sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql"), nullable=False
        ),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("street_number", sa.Text(), nullable=False),
        sa.Column("street", sa.Text(), nullable=False),
        sa.Column("city", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("zip", sa.Text(), nullable=False),
        sa.Column("country", sa.String(length=2), nullable=False),
        sa.Column("currency", sa.String(length=3), nullable=False),
        sa.Column(
            "code", sa.String(length=16).with_variant(sa.String(length=16, collation="C"), "postgresql"), nullable=False
        ),
        sa.Column("is_active", sa.Boolean(), nullable=False),
        sa.Column(
            "billing_starts_month",
            sa.String(length=7).with_variant(sa.String(length=7, collation="C"), "postgresql"),
            nullable=True,
        ),
        sa.Column(
            "created_at",
            sa.String(length=24).with_variant(sa.String(length=24, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column(
            "updated_at",
            sa.String(length=24).with_variant(sa.String(length=24, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_property_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_property")),
        sa.UniqueConstraint("account_id", "code", name=op.f("uq_property_code")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "split_method",
        sa.Column(
            "account_id",
            sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column(
            "id", sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql"), nullable=False
        ),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("name_key", sa.Text().with_variant(sa.Text(collation="C"), "postgresql"), nullable=False),
        sa.Column("components", sa.Text(), nullable=False),
        sa.Column(
            "created_at",
            sa.String(length=24).with_variant(sa.String(length=24, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column(
            "updated_at",
            sa.String(length=24).with_variant(sa.String(length=24, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_split_method_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_split_method")),
        sa.UniqueConstraint("account_id", "name_key", name=op.f("uq_split_method_name")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "tally",
        sa.Column(
            "account_id",
            sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column(
            "property_id",
            sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column(
            "month", sa.String(length=7).with_variant(sa.String(length=7, collation="C"), "postgresql"), nullable=False
        ),
        sa.Column("draft", sa.Integer(), nullable=False),
        sa.Column("sent", sa.Integer(), nullable=False),
        sa.Column("paid", sa.Integer(), nullable=False),
        sa.Column("overdue", sa.Integer(), nullable=False),
        sa.Column("cancelled", sa.Integer(), nullable=False),
        sa.CheckConstraint("cancelled >= 0", name=op.f("ck_tally_cancelled")),
        sa.CheckConstraint("draft >= 0", name=op.f("ck_tally_draft")),
        sa.CheckConstraint("overdue >= 0", name=op.f("ck_tally_overdue")),
        sa.CheckConstraint("paid >= 0", name=op.f("ck_tally_paid")),
        sa.CheckConstraint("sent >= 0", name=op.f("ck_tally_sent")),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_tally_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "property_id", "month", name=op.f("pk_tally")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "used_code",
        sa.Column(
            "account_id",
            sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column(
            "scope",
            sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column(
            "code", sa.String(length=16).with_variant(sa.String(length=16, collation="C"), "postgresql"), nullable=False
        ),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_used_code_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "scope", "code", name=op.f("pk_used_code")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "bill",
        sa.Column(
            "account_id",
            sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column(
            "id", sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql"), nullable=False
        ),
        sa.Column(
            "property_id",
            sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column("issuer_name", sa.Text(), nullable=False),
        sa.Column("utility_types", sa.Text(), nullable=False),
        sa.Column("total", sa.BigInteger(), nullable=False),
        sa.Column(
            "bill_date",
            sa.String(length=10).with_variant(sa.String(length=10, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column(
            "due_date",
            sa.String(length=10).with_variant(sa.String(length=10, collation="C"), "postgresql"),
            nullable=True,
        ),
        sa.Column("payment_status", sa.String(length=16), nullable=False),
        sa.Column("notes", sa.Text(), nullable=True),
        sa.Column("account_number", sa.Text(), nullable=True),
        sa.Column("bill_number", sa.Text(), nullable=True),
        sa.Column(
            "service_start",
            sa.String(length=10).with_variant(sa.String(length=10, collation="C"), "postgresql"),
            nullable=True,
        ),
        sa.Column(
            "service_end",
            sa.String(length=10).with_variant(sa.String(length=10, collation="C"), "postgresql"),
            nullable=True,
        ),
        sa.Column(
            "chosen_month",
            sa.String(length=7).with_variant(sa.String(length=7, collation="C"), "postgresql"),
            nullable=True,
        ),
        sa.Column("guessed", sa.Boolean(), nullable=False),
        sa.Column(
            "fingerprint",
            sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column("repetition", sa.Integer(), nullable=False),
        sa.Column(
            "created_at",
            sa.String(length=24).with_variant(sa.String(length=24, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column(
            "updated_at",
            sa.String(length=24).with_variant(sa.String(length=24, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.CheckConstraint(
            "payment_status in ('UNPAID', 'PAID', 'PENDING', 'OVERDUE')", name=op.f("ck_bill_payment_status")
        ),
        sa.CheckConstraint("total between -999999999999 and 999999999999", name=op.f("ck_bill_total")),
        sa.ForeignKeyConstraint(
            ["account_id", "property_id"],
            ["property.account_id", "property.id"],
            name=op.f("fk_bill_property"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_bill_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_bill")),
        sa.UniqueConstraint("account_id", "fingerprint", "repetition", name=op.f("uq_bill_fingerprint")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_bill_list", "bill", ["account_id", sa.literal_column("bill_date DESC"), "id"], unique=False)
    op.create_index("ix_bill_number", "bill", ["account_id", "property_id", "bill_number"], unique=False)
    op.create_index("ix_bill_property", "bill", ["account_id", "property_id", "bill_date"], unique=False)
    op.create_table(
        "billing_month",
        sa.Column(
            "account_id",
            sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column(
            "property_id",
            sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column(
            "month", sa.String(length=7).with_variant(sa.String(length=7, collation="C"), "postgresql"), nullable=False
        ),
        sa.Column("draft", sa.Integer(), nullable=False),
        sa.Column("sent", sa.Integer(), nullable=False),
        sa.Column("paid", sa.Integer(), nullable=False),
        sa.Column("overdue", sa.Integer(), nullable=False),
        sa.Column("cancelled", sa.Integer(), nullable=False),
        sa.Column("billed", sa.BigInteger(), nullable=False),
        sa.Column("received", sa.BigInteger(), nullable=False),
        sa.Column("owner_amount", sa.BigInteger(), nullable=False),
        sa.Column("line_count", sa.Integer(), nullable=False),
        sa.Column("missing_count", sa.Integer(), nullable=False),
        sa.Column("pending", sa.Boolean(), nullable=False),
        sa.Column(
            "first_closed_at",
            sa.String(length=24).with_variant(sa.String(length=24, collation="C"), "postgresql"),
            nullable=True,
        ),
        sa.Column("snapshot", sa.Text(), nullable=True),
        sa.Column(
            "computed_at",
            sa.String(length=24).with_variant(sa.String(length=24, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.CheckConstraint("(snapshot is null) = (sent + paid + overdue = 0)", name=op.f("ck_billing_month_snapshot")),
        sa.CheckConstraint("cancelled >= 0", name=op.f("ck_billing_month_cancelled")),
        sa.CheckConstraint("draft >= 0", name=op.f("ck_billing_month_draft")),
        sa.CheckConstraint("overdue >= 0", name=op.f("ck_billing_month_overdue")),
        sa.CheckConstraint("paid >= 0", name=op.f("ck_billing_month_paid")),
        sa.CheckConstraint("sent >= 0", name=op.f("ck_billing_month_sent")),
        sa.ForeignKeyConstraint(
            ["account_id", "property_id"],
            ["property.account_id", "property.id"],
            name=op.f("fk_billing_month_property"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_billing_month_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "property_id", "month", name=op.f("pk_billing_month")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_billing_month_month", "billing_month", ["account_id", "month", "property_id"], unique=False)
    op.create_table(
        "share_rule",
        sa.Column(
            "account_id",
            sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column(
            "id", sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql"), nullable=False
        ),
        sa.Column(
            "property_id",
            sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column("utility_type", sa.String(length=16), nullable=False),
        sa.Column("split_method", sa.String(length=16), nullable=False),
        sa.Column(
            "split_method_id",
            sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql"),
            nullable=True,
        ),
        sa.Column("is_active", sa.Boolean(), nullable=False),
        sa.Column("weights", sa.Text(), nullable=True),
        sa.Column(
            "owner_percent",
            sa.String(length=40).with_variant(sa.String(length=40, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column(
            "vacant_occupants",
            sa.String(length=40).with_variant(sa.String(length=40, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column(
            "created_at",
            sa.String(length=24).with_variant(sa.String(length=24, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column(
            "updated_at",
            sa.String(length=24).with_variant(sa.String(length=24, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.CheckConstraint(
            "split_method in ('EQUAL', 'SQFT', 'OCCUPANTS', 'BEDROOMS', 'PERCENTAGE', 'CUSTOM')",
            name=op.f("ck_share_rule_split_method"),
        ),
        sa.CheckConstraint(
            "utility_type in ('ELECTRICITY', 'WATER', 'GAS', 'INTERNET', 'SEWER', 'GARBAGE', 'OTHER')",
            name=op.f("ck_share_rule_utility_type"),
        ),
        sa.ForeignKeyConstraint(
            ["account_id", "property_id"],
            ["property.account_id", "property.id"],
            name=op.f("fk_share_rule_property"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["account_id", "split_method_id"],
            ["split_method.account_id", "split_method.id"],
            name=op.f("fk_share_rule_split_method"),
        ),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_share_rule_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_share_rule")),
        sa.UniqueConstraint("account_id", "property_id", "utility_type", name=op.f("uq_share_rule_type")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_share_rule_split_method", "share_rule", ["account_id", "split_method_id"], unique=False)
    op.create_table(
        "unit",
        sa.Column(
            "account_id",
            sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column(
            "id", sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql"), nullable=False
        ),
        sa.Column(
            "property_id",
            sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("label_key", sa.Text().with_variant(sa.Text(collation="C"), "postgresql"), nullable=False),
        sa.Column(
            "code", sa.String(length=16).with_variant(sa.String(length=16, collation="C"), "postgresql"), nullable=False
        ),
        sa.Column(
            "sqft", sa.String(length=40).with_variant(sa.String(length=40, collation="C"), "postgresql"), nullable=True
        ),
        sa.Column("bedrooms", sa.Integer(), nullable=True),
        sa.Column("monthly_rent", sa.BigInteger(), nullable=True),
        sa.Column(
            "active_from",
            sa.String(length=10).with_variant(sa.String(length=10, collation="C"), "postgresql"),
            nullable=True,
        ),
        sa.Column(
            "active_to",
            sa.String(length=10).with_variant(sa.String(length=10, collation="C"), "postgresql"),
            nullable=True,
        ),
        sa.Column(
            "created_at",
            sa.String(length=24).with_variant(sa.String(length=24, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column(
            "updated_at",
            sa.String(length=24).with_variant(sa.String(length=24, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.CheckConstraint("bedrooms >= 0", name=op.f("ck_unit_bedrooms")),
        sa.CheckConstraint("monthly_rent >= 0", name=op.f("ck_unit_monthly_rent")),
        sa.ForeignKeyConstraint(
            ["account_id", "property_id"],
            ["property.account_id", "property.id"],
            name=op.f("fk_unit_property"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_unit_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_unit")),
        sa.UniqueConstraint("account_id", "property_id", "code", name=op.f("uq_unit_code")),
        sa.UniqueConstraint("account_id", "property_id", "id", name=op.f("uq_unit_property")),
        sa.UniqueConstraint("account_id", "property_id", "label_key", name=op.f("uq_unit_label")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "bill_line",
        sa.Column(
            "account_id",
            sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column(
            "bill_id",
            sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column(
            "property_id",
            sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column(
            "month", sa.String(length=7).with_variant(sa.String(length=7, collation="C"), "postgresql"), nullable=False
        ),
        sa.Column("utility_type", sa.String(length=16), nullable=True),
        sa.Column("not_billed", sa.String(length=24), nullable=True),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("owner_amount", sa.BigInteger(), nullable=False),
        sa.Column("charged", sa.Boolean(), nullable=False),
        sa.CheckConstraint(
            "not_billed in ('PREVIOUS_BALANCE', 'LATE_FEE', 'DEPOSIT', 'OWNER')", name=op.f("ck_bill_line_not_billed")
        ),
        sa.CheckConstraint(
            "utility_type in ('ELECTRICITY', 'WATER', 'GAS', 'INTERNET', 'SEWER', 'GARBAGE', 'OTHER')",
            name=op.f("ck_bill_line_utility_type"),
        ),
        sa.CheckConstraint("(utility_type is null) <> (not_billed is null)", name=op.f("ck_bill_line_kind")),
        sa.ForeignKeyConstraint(
            ["account_id", "bill_id"],
            ["bill.account_id", "bill.id"],
            name=op.f("fk_bill_line_bill"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_bill_line_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "bill_id", "number", name=op.f("pk_bill_line")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_bill_line_month", "bill_line", ["account_id", "property_id", "month"], unique=False)
    op.create_table(
        "invoice",
        sa.Column(
            "account_id",
            sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column(
            "id", sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql"), nullable=False
        ),
        sa.Column(
            "property_id",
            sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column(
            "unit_id",
            sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column(
            "month", sa.String(length=7).with_variant(sa.String(length=7, collation="C"), "postgresql"), nullable=False
        ),
        sa.Column("sequence", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column(
            "number",
            sa.String(length=48).with_variant(sa.String(length=48, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column("number_key", sa.Text().with_variant(sa.Text(collation="C"), "postgresql"), nullable=False),
        sa.Column(
            "invoice_date",
            sa.String(length=10).with_variant(sa.String(length=10, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column(
            "due_date",
            sa.String(length=10).with_variant(sa.String(length=10, collation="C"), "postgresql"),
            nullable=True,
        ),
        sa.Column("total", sa.BigInteger(), nullable=False),
        sa.Column("paid_amount", sa.BigInteger(), nullable=False),
        sa.Column("paid_by_status", sa.BigInteger(), nullable=False),
        sa.Column(
            "paid_at",
            sa.String(length=24).with_variant(sa.String(length=24, collation="C"), "postgresql"),
            nullable=True,
        ),
        sa.Column("payment_status", sa.String(length=16), nullable=False),
        sa.Column(
            "tenant_id",
            sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql"),
            nullable=True,
        ),
        sa.Column("tenant_name", sa.Text(), nullable=True),
        sa.Column("tenant_email", sa.Text(), nullable=True),
        sa.Column("issued", sa.Boolean(), nullable=False),
        sa.Column("printed", sa.Text(), nullable=True),
        sa.Column("payment_link_id", sa.Text(), nullable=True),
        sa.Column("payment_link_url", sa.Text(), nullable=True),
        sa.Column(
            "email_sent_at",
            sa.String(length=24).with_variant(sa.String(length=24, collation="C"), "postgresql"),
            nullable=True,
        ),
        sa.Column("email_status", sa.String(length=16), nullable=True),
        sa.Column(
            "generated_at",
            sa.String(length=24).with_variant(sa.String(length=24, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column(
            "updated_at",
            sa.String(length=24).with_variant(sa.String(length=24, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.CheckConstraint("email_status in ('sent', 'delivered', 'bounced')", name=op.f("ck_invoice_email_status")),
        sa.CheckConstraint(
            "payment_status in ('pending', 'paid', 'failed', 'cancelled')", name=op.f("ck_invoice_payment_status")
        ),
        sa.CheckConstraint(
            "status in ('DRAFT', 'SENT', 'PAID', 'OVERDUE', 'CANCELLED')", name=op.f("ck_invoice_status")
        ),
        sa.ForeignKeyConstraint(
            ["account_id", "property_id", "month"],
            ["billing_month.account_id", "billing_month.property_id", "billing_month.month"],
            name=op.f("fk_invoice_billing_month"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["account_id", "property_id", "unit_id"],
            ["unit.account_id", "unit.property_id", "unit.id"],
            name=op.f("fk_invoice_unit"),
        ),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_invoice_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_invoice")),
        sa.UniqueConstraint("account_id", "number", name=op.f("uq_invoice_number")),
        sa.UniqueConstraint("account_id", "unit_id", "month", "sequence", name=op.f("uq_invoice_unit_month")),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_invoice_due",
        "invoice",
        ["account_id", "due_date"],
        unique=False,
        sqlite_where=sa.text("status = 'SENT'"),
        postgresql_where=sa.text("status = 'SENT'"),
    )
    op.create_index(
        "ix_invoice_list", "invoice", ["account_id", sa.literal_column("month DESC"), "number_key", "id"], unique=False
    )
    op.create_index(
        "ix_invoice_property",
        "invoice",
        ["account_id", "property_id", sa.literal_column("month DESC"), "number_key", "id"],
        unique=False,
    )
    op.create_index(
        "ix_invoice_status",
        "invoice",
        ["account_id", "status", sa.literal_column("month DESC"), "number_key", "id"],
        unique=False,
    )
    op.create_table(
        "tenant",
        sa.Column(
            "account_id",
            sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column(
            "id", sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql"), nullable=False
        ),
        sa.Column(
            "property_id",
            sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column(
            "unit_id",
            sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("email", sa.Text(), nullable=True),
        sa.Column(
            "move_in",
            sa.String(length=10).with_variant(sa.String(length=10, collation="C"), "postgresql"),
            nullable=True,
        ),
        sa.Column(
            "move_out",
            sa.String(length=10).with_variant(sa.String(length=10, collation="C"), "postgresql"),
            nullable=True,
        ),
        sa.Column(
            "ended_at",
            sa.String(length=24).with_variant(sa.String(length=24, collation="C"), "postgresql"),
            nullable=True,
        ),
        sa.Column(
            "created_at",
            sa.String(length=24).with_variant(sa.String(length=24, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column(
            "updated_at",
            sa.String(length=24).with_variant(sa.String(length=24, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(
            ["account_id", "unit_id"], ["unit.account_id", "unit.id"], name=op.f("fk_tenant_unit"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_tenant_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_tenant")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_tenant_property", "tenant", ["account_id", "property_id"], unique=False)
    op.create_index("ix_tenant_unit", "tenant", ["account_id", "unit_id", "id"], unique=False)
    op.create_table(
        "charge",
        sa.Column(
            "account_id",
            sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column(
            "id", sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql"), nullable=False
        ),
        sa.Column(
            "invoice_id",
            sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column(
            "bill_id",
            sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql"),
            nullable=True,
        ),
        sa.Column("line", sa.Integer(), nullable=True),
        sa.Column("utility_type", sa.String(length=16), nullable=True),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.CheckConstraint("(bill_id is null) = (line is null)", name=op.f("ck_charge_line")),
        sa.CheckConstraint("bill_id is not null or utility_type is null", name=op.f("ck_charge_custom")),
        sa.ForeignKeyConstraint(
            ["account_id", "invoice_id"],
            ["invoice.account_id", "invoice.id"],
            name=op.f("fk_charge_invoice"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_charge_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "invoice_id", "id", name=op.f("pk_charge")),
        sqlite_with_rowid=False,
    )
