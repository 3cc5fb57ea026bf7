"""The logo and the color of an account."""

import sqlalchemy as sa
from alembic import op

revision = "logo_and_colour"
down_revision = "replies"
branch_labels = None
depends_on = None


def _bytewise(length: int) -> sa.types.TypeEngine[str]:
    return sa.String(length).with_variant(sa.String(length, collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "letterhead",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("logo", sa.LargeBinary()),
        sa.Column("color", sa.String(7)),
        sa.Column("updated_at", _bytewise(24), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_letterhead_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_letterhead")),
        sqlite_with_rowid=False,
    )
