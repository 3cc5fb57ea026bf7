"""Disputes that ended with a correction are found by its bill."""

import sqlalchemy as sa
from alembic import op

revision = "corrected_disputes"
down_revision = "explanations"
branch_labels = None
depends_on = None


def upgrade() -> None:
    ended = sa.text("state = 'CORRECTED'")
    op.create_index(
        "ix_dispute_corrected", "dispute", ["account_id", "bill_id"], sqlite_where=ended, postgresql_where=ended
    )
