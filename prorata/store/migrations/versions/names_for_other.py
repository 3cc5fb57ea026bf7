"""The names under which tenants see the parts of bills that are billed as OTHER."""

import sqlalchemy as sa
from alembic import op

revision = "names_for_other"
down_revision = "billing_month_rules"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column to bills, unless the first migration has made it."""
    there = {column["name"] for column in sa.inspect(op.get_bind()).get_columns("bill")}
    if "other_name" not in there:
        op.add_column("bill", sa.Column("other_name", sa.Text()))
