"""people: names, sessions, one-time links and second factors; when an account sends, and how much at first"""

import sqlalchemy as sa
from alembic import op

from prorata.store.columns import bytewise

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("account", sa.Column("send_at", sa.String(length=5), nullable=True))
    op.add_column("account", sa.Column("mail_capped_until", bytewise(24), nullable=True))
    for column in (
        sa.Column("name", sa.Text(), nullable=False, server_default=""),
        sa.Column("verified_at", bytewise(24), nullable=True),
        sa.Column("totp_secret", sa.Text(), nullable=True),
        sa.Column("totp_on_at", bytewise(24), nullable=True),
        sa.Column("totp_last_step", sa.BigInteger(), nullable=True),
    ):
        op.add_column("member", column)
    # Whoever is there was entered by the operator, who answers for the address.
    op.execute("UPDATE member SET verified_at = created_at")
    _of_members()
    op.create_table(
        "link",
        sa.Column("account_id", bytewise(64), nullable=False),
        sa.Column("id", bytewise(64), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("member_id", bytewise(64), nullable=True),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=True),
        sa.Column("created_by", bytewise(64), nullable=False),
        sa.Column("created_at", bytewise(24), nullable=False),
        sa.Column("expires_at", bytewise(24), nullable=False),
        sa.Column("used_at", bytewise(24), nullable=True),
        sa.CheckConstraint("kind in ('verify', 'reset', 'invite')", name=op.f("ck_link_kind")),
        sa.CheckConstraint("role in ('owner', 'manager', 'viewer')", name=op.f("ck_link_role")),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_link_account"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_link")),
        sa.UniqueConstraint("id", name=op.f("uq_link_id")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_link_email", "link", ["account_id", "email", "kind"], unique=False)
    op.create_table(
        "mail_day",
        sa.Column("account_id", bytewise(64), nullable=False),
        sa.Column("day", bytewise(10), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_mail_day_account"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "day", name=op.f("pk_mail_day")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "turn",
        sa.Column("name", bytewise(64), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_turn")),
        sqlite_with_rowid=False,
    )


def _of_members() -> None:
    op.create_table(
        "session",
        sa.Column("account_id", bytewise(64), nullable=False),
        sa.Column("id", bytewise(64), nullable=False),
        sa.Column("member_id", bytewise(64), nullable=False),
        sa.Column("token_hash", bytewise(64), nullable=False),
        sa.Column("created_at", bytewise(24), nullable=False),
        sa.Column("last_seen_at", bytewise(24), nullable=False),
        sa.Column("expires_at", bytewise(24), nullable=False),
        sa.Column("user_agent", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id", "member_id"],
            ["member.account_id", "member.id"],
            name=op.f("fk_session_member"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_session")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_session_token_hash")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_session_member", "session", ["account_id", "member_id", "id"], unique=False)
    op.create_table(
        "recovery_code",
        sa.Column("account_id", bytewise(64), nullable=False),
        sa.Column("member_id", bytewise(64), nullable=False),
        sa.Column("code_hash", bytewise(64), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id", "member_id"],
            ["member.account_id", "member.id"],
            name=op.f("fk_recovery_code_member"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", "member_id", "code_hash", name=op.f("pk_recovery_code")),
        sqlite_with_rowid=False,
    )
