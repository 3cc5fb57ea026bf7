"""How tenants pay: in an account's words and to its bank account, and so for a property that has its own."""

import sqlalchemy as sa
from alembic import op

from prorata.store.migrations.steps import partial_index

revision = "how_to_pay"
down_revision = "document_words"
branch_labels = None
depends_on = None

_COLUMNS = ("pay_text", "pay_holder", "pay_iban", "pay_bic", "pay_routing", "pay_number")


def upgrade() -> None:
    for table in ("account", "property"):
        there = {column["name"] for column in sa.inspect(op.get_bind()).get_columns(table)}
        for name in _COLUMNS:
            if name not in there:  # a program that is still running reads its account until it is stopped
                op.add_column(table, sa.Column(name, sa.Text(), nullable=False, server_default=""))
    says = "pay_text || pay_iban || pay_number != ''"
    partial_index("ix_property_paid_its_own_way", "property", ["account_id"], says)
