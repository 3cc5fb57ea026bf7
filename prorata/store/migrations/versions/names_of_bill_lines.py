"""The names that tenants see for lines of bills."""

import sqlalchemy as sa
from alembic import op

revision = "names_of_bill_lines"
down_revision = "billing_month_rules"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column to bills, unless the first migration has made it."""
    there = {column["name"] for column in sa.inspect(op.get_bind()).get_columns("bill")}
    if "line_names" not in there:
        op.add_column("bill", sa.Column("line_names", sa.Text()))
