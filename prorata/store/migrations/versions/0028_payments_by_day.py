"""payments by their day"""

from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_payment_day", "payment", ["account_id", "day"], unique=False)
