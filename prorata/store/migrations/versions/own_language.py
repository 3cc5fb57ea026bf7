"""The language in which a member sees the dashboard; empty where it is the account's."""

import sqlalchemy as sa
from alembic import op

revision = "own_language"
down_revision = "own_words"
branch_labels = None
depends_on = None


def upgrade() -> None:
    there = {column["name"] for column in sa.inspect(op.get_bind()).get_columns("member")}
    if "locale" not in there:
        op.add_column("member", sa.Column("locale", sa.Text(), nullable=False, server_default=""))
