"""Whose each correction is, by all tenants of the household; whether its only invoice is cancelled; where something waits."""

import sqlalchemy as sa
from alembic import op

from prorata.store.migrations.steps import partial_index

revision = "households_of_corrections"
down_revision = "carried_credits"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("correction", sa.Column("household", sa.Text(), nullable=False, server_default=""))
    op.execute("UPDATE correction SET household = tenant_id")
    op.execute("UPDATE correction SET carrier = NULL WHERE to_charge_amount = 0")
    op.add_column("correction", sa.Column("given_up", sa.Boolean(), nullable=False, server_default=sa.false()))
    partial_index("ix_correction_waiting", "correction", ["account_id"], "waiting_amount <> 0")
