"""what needs somebody: an index of the invoices to hand over, and one of those that were not delivered"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for name in ("ix_invoice_bounced", "ix_invoice_failed", "ix_invoice_handover"):
        op.drop_index(name, "invoice")
    columns = ("number_key", "id", "property_id", "unit_id", "tenant_id", "status")
    for need, deliveries in (
        ("undelivered", "(delivery = 'bounced' OR delivery = 'failed')"),
        ("handover", "delivery = 'handOver'"),
    ):
        where = sa.text(f"{deliveries} AND (status = 'SENT' OR status = 'OVERDUE') AND tenant_id IS NOT NULL")
        op.create_index(
            f"ix_invoice_{need}",
            "invoice",
            ["account_id", "delivery", sa.literal_column("month DESC"), *columns],
            unique=False,
            sqlite_where=where,
            postgresql_where=where,
        )
