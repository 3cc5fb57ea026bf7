"""Conditions for joins of tables, and for rows of different tables that belong together."""

from typing import Any

from sqlalchemy import ColumnElement, FromClause, and_, exists, literal_column

from prorata.store.schema.tables import bill_line, billing_month, charge, correction, invoice


def named_by(table: FromClause, column: Any) -> ColumnElement[bool]:
    """Build the condition that a row of `table` has the id in another table's `column`.

    Both rows must belong to the same account.
    """
    return and_(table.c.account_id == column.table.c.account_id, table.c.id == column)


def alike(table: FromClause, other: FromClause, *names: str) -> ColumnElement[bool]:
    """Build the condition that rows of two tables agree in the account and these columns."""
    return and_(*(table.c[name] == other.c[name] for name in ("account_id", *names)))


def line_of(of: FromClause) -> ColumnElement[bool]:
    """Build the condition that a bill's line is that of a charge or correction."""
    return and_(alike(bill_line, of, "bill_id"), bill_line.c.number == of.c.line)


INVOICE_OF_CHARGE = named_by(invoice, charge.c.invoice_id)
MONTH_OF_INVOICE = alike(billing_month, invoice, "property_id", "month")
HAS_CHARGE = exists().where(INVOICE_OF_CHARGE).correlate(invoice)
"""The condition that an invoice has a charge; conditions on the charge can be added."""
LIVED_IN_SINCE = and_(
    invoice.c.tenant_id.is_(None),
    exists()
    .where(
        alike(correction, invoice, "property_id", "month", "unit_id"),
        correction.c.tenant_id != literal_column("''"),
        correction.c.right_amount != literal_column("0"),
    )
    .correlate(invoice),
)
"""The condition that a vacant unit's invoice is for a unit that was not vacant.

It is met if the correct amounts of the month charge a tenant of the unit.
"""
