"""payments by the reference of the bank"""

from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_payment_reference", "payment", ["account_id", "reference", "day"], unique=False)
