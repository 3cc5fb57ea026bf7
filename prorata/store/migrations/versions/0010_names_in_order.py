"""tenants in the order of their names, words of names written with an apostrophe or a hyphen, one index of words"""

from collections.abc import Iterator, Sequence

import sqlalchemy as sa
from alembic import op

from prorata.domain.searching import order_of, words_of, words_of_email
from prorata.store.columns import bytewise

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

ROWS_AT_ONCE = 5_000
MARKS = frozenset("'-\u2018\u2019\u02bc\u02bb\u00b4\u0060\u2032\u2010\u2011\u2012\u2013\u2014\u2212\u0149")
COLUMNS = ("account_id", "word", "kind", "record_id", "property_id", "unit_id")
Row = tuple[str | None, ...]


ORDER = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    connection = op.get_bind()
    op.add_column("tenant", sa.Column("name_key", ORDER, nullable=False, server_default=""))
    if connection.dialect.name == "postgresql":
        op.alter_column("tenant", "name_key", server_default=None)
    _write_keys(connection)
    op.create_index("ix_tenant_name", "tenant", ["account_id", "name_key", "id"], unique=False)
    if connection.dialect.name == "postgresql":
        for name in ("record", "property", "unit"):
            op.drop_index(f"ix_search_word_{name}", "search_word")
        op.drop_constraint("fk_search_word_unit", "search_word", type_="foreignkey")
    else:
        _make_table_anew(connection)
    op.create_index(
        "ix_search_word_place", "search_word", ["account_id", "property_id", "unit_id", "record_id"], unique=False
    )
    if connection.dialect.name == "postgresql":
        op.create_foreign_key(
            "fk_search_word_unit",
            "search_word",
            "unit",
            ["account_id", "property_id", "unit_id"],
            ["account_id", "property_id", "id"],
            ondelete="CASCADE",
        )
    _write_words(connection)


def _write_keys(connection: sa.Connection) -> None:
    """The key of each name. Rows are read before any is written."""
    found = connection.exec_driver_sql("SELECT account_id, id, name FROM tenant").fetchall()
    rows = [(account, own, order_of(name)) for account, own, name in found]
    for some in _pieces(rows):
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql(
                "UPDATE tenant SET name_key = given.name_key "
                "FROM unnest(%s::text[], %s::text[], %s::text[]) AS given (account_id, id, name_key) "
                "WHERE tenant.account_id = given.account_id AND tenant.id = given.id",
                tuple(list(column) for column in zip(*some, strict=True)),
            )
        else:
            connection.exec_driver_sql(
                "UPDATE tenant SET name_key = ? WHERE account_id = ? AND id = ?",
                [(key, account, own) for account, own, key in some],
            )


def _make_table_anew(connection: sa.Connection) -> None:
    """SQLite changes no reference of a table that is there. Its indexes go with the old one."""
    op.create_table(
        "search_word_new",
        sa.Column("account_id", bytewise(64), nullable=False),
        sa.Column("word", ORDER, nullable=False),
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
            ["account_id", "property_id", "unit_id"],
            ["unit.account_id", "unit.property_id", "unit.id"],
            name=op.f("fk_search_word_unit"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", "word", "kind", "record_id", name=op.f("pk_search_word")),
        sqlite_with_rowid=False,
    )
    names = ", ".join(COLUMNS)
    connection.exec_driver_sql(
        f"INSERT INTO search_word_new ({names}) "  # noqa: S608
        f"SELECT {names} FROM search_word ORDER BY account_id, word, kind, record_id"
    )
    op.drop_table("search_word")
    op.rename_table("search_word_new", "search_word")


def _write_words(connection: sa.Connection) -> None:
    """The words of names in which a mark holds several together: such a name is found as one word, too."""
    mark = "%s" if connection.dialect.name == "postgresql" else "?"
    into = (
        f"INSERT INTO search_word ({', '.join(COLUMNS)}) "  # noqa: S608
        f"VALUES ({', '.join([mark] * len(COLUMNS))}) ON CONFLICT DO NOTHING"
    )
    rows = [
        (account, word, kind, record, property_id, unit)
        for account, kind, record, property_id, unit, words in _records(connection)
        for word in sorted(words)
    ]
    for some in _pieces(rows):
        connection.exec_driver_sql(into, list(some))


def _records(connection: sa.Connection) -> Iterator[tuple[str, str, str, str, str | None, frozenset[str]]]:
    for account, own, *texts in connection.exec_driver_sql(
        "SELECT account_id, id, name, code, street_number, street, city, zip FROM property"
    ).fetchall():
        for kind, its in (("property", texts[:2]), ("address", texts[2:])):
            if _is_marked(*its):
                yield account, kind, own, own, None, words_of(*its)
    for account, own, of, label, code in connection.exec_driver_sql(
        "SELECT account_id, id, property_id, label, code FROM unit"
    ).fetchall():
        if _is_marked(label):
            yield account, "unit", own, of, own, words_of(label, code)
    for account, own, of, unit, name, email in connection.exec_driver_sql(
        "SELECT account_id, id, property_id, unit_id, name, email FROM tenant"
    ).fetchall():
        if _is_marked(name, email):
            yield account, "tenant", own, of, unit, words_of(name) | words_of_email(email)


def _is_marked(*texts: str | None) -> bool:
    return any(not MARKS.isdisjoint(text) for text in texts if text)


def _pieces(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    return (rows[at : at + ROWS_AT_ONCE] for at in range(0, len(rows), ROWS_AT_ONCE))
