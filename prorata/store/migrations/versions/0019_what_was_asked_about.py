"""bulk changes: over how much a person was asked about each invoice, and whose it was"""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0015"
branch_labels = None
depends_on = None

ID = sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql")


def upgrade() -> None:
    op.add_column("bulk_item", sa.Column("asked_amount", sa.BigInteger(), nullable=True))
    op.add_column("bulk_item", sa.Column("asked_tenant", ID, nullable=True))
