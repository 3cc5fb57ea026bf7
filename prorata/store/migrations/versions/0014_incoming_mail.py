"""incoming mail: the address of each account, messages as they came, and the documents that they brought"""

import secrets
from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

from prorata.store.columns import bytewise

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

_CHARACTERS = "abcdefghjkmnpqrstvwxyz23456789"


def upgrade() -> None:
    op.create_table(
        "inbox_address",
        sa.Column("account_id", bytewise(64), nullable=False),
        sa.Column("token", bytewise(32), nullable=False),
        sa.Column("allowed", sa.Text(), nullable=False),
        sa.Column("updated_at", bytewise(24), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_inbox_address_account"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_inbox_address")),
        sa.UniqueConstraint("token", name=op.f("uq_inbox_address_token")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "incoming_mail",
        sa.Column("account_id", bytewise(64), nullable=False),
        sa.Column("id", bytewise(64), nullable=False),
        sa.Column("digest", bytewise(64), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("way", sa.String(length=8), nullable=False),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("envelope_from", sa.Text(), nullable=False),
        sa.Column("about", bytewise(64), nullable=True),
        sa.Column("accepted_by", bytewise(64), nullable=True),
        sa.Column("sender", sa.Text(), nullable=True),
        sa.Column("subject", sa.Text(), nullable=True),
        sa.Column("message_id", sa.Text(), nullable=True),
        sa.Column("likeness", bytewise(64), nullable=True),
        sa.Column("authentic", sa.Boolean(), nullable=True),
        sa.Column("said", sa.Text(), nullable=True),
        sa.Column("left_out", sa.Text(), nullable=True),
        sa.Column("answered_at", bytewise(24), nullable=True),
        sa.Column("created_at", bytewise(24), nullable=False),
        sa.Column("updated_at", bytewise(24), nullable=False),
        sa.CheckConstraint(
            "state in ('received', 'waiting', 'taken', 'nothing', 'refused', 'again', 'report')",
            name=op.f("ck_incoming_mail_state"),
        ),
        sa.CheckConstraint("way in ('smtp', 'lmtp', 'imap')", name=op.f("ck_incoming_mail_way")),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_incoming_mail_account"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_incoming_mail")),
        sa.UniqueConstraint("account_id", "digest", name=op.f("uq_incoming_mail_digest")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_incoming_mail_state", "incoming_mail", ["account_id", "state", "id"], unique=False)
    op.create_index("ix_incoming_mail_likeness", "incoming_mail", ["account_id", "likeness"], unique=False)
    op.create_index("ix_incoming_mail_answered", "incoming_mail", ["account_id", "answered_at"], unique=False)
    op.create_table(
        "incoming_content",
        sa.Column("account_id", bytewise(64), nullable=False),
        sa.Column("mail_id", bytewise(64), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        _of("incoming_content", "incoming_mail", "mail_id"),
        sa.PrimaryKeyConstraint("account_id", "mail_id", name=op.f("pk_incoming_content")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "incoming_document",
        sa.Column("account_id", bytewise(64), nullable=False),
        sa.Column("mail_id", bytewise(64), nullable=False),
        sa.Column("document_id", bytewise(64), nullable=False),
        _of("incoming_document", "incoming_mail", "mail_id"),
        _of("incoming_document", "document", "document_id"),
        sa.PrimaryKeyConstraint("account_id", "mail_id", "document_id", name=op.f("pk_incoming_document")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_incoming_document_document", "incoming_document", ["account_id", "document_id"], unique=False)
    _give_everyone_an_address()


def _give_everyone_an_address() -> None:
    """A token of its own for each account that is there: nobody guesses it."""
    connection = op.get_bind()
    now = datetime.now(UTC).isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"
    for (account_id,) in connection.execute(sa.text("SELECT id FROM account")).all():
        token = "".join(secrets.choice(_CHARACTERS) for _ in range(20))
        connection.execute(
            sa.text(
                "INSERT INTO inbox_address (account_id, token, allowed, updated_at) VALUES (:account, :token, '', :now)"
            ),
            {"account": account_id, "token": token, "now": now},
        )


def _of(table: str, parent: str, column: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["account_id", column], [f"{parent}.account_id", f"{parent}.id"], name=op.f(f"fk_{table}_{parent}"),
        ondelete="CASCADE",
    )  # fmt: skip
