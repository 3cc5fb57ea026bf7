"""Tenants who left or were removed, and are not erased, are listed at the cost of a page."""

import sqlalchemy as sa
from alembic import op

revision = "past_tenants"
down_revision = "undelivered_with_outbox"
branch_labels = None
depends_on = None

WHICH = "(move_out IS NOT NULL OR ended_at IS NOT NULL) AND (name <> 'Former tenant' OR ended_at IS NULL)"


def upgrade() -> None:
    op.create_index(
        "ix_tenant_past",
        "tenant",
        ["account_id", "name_key", "id"],
        if_not_exists=True,
        sqlite_where=sa.text(WHICH),
        postgresql_where=sa.text(WHICH),
    )
