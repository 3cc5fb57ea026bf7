"""mail that no server took has a state of its own, and mail may be about no invoice"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

STATES = "'queued', 'written', 'sent', 'delivered', 'bounced', 'failed', 'withdrawn'"
ACCOUNT = "CONSTRAINT fk_mail_account FOREIGN KEY(account_id) REFERENCES account (id) ON DELETE CASCADE"
OF_SQLITE = (
    ("state in ('queued', 'sent', 'delivered', 'bounced', 'failed', 'withdrawn')", f"state in ({STATES})"),
    ("invoice_id VARCHAR(64) NOT NULL", "invoice_id VARCHAR(64)"),
    ("CONSTRAINT fk_mail_invoice", f"{ACCOUNT}, CONSTRAINT fk_mail_invoice"),
)
"""What the text of the table has, and what it gets instead."""
FROM_OUTBOX = "state = 'sent' AND (said LIKE 'Written to the outbox folder as %' OR said LIKE 'It is in the outbox %')"
"""What a message says that was written to the folder; what a mail server says begins with a number."""


def bytewise(length: int) -> sa.types.TypeEngine[str]:
    return sa.String(length=length).with_variant(sa.String(length=length, collation="C"), "postgresql")


def upgrade() -> None:
    op.add_column("mail", sa.Column("link_id", bytewise(64), nullable=True))
    op.add_column("mail", sa.Column("invited_by", sa.Text(), nullable=True))
    if op.get_bind().dialect.name == "sqlite":
        _in_the_schema_of_sqlite()
    else:
        op.drop_constraint(op.f("ck_mail_state"), "mail", type_="check")
        op.create_check_constraint(op.f("ck_mail_state"), "mail", f"state in ({STATES})")
        op.alter_column("mail", "invoice_id", nullable=True)
        op.create_foreign_key("fk_mail_account", "mail", "account", ["account_id"], ["id"], ondelete="CASCADE")
    has_link = sa.text("link_id IS NOT NULL")
    op.create_index("ix_mail_link", "mail", ["account_id", "link_id"], sqlite_where=has_link, postgresql_where=has_link)
    op.execute(f"UPDATE mail SET state = 'written', sent_at = NULL WHERE {FROM_OUTBOX}")  # noqa: S608 - our own text
    op.execute(
        "UPDATE invoice SET delivery = 'written', email_status = NULL, email_sent_at = NULL WHERE delivery = 'sent' "
        "AND (SELECT latest.state FROM mail AS latest WHERE latest.account_id = invoice.account_id "
        "AND latest.invoice_id = invoice.id AND latest.kind IN ('invoice', 'again') ORDER BY latest.id DESC LIMIT 1) "
        "= 'written'"
    )


def _in_the_schema_of_sqlite() -> None:
    """SQLite's own way to change constraints without writing a table again (ALTER TABLE, section 8)."""
    connection = op.get_bind()
    version = connection.exec_driver_sql("PRAGMA schema_version").scalar_one()
    connection.exec_driver_sql("PRAGMA writable_schema = ON")
    named = "FROM sqlite_schema WHERE type = 'table' AND name = 'mail'"
    written = connection.exec_driver_sql(f"SELECT sql {named}").scalar_one()
    for had, gets in OF_SQLITE:
        assert written.count(had) == 1, f"the table of mail does not say {had}"
        written = written.replace(had, gets)
    connection.execute(
        sa.text("UPDATE sqlite_schema SET sql = :sql WHERE type = 'table' AND name = 'mail'"), {"sql": written}
    )
    connection.exec_driver_sql(f"PRAGMA schema_version = {version + 1}")
    connection.exec_driver_sql("PRAGMA writable_schema = RESET")
    assert connection.exec_driver_sql("PRAGMA integrity_check").scalar_one() == "ok"
