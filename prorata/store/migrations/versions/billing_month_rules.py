"""The rule by which an account, or one of its properties, decides a bill's billing month."""

import sqlalchemy as sa
from alembic import op

revision = "billing_month_rules"
down_revision = "past_tenants"
branch_labels = None
depends_on = None


def upgrade() -> None:
    inspector = sa.inspect(op.get_bind())
    for table, default in (("account", "MOST_DAYS"), ("property", None)):
        if "billing_month_rule" not in {column["name"] for column in inspector.get_columns(table)}:
            column = sa.Column("billing_month_rule", sa.String(16), nullable=default is None, server_default=default)
            op.add_column(table, column)
