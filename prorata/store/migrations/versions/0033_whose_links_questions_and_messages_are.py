"""payment links, tenants' questions and invoices in charge files say whose they are, and what was sent to a person whom
its invoice is not for any more says so
"""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None

_FILL = """
UPDATE payment_link SET tenant_id = (SELECT invoice.tenant_id FROM invoice
WHERE invoice.account_id = payment_link.account_id AND invoice.id = payment_link.invoice_id);
UPDATE tenant_question SET tenant_id = (SELECT invoice.tenant_id FROM invoice
WHERE invoice.account_id = tenant_question.account_id AND invoice.id = tenant_question.invoice_id);
UPDATE tenant_question SET tenant_name = (SELECT invoice.tenant_name FROM invoice
WHERE invoice.account_id = tenant_question.account_id AND invoice.id = tenant_question.invoice_id);
UPDATE exported_invoice SET tenant_id = (SELECT invoice.tenant_id FROM invoice
WHERE invoice.account_id = exported_invoice.account_id AND invoice.number = exported_invoice.number)
"""


def upgrade() -> None:
    tenant = sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql")
    for table in ("payment_link", "tenant_question", "exported_invoice"):
        op.add_column(table, sa.Column("tenant_id", tenant, nullable=True))
    op.add_column("tenant_question", sa.Column("tenant_name", sa.Text(), nullable=True))
    op.add_column("tenant_link", sa.Column("was_for", tenant, nullable=True))
    op.add_column("mail", sa.Column("is_former", sa.Boolean(), nullable=False, server_default=sa.false()))
    if op.get_bind().dialect.name == "postgresql":
        op.alter_column("mail", "is_former", server_default=None)
    was_for = sa.text("was_for IS NOT NULL")
    op.create_index(
        "ix_tenant_link_was_for", "tenant_link", ["account_id", "invoice_id"],
        sqlite_where=was_for, postgresql_where=was_for,
    )  # fmt: skip
    for statement in _FILL.split(";"):
        op.execute(statement)
