"""What changed since a moment is found by an index; a dispute knows when it last did."""

import sqlalchemy as sa
from alembic import op

revision = "lists_by_change"
down_revision = "key_scopes"
branch_labels = None
depends_on = None

_CHANGED = """
update dispute set updated_at = coalesce(
    (select case when question.answered_at > dispute.ended_at or dispute.ended_at is null
                 then question.answered_at else dispute.ended_at end
     from tenant_question question
     where question.account_id = dispute.account_id and question.id = dispute.question_id),
    dispute.ended_at,
    (select question.asked_at from tenant_question question
     where question.account_id = dispute.account_id and question.id = dispute.question_id)
)
"""


def upgrade() -> None:
    time = sa.String(24).with_variant(sa.String(24, collation="C"), "postgresql")
    if "updated_at" not in {column["name"] for column in sa.inspect(op.get_bind()).get_columns("dispute")}:
        op.add_column("dispute", sa.Column("updated_at", time, nullable=False, server_default=""))
    op.execute(_CHANGED)
    op.create_index("ix_dispute_updated", "dispute", ["account_id", "updated_at", "question_id"], if_not_exists=True)
    for table in ("property", "unit", "tenant", "invoice", "bill"):
        op.create_index(f"ix_{table}_updated", table, ["account_id", "updated_at", "id"], if_not_exists=True)
    op.drop_index("ix_tenant_property", "tenant")
    op.create_index("ix_tenant_property", "tenant", ["account_id", "property_id", "id"])
