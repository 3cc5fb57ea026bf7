"""documents: files in which bills come, what they hold, the bills that came of them, and what these taught"""

import sqlalchemy as sa
from alembic import op

from prorata.store.columns import bytewise

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "document",
        sa.Column("account_id", bytewise(64), nullable=False),
        sa.Column("id", bytewise(64), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("way", sa.String(length=8), nullable=False),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("digest", bytewise(64), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("said", sa.Text(), nullable=True),
        sa.Column("draft", sa.Text(), nullable=True),
        sa.Column("created_at", bytewise(24), nullable=False),
        sa.Column("updated_at", bytewise(24), nullable=False),
        sa.CheckConstraint(
            "state in ('reading', 'draft', 'unreadable', 'billed', 'set aside')", name=op.f("ck_document_state")
        ),
        sa.CheckConstraint("way in ('upload', 'mail', 'command')", name=op.f("ck_document_way")),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_document_account"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_document")),
        sa.UniqueConstraint("account_id", "digest", name=op.f("uq_document_digest")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_document_state", "document", ["account_id", "state", "id"], unique=False)
    op.create_table(
        "document_content",
        sa.Column("account_id", bytewise(64), nullable=False),
        sa.Column("document_id", bytewise(64), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        _of("document_content", "document"),
        sa.PrimaryKeyConstraint("account_id", "document_id", name=op.f("pk_document_content")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "lesson",
        sa.Column("account_id", bytewise(64), nullable=False),
        sa.Column("number", bytewise(64), nullable=False),
        sa.Column("issuer", sa.Text().with_variant(sa.Text(collation="C"), "postgresql"), nullable=False),
        sa.Column("template", sa.Text(), nullable=False),
        sa.Column("updated_at", bytewise(24), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_lesson_account"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "number", "issuer", name=op.f("pk_lesson")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "bill_document",
        sa.Column("account_id", bytewise(64), nullable=False),
        sa.Column("bill_id", bytewise(64), nullable=False),
        sa.Column("document_id", bytewise(64), nullable=False),
        _of("bill_document", "bill"),
        _of("bill_document", "document"),
        sa.PrimaryKeyConstraint("account_id", "bill_id", "document_id", name=op.f("pk_bill_document")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_bill_document_document", "bill_document", ["account_id", "document_id"], unique=False)


def _of(table: str, parent: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["account_id", f"{parent}_id"], [f"{parent}.account_id", f"{parent}.id"], name=op.f(f"fk_{table}_{parent}"),
        ondelete="CASCADE",
    )  # fmt: skip
