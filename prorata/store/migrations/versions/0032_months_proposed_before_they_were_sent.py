"""a month whose day passed before an account had months sent by themselves is proposed at most"""

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("account", sa.Column("automatic_sends_from", sa.String(length=7), nullable=True))
