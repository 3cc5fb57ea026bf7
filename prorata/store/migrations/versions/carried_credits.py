"""Credits are carried from one invoice to another: entries of a ledger that are two of one id, below zero and above.
What is open of all invoices of an account is summed, as it changes, for each currency.
"""

import sqlalchemy as sa
from alembic import op

from prorata.store.migrations.steps import instead, partial_index

revision = "carried_credits"
down_revision = "replaced_invoices"
branch_labels = None
depends_on = None

_KINDS = "kind in ('PAYMENT', 'REFUND', 'REVERSAL')"
_ALL_KINDS = "kind in ('PAYMENT', 'REFUND', 'REVERSAL', 'CARRY')"
_AMOUNTS = "amount > 0 or (amount < 0 and kind in ('CARRY', 'REVERSAL'))"


def _bytewise(length: int) -> sa.types.TypeEngine[str]:
    return sa.String(length).with_variant(sa.String(length, collation="C"), "postgresql")


def upgrade() -> None:
    has_it = {column["name"] for column in sa.inspect(op.get_bind()).get_columns("account")} >= {"carry_credits"}
    if not has_it:  # a program that is still running reads its account until it is stopped
        op.add_column("account", sa.Column("carry_credits", sa.Boolean(), nullable=False, server_default=sa.true()))
    if op.get_bind().dialect.name == "sqlite":
        _change_payments_of_sqlite()
    else:
        op.drop_constraint(op.f("ck_payment_kind"), "payment", type_="check")
        op.create_check_constraint(op.f("ck_payment_kind"), "payment", _ALL_KINDS)
        op.drop_constraint(op.f("ck_payment_amount"), "payment", type_="check")
        op.create_check_constraint(op.f("ck_payment_amount"), "payment", _AMOUNTS)
        op.drop_constraint(op.f("uq_payment_reverses"), "payment", type_="unique")
        op.create_unique_constraint(op.f("uq_payment_reverses"), "payment", ["account_id", "reverses", "invoice_id"])
    issued = "(status = 'SENT' OR status = 'PAID' OR status = 'OVERDUE')"
    partial_index("ix_invoice_unbalanced", "invoice", ["account_id", "unit_id"], f"{issued} AND total != paid_amount")
    op.drop_index("ix_invoice_refund", table_name="invoice")
    listed: list[str | sa.ColumnElement[str]] = ["account_id", sa.literal_column("month DESC"), "number_key", "id"]
    listed += ["property_id", "unit_id", "tenant_id", "status"]
    owed = "(status || '' = 'SENT' OR status || '' = 'OVERDUE') AND total > paid_amount AND tenant_id IS NOT NULL"
    partial_index("ix_invoice_owed", "invoice", listed, owed)
    too_much = f"{issued} AND paid_amount > total AND tenant_id IS NOT NULL"
    partial_index("ix_invoice_surplus", "invoice", listed, f"{too_much} OR status = 'CANCELLED' AND paid_amount > 0")
    op.create_table(
        "open_money",
        sa.Column("account_id", _bytewise(64), nullable=False),
        sa.Column("currency", sa.String(length=3), nullable=False),
        sa.Column("owed_number", sa.Integer(), nullable=False),
        sa.Column("owed", sa.BigInteger(), nullable=False),
        sa.Column("overdue_number", sa.Integer(), nullable=False),
        sa.Column("overdue", sa.BigInteger(), nullable=False),
        sa.Column("credit_number", sa.Integer(), nullable=False),
        sa.Column("credit", sa.BigInteger(), nullable=False),
        sa.Column("refund_number", sa.Integer(), nullable=False),
        sa.Column("refund", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_open_money_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "currency", name=op.f("pk_open_money")),
        sqlite_with_rowid=False,
    )
    op.get_bind().execute(sa.text(_SUM))


_SUM = """
INSERT INTO open_money (
    account_id, currency, owed_number, owed, overdue_number, overdue, credit_number, credit, refund_number, refund
)
SELECT account_id, currency,
    sum(CASE WHEN is_owed THEN 1 ELSE 0 END), sum(CASE WHEN is_owed THEN total - paid_amount ELSE 0 END),
    sum(CASE WHEN is_owed AND status = 'OVERDUE' THEN 1 ELSE 0 END),
    sum(CASE WHEN is_owed AND status = 'OVERDUE' THEN total - paid_amount ELSE 0 END),
    sum(CASE WHEN is_credit THEN 1 ELSE 0 END), sum(CASE WHEN is_credit THEN paid_amount - total ELSE 0 END),
    sum(CASE WHEN status = 'CANCELLED' THEN 1 ELSE 0 END),
    sum(CASE WHEN status = 'CANCELLED' THEN paid_amount ELSE 0 END)
FROM (
    SELECT invoice.account_id AS account_id, property.currency AS currency, status, total, paid_amount,
        status <> 'CANCELLED' AND total > paid_amount AS is_owed,
        status <> 'CANCELLED' AND total < paid_amount AS is_credit
    FROM invoice JOIN property ON property.account_id = invoice.account_id AND property.id = invoice.property_id
    WHERE (status IN ('SENT', 'OVERDUE') AND total > paid_amount AND tenant_id IS NOT NULL)
        OR (status IN ('SENT', 'PAID', 'OVERDUE') AND total < paid_amount AND tenant_id IS NOT NULL)
        OR (status = 'CANCELLED' AND paid_amount > 0)
) AS open_invoice
GROUP BY account_id, currency
"""


def _change_payments_of_sqlite() -> None:
    """Another unique constraint is another table there: its rows are written again."""
    connection = op.get_bind()
    read = "SELECT sql FROM sqlite_schema WHERE type = ? AND tbl_name = 'payment' AND sql IS NOT NULL"
    written = connection.exec_driver_sql(read, ("table",)).scalar_one()
    indexes = connection.exec_driver_sql(read, ("index",)).scalars().all()
    change = instead(
        {
            "CREATE TABLE payment": "CREATE TABLE former_payment",
            _KINDS: _ALL_KINDS,
            "amount > 0": _AMOUNTS,
            "UNIQUE (account_id, reverses)": "UNIQUE (account_id, reverses, invoice_id)",
        }
    )
    connection.exec_driver_sql(change(written))
    connection.exec_driver_sql("INSERT INTO former_payment SELECT * FROM payment")
    connection.exec_driver_sql("DROP TABLE payment")
    connection.exec_driver_sql("ALTER TABLE former_payment RENAME TO payment")
    for index in indexes:
        connection.exec_driver_sql(index)
