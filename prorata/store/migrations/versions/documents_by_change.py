"""Documents that changed since a moment are found by an index."""

from alembic import op

revision = "documents_by_change"
down_revision = "batches"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_document_updated", "document", ["account_id", "updated_at", "id"], if_not_exists=True)
