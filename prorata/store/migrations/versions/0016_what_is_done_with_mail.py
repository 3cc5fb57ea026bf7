"""what is done with mail that came in: how long it is kept, and whether bills that are known count by themselves"""

import sqlalchemy as sa
from alembic import op

from prorata.store.columns import bytewise

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("inbox_address", sa.Column("keep_days", sa.Integer(), nullable=False, server_default="365"))
    op.add_column("inbox_address", sa.Column("counts_known", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("incoming_document", sa.Column("counted_at", bytewise(24), nullable=True))
