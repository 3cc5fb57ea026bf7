"""Bills are divided by days, and every household has an invoice of its own: each open month is to be computed anew.

What was sent stays as it is. An open month says by an empty `computed_at` that it is to be computed, which the upgrade
does behind this revision, and takes up again where it was killed.
"""

import sqlalchemy as sa
from alembic import op

from prorata.store.migrations.steps import change_check, partial_index

revision = "households_and_days"
down_revision = "codes_for_sentences"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # An invoice of another household than the unit's own closes no month.
    change_check(
        "billing_month",
        "ck_billing_month_snapshot",
        "(snapshot is null) = (sent + paid + overdue = 0)",
        "snapshot is null or sent + paid + overdue > 0",
    )
    partial_index("ix_billing_month_due", "billing_month", ["account_id", "property_id"], "computed_at = ''")
    op.get_bind().execute(sa.text("UPDATE billing_month SET computed_at = '' WHERE snapshot IS NULL"))
