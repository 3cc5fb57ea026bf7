"""the marks of a bank's rows that were recorded stay when the property is deleted that they were for;
payments are found by their day and amount; and messages of providers about no invoice are found once they are old
"""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0031"
branch_labels = None
depends_on = None


def bytewise(length: int) -> sa.types.TypeEngine[str]:
    return sa.String(length=length).with_variant(sa.String(length=length, collation="C"), "postgresql")


def upgrade() -> None:
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
    of_none = sa.text("invoice_id IS NULL")
    op.create_index(
        "ix_provider_event_of_none",
        "provider_event",
        ["account_id", "created_at"],
        unique=False,
        sqlite_where=of_none,
        postgresql_where=of_none,
    )
