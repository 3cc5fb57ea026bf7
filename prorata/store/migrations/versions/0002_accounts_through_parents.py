"""a record under another has its account through that one

A reference of its own to the account held nothing that its parent's does not, and was looked up for each row written.
"""

import re

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

TABLES = ("bill", "bill_line", "billing_month", "charge", "invoice", "share_rule", "tenant", "unit")

_READ = "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?"
_WRITE = "UPDATE sqlite_schema SET sql = ? WHERE type = 'table' AND name = ?"


def upgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        _from_schema_of_sqlite()
        return
    for table in TABLES:
        op.drop_constraint(f"fk_{table}_account", table, type_="foreignkey")


def _from_schema_of_sqlite() -> None:
    """SQLite's own way to take a constraint away without writing a table again (ALTER TABLE, section 8)."""
    connection = op.get_bind()
    version = connection.exec_driver_sql("PRAGMA schema_version").scalar_one()
    connection.exec_driver_sql("PRAGMA writable_schema = ON")
    for table in TABLES:
        written = connection.exec_driver_sql(_READ, (table,)).scalar_one()
        constraint = (
            rf",\s*CONSTRAINT fk_{table}_account FOREIGN KEY\(account_id\) REFERENCES account \(id\) ON DELETE CASCADE"
        )
        without, found = re.subn(constraint, "", written)
        assert found == 1, f"the reference from {table} to the account was not found"
        connection.exec_driver_sql(_WRITE, (without, table))
    connection.exec_driver_sql(f"PRAGMA schema_version = {version + 1}")
    connection.exec_driver_sql("PRAGMA writable_schema = RESET")
    assert connection.exec_driver_sql("PRAGMA integrity_check").scalar_one() == "ok"
