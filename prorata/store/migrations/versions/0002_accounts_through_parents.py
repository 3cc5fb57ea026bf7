"""a record under another has its account through that one

A reference of its own to the account held nothing that its parent's does not, and was looked up for each row written.
"""

import re
from functools import partial

from alembic import op

from prorata.store.migrations.steps import change_tables_of_sqlite

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

TABLES = ("bill", "bill_line", "billing_month", "charge", "invoice", "share_rule", "tenant", "unit")


def upgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        change_tables_of_sqlite({table: partial(_without_account, table) for table in TABLES})
        return
    for table in TABLES:
        op.drop_constraint(f"fk_{table}_account", table, type_="foreignkey")


def _without_account(table: str, written: str) -> str:
    constraint = (
        rf",\s*CONSTRAINT fk_{table}_account FOREIGN KEY\(account_id\) REFERENCES account \(id\) ON DELETE CASCADE"
    )
    without, found = re.subn(constraint, "", written)
    assert found == 1, f"the reference from {table} to the account was not found"
    return without
