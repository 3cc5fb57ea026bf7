"""The charge that a tenant's question is about, and the reply to it; NULL where there is none."""

import sqlalchemy as sa
from alembic import op

revision = "replies"
down_revision = "own_language"
branch_labels = None
depends_on = None


def upgrade() -> None:
    there = {column["name"] for column in sa.inspect(op.get_bind()).get_columns("tenant_question")}
    for name in ("about", "reply", "replied_by"):
        if name not in there:
            op.add_column("tenant_question", sa.Column(name, sa.Text(), nullable=True))
