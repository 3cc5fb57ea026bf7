"""mail that no server took has a state of its own, and mail may be about no invoice"""

import sqlalchemy as sa
from alembic import op

from prorata.store.columns import bytewise
from prorata.store.migrations.steps import change_tables_of_sqlite, instead

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

STATES = "'queued', 'written', 'sent', 'delivered', 'bounced', 'failed', 'withdrawn'"
ACCOUNT = "CONSTRAINT fk_mail_account FOREIGN KEY(account_id) REFERENCES account (id) ON DELETE CASCADE"
OF_SQLITE = {
    "state in ('queued', 'sent', 'delivered', 'bounced', 'failed', 'withdrawn')": f"state in ({STATES})",
    "invoice_id VARCHAR(64) NOT NULL": "invoice_id VARCHAR(64)",
    "CONSTRAINT fk_mail_invoice": f"{ACCOUNT}, CONSTRAINT fk_mail_invoice",
}
"""What the text of the table has, and what it gets instead."""
FROM_OUTBOX = "state = 'sent' AND (said LIKE 'Written to the outbox folder as %' OR said LIKE 'It is in the outbox %')"
"""What a message says that was written to the folder; what a mail server says begins with a number."""


def upgrade() -> None:
    op.add_column("mail", sa.Column("link_id", bytewise(64), nullable=True))
    op.add_column("mail", sa.Column("invited_by", sa.Text(), nullable=True))
    if op.get_bind().dialect.name == "sqlite":
        change_tables_of_sqlite({"mail": instead(OF_SQLITE)})
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
