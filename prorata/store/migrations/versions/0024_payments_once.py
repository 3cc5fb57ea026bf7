"""payments that may count twice are asked about, by an index of all that somebody has to look at; refunds may fail;
a key that is changed or forgotten is kept until its links are closed; and bills are shown to tenants only
where somebody wants that
"""

import sqlalchemy as sa
from alembic import op

from prorata.store.columns import bytewise
from prorata.store.migrations.steps import change_check, partial_index

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None

HAD = "happening in ('paid', 'failed', 'refunded', 'charged back', 'given back')"
HAS = "happening in ('paid', 'failed', 'refunded', 'refund failed', 'charged back', 'given back')"


def upgrade() -> None:
    change_check("provider_event", "ck_provider_event_happening", HAD, HAS)
    op.drop_index("ix_provider_event_state", "provider_event")
    is_to_check = "why IS NOT NULL AND state != 'passed'"
    partial_index("ix_provider_event_to_check", "provider_event", ["account_id", "created_at"], is_to_check)
    op.add_column("payment_provider", sa.Column("former_key", sa.Text(), nullable=True))
    op.add_column("payment_provider", sa.Column("former_key_ends", sa.String(length=8), nullable=True))
    op.add_column("payment_provider", sa.Column("former_secret", sa.Text(), nullable=True))
    op.add_column("payment_link", sa.Column("is_former", sa.Boolean(), nullable=False, server_default=sa.false()))
    if op.get_bind().dialect.name == "postgresql":
        op.alter_column("payment_link", "is_former", server_default=None)
    _shown_bills()


def _shown_bills() -> None:
    op.create_table(
        "shown_bill",
        sa.Column("account_id", bytewise(64), nullable=False),
        sa.Column("bill_id", bytewise(64), nullable=False),
        sa.Column("document_id", bytewise(64), nullable=False),
        sa.Column("is_shown", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id", "bill_id"],
            ["bill.account_id", "bill.id"],
            name=op.f("fk_shown_bill_bill"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", "bill_id", name=op.f("pk_shown_bill")),
        sqlite_with_rowid=False,
    )
    op.execute(sa.update(sa.table("account", sa.column("shows_bills"))).values(shows_bills=sa.false()))
