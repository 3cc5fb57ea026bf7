"""the marks of a bank's rows that were recorded stay when the property is deleted that they were for;
payments are found by their day and amount; and messages of providers about no invoice are found once they are old,
and say that a payment is under way
"""

import sqlalchemy as sa
from alembic import op

from prorata.store.columns import bytewise
from prorata.store.migrations.steps import change_check, partial_index

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None

HAD = "happening in ('paid', 'failed', 'refunded', 'refund failed', 'charged back', 'given back')"
HAS = "happening in ('paid', 'failed', 'refunded', 'refund failed', 'charged back', 'given back', 'under way')"


def upgrade() -> None:
    change_check("provider_event", "ck_provider_event_happening", HAD, HAS)
    op.create_table(
        "recorded_row",
        sa.Column("account_id", bytewise(64), nullable=False),
        sa.Column("source", bytewise(200), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_recorded_row_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "source", name=op.f("pk_recorded_row")),
        sqlite_with_rowid=False,
    )
    op.drop_index("ix_payment_day", "payment")
    op.create_index("ix_payment_day", "payment", ["account_id", "day", "amount"], unique=False)
    partial_index("ix_provider_event_of_none", "provider_event", ["account_id", "created_at"], "invoice_id IS NULL")
    is_under_way = "happening = 'under way' AND state = 'waits'"
    partial_index("ix_provider_event_under_way", "provider_event", ["account_id", "invoice_id"], is_under_way)
