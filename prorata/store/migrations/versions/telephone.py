"""A telephone number of the account apart from its e-mail address for questions: both stood in one text."""

import re

import sqlalchemy as sa
from alembic import op

revision = "telephone"
down_revision = "how_to_pay"
branch_labels = None
depends_on = None

_BETWEEN = re.compile(r"\s*[,;|\n]\s*|\s+(?:or|oder|o|ou|/)\s+")


def upgrade() -> None:
    connection = op.get_bind()
    if "phone" not in {column["name"] for column in sa.inspect(connection).get_columns("account")}:
        op.add_column("account", sa.Column("phone", sa.Text(), nullable=False, server_default=""))
    account = sa.table("account", sa.column("id"), sa.column("contact"), sa.column("phone"))
    for account_id, contact in connection.execute(sa.select(account.c.id, account.c.contact)).all():
        parts = [part for part in _BETWEEN.split(contact.strip()) if part]
        addresses, others = [one for one in parts if "@" in one], [one for one in parts if "@" not in one]
        if others and len(addresses) <= 1:
            apart = {"contact": "".join(addresses), "phone": ", ".join(others)}
            connection.execute(sa.update(account).where(account.c.id == account_id).values(apart))
