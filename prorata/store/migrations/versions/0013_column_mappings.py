"""tables among the documents: what was read of them, and what somebody said that their columns mean"""

import sqlalchemy as sa
from alembic import op

from prorata.store.columns import bytewise

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "document_table",
        sa.Column("account_id", bytewise(64), nullable=False),
        sa.Column("document_id", bytewise(64), nullable=False),
        sa.Column("rows", sa.Integer(), nullable=False),
        sa.Column("sheet", sa.LargeBinary(), nullable=False),
        sa.Column("choices", sa.Text(), nullable=True),
        sa.Column("outcome", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["account_id", "document_id"],
            ["document.account_id", "document.id"],
            name=op.f("fk_document_table_document"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", "document_id", name=op.f("pk_document_table")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "column_mapping",
        sa.Column("account_id", bytewise(64), nullable=False),
        sa.Column("header", bytewise(64), nullable=False),
        sa.Column("names", sa.Text(), nullable=False),
        sa.Column("mapping", sa.Text(), nullable=False),
        sa.Column("updated_at", bytewise(24), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_column_mapping_account"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("account_id", "header", name=op.f("pk_column_mapping")),
        sqlite_with_rowid=False,
    )
