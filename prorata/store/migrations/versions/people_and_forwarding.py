"""How many people live under a tenant's name, and where whoever moved out is reached."""

import sqlalchemy as sa
from alembic import op

revision = "people_and_forwarding"
down_revision = "households_and_days"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tenant", sa.Column("occupants", sa.Integer(), nullable=False, server_default="1"))
    op.add_column("tenant", sa.Column("forwarding_email", sa.Text(), nullable=True))
    op.add_column("tenant", sa.Column("forwarding_address", sa.Text(), nullable=True))
