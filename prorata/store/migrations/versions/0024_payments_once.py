"""payments that may count twice are asked about, by an index of all that somebody has to look at; refunds may fail;
a key that is changed or forgotten is kept until its links are closed; and bills are shown to tenants only
where somebody wants that
"""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None

HAD = "happening in ('paid', 'failed', 'refunded', 'charged back', 'given back')"
HAS = "happening in ('paid', 'failed', 'refunded', 'refund failed', 'charged back', 'given back')"


def bytewise(length: int) -> sa.types.TypeEngine[str]:
    return sa.String(length=length).with_variant(sa.String(length=length, collation="C"), "postgresql")


def upgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        _in_the_schema_of_sqlite()
    else:
        op.drop_constraint(op.f("ck_provider_event_happening"), "provider_event", type_="check")
        op.create_check_constraint(op.f("ck_provider_event_happening"), "provider_event", HAS)
    op.drop_index("ix_provider_event_state", "provider_event")
    to_check = sa.text("why IS NOT NULL AND state != 'passed'")
    op.create_index(
        "ix_provider_event_to_check",
        "provider_event",
        ["account_id", "created_at"],
        unique=False,
        sqlite_where=to_check,
        postgresql_where=to_check,
    )
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


def _in_the_schema_of_sqlite() -> None:
    """SQLite's own way to change constraints without writing a table again (ALTER TABLE, section 8)."""
    connection = op.get_bind()
    version = connection.exec_driver_sql("PRAGMA schema_version").scalar_one()
    connection.exec_driver_sql("PRAGMA writable_schema = ON")
    named = "FROM sqlite_schema WHERE type = 'table' AND name = 'provider_event'"
    written = connection.exec_driver_sql(f"SELECT sql {named}").scalar_one()
    assert written.count(HAD) == 1, "the table of messages does not say what happens"
    update = sa.text("UPDATE sqlite_schema SET sql = :sql WHERE type = 'table' AND name = 'provider_event'")
    connection.execute(update, {"sql": written.replace(HAD, HAS)})
    connection.exec_driver_sql(f"PRAGMA schema_version = {version + 1}")
    connection.exec_driver_sql("PRAGMA writable_schema = RESET")
    assert connection.exec_driver_sql("PRAGMA integrity_check").scalar_one() == "ok"
