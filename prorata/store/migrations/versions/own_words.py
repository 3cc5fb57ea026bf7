"""An account's own subject and opening words of the e-mail with an invoice; empty where it has none."""

import sqlalchemy as sa
from alembic import op

revision = "own_words"
down_revision = "telephone"
branch_labels = None
depends_on = None

_COLUMNS = ("mail_subject", "mail_opening")


def upgrade() -> None:
    there = {column["name"] for column in sa.inspect(op.get_bind()).get_columns("account")}
    for name in _COLUMNS:
        if name not in there:
            op.add_column("account", sa.Column(name, sa.Text(), nullable=False, server_default=""))
