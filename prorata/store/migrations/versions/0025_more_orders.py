"""more orders of lists: properties by their names, tenants by unit and stay, bills by their months, months by sums"""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from prorata.domain.searching import order_of

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

ROWS_AT_ONCE = 5_000
ORDER = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    connection = op.get_bind()
    op.add_column("property", sa.Column("name_key", ORDER, nullable=False, server_default=""))
    op.add_column("unit", sa.Column("order_key", ORDER, nullable=False, server_default=""))
    op.add_column("tenant", sa.Column("stay_key", ORDER, nullable=False, server_default=""))
    month = sa.String(length=7).with_variant(sa.String(length=7, collation="C"), "postgresql")
    op.add_column("bill", sa.Column("first_month", month, nullable=True))
    if connection.dialect.name == "postgresql":
        op.alter_column("property", "name_key", server_default=None)
        op.alter_column("unit", "order_key", server_default=None)
        op.alter_column("tenant", "stay_key", server_default=None)
    for table, column, name in (("property", "name_key", "name"), ("unit", "order_key", "label")):
        found = connection.exec_driver_sql(f"SELECT account_id, id, {name} FROM {table}").fetchall()  # noqa: S608
        _write_keys(connection, table, column, [(account, own, order_of(said)) for account, own, said in found])
    connection.exec_driver_sql("UPDATE tenant SET stay_key = move_in WHERE move_in IS NOT NULL")
    first = "SELECT min(month) FROM {0} WHERE {0}.account_id = bill.account_id AND {0}.bill_id = bill.id"
    connection.exec_driver_sql(
        f"UPDATE bill SET first_month = coalesce(({first.format('bill_line')}), ({first.format('held_line')}))"  # noqa: S608
    )
    op.create_index("ix_bill_first_month", "bill", ["account_id", "first_month", "id"], unique=False)
    op.create_index("ix_property_name", "property", ["account_id", "name_key", "id"], unique=False)
    op.create_index("ix_unit_order", "unit", ["account_id", "order_key", "id"], unique=False)
    op.create_index("ix_tenant_stay", "tenant", ["account_id", "stay_key", "id"], unique=False)
    op.create_index("ix_bill_due_date", "bill", ["account_id", "due_date", "id"], unique=False)
    op.create_index(
        "ix_billing_month_billed", "billing_month", ["account_id", "billed", "month", "property_id"], unique=False
    )


def _write_keys(connection: sa.Connection, table: str, column: str, rows: Sequence[tuple[str, str, str]]) -> None:
    """The key of each name."""
    for at in range(0, len(rows), ROWS_AT_ONCE):
        some = rows[at : at + ROWS_AT_ONCE]
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql(
                f"UPDATE {table} SET {column} = given.its_key "  # noqa: S608
                "FROM unnest(%s::text[], %s::text[], %s::text[]) AS given (account_id, id, its_key) "
                f"WHERE {table}.account_id = given.account_id AND {table}.id = given.id",
                tuple(list(column) for column in zip(*some, strict=True)),
            )
        else:
            connection.exec_driver_sql(
                f"UPDATE {table} SET {column} = ? WHERE account_id = ? AND id = ?",  # noqa: S608
                [(key, account, own) for account, own, key in some],
            )
