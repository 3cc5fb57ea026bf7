"""what bulk changes were asked about; what was done to an invoice is of its property"""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

ID = sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql")


def upgrade() -> None:
    op.add_column("bulk_item", sa.Column("asked_amount", sa.BigInteger(), nullable=True))
    op.add_column("bulk_item", sa.Column("asked_tenant", ID, nullable=True))
    op.execute(
        "UPDATE event SET property_id = (SELECT invoice.property_id FROM invoice WHERE "
        "invoice.account_id = event.account_id AND invoice.id = event.record_id) "
        "WHERE property_id IS NULL AND record_id >= 'inv_' AND record_id < 'inv`'"
    )
