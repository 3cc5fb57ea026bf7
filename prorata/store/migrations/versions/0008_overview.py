"""overview: what needs attention is found by indexes of its own, and costs by utility are summed from one"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def partial_index(name: str, table: str, columns: list[str], sqlite: str, postgresql: str) -> None:
    op.create_index(
        name, table, columns, unique=False, sqlite_where=sa.text(sqlite), postgresql_where=sa.text(postgresql)
    )


def upgrade() -> None:
    columns = ["account_id", "month", "property_id", "utility_type", "amount"]
    op.create_index("ix_bill_line_cost", "bill_line", columns, unique=False)
    partial_index(
        "ix_bill_line_uncharged", "bill_line", ["account_id", "property_id", "month"], "charged = 0", "NOT charged"
    )
    columns = ["account_id", "month", "property_id"]
    partial_index("ix_billing_month_pending", "billing_month", columns, "pending = 1", "pending")
    where = "missing_count > 0"
    partial_index("ix_billing_month_missing", "billing_month", columns, where, where)
    for delivery in ("bounced", "failed", "handOver"):
        where = f"delivery = '{delivery}'"
        partial_index(f"ix_invoice_{delivery.lower()}", "invoice", ["account_id", "month"], where, where)
    partial_index("ix_job_failed_account", "job", ["account_id"], "state = 'failed'", "state = 'failed'")
