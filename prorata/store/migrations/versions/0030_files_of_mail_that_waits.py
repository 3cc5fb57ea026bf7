"""mail that waits for a person says which files it brings"""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("incoming_mail", sa.Column("brings", sa.Text(), nullable=True))
