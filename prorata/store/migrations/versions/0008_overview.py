"""overview: what needs attention is found by indexes of its own, and costs by utility are summed from one"""

from alembic import op

from prorata.store.migrations.steps import partial_index

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    columns = ["account_id", "month", "property_id", "utility_type", "amount"]
    op.create_index("ix_bill_line_cost", "bill_line", columns, unique=False)
    columns = ["account_id", "property_id", "month"]
    partial_index("ix_bill_line_uncharged", "bill_line", columns, "charged = 0", on_postgresql="NOT charged")
    columns = ["account_id", "month", "property_id"]
    partial_index("ix_billing_month_pending", "billing_month", columns, "pending = 1", on_postgresql="pending")
    where = "missing_count > 0"
    partial_index("ix_billing_month_missing", "billing_month", columns, where)
    for delivery in ("bounced", "failed", "handOver"):
        where = f"delivery = '{delivery}'"
        partial_index(f"ix_invoice_{delivery.lower()}", "invoice", ["account_id", "month"], where)
    partial_index("ix_job_failed_account", "job", ["account_id"], "state = 'failed'")
