"""payment_links: an account's payment provider, the links of its invoices, and what the provider says of them"""

import sqlalchemy as sa
from alembic import op

from prorata.store.columns import bytewise

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None

_PROVIDERS = "provider in ('stripe', 'sandbox')"


def of_account(table: str) -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_{table}_account")
    return sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=name, ondelete="CASCADE")


def upgrade() -> None:
    op.create_table(
        "payment_provider",
        sa.Column("account_id", bytewise(64), nullable=False),
        sa.Column("provider", sa.String(length=8), nullable=False),
        sa.Column("sealed_key", sa.Text(), nullable=True),
        sa.Column("key_ends", sa.String(length=8), nullable=True),
        sa.Column("sealed_secret", sa.Text(), nullable=True),
        sa.Column("token", bytewise(64), nullable=False),
        sa.Column("updated_at", bytewise(24), nullable=False),
        sa.CheckConstraint(_PROVIDERS, name=op.f("ck_payment_provider_provider")),
        of_account("payment_provider"),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_payment_provider")),
        sa.UniqueConstraint("token", name=op.f("uq_payment_provider_token")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "payment_link",
        sa.Column("account_id", bytewise(64), nullable=False),
        sa.Column("id", bytewise(64), nullable=False),
        sa.Column("invoice_id", bytewise(64), nullable=False),
        sa.Column("provider", sa.String(length=8), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("currency", sa.String(length=3), nullable=False),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("provider_id", bytewise(255), nullable=True),
        sa.Column("url", sa.Text(), nullable=True),
        sa.Column("created_at", bytewise(24), nullable=False),
        sa.Column("updated_at", bytewise(24), nullable=False),
        sa.CheckConstraint(_PROVIDERS, name=op.f("ck_payment_link_provider")),
        sa.CheckConstraint("state in ('asked', 'live', 'closed')", name=op.f("ck_payment_link_state")),
        of_account("payment_link"),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_payment_link")),
        sa.UniqueConstraint("account_id", "provider", "provider_id", name=op.f("uq_payment_link_provider_id")),
        sqlite_with_rowid=False,
    )
    is_open = sa.text("state != 'closed'")
    op.create_index(
        "ix_payment_link_open",
        "payment_link",
        ["account_id", "invoice_id"],
        unique=False,
        sqlite_where=is_open,
        postgresql_where=is_open,
    )
    op.create_index("ix_payment_link_invoice", "payment_link", ["account_id", "invoice_id", "id"], unique=False)
    op.create_table(
        "provider_event",
        sa.Column("account_id", bytewise(64), nullable=False),
        sa.Column("provider", sa.String(length=8), nullable=False),
        sa.Column("event_id", bytewise(255), nullable=False),
        sa.Column("happening", sa.String(length=16), nullable=False),
        sa.Column("payment", bytewise(255), nullable=False),
        sa.Column("link", bytewise(255), nullable=True),
        sa.Column("reference", bytewise(255), nullable=True),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("currency", sa.String(length=3), nullable=False),
        sa.Column("at", bytewise(24), nullable=False),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("why", sa.Text(), nullable=True),
        sa.Column("invoice_id", bytewise(64), nullable=True),
        sa.Column("created_at", bytewise(24), nullable=False),
        sa.CheckConstraint(_PROVIDERS, name=op.f("ck_provider_event_provider")),
        sa.CheckConstraint(
            "happening in ('paid', 'failed', 'refunded', 'charged back', 'given back')",
            name=op.f("ck_provider_event_happening"),
        ),
        sa.CheckConstraint("state in ('counted', 'passed', 'waits', 'to check')", name=op.f("ck_provider_event_state")),
        of_account("provider_event"),
        sa.PrimaryKeyConstraint("account_id", "provider", "event_id", name=op.f("pk_provider_event")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_provider_event_payment", "provider_event", ["account_id", "provider", "payment"], unique=False)
    op.create_index("ix_provider_event_state", "provider_event", ["account_id", "state"], unique=False)
