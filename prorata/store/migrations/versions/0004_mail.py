"""mail: what an account wants of it, each message, and what it holds"""

import sqlalchemy as sa
from alembic import op

from prorata.store.columns import bytewise

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

LONG_AGO = "2000-01-01T00:00:00.000Z"
"""When accounts that are there already are looked at for reminders: as soon as a worker runs."""


def upgrade() -> None:
    for column in (
        sa.Column("mail_on", sa.Boolean(), nullable=False, server_default=sa.true()),
        sa.Column("mail_hold", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("reminders_before", sa.Text(), nullable=False, server_default=""),
        sa.Column("reminders_after", sa.Text(), nullable=False, server_default=""),
    ):
        op.add_column("account", column)
    op.add_column("invoice", sa.Column("delivery", sa.String(length=16), nullable=True))
    overdue = sa.text("status = 'OVERDUE'")
    op.create_index(
        "ix_invoice_overdue",
        "invoice",
        ["account_id", "due_date"],
        unique=False,
        sqlite_where=overdue,
        postgresql_where=overdue,
    )
    op.create_table(
        "mail",
        sa.Column("account_id", bytewise(64), nullable=False),
        sa.Column("id", bytewise(64), nullable=False),
        sa.Column("invoice_id", bytewise(64), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("occasion", bytewise(64), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("to_name", sa.Text(), nullable=True),
        sa.Column("to_address", sa.Text(), nullable=False),
        sa.Column("said", sa.Text(), nullable=True),
        sa.Column("created_at", bytewise(24), nullable=False),
        sa.Column("sent_at", bytewise(24), nullable=True),
        sa.Column("updated_at", bytewise(24), nullable=False),
        sa.CheckConstraint(
            "state in ('queued', 'sent', 'delivered', 'bounced', 'failed', 'withdrawn')", name=op.f("ck_mail_state")
        ),
        sa.ForeignKeyConstraint(
            ["account_id", "invoice_id"],
            ["invoice.account_id", "invoice.id"],
            name=op.f("fk_mail_invoice"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_mail")),
        sa.UniqueConstraint("id", name=op.f("uq_mail_id")),
        sa.UniqueConstraint("account_id", "invoice_id", "occasion", name=op.f("uq_mail_occasion")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_mail_invoice", "mail", ["account_id", "invoice_id", "id"], unique=False)
    op.create_table(
        "mail_content",
        sa.Column("account_id", bytewise(64), nullable=False),
        sa.Column("mail_id", bytewise(64), nullable=False),
        sa.Column("message", sa.LargeBinary(), nullable=True),
        sa.Column("pdf", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id", "mail_id"],
            ["mail.account_id", "mail.id"],
            name=op.f("fk_mail_content_mail"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", "mail_id", name=op.f("pk_mail_content")),
        sqlite_with_rowid=False,
    )
    rows = sa.table("recurring", *(sa.column(name) for name in ("account_id", "name", "next_at")))
    recurs = sa.select(sa.table("account", sa.column("id")).c.id, sa.literal("remind"), sa.literal(LONG_AGO))
    op.execute(rows.insert().from_select(["account_id", "name", "next_at"], recurs))
