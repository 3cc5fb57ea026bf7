"""What is taught of an issuer, whichever account number its bills have."""

import sqlalchemy as sa
from alembic import op

revision = "issuer_lessons"
down_revision = "households_of_corrections"
branch_labels = None
depends_on = None


def _bytewise(length: int | None = None) -> sa.types.TypeEngine[str]:
    kind = sa.String if length else sa.Text
    return kind(length).with_variant(kind(length, collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "issuer_lesson",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("issuer_key", _bytewise(), nullable=False),
        sa.Column("issuer_name", sa.Text(), nullable=False),
        sa.Column("lesson", sa.Text(), nullable=False),
        sa.Column("updated_at", _bytewise(24), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_issuer_lesson_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "issuer_key", name=op.f("pk_issuer_lesson")),
        sqlite_with_rowid=False,
    )
