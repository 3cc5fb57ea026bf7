"""How much of each utility a bill says was used, and what one of it cost."""

import sqlalchemy as sa
from alembic import op

revision = "usage_and_price"
down_revision = "logo_and_colour"
branch_labels = None
depends_on = None


def upgrade() -> None:
    there = {column["name"] for column in sa.inspect(op.get_bind()).get_columns("bill")}
    if "usage" not in there:
        op.add_column("bill", sa.Column("usage", sa.Text()))
