"""words by which records are found, indexes in whose order lists are sorted, and bulk changes"""

from collections.abc import Iterator

import sqlalchemy as sa
from alembic import op

from prorata.domain.searching import words_of, words_of_email
from prorata.store.columns import bytewise

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

ROWS_AT_ONCE = 5_000
BYTEWISE_NOW = (
    ("bill", "issuer_name", False), ("bill", "account_number", True), ("bill", "bill_number", True),
    ("invoice", "tenant_name", True),
)  # fmt: skip


def upgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        for table, column, nullable in BYTEWISE_NOW:
            op.alter_column(table, column, type_=sa.Text(collation="C"), existing_nullable=nullable)
    op.create_table(
        "search_word",
        sa.Column("account_id", bytewise(64), nullable=False),
        sa.Column("word", sa.Text().with_variant(sa.Text(collation="C"), "postgresql"), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("record_id", bytewise(64), nullable=False),
        sa.Column("property_id", bytewise(64), nullable=False),
        sa.Column("unit_id", bytewise(64), nullable=True),
        sa.CheckConstraint("kind in ('property', 'address', 'unit', 'tenant')", name=op.f("ck_search_word_kind")),
        sa.ForeignKeyConstraint(
            ["account_id", "property_id"],
            ["property.account_id", "property.id"],
            name=op.f("fk_search_word_property"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["account_id", "unit_id"],
            ["unit.account_id", "unit.id"],
            name=op.f("fk_search_word_unit"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", "word", "kind", "record_id", name=op.f("pk_search_word")),
        sqlite_with_rowid=False,
    )
    for name, table, *columns in (
        ("ix_search_word_record", "search_word", "record_id"),
        ("ix_search_word_property", "search_word", "property_id"),
        ("ix_search_word_unit", "search_word", "unit_id"),
        ("ix_invoice_total", "invoice", "total", "id"),
        ("ix_invoice_due_date", "invoice", "due_date", "id"),
        ("ix_invoice_tenant", "invoice", "tenant_name", "id"),
        ("ix_bill_own_number", "bill", "bill_number"),
        ("ix_bill_account_number", "bill", "account_number"),
        ("ix_bill_issuer", "bill", "issuer_name", "id"),
        ("ix_bill_status", "bill", "payment_status", "id"),
        ("ix_bill_total", "bill", "total", "id"),
    ):
        op.create_index(name, table, ["account_id", *columns], unique=False)
    for name, table, flag, *columns in (("ix_bill_guessed", "bill", "guessed", "id"),):
        where = sa.text(f"{flag} = true")
        op.create_index(name, table, ["account_id", *columns], unique=False, sqlite_where=where, postgresql_where=where)
    _write_words()
    _add_bulk()


def _add_bulk() -> None:
    op.create_table(
        "bulk",
        sa.Column("account_id", bytewise(64), nullable=False),
        sa.Column("id", bytewise(64), nullable=False),
        sa.Column("verb", sa.String(length=16), nullable=False),
        sa.Column("actor", bytewise(64), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("is_undone", sa.Boolean(), nullable=False),
        sa.Column("why", sa.Text(), nullable=True),
        sa.Column("created_at", bytewise(24), nullable=False),
        sa.Column("ended_at", bytewise(24), nullable=True),
        sa.CheckConstraint("state in ('going on', 'done', 'stopped')", name=op.f("ck_bulk_state")),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_bulk_account"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_bulk")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_bulk_ended", "bulk", ["account_id", "ended_at"], unique=False)
    op.create_table(
        "bulk_item",
        sa.Column("account_id", bytewise(64), nullable=False),
        sa.Column("bulk_id", bytewise(64), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("invoice_id", bytewise(64), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("expected", sa.String(length=16), nullable=True),
        sa.Column("before", sa.String(length=16), nullable=True),
        sa.Column("outcome", sa.String(length=16), nullable=False),
        sa.Column("why", sa.Text(), nullable=True),
        sa.CheckConstraint(
            "status in ('DRAFT', 'SENT', 'PAID', 'OVERDUE', 'CANCELLED')", name=op.f("ck_bulk_item_status")
        ),
        sa.CheckConstraint(
            "outcome in ('waiting', 'changed', 'unchanged', 'refused')", name=op.f("ck_bulk_item_outcome")
        ),
        sa.ForeignKeyConstraint(
            ["account_id", "bulk_id"],
            ["bulk.account_id", "bulk.id"],
            name=op.f("fk_bulk_item_bulk"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", "bulk_id", "number", name=op.f("pk_bulk_item")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_bulk_item_outcome", "bulk_item", ["account_id", "bulk_id", "outcome", "number"], unique=False)


def _write_words() -> None:
    """The words of what is there already."""
    connection = op.get_bind()
    columns = ("account_id", "word", "kind", "record_id", "property_id", "unit_id")
    into = sa.table("search_word", *(sa.column(name) for name in columns)).insert()
    rows = [
        dict(zip(columns, (account, word, kind, record, property_id, unit), strict=True))
        for account, kind, record, property_id, unit, words in _records(connection)
        for word in words
    ]
    for some in (rows[at : at + ROWS_AT_ONCE] for at in range(0, len(rows), ROWS_AT_ONCE)):
        connection.execute(into, list(some))


def _records(connection: sa.Connection) -> Iterator[tuple[str, str, str, str, str | None, frozenset[str]]]:
    for row in connection.exec_driver_sql(
        "SELECT account_id, id, name, code, street_number, street, city, zip FROM property"
    ):
        account, own, name, code, *address = row
        yield account, "property", own, own, None, words_of(name, code)
        yield account, "address", own, own, None, words_of(*address)
    for account, own, of, label, code in connection.exec_driver_sql(
        "SELECT account_id, id, property_id, label, code FROM unit"
    ):
        yield account, "unit", own, of, own, words_of(label, code)
    for account, own, of, unit, name, email in connection.exec_driver_sql(
        "SELECT account_id, id, property_id, unit_id, name, email FROM tenant"
    ):
        yield account, "tenant", own, of, unit, words_of(name) | words_of_email(email)
