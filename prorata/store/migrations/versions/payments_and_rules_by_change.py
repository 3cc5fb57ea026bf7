"""Payments and share rules that came or changed since a moment are found by an index."""

from alembic import op

revision = "payments_and_rules_by_change"
down_revision = "documents_by_change"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_index("ix_payment_latest", "payment", if_exists=True)
    for name, columns in (("latest", ["id"]), ("updated", ["created_at", "id"])):
        op.create_index(f"ix_payment_{name}", "payment", ["account_id", *columns, "invoice_id"], if_not_exists=True)
    op.drop_index("ix_share_rule_split_method", "share_rule", if_exists=True)
    for name, columns in (("split_method", ["split_method_id", "property_id"]), ("updated", ["updated_at", "id"])):
        op.create_index(f"ix_share_rule_{name}", "share_rule", ["account_id", *columns], if_not_exists=True)
