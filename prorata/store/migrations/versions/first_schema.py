"""The schema of the first release.

A database at revision 0034, the last one of before the first release, has this schema: `migrations.upgrade` renames its
revision to this one.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "first_schema"
down_revision = None
branch_labels = None
depends_on = None


def _bytewise(length: int | None = None) -> sa.types.TypeEngine[Any]:
    """A text that PostgreSQL orders by its bytes, as SQLite does."""
    kind = sa.Text if length is None else sa.String
    return kind(length).with_variant(kind(length, collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "account",
        sa.Column("id", _bytewise(64), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("timezone", sa.Text(), nullable=False),
        sa.Column("locale", sa.Text(), nullable=False),
        sa.Column("currency", sa.String(length=3), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("contact", sa.Text(), nullable=False),
        sa.Column("payment_terms", sa.Integer(), nullable=False),
        sa.Column("late_bills", sa.String(length=16), nullable=False),
        sa.Column("hold_flagged", sa.Boolean(), nullable=False),
        sa.Column("shows_bills", sa.Boolean(), nullable=False),
        sa.Column("mail_on", sa.Boolean(), nullable=False),
        sa.Column("mail_hold", sa.Integer(), nullable=False),
        sa.Column("reminders_before", sa.Text(), nullable=False),
        sa.Column("reminders_after", sa.Text(), nullable=False),
        sa.Column("send_at", sa.String(length=5), nullable=True),
        sa.Column("automatic", sa.String(length=8), nullable=False),
        sa.Column("automatic_day", sa.Integer(), nullable=False),
        sa.Column("automatic_from", _bytewise(7), nullable=True),
        sa.Column("automatic_sends_from", _bytewise(7), nullable=True),
        sa.Column("mail_capped_until", _bytewise(24), nullable=True),
        sa.Column("property_count", sa.Integer(), nullable=False),
        sa.Column("bill_count", sa.Integer(), nullable=False),
        sa.Column("created_at", _bytewise(24), nullable=False),
        sa.Column("updated_at", _bytewise(24), nullable=False),
        sa.CheckConstraint("late_bills in ('ask', 'next open month')", name=op.f("ck_account_late_bills")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_account")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "hold",
        sa.Column("name", _bytewise(64), nullable=False),
        sa.Column("since", _bytewise(24), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_hold")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "turn",
        sa.Column("name", _bytewise(64), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_turn")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "api_key",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("id", _bytewise(64), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("permission", sa.String(length=8), nullable=False),
        sa.Column("key_hash", _bytewise(64), nullable=False),
        sa.Column("last_four", sa.String(length=4), nullable=False),
        sa.Column("created_at", _bytewise(24), nullable=False),
        sa.Column("last_used_at", _bytewise(24), nullable=True),
        sa.Column("expires_at", _bytewise(24), nullable=True),
        sa.Column("revoked_at", _bytewise(24), nullable=True),
        sa.CheckConstraint("permission in ('READ', 'FULL')", name=op.f("ck_api_key_permission")),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_api_key_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_api_key")),
        sa.UniqueConstraint("key_hash", name=op.f("uq_api_key_key_hash")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "audit_chain",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("hash", _bytewise(64), nullable=False),
        sa.Column("settled", _bytewise(64), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_audit_chain_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_audit_chain")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "audit_link",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("event_id", _bytewise(64), nullable=False),
        sa.Column("salt", _bytewise(32), nullable=True),
        sa.Column("contents", _bytewise(64), nullable=False),
        sa.Column("hash", _bytewise(64), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_audit_link_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "number", name=op.f("pk_audit_link")),
        sa.UniqueConstraint("account_id", "event_id", name=op.f("uq_audit_link_event")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "bulk",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("id", _bytewise(64), nullable=False),
        sa.Column("verb", sa.String(length=16), nullable=False),
        sa.Column("actor", _bytewise(64), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("is_undone", sa.Boolean(), nullable=False),
        sa.Column("why", sa.Text(), nullable=True),
        sa.Column("created_at", _bytewise(24), nullable=False),
        sa.Column("ended_at", _bytewise(24), nullable=True),
        sa.CheckConstraint("state in ('going on', 'done', 'stopped')", name=op.f("ck_bulk_state")),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_bulk_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_bulk")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_bulk_ended", "bulk", ["account_id", "ended_at"], unique=False)
    op.create_table(
        "column_mapping",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("header", _bytewise(64), nullable=False),
        sa.Column("names", sa.Text(), nullable=False),
        sa.Column("mapping", sa.Text(), nullable=False),
        sa.Column("updated_at", _bytewise(24), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_column_mapping_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "header", name=op.f("pk_column_mapping")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "document",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("id", _bytewise(64), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("way", sa.String(length=8), nullable=False),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("digest", _bytewise(64), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("said", sa.Text(), nullable=True),
        sa.Column("draft", sa.Text(), nullable=True),
        sa.Column("created_at", _bytewise(24), nullable=False),
        sa.Column("updated_at", _bytewise(24), nullable=False),
        sa.CheckConstraint(
            "state in ('reading', 'draft', 'unreadable', 'billed', 'set aside')", name=op.f("ck_document_state")
        ),
        sa.CheckConstraint("way in ('upload', 'mail', 'command')", name=op.f("ck_document_way")),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_document_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_document")),
        sa.UniqueConstraint("account_id", "digest", name=op.f("uq_document_digest")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_document_state", "document", ["account_id", "state", "id"], unique=False)
    op.create_table(
        "event",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("id", _bytewise(64), nullable=False),
        sa.Column("at", _bytewise(24), nullable=False),
        sa.Column("actor", _bytewise(64), nullable=False),
        sa.Column("verb", sa.String(length=32), nullable=False),
        sa.Column("record_id", _bytewise(64), nullable=False),
        sa.Column("property_id", _bytewise(64), nullable=True),
        sa.Column("before", sa.Text(), nullable=True),
        sa.Column("after", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_event_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_event")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_event_property", "event", ["account_id", "property_id"], unique=False)
    op.create_index("ix_event_record", "event", ["account_id", "record_id", "id"], unique=False)
    op.create_table(
        "event_batch",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("id", _bytewise(64), nullable=False),
        sa.Column("type", _bytewise(32), nullable=False),
        sa.Column("property_id", _bytewise(64), nullable=True),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("first_sequence", sa.BigInteger(), nullable=True),
        sa.Column("at", _bytewise(24), nullable=False),
        sa.Column("record_ids", sa.Text(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=True),
        sa.CheckConstraint("number > 0", name=op.f("ck_event_batch_number")),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_event_batch_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_event_batch")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_event_batch_property", "event_batch", ["account_id", "property_id"], unique=False)
    op.create_index("ix_event_batch_sequence", "event_batch", ["account_id", "first_sequence"], unique=False)
    op.create_index("ix_event_batch_type", "event_batch", ["account_id", "type", "first_sequence"], unique=False)
    op.create_index(
        "ix_event_batch_uncounted",
        "event_batch",
        ["account_id", "id"],
        unique=False,
        sqlite_where=sa.text("first_sequence IS NULL"),
        postgresql_where=sa.text("first_sequence IS NULL"),
    )
    op.create_table(
        "event_feed",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("last_sequence", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_event_feed_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_event_feed")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "failed_try",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("kind", _bytewise(32), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_failed_try_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "kind", name=op.f("pk_failed_try")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "idempotency_key",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("key", _bytewise(), nullable=False),
        sa.Column("request_hash", _bytewise(64), nullable=False),
        sa.Column("status", sa.Integer(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("created_at", _bytewise(24), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_idempotency_key_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "key", name=op.f("pk_idempotency_key")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_idempotency_key_created", "idempotency_key", ["account_id", "created_at"], unique=False)
    op.create_table(
        "inbox_address",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("token", _bytewise(32), nullable=False),
        sa.Column("allowed", sa.Text(), nullable=False),
        sa.Column("updated_at", _bytewise(24), nullable=False),
        sa.Column("keep_days", sa.Integer(), nullable=False),
        sa.Column("counts_known", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_inbox_address_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_inbox_address")),
        sa.UniqueConstraint("token", name=op.f("uq_inbox_address_token")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "incoming_mail",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("id", _bytewise(64), nullable=False),
        sa.Column("digest", _bytewise(64), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("way", sa.String(length=8), nullable=False),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("envelope_from", sa.Text(), nullable=False),
        sa.Column("about", _bytewise(64), nullable=True),
        sa.Column("accepted_by", _bytewise(64), nullable=True),
        sa.Column("sender", sa.Text(), nullable=True),
        sa.Column("subject", sa.Text(), nullable=True),
        sa.Column("message_id", sa.Text(), nullable=True),
        sa.Column("likeness", _bytewise(64), nullable=True),
        sa.Column("authentic", sa.Boolean(), nullable=True),
        sa.Column("said", sa.Text(), nullable=True),
        sa.Column("left_out", sa.Text(), nullable=True),
        sa.Column("brings", sa.Text(), nullable=True),
        sa.Column("answered_at", _bytewise(24), nullable=True),
        sa.Column("created_at", _bytewise(24), nullable=False),
        sa.Column("updated_at", _bytewise(24), nullable=False),
        sa.CheckConstraint(
            "state in ('received', 'waiting', 'taken', 'nothing', 'refused', 'again', 'report', 'not taken', 'dealt with')",
            name=op.f("ck_incoming_mail_state"),
        ),
        sa.CheckConstraint("way in ('smtp', 'lmtp', 'imap')", name=op.f("ck_incoming_mail_way")),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_incoming_mail_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_incoming_mail")),
        sa.UniqueConstraint("account_id", "digest", name=op.f("uq_incoming_mail_digest")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_incoming_mail_answered", "incoming_mail", ["account_id", "answered_at"], unique=False)
    op.create_index("ix_incoming_mail_likeness", "incoming_mail", ["account_id", "likeness"], unique=False)
    op.create_index("ix_incoming_mail_state", "incoming_mail", ["account_id", "state", "id"], unique=False)
    op.create_table(
        "job",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("id", _bytewise(64), nullable=False),
        sa.Column("kind", _bytewise(32), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("unique_key", _bytewise(200), nullable=True),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("subject", _bytewise(64), nullable=True),
        sa.Column("due_at", _bytewise(24), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("lease_until", _bytewise(24), nullable=True),
        sa.Column("lease_token", _bytewise(64), nullable=True),
        sa.Column("last_error", sa.Text(), nullable=True),
        sa.Column("created_at", _bytewise(24), nullable=False),
        sa.Column("updated_at", _bytewise(24), nullable=False),
        sa.Column("ended_at", _bytewise(24), nullable=True),
        sa.CheckConstraint("(state = 'running') = (lease_token is not null)", name=op.f("ck_job_lease")),
        sa.CheckConstraint("(state in ('waiting', 'running')) = (ended_at is null)", name=op.f("ck_job_ended")),
        sa.CheckConstraint("state <> 'failed' or last_error is not null", name=op.f("ck_job_last_error")),
        sa.CheckConstraint("state in ('waiting', 'running', 'done', 'failed', 'cancelled')", name=op.f("ck_job_state")),
        sa.CheckConstraint("(lease_token is null) = (lease_until is null)", name=op.f("ck_job_lease_until")),
        sa.CheckConstraint("attempts >= 0", name=op.f("ck_job_attempts")),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_job_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_job")),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_job_due",
        "job",
        ["kind", "due_at", "id"],
        unique=False,
        sqlite_where=sa.text("state = 'waiting'"),
        postgresql_where=sa.text("state = 'waiting'"),
    )
    op.create_index(
        "ix_job_ended",
        "job",
        ["account_id", "ended_at"],
        unique=False,
        sqlite_where=sa.text("ended_at IS NOT NULL"),
        postgresql_where=sa.text("ended_at IS NOT NULL"),
    )
    op.create_index(
        "ix_job_failed",
        "job",
        ["kind"],
        unique=False,
        sqlite_where=sa.text("state = 'failed'"),
        postgresql_where=sa.text("state = 'failed'"),
    )
    op.create_index(
        "ix_job_failed_account",
        "job",
        ["account_id"],
        unique=False,
        sqlite_where=sa.text("state = 'failed'"),
        postgresql_where=sa.text("state = 'failed'"),
    )
    op.create_index(
        "ix_job_lease",
        "job",
        ["lease_until"],
        unique=False,
        sqlite_where=sa.text("state = 'running'"),
        postgresql_where=sa.text("state = 'running'"),
    )
    op.create_index("ix_job_subject", "job", ["account_id", "subject", "id"], unique=False)
    op.create_index(
        "ix_job_turn",
        "job",
        ["kind", "account_id", "due_at"],
        unique=False,
        sqlite_where=sa.text("state = 'waiting'"),
        postgresql_where=sa.text("state = 'waiting'"),
    )
    op.create_index(
        "uq_job_unique_key",
        "job",
        ["account_id", "kind", "unique_key"],
        unique=True,
        sqlite_where=sa.text("ended_at IS NULL"),
        postgresql_where=sa.text("ended_at IS NULL"),
    )
    op.create_table(
        "lesson",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("number", _bytewise(64), nullable=False),
        sa.Column("issuer", _bytewise(), nullable=False),
        sa.Column("template", sa.Text(), nullable=False),
        sa.Column("updated_at", _bytewise(24), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_lesson_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "number", "issuer", name=op.f("pk_lesson")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "link",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("id", _bytewise(64), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("member_id", _bytewise(64), nullable=True),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=True),
        sa.Column("created_by", _bytewise(64), nullable=False),
        sa.Column("created_at", _bytewise(24), nullable=False),
        sa.Column("expires_at", _bytewise(24), nullable=False),
        sa.Column("used_at", _bytewise(24), nullable=True),
        sa.CheckConstraint("kind in ('verify', 'reset', 'invite')", name=op.f("ck_link_kind")),
        sa.CheckConstraint("role in ('owner', 'manager', 'viewer')", name=op.f("ck_link_role")),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_link_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_link")),
        sa.UniqueConstraint("id", name=op.f("uq_link_id")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_link_email", "link", ["account_id", "email", "kind"], unique=False)
    op.create_table(
        "mail_day",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("day", _bytewise(10), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_mail_day_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "day", name=op.f("pk_mail_day")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "member",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("id", _bytewise(64), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("password_hash", sa.Text(), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("verified_at", _bytewise(24), nullable=True),
        sa.Column("totp_secret", sa.Text(), nullable=True),
        sa.Column("totp_on_at", _bytewise(24), nullable=True),
        sa.Column("totp_last_step", sa.BigInteger(), nullable=True),
        sa.Column("created_at", _bytewise(24), nullable=False),
        sa.CheckConstraint("role in ('owner', 'manager', 'viewer')", name=op.f("ck_member_role")),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_member_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_member")),
        sa.UniqueConstraint("email", name=op.f("uq_member_email")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "month_round",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("day", _bytewise(10), nullable=False),
        sa.Column("sent_months", sa.Integer(), nullable=False),
        sa.Column("sent_invoices", sa.Integer(), nullable=False),
        sa.Column("proposed_months", sa.Integer(), nullable=False),
        sa.Column("property_id", _bytewise(64), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_month_round_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "day", name=op.f("pk_month_round")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "payment_file",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("id", _bytewise(64), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("digest", _bytewise(64), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("sheet", sa.LargeBinary(), nullable=False),
        sa.Column("rows", sa.Integer(), nullable=False),
        sa.Column("recorded", sa.Integer(), nullable=False),
        sa.Column("choices", sa.Text(), nullable=True),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("created_at", _bytewise(24), nullable=False),
        sa.Column("updated_at", _bytewise(24), nullable=False),
        sa.CheckConstraint("state in ('open', 'closed')", name=op.f("ck_payment_file_state")),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_payment_file_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_payment_file")),
        sa.UniqueConstraint("account_id", "digest", name=op.f("uq_payment_file_digest")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_payment_file_state", "payment_file", ["account_id", "state", "id"], unique=False)
    op.create_table(
        "payment_link",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("id", _bytewise(64), nullable=False),
        sa.Column("invoice_id", _bytewise(64), nullable=False),
        sa.Column("provider", sa.String(length=8), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("currency", sa.String(length=3), nullable=False),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("provider_id", _bytewise(255), nullable=True),
        sa.Column("url", sa.Text(), nullable=True),
        sa.Column("created_at", _bytewise(24), nullable=False),
        sa.Column("updated_at", _bytewise(24), nullable=False),
        sa.Column("number", sa.Text(), nullable=False),
        sa.Column("is_former", sa.Boolean(), nullable=False),
        sa.Column("tenant_id", _bytewise(64), nullable=True),
        sa.CheckConstraint("provider in ('stripe', 'sandbox')", name=op.f("ck_payment_link_provider")),
        sa.CheckConstraint("state in ('asked', 'live', 'closed')", name=op.f("ck_payment_link_state")),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_payment_link_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_payment_link")),
        sa.UniqueConstraint("account_id", "provider", "provider_id", name=op.f("uq_payment_link_provider_id")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_payment_link_invoice", "payment_link", ["account_id", "invoice_id", "id"], unique=False)
    op.create_index(
        "ix_payment_link_open",
        "payment_link",
        ["account_id", "invoice_id"],
        unique=False,
        sqlite_where=sa.text("state != 'closed'"),
        postgresql_where=sa.text("state != 'closed'"),
    )
    op.create_table(
        "payment_provider",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("provider", sa.String(length=8), nullable=False),
        sa.Column("sealed_key", sa.Text(), nullable=True),
        sa.Column("key_ends", sa.String(length=8), nullable=True),
        sa.Column("sealed_secret", sa.Text(), nullable=True),
        sa.Column("token", _bytewise(64), nullable=False),
        sa.Column("updated_at", _bytewise(24), nullable=False),
        sa.Column("former_key", sa.Text(), nullable=True),
        sa.Column("former_key_ends", sa.String(length=8), nullable=True),
        sa.Column("former_secrets", sa.Text(), nullable=True),
        sa.CheckConstraint("provider in ('stripe', 'sandbox')", name=op.f("ck_payment_provider_provider")),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_payment_provider_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_payment_provider")),
        sa.UniqueConstraint("token", name=op.f("uq_payment_provider_token")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "property",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("id", _bytewise(64), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("street_number", sa.Text(), nullable=False),
        sa.Column("street", sa.Text(), nullable=False),
        sa.Column("city", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("zip", sa.Text(), nullable=False),
        sa.Column("country", sa.String(length=2), nullable=False),
        sa.Column("currency", sa.String(length=3), nullable=False),
        sa.Column("code", _bytewise(16), nullable=False),
        sa.Column("is_active", sa.Boolean(), nullable=False),
        sa.Column("billing_starts_month", _bytewise(7), nullable=True),
        sa.Column("created_at", _bytewise(24), nullable=False),
        sa.Column("updated_at", _bytewise(24), nullable=False),
        sa.Column("name_key", _bytewise(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_property_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_property")),
        sa.UniqueConstraint("account_id", "code", name=op.f("uq_property_code")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_property_name", "property", ["account_id", "name_key", "id"], unique=False)
    op.create_table(
        "provider_event",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("provider", sa.String(length=8), nullable=False),
        sa.Column("event_id", _bytewise(255), nullable=False),
        sa.Column("happening", sa.String(length=16), nullable=False),
        sa.Column("payment", _bytewise(255), nullable=False),
        sa.Column("link", _bytewise(255), nullable=True),
        sa.Column("reference", _bytewise(255), nullable=True),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("currency", sa.String(length=3), nullable=False),
        sa.Column("at", _bytewise(24), nullable=False),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("why", sa.Text(), nullable=True),
        sa.Column("invoice_id", _bytewise(64), nullable=True),
        sa.Column("created_at", _bytewise(24), nullable=False),
        sa.CheckConstraint(
            "happening in ('paid', 'failed', 'refunded', 'refund failed', 'charged back', 'given back', 'under way')",
            name=op.f("ck_provider_event_happening"),
        ),
        sa.CheckConstraint("provider in ('stripe', 'sandbox')", name=op.f("ck_provider_event_provider")),
        sa.CheckConstraint("state in ('counted', 'passed', 'waits', 'to check')", name=op.f("ck_provider_event_state")),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_provider_event_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "provider", "event_id", name=op.f("pk_provider_event")),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_provider_event_of_none",
        "provider_event",
        ["account_id", "created_at"],
        unique=False,
        sqlite_where=sa.text("invoice_id IS NULL"),
        postgresql_where=sa.text("invoice_id IS NULL"),
    )
    op.create_index("ix_provider_event_payment", "provider_event", ["account_id", "provider", "payment"], unique=False)
    op.create_index(
        "ix_provider_event_to_check",
        "provider_event",
        ["account_id", "created_at"],
        unique=False,
        sqlite_where=sa.text("why IS NOT NULL AND state != 'passed'"),
        postgresql_where=sa.text("why IS NOT NULL AND state != 'passed'"),
    )
    op.create_index(
        "ix_provider_event_under_way",
        "provider_event",
        ["account_id", "invoice_id"],
        unique=False,
        sqlite_where=sa.text("happening = 'under way' AND state = 'waits'"),
        postgresql_where=sa.text("happening = 'under way' AND state = 'waits'"),
    )
    op.create_table(
        "recorded_row",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("source", _bytewise(200), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_recorded_row_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "source", name=op.f("pk_recorded_row")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "recurring",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("name", _bytewise(32), nullable=False),
        sa.Column("next_at", _bytewise(24), nullable=False),
        sa.Column("fired_at", _bytewise(24), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_recurring_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "name", name=op.f("pk_recurring")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_recurring_next", "recurring", ["next_at"], unique=False)
    op.create_table(
        "split_method",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("id", _bytewise(64), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("name_key", _bytewise(), nullable=False),
        sa.Column("components", sa.Text(), nullable=False),
        sa.Column("created_at", _bytewise(24), nullable=False),
        sa.Column("updated_at", _bytewise(24), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_split_method_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_split_method")),
        sa.UniqueConstraint("account_id", "name_key", name=op.f("uq_split_method_name")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "tally",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("property_id", _bytewise(64), nullable=False),
        sa.Column("month", _bytewise(7), nullable=False),
        sa.Column("draft", sa.Integer(), nullable=False),
        sa.Column("sent", sa.Integer(), nullable=False),
        sa.Column("paid", sa.Integer(), nullable=False),
        sa.Column("overdue", sa.Integer(), nullable=False),
        sa.Column("cancelled", sa.Integer(), nullable=False),
        sa.CheckConstraint("cancelled >= 0", name=op.f("ck_tally_cancelled")),
        sa.CheckConstraint("draft >= 0", name=op.f("ck_tally_draft")),
        sa.CheckConstraint("overdue >= 0", name=op.f("ck_tally_overdue")),
        sa.CheckConstraint("paid >= 0", name=op.f("ck_tally_paid")),
        sa.CheckConstraint("sent >= 0", name=op.f("ck_tally_sent")),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_tally_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "property_id", "month", name=op.f("pk_tally")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "used_code",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("scope", _bytewise(64), nullable=False),
        sa.Column("code", _bytewise(16), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_used_code_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "scope", "code", name=op.f("pk_used_code")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "webhook_endpoint",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("id", _bytewise(64), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("types", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("why_off", sa.Text(), nullable=True),
        sa.Column("secret", sa.Text(), nullable=False),
        sa.Column("secret_before", sa.Text(), nullable=True),
        sa.Column("before_until", _bytewise(24), nullable=True),
        sa.Column("sent_to", sa.BigInteger(), nullable=False),
        sa.Column("next_at", _bytewise(24), nullable=True),
        sa.Column("is_slow", sa.Boolean(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("delivered_at", _bytewise(24), nullable=True),
        sa.Column("failed_at", _bytewise(24), nullable=True),
        sa.Column("failure", sa.Text(), nullable=True),
        sa.Column("created_at", _bytewise(24), nullable=False),
        sa.Column("updated_at", _bytewise(24), nullable=False),
        sa.CheckConstraint("state in ('on', 'paused', 'off')", name=op.f("ck_webhook_endpoint_state")),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_webhook_endpoint_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_webhook_endpoint")),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_webhook_endpoint_next",
        "webhook_endpoint",
        ["next_at"],
        unique=False,
        sqlite_where=sa.text("state = 'on'"),
        postgresql_where=sa.text("state = 'on'"),
    )
    op.create_table(
        "bill",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("id", _bytewise(64), nullable=False),
        sa.Column("property_id", _bytewise(64), nullable=False),
        sa.Column("issuer_name", _bytewise(), nullable=False),
        sa.Column("utility_types", sa.Text(), nullable=False),
        sa.Column("total", sa.BigInteger(), nullable=False),
        sa.Column("bill_date", _bytewise(10), nullable=False),
        sa.Column("due_date", _bytewise(10), nullable=True),
        sa.Column("payment_status", sa.String(length=16), nullable=False),
        sa.Column("notes", sa.Text(), nullable=True),
        sa.Column("account_number", _bytewise(), nullable=True),
        sa.Column("bill_number", _bytewise(), nullable=True),
        sa.Column("service_start", _bytewise(10), nullable=True),
        sa.Column("service_end", _bytewise(10), nullable=True),
        sa.Column("chosen_month", _bytewise(7), nullable=True),
        sa.Column("guessed", sa.Boolean(), nullable=False),
        sa.Column("fingerprint", _bytewise(64), nullable=False),
        sa.Column("repetition", sa.Integer(), nullable=False),
        sa.Column("created_at", _bytewise(24), nullable=False),
        sa.Column("updated_at", _bytewise(24), nullable=False),
        sa.Column("first_month", _bytewise(7), nullable=True),
        sa.CheckConstraint(
            "payment_status in ('UNPAID', 'PAID', 'PENDING', 'OVERDUE')", name=op.f("ck_bill_payment_status")
        ),
        sa.CheckConstraint("total between -999999999999 and 999999999999", name=op.f("ck_bill_total")),
        sa.ForeignKeyConstraint(
            ["account_id", "property_id"],
            ["property.account_id", "property.id"],
            name=op.f("fk_bill_property"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_bill")),
        sa.UniqueConstraint("account_id", "fingerprint", "repetition", name=op.f("uq_bill_fingerprint")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_bill_account_number", "bill", ["account_id", "account_number"], unique=False)
    op.create_index("ix_bill_due_date", "bill", ["account_id", "due_date", "id"], unique=False)
    op.create_index("ix_bill_first_month", "bill", ["account_id", "first_month", "id"], unique=False)
    op.create_index(
        "ix_bill_guessed",
        "bill",
        ["account_id", "id"],
        unique=False,
        sqlite_where=sa.text("guessed = true"),
        postgresql_where=sa.text("guessed = true"),
    )
    op.create_index("ix_bill_issuer", "bill", ["account_id", "issuer_name", "id"], unique=False)
    op.create_index("ix_bill_list", "bill", ["account_id", sa.literal_column("bill_date DESC"), "id"], unique=False)
    op.create_index("ix_bill_number", "bill", ["account_id", "property_id", "bill_number"], unique=False)
    op.create_index("ix_bill_own_number", "bill", ["account_id", "bill_number"], unique=False)
    op.create_index("ix_bill_property", "bill", ["account_id", "property_id", "bill_date"], unique=False)
    op.create_index("ix_bill_status", "bill", ["account_id", "payment_status", "id"], unique=False)
    op.create_index("ix_bill_total", "bill", ["account_id", "total", "id"], unique=False)
    op.create_table(
        "billing_month",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("property_id", _bytewise(64), nullable=False),
        sa.Column("month", _bytewise(7), nullable=False),
        sa.Column("draft", sa.Integer(), nullable=False),
        sa.Column("sent", sa.Integer(), nullable=False),
        sa.Column("paid", sa.Integer(), nullable=False),
        sa.Column("overdue", sa.Integer(), nullable=False),
        sa.Column("cancelled", sa.Integer(), nullable=False),
        sa.Column("billed", sa.BigInteger(), nullable=False),
        sa.Column("received", sa.BigInteger(), nullable=False),
        sa.Column("owner_amount", sa.BigInteger(), nullable=False),
        sa.Column("line_count", sa.Integer(), nullable=False),
        sa.Column("missing_count", sa.Integer(), nullable=False),
        sa.Column("pending", sa.Boolean(), nullable=False),
        sa.Column("first_closed_at", _bytewise(24), nullable=True),
        sa.Column("snapshot", sa.Text(), nullable=True),
        sa.Column("computed_at", _bytewise(24), nullable=False),
        sa.CheckConstraint("(snapshot is null) = (sent + paid + overdue = 0)", name=op.f("ck_billing_month_snapshot")),
        sa.CheckConstraint("cancelled >= 0", name=op.f("ck_billing_month_cancelled")),
        sa.CheckConstraint("draft >= 0", name=op.f("ck_billing_month_draft")),
        sa.CheckConstraint("overdue >= 0", name=op.f("ck_billing_month_overdue")),
        sa.CheckConstraint("paid >= 0", name=op.f("ck_billing_month_paid")),
        sa.CheckConstraint("sent >= 0", name=op.f("ck_billing_month_sent")),
        sa.ForeignKeyConstraint(
            ["account_id", "property_id"],
            ["property.account_id", "property.id"],
            name=op.f("fk_billing_month_property"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", "property_id", "month", name=op.f("pk_billing_month")),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_billing_month_billed", "billing_month", ["account_id", "billed", "month", "property_id"], unique=False
    )
    op.create_index(
        "ix_billing_month_missing",
        "billing_month",
        ["account_id", "month", "property_id"],
        unique=False,
        sqlite_where=sa.text("missing_count > 0"),
        postgresql_where=sa.text("missing_count > 0"),
    )
    op.create_index("ix_billing_month_month", "billing_month", ["account_id", "month", "property_id"], unique=False)
    op.create_index(
        "ix_billing_month_pending",
        "billing_month",
        ["account_id", "month", "property_id"],
        unique=False,
        sqlite_where=sa.text("pending = 1"),
        postgresql_where=sa.text("pending"),
    )
    op.create_table(
        "bulk_item",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("bulk_id", _bytewise(64), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("invoice_id", _bytewise(64), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("expected", sa.String(length=16), nullable=True),
        sa.Column("before", sa.String(length=16), nullable=True),
        sa.Column("outcome", sa.String(length=16), nullable=False),
        sa.Column("why", sa.Text(), nullable=True),
        sa.Column("asked_amount", sa.BigInteger(), nullable=True),
        sa.Column("asked_tenant", _bytewise(64), nullable=True),
        sa.CheckConstraint(
            "outcome in ('waiting', 'changed', 'unchanged', 'refused')", name=op.f("ck_bulk_item_outcome")
        ),
        sa.CheckConstraint(
            "status in ('DRAFT', 'SENT', 'PAID', 'OVERDUE', 'CANCELLED')", name=op.f("ck_bulk_item_status")
        ),
        sa.ForeignKeyConstraint(
            ["account_id", "bulk_id"],
            ["bulk.account_id", "bulk.id"],
            name=op.f("fk_bulk_item_bulk"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", "bulk_id", "number", name=op.f("pk_bulk_item")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_bulk_item_outcome", "bulk_item", ["account_id", "bulk_id", "outcome", "number"], unique=False)
    op.create_table(
        "charge_export",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("id", _bytewise(64), nullable=False),
        sa.Column("system", _bytewise(32), nullable=False),
        sa.Column("month", _bytewise(7), nullable=False),
        sa.Column("property_id", _bytewise(64), nullable=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("encoding", sa.String(length=16), nullable=False),
        sa.Column("head", sa.Text(), nullable=False),
        sa.Column("invoices", sa.Integer(), nullable=False),
        sa.Column("rows", sa.Integer(), nullable=False),
        sa.Column("total", sa.BigInteger(), nullable=False),
        sa.Column("currency", sa.String(length=3), nullable=False),
        sa.Column("created_at", _bytewise(24), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id", "property_id"],
            ["property.account_id", "property.id"],
            name=op.f("fk_charge_export_property"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_charge_export_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_charge_export")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_charge_export_system", "charge_export", ["account_id", "system", "id"], unique=False)
    op.create_table(
        "charge_name",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("system", _bytewise(32), nullable=False),
        sa.Column("field", _bytewise(32), nullable=False),
        sa.Column("record_id", _bytewise(64), nullable=False),
        sa.Column("property_id", _bytewise(64), nullable=True),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("updated_at", _bytewise(24), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id", "property_id"],
            ["property.account_id", "property.id"],
            name=op.f("fk_charge_name_property"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_charge_name_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "system", "field", "record_id", name=op.f("pk_charge_name")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_charge_name_property", "charge_name", ["account_id", "property_id"], unique=False)
    op.create_table(
        "document_content",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("document_id", _bytewise(64), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id", "document_id"],
            ["document.account_id", "document.id"],
            name=op.f("fk_document_content_document"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", "document_id", name=op.f("pk_document_content")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "document_table",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("document_id", _bytewise(64), nullable=False),
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
        "incoming_content",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("mail_id", _bytewise(64), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id", "mail_id"],
            ["incoming_mail.account_id", "incoming_mail.id"],
            name=op.f("fk_incoming_content_incoming_mail"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", "mail_id", name=op.f("pk_incoming_content")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "incoming_document",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("mail_id", _bytewise(64), nullable=False),
        sa.Column("document_id", _bytewise(64), nullable=False),
        sa.Column("counted_at", _bytewise(24), nullable=True),
        sa.ForeignKeyConstraint(
            ["account_id", "document_id"],
            ["document.account_id", "document.id"],
            name=op.f("fk_incoming_document_document"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["account_id", "mail_id"],
            ["incoming_mail.account_id", "incoming_mail.id"],
            name=op.f("fk_incoming_document_incoming_mail"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", "mail_id", "document_id", name=op.f("pk_incoming_document")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_incoming_document_document", "incoming_document", ["account_id", "document_id"], unique=False)
    op.create_table(
        "month_run",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("property_id", _bytewise(64), nullable=False),
        sa.Column("month", _bytewise(7), nullable=False),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("invoices", sa.Integer(), nullable=False),
        sa.Column("why", sa.Text(), nullable=True),
        sa.Column("since", _bytewise(24), nullable=False),
        sa.CheckConstraint("state in ('ready', 'waits', 'proposed', 'sent')", name=op.f("ck_month_run_state")),
        sa.ForeignKeyConstraint(
            ["account_id", "property_id"],
            ["property.account_id", "property.id"],
            name=op.f("fk_month_run_property"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", "property_id", "month", name=op.f("pk_month_run")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_month_run_state", "month_run", ["account_id", "state", "month", "property_id"], unique=False)
    op.create_table(
        "recovery_code",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("member_id", _bytewise(64), nullable=False),
        sa.Column("code_hash", _bytewise(64), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id", "member_id"],
            ["member.account_id", "member.id"],
            name=op.f("fk_recovery_code_member"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", "member_id", "code_hash", name=op.f("pk_recovery_code")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "session",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("id", _bytewise(64), nullable=False),
        sa.Column("member_id", _bytewise(64), nullable=False),
        sa.Column("token_hash", _bytewise(64), nullable=False),
        sa.Column("created_at", _bytewise(24), nullable=False),
        sa.Column("last_seen_at", _bytewise(24), nullable=False),
        sa.Column("expires_at", _bytewise(24), nullable=False),
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
        "share_rule",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("id", _bytewise(64), nullable=False),
        sa.Column("property_id", _bytewise(64), nullable=False),
        sa.Column("utility_type", sa.String(length=16), nullable=False),
        sa.Column("split_method", sa.String(length=16), nullable=False),
        sa.Column("split_method_id", _bytewise(64), nullable=True),
        sa.Column("is_active", sa.Boolean(), nullable=False),
        sa.Column("weights", sa.Text(), nullable=True),
        sa.Column("owner_percent", _bytewise(40), nullable=False),
        sa.Column("vacant_occupants", _bytewise(40), nullable=False),
        sa.Column("created_at", _bytewise(24), nullable=False),
        sa.Column("updated_at", _bytewise(24), nullable=False),
        sa.CheckConstraint(
            "split_method in ('EQUAL', 'SQFT', 'OCCUPANTS', 'BEDROOMS', 'PERCENTAGE', 'CUSTOM')",
            name=op.f("ck_share_rule_split_method"),
        ),
        sa.CheckConstraint(
            "utility_type in ('ELECTRICITY', 'WATER', 'GAS', 'INTERNET', 'SEWER', 'GARBAGE', 'OTHER')",
            name=op.f("ck_share_rule_utility_type"),
        ),
        sa.ForeignKeyConstraint(
            ["account_id", "property_id"],
            ["property.account_id", "property.id"],
            name=op.f("fk_share_rule_property"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["account_id", "split_method_id"],
            ["split_method.account_id", "split_method.id"],
            name=op.f("fk_share_rule_split_method"),
        ),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_share_rule")),
        sa.UniqueConstraint("account_id", "property_id", "utility_type", name=op.f("uq_share_rule_type")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_share_rule_split_method", "share_rule", ["account_id", "split_method_id"], unique=False)
    op.create_table(
        "unit",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("id", _bytewise(64), nullable=False),
        sa.Column("property_id", _bytewise(64), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("label_key", _bytewise(), nullable=False),
        sa.Column("code", _bytewise(16), nullable=False),
        sa.Column("sqft", _bytewise(40), nullable=True),
        sa.Column("bedrooms", sa.Integer(), nullable=True),
        sa.Column("monthly_rent", sa.BigInteger(), nullable=True),
        sa.Column("active_from", _bytewise(10), nullable=True),
        sa.Column("active_to", _bytewise(10), nullable=True),
        sa.Column("created_at", _bytewise(24), nullable=False),
        sa.Column("updated_at", _bytewise(24), nullable=False),
        sa.Column("order_key", _bytewise(), nullable=False),
        sa.CheckConstraint("bedrooms >= 0", name=op.f("ck_unit_bedrooms")),
        sa.CheckConstraint("monthly_rent >= 0", name=op.f("ck_unit_monthly_rent")),
        sa.ForeignKeyConstraint(
            ["account_id", "property_id"],
            ["property.account_id", "property.id"],
            name=op.f("fk_unit_property"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_unit")),
        sa.UniqueConstraint("account_id", "property_id", "code", name=op.f("uq_unit_code")),
        sa.UniqueConstraint("account_id", "property_id", "id", name=op.f("uq_unit_property")),
        sa.UniqueConstraint("account_id", "property_id", "label_key", name=op.f("uq_unit_label")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_unit_order", "unit", ["account_id", "order_key", "id"], unique=False)
    op.create_table(
        "webhook_delivery",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("id", _bytewise(64), nullable=False),
        sa.Column("endpoint_id", _bytewise(64), nullable=False),
        sa.Column("sequence", sa.BigInteger(), nullable=False),
        sa.Column("event_id", _bytewise(64), nullable=False),
        sa.Column("type", _bytewise(32), nullable=False),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_at", _bytewise(24), nullable=True),
        sa.Column("status", sa.Integer(), nullable=True),
        sa.Column("said", sa.Text(), nullable=False),
        sa.Column("milliseconds", sa.Integer(), nullable=False),
        sa.Column("created_at", _bytewise(24), nullable=False),
        sa.Column("tried_at", _bytewise(24), nullable=False),
        sa.CheckConstraint("(state = 'waiting') = (next_at is not null)", name=op.f("ck_webhook_delivery_next_at")),
        sa.CheckConstraint("state in ('waiting', 'delivered', 'failed')", name=op.f("ck_webhook_delivery_state")),
        sa.ForeignKeyConstraint(
            ["account_id", "endpoint_id"],
            ["webhook_endpoint.account_id", "webhook_endpoint.id"],
            name=op.f("fk_webhook_delivery_webhook_endpoint"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_webhook_delivery")),
        sa.UniqueConstraint("account_id", "endpoint_id", "sequence", name=op.f("uq_webhook_delivery_sequence")),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_webhook_delivery_waiting",
        "webhook_delivery",
        ["account_id", "endpoint_id", "next_at"],
        unique=False,
        sqlite_where=sa.text("state = 'waiting'"),
        postgresql_where=sa.text("state = 'waiting'"),
    )
    op.create_table(
        "bill_document",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("bill_id", _bytewise(64), nullable=False),
        sa.Column("document_id", _bytewise(64), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id", "bill_id"],
            ["bill.account_id", "bill.id"],
            name=op.f("fk_bill_document_bill"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["account_id", "document_id"],
            ["document.account_id", "document.id"],
            name=op.f("fk_bill_document_document"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", "bill_id", "document_id", name=op.f("pk_bill_document")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_bill_document_document", "bill_document", ["account_id", "document_id"], unique=False)
    op.create_table(
        "bill_flag",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("bill_id", _bytewise(64), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("property_id", _bytewise(64), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("about", sa.Text(), nullable=False),
        sa.Column("found_at", _bytewise(24), nullable=False),
        sa.Column("accepted_at", _bytewise(24), nullable=True),
        sa.Column("accepted_by", _bytewise(64), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.CheckConstraint(
            "kind in ('duplicate', 'overlap', 'gap', 'unusualAmount', 'dueBeforeBilled', 'doesNotSum')",
            name=op.f("ck_bill_flag_kind"),
        ),
        sa.CheckConstraint(
            "(accepted_at is null) = (accepted_by is null) and (accepted_at is null) = (reason is null)",
            name=op.f("ck_bill_flag_accepted"),
        ),
        sa.ForeignKeyConstraint(
            ["account_id", "bill_id"],
            ["bill.account_id", "bill.id"],
            name=op.f("fk_bill_flag_bill"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", "bill_id", "number", name=op.f("pk_bill_flag")),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_bill_flag_open",
        "bill_flag",
        ["account_id", "property_id", "bill_id"],
        unique=False,
        sqlite_where=sa.text("accepted_at is null"),
        postgresql_where=sa.text("accepted_at is null"),
    )
    op.create_table(
        "bill_line",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("bill_id", _bytewise(64), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("property_id", _bytewise(64), nullable=False),
        sa.Column("month", _bytewise(7), nullable=False),
        sa.Column("utility_type", sa.String(length=16), nullable=True),
        sa.Column("not_billed", sa.String(length=24), nullable=True),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("owner_amount", sa.BigInteger(), nullable=False),
        sa.Column("charged", sa.Boolean(), nullable=False),
        sa.Column("days", sa.Integer(), nullable=True),
        sa.Column("of_days", sa.Integer(), nullable=True),
        sa.CheckConstraint(
            "not_billed in ('PREVIOUS_BALANCE', 'LATE_FEE', 'DEPOSIT', 'OWNER')", name=op.f("ck_bill_line_not_billed")
        ),
        sa.CheckConstraint(
            "utility_type in ('ELECTRICITY', 'WATER', 'GAS', 'INTERNET', 'SEWER', 'GARBAGE', 'OTHER')",
            name=op.f("ck_bill_line_utility_type"),
        ),
        sa.CheckConstraint("(utility_type is null) <> (not_billed is null)", name=op.f("ck_bill_line_kind")),
        sa.ForeignKeyConstraint(
            ["account_id", "bill_id"],
            ["bill.account_id", "bill.id"],
            name=op.f("fk_bill_line_bill"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", "bill_id", "number", name=op.f("pk_bill_line")),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_bill_line_cost", "bill_line", ["account_id", "month", "property_id", "utility_type", "amount"], unique=False
    )
    op.create_index("ix_bill_line_month", "bill_line", ["account_id", "property_id", "month"], unique=False)
    op.create_index(
        "ix_bill_line_uncharged",
        "bill_line",
        ["account_id", "property_id", "month"],
        unique=False,
        sqlite_where=sa.text("charged = 0"),
        postgresql_where=sa.text("NOT charged"),
    )
    op.create_table(
        "exported_invoice",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("export_id", _bytewise(64), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("number", _bytewise(48), nullable=False),
        sa.Column("system", _bytewise(32), nullable=False),
        sa.Column("property_id", _bytewise(64), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("lines", sa.Text(), nullable=False),
        sa.Column("tenant_id", _bytewise(64), nullable=True),
        sa.ForeignKeyConstraint(
            ["account_id", "export_id"],
            ["charge_export.account_id", "charge_export.id"],
            name=op.f("fk_exported_invoice_charge_export"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["account_id", "property_id"],
            ["property.account_id", "property.id"],
            name=op.f("fk_exported_invoice_property"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", "export_id", "place", name=op.f("pk_exported_invoice")),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_exported_invoice_number", "exported_invoice", ["account_id", "system", "number", "export_id"], unique=False
    )
    op.create_index("ix_exported_invoice_property", "exported_invoice", ["account_id", "property_id"], unique=False)
    op.create_table(
        "held_line",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("bill_id", _bytewise(64), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("property_id", _bytewise(64), nullable=False),
        sa.Column("month", _bytewise(7), nullable=False),
        sa.Column("utility_type", sa.String(length=16), nullable=True),
        sa.Column("not_billed", sa.String(length=24), nullable=True),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("days", sa.Integer(), nullable=True),
        sa.Column("of_days", sa.Integer(), nullable=True),
        sa.CheckConstraint(
            "not_billed in ('PREVIOUS_BALANCE', 'LATE_FEE', 'DEPOSIT', 'OWNER')", name=op.f("ck_held_line_not_billed")
        ),
        sa.CheckConstraint(
            "utility_type in ('ELECTRICITY', 'WATER', 'GAS', 'INTERNET', 'SEWER', 'GARBAGE', 'OTHER')",
            name=op.f("ck_held_line_utility_type"),
        ),
        sa.CheckConstraint("(utility_type is null) <> (not_billed is null)", name=op.f("ck_held_line_kind")),
        sa.ForeignKeyConstraint(
            ["account_id", "bill_id"],
            ["bill.account_id", "bill.id"],
            name=op.f("fk_held_line_bill"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", "bill_id", "number", name=op.f("pk_held_line")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_held_line_month", "held_line", ["account_id", "property_id", "month"], unique=False)
    op.create_table(
        "invoice",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("id", _bytewise(64), nullable=False),
        sa.Column("property_id", _bytewise(64), nullable=False),
        sa.Column("unit_id", _bytewise(64), nullable=False),
        sa.Column("month", _bytewise(7), nullable=False),
        sa.Column("sequence", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("number", _bytewise(48), nullable=False),
        sa.Column("number_key", _bytewise(), nullable=False),
        sa.Column("invoice_date", _bytewise(10), nullable=False),
        sa.Column("due_date", _bytewise(10), nullable=True),
        sa.Column("total", sa.BigInteger(), nullable=False),
        sa.Column("paid_amount", sa.BigInteger(), nullable=False),
        sa.Column("paid_by_status", sa.BigInteger(), nullable=False),
        sa.Column("entries", sa.Integer(), nullable=False),
        sa.Column("paid_at", _bytewise(24), nullable=True),
        sa.Column("payment_status", sa.String(length=16), nullable=False),
        sa.Column("tenant_id", _bytewise(64), nullable=True),
        sa.Column("tenant_name", _bytewise(), nullable=True),
        sa.Column("tenant_email", sa.Text(), nullable=True),
        sa.Column("issued", sa.Boolean(), nullable=False),
        sa.Column("printed", sa.Text(), nullable=True),
        sa.Column("payment_link_id", sa.Text(), nullable=True),
        sa.Column("payment_link_url", sa.Text(), nullable=True),
        sa.Column("email_sent_at", _bytewise(24), nullable=True),
        sa.Column("email_status", sa.String(length=16), nullable=True),
        sa.Column("delivery", sa.String(length=16), nullable=True),
        sa.Column("generated_at", _bytewise(24), nullable=False),
        sa.Column("updated_at", _bytewise(24), nullable=False),
        sa.CheckConstraint("email_status in ('sent', 'delivered', 'bounced')", name=op.f("ck_invoice_email_status")),
        sa.CheckConstraint(
            "payment_status in ('pending', 'paid', 'failed', 'cancelled')", name=op.f("ck_invoice_payment_status")
        ),
        sa.CheckConstraint(
            "status in ('DRAFT', 'SENT', 'PAID', 'OVERDUE', 'CANCELLED')", name=op.f("ck_invoice_status")
        ),
        sa.ForeignKeyConstraint(
            ["account_id", "property_id", "month"],
            ["billing_month.account_id", "billing_month.property_id", "billing_month.month"],
            name=op.f("fk_invoice_billing_month"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["account_id", "property_id", "unit_id"],
            ["unit.account_id", "unit.property_id", "unit.id"],
            name=op.f("fk_invoice_unit"),
        ),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_invoice")),
        sa.UniqueConstraint("account_id", "number", name=op.f("uq_invoice_number")),
        sa.UniqueConstraint("account_id", "unit_id", "month", "sequence", name=op.f("uq_invoice_unit_month")),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_invoice_due",
        "invoice",
        ["account_id", "due_date"],
        unique=False,
        sqlite_where=sa.text("status = 'SENT'"),
        postgresql_where=sa.text("status = 'SENT'"),
    )
    op.create_index("ix_invoice_due_date", "invoice", ["account_id", "due_date", "id"], unique=False)
    op.create_index(
        "ix_invoice_handover",
        "invoice",
        [
            "account_id",
            "delivery",
            sa.literal_column("month DESC"),
            "number_key",
            "id",
            "property_id",
            "unit_id",
            "tenant_id",
            "status",
        ],
        unique=False,
        sqlite_where=sa.text(
            "delivery = 'handOver' AND (status = 'SENT' OR status = 'OVERDUE') AND tenant_id IS NOT NULL"
        ),
        postgresql_where=sa.text(
            "delivery = 'handOver' AND (status = 'SENT' OR status = 'OVERDUE') AND tenant_id IS NOT NULL"
        ),
    )
    op.create_index(
        "ix_invoice_list", "invoice", ["account_id", sa.literal_column("month DESC"), "number_key", "id"], unique=False
    )
    op.create_index(
        "ix_invoice_overdue",
        "invoice",
        ["account_id", "due_date"],
        unique=False,
        sqlite_where=sa.text("status = 'OVERDUE'"),
        postgresql_where=sa.text("status = 'OVERDUE'"),
    )
    op.create_index(
        "ix_invoice_property",
        "invoice",
        ["account_id", "property_id", sa.literal_column("month DESC"), "number_key", "id"],
        unique=False,
    )
    op.create_index(
        "ix_invoice_refund",
        "invoice",
        ["account_id", sa.literal_column("month DESC"), "number_key", "id"],
        unique=False,
        sqlite_where=sa.text("status = 'CANCELLED' AND paid_amount > 0"),
        postgresql_where=sa.text("status = 'CANCELLED' AND paid_amount > 0"),
    )
    op.create_index(
        "ix_invoice_status",
        "invoice",
        ["account_id", "status", sa.literal_column("month DESC"), "number_key", "id"],
        unique=False,
    )
    op.create_index("ix_invoice_tenant", "invoice", ["account_id", "tenant_name", "id"], unique=False)
    op.create_index("ix_invoice_total", "invoice", ["account_id", "total", "id"], unique=False)
    op.create_index(
        "ix_invoice_undelivered",
        "invoice",
        [
            "account_id",
            "delivery",
            sa.literal_column("month DESC"),
            "number_key",
            "id",
            "property_id",
            "unit_id",
            "tenant_id",
            "status",
        ],
        unique=False,
        sqlite_where=sa.text(
            "(delivery = 'bounced' OR delivery = 'failed') AND (status = 'SENT' OR status = 'OVERDUE') AND tenant_id IS NOT NULL"
        ),
        postgresql_where=sa.text(
            "(delivery = 'bounced' OR delivery = 'failed') AND (status = 'SENT' OR status = 'OVERDUE') AND tenant_id IS NOT NULL"
        ),
    )
    op.create_table(
        "search_word",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("word", _bytewise(), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("record_id", _bytewise(64), nullable=False),
        sa.Column("property_id", _bytewise(64), nullable=False),
        sa.Column("unit_id", _bytewise(64), nullable=True),
        sa.CheckConstraint("kind in ('property', 'address', 'unit', 'tenant')", name=op.f("ck_search_word_kind")),
        sa.ForeignKeyConstraint(
            ["account_id", "property_id", "unit_id"],
            ["unit.account_id", "unit.property_id", "unit.id"],
            name=op.f("fk_search_word_unit"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["account_id", "property_id"],
            ["property.account_id", "property.id"],
            name=op.f("fk_search_word_property"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", "word", "kind", "record_id", name=op.f("pk_search_word")),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_search_word_place", "search_word", ["account_id", "property_id", "unit_id", "record_id"], unique=False
    )
    op.create_table(
        "shown_bill",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("bill_id", _bytewise(64), nullable=False),
        sa.Column("document_id", _bytewise(64), nullable=False),
        sa.Column("is_shown", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id", "bill_id"],
            ["bill.account_id", "bill.id"],
            name=op.f("fk_shown_bill_bill"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", "bill_id", name=op.f("pk_shown_bill")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "tenant",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("id", _bytewise(64), nullable=False),
        sa.Column("property_id", _bytewise(64), nullable=False),
        sa.Column("unit_id", _bytewise(64), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("email", sa.Text(), nullable=True),
        sa.Column("move_in", _bytewise(10), nullable=True),
        sa.Column("move_out", _bytewise(10), nullable=True),
        sa.Column("ended_at", _bytewise(24), nullable=True),
        sa.Column("created_at", _bytewise(24), nullable=False),
        sa.Column("updated_at", _bytewise(24), nullable=False),
        sa.Column("name_key", _bytewise(), nullable=False),
        sa.Column("stay_key", _bytewise(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id", "unit_id"], ["unit.account_id", "unit.id"], name=op.f("fk_tenant_unit"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_tenant")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_tenant_name", "tenant", ["account_id", "name_key", "id"], unique=False)
    op.create_index("ix_tenant_property", "tenant", ["account_id", "property_id"], unique=False)
    op.create_index("ix_tenant_stay", "tenant", ["account_id", "stay_key", "id"], unique=False)
    op.create_index("ix_tenant_unit", "tenant", ["account_id", "unit_id", "id"], unique=False)
    op.create_table(
        "charge",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("id", _bytewise(64), nullable=False),
        sa.Column("invoice_id", _bytewise(64), nullable=False),
        sa.Column("bill_id", _bytewise(64), nullable=True),
        sa.Column("line", sa.Integer(), nullable=True),
        sa.Column("utility_type", sa.String(length=16), nullable=True),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.CheckConstraint("(bill_id is null) = (line is null)", name=op.f("ck_charge_line")),
        sa.CheckConstraint("bill_id is not null or utility_type is null", name=op.f("ck_charge_custom")),
        sa.ForeignKeyConstraint(
            ["account_id", "invoice_id"],
            ["invoice.account_id", "invoice.id"],
            name=op.f("fk_charge_invoice"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", "invoice_id", "id", name=op.f("pk_charge")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "mail",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("id", _bytewise(64), nullable=False),
        sa.Column("invoice_id", _bytewise(64), nullable=True),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("occasion", _bytewise(64), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("to_name", sa.Text(), nullable=True),
        sa.Column("to_address", sa.Text(), nullable=False),
        sa.Column("said", sa.Text(), nullable=True),
        sa.Column("created_at", _bytewise(24), nullable=False),
        sa.Column("sent_at", _bytewise(24), nullable=True),
        sa.Column("updated_at", _bytewise(24), nullable=False),
        sa.Column("link_id", _bytewise(64), nullable=True),
        sa.Column("invited_by", sa.Text(), nullable=True),
        sa.Column("is_former", sa.Boolean(), nullable=False),
        sa.CheckConstraint(
            "state in ('queued', 'written', 'sent', 'delivered', 'bounced', 'failed', 'withdrawn')",
            name=op.f("ck_mail_state"),
        ),
        sa.ForeignKeyConstraint(
            ["account_id", "invoice_id"],
            ["invoice.account_id", "invoice.id"],
            name=op.f("fk_mail_invoice"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_mail_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_mail")),
        sa.UniqueConstraint("account_id", "invoice_id", "occasion", name=op.f("uq_mail_occasion")),
        sa.UniqueConstraint("id", name=op.f("uq_mail_id")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_mail_invoice", "mail", ["account_id", "invoice_id", "id"], unique=False)
    op.create_index(
        "ix_mail_link",
        "mail",
        ["account_id", "link_id"],
        unique=False,
        sqlite_where=sa.text("link_id IS NOT NULL"),
        postgresql_where=sa.text("link_id IS NOT NULL"),
    )
    op.create_table(
        "payment",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("id", _bytewise(64), nullable=False),
        sa.Column("invoice_id", _bytewise(64), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("day", _bytewise(10), nullable=False),
        sa.Column("at", _bytewise(24), nullable=False),
        sa.Column("method", sa.String(length=8), nullable=False),
        sa.Column("provider", sa.String(length=16), nullable=True),
        sa.Column("reference", sa.Text(), nullable=True),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("source", _bytewise(200), nullable=True),
        sa.Column("reverses", _bytewise(64), nullable=True),
        sa.Column("actor", _bytewise(64), nullable=False),
        sa.Column("created_at", _bytewise(24), nullable=False),
        sa.CheckConstraint("(kind = 'REVERSAL') = (reverses is not null)", name=op.f("ck_payment_reversal")),
        sa.CheckConstraint("kind in ('PAYMENT', 'REFUND', 'REVERSAL')", name=op.f("ck_payment_kind")),
        sa.CheckConstraint("method in ('CASH', 'TRANSFER', 'CHEQUE', 'CARD', 'OTHER')", name=op.f("ck_payment_method")),
        sa.CheckConstraint("amount > 0", name=op.f("ck_payment_amount")),
        sa.ForeignKeyConstraint(
            ["account_id", "invoice_id"],
            ["invoice.account_id", "invoice.id"],
            name=op.f("fk_payment_invoice"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", "invoice_id", "id", name=op.f("pk_payment")),
        sa.UniqueConstraint("account_id", "reverses", name=op.f("uq_payment_reverses")),
        sa.UniqueConstraint("account_id", "source", name=op.f("uq_payment_source")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_payment_day", "payment", ["account_id", "day", "amount"], unique=False)
    op.create_index("ix_payment_latest", "payment", ["account_id", "id"], unique=False)
    op.create_index("ix_payment_reference", "payment", ["account_id", "reference", "day"], unique=False)
    op.create_table(
        "tenant_link",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("invoice_id", _bytewise(64), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("is_stopped", sa.Boolean(), nullable=False),
        sa.Column("updated_at", _bytewise(24), nullable=False),
        sa.Column("was_for", _bytewise(64), nullable=True),
        sa.ForeignKeyConstraint(
            ["account_id", "invoice_id"],
            ["invoice.account_id", "invoice.id"],
            name=op.f("fk_tenant_link_invoice"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", "invoice_id", name=op.f("pk_tenant_link")),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_tenant_link_was_for",
        "tenant_link",
        ["account_id", "invoice_id"],
        unique=False,
        sqlite_where=sa.text("was_for IS NOT NULL"),
        postgresql_where=sa.text("was_for IS NOT NULL"),
    )
    op.create_table(
        "tenant_question",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("id", _bytewise(64), nullable=False),
        sa.Column("invoice_id", _bytewise(64), nullable=False),
        sa.Column("asked", sa.Text(), nullable=False),
        sa.Column("asked_at", _bytewise(24), nullable=False),
        sa.Column("answered_at", _bytewise(24), nullable=True),
        sa.Column("tenant_id", _bytewise(64), nullable=True),
        sa.Column("tenant_name", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["account_id", "invoice_id"],
            ["invoice.account_id", "invoice.id"],
            name=op.f("fk_tenant_question_invoice"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_tenant_question")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_tenant_question_invoice", "tenant_question", ["account_id", "invoice_id", "id"], unique=False)
    op.create_index(
        "ix_tenant_question_waits",
        "tenant_question",
        ["account_id", "id"],
        unique=False,
        sqlite_where=sa.text("answered_at IS NULL"),
        postgresql_where=sa.text("answered_at IS NULL"),
    )
    op.create_table(
        "mail_content",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("mail_id", _bytewise(64), nullable=False),
        sa.Column("message", sa.LargeBinary(), nullable=True),
        sa.Column("pdf", sa.LargeBinary(), nullable=False),
        sa.Column("rests_on", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["account_id", "mail_id"],
            ["mail.account_id", "mail.id"],
            name=op.f("fk_mail_content_mail"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", "mail_id", name=op.f("pk_mail_content")),
        sqlite_with_rowid=False,
    )
