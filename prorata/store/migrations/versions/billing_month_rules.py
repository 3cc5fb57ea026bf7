"""The rule by which an account, or one of its properties, decides a bill's billing month."""

import sqlalchemy as sa
from alembic import op

revision = "billing_month_rules"
down_revision = "past_tenants"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("account", sa.Column("billing_month_rule", sa.String(16), nullable=False, server_default="MOST_DAYS"))
    op.add_column("property", sa.Column("billing_month_rule", sa.String(16), nullable=True))
