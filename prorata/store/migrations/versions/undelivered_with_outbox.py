"""Invoices whose message is only a file in the outbox folder are found among those that were not delivered."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "undelivered_with_outbox"
down_revision = "erasures"
branch_labels = None
depends_on = None

NAME = "ix_invoice_undelivered"
COLUMNS: list[str | sa.ColumnElement[Any]] = [
    "account_id",
    "delivery",
    sa.literal_column("month DESC"),
    "number_key",
    "id",
    "property_id",
    "unit_id",
    "tenant_id",
    "status",
]
WHICH = (
    "(delivery = 'bounced' OR delivery = 'failed' OR delivery = 'written')"
    " AND (status = 'SENT' OR status = 'OVERDUE') AND tenant_id IS NOT NULL"
)


def upgrade() -> None:
    op.drop_index(NAME, "invoice", if_exists=True)
    op.create_index(NAME, "invoice", COLUMNS, sqlite_where=sa.text(WHICH), postgresql_where=sa.text(WHICH))
