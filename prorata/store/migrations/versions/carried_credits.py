"""Credits are carried from one invoice to another: entries of a ledger that are two of one id, below zero and above."""

import sqlalchemy as sa
from alembic import op

from prorata.store.migrations.steps import instead, partial_index

revision = "carried_credits"
down_revision = "dated_rules"
branch_labels = None
depends_on = None

_KINDS = "kind in ('PAYMENT', 'REFUND', 'REVERSAL')"
_ALL_KINDS = "kind in ('PAYMENT', 'REFUND', 'REVERSAL', 'CARRY')"
_AMOUNTS = "amount > 0 or (amount < 0 and kind in ('CARRY', 'REVERSAL'))"


def upgrade() -> None:
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
    partial_index(
        "ix_invoice_unbalanced",
        "invoice",
        ["account_id", "unit_id"],
        "(status = 'SENT' OR status = 'PAID' OR status = 'OVERDUE') AND total != paid_amount",
    )


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
