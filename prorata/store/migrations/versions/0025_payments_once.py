"""payments that may count twice are asked about: one index of all that somebody has to look at"""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_index("ix_provider_event_state", "provider_event")
    to_check = sa.text("why IS NOT NULL AND state != 'passed'")
    op.create_index(
        "ix_provider_event_to_check",
        "provider_event",
        ["account_id", "created_at"],
        unique=False,
        sqlite_where=to_check,
        postgresql_where=to_check,
    )
