"""what Stripe's messages were signed with is kept for refunds and disputes of earlier payments; a payment link keeps
the number of the invoice that it was asked for with
"""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("ALTER TABLE payment_provider RENAME COLUMN former_secret TO former_secrets")
    op.add_column("payment_link", sa.Column("number", sa.Text(), nullable=False, server_default=""))
    if op.get_bind().dialect.name == "postgresql":
        op.alter_column("payment_link", "number", server_default=None)
    op.execute(
        "UPDATE payment_link SET number = coalesce((SELECT invoice.number FROM invoice "
        "WHERE invoice.account_id = payment_link.account_id AND invoice.id = payment_link.invoice_id), '')"
    )
