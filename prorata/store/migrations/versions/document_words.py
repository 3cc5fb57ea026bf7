"""The words of documents, which people point at; what was learned of account numbers goes, as issuers are learned now."""

import sqlalchemy as sa
from alembic import op

revision = "document_words"
down_revision = "issuer_lessons"
branch_labels = None
depends_on = None


def _bytewise(length: int) -> sa.types.TypeEngine[str]:
    return sa.String(length).with_variant(sa.String(length, collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "document_words",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("document_id", _bytewise(64), nullable=False),
        sa.Column("pages", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id", "document_id"],
            ["document.account_id", "document.id"],
            name=op.f("fk_document_words_document"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", "document_id", name=op.f("pk_document_words")),
        sqlite_with_rowid=False,
    )
    op.drop_table("lesson")
