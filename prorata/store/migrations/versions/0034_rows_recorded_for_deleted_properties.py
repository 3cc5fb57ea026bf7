"""the marks of a bank's rows that were recorded stay when the property is deleted that they were for;
payments are found by their day and amount; and messages of providers about no invoice are found once they are old,
and say that a payment is under way
"""

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None

HAD = "happening in ('paid', 'failed', 'refunded', 'refund failed', 'charged back', 'given back')"
HAS = "happening in ('paid', 'failed', 'refunded', 'refund failed', 'charged back', 'given back', 'under way')"


def bytewise(length: int) -> sa.types.TypeEngine[str]:
    return sa.String(length=length).with_variant(sa.String(length=length, collation="C"), "postgresql")


def upgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        _in_the_schema_of_sqlite()
    else:
        op.drop_constraint(op.f("ck_provider_event_happening"), "provider_event", type_="check")
        op.create_check_constraint(op.f("ck_provider_event_happening"), "provider_event", HAS)
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
    under_way = sa.text("happening = 'under way' AND state = 'waits'")
    op.create_index(
        "ix_provider_event_under_way",
        "provider_event",
        ["account_id", "invoice_id"],
        unique=False,
        sqlite_where=under_way,
        postgresql_where=under_way,
    )


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
