"""Whose each correction is: in the table of these all tenants of the household and whether its only invoice is cancelled,
and of a charge the tenant, who need not be whom the invoice is addressed to. Where something waits is found at once.
"""

import sqlalchemy as sa
from alembic import op

from prorata.store.migrations.steps import partial_index

revision = "households_of_corrections"
down_revision = "carried_credits"
branch_labels = None
depends_on = None


def _bytewise(length: int) -> sa.types.TypeEngine[str]:
    return sa.String(length).with_variant(sa.String(length, collation="C"), "postgresql")


def upgrade() -> None:
    op.add_column("charge", sa.Column("corrects_tenant", _bytewise(64), nullable=True))
    op.execute(
        "UPDATE charge SET corrects_tenant = (SELECT invoice.tenant_id FROM invoice "
        "WHERE invoice.account_id = charge.account_id AND invoice.id = charge.invoice_id) "
        "WHERE corrects_month IS NOT NULL"
    )
    op.add_column("correction", sa.Column("household", sa.Text(), nullable=False, server_default=""))
    op.execute("UPDATE correction SET household = tenant_id")
    op.execute("UPDATE correction SET carrier = NULL WHERE to_charge_amount = 0")
    op.add_column("correction", sa.Column("given_up", sa.Boolean(), nullable=False, server_default=sa.false()))
    partial_index("ix_correction_waiting", "correction", ["account_id", "property_id"], "waiting_amount <> 0")
