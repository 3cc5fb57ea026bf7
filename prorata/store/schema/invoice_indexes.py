"""Partial indexes of invoices, and the conditions that a query must repeat to use them.

A query must repeat the conditions word for word, or SQLite ignores the index. The indexes contain no drafts, so
recalculating drafts doesn't change the indexes.
"""

from collections.abc import Iterable

from sqlalchemy import ColumnElement, Table, and_, literal_column, or_

from prorata.domain.invoice_states import CLOSING, UNPAID
from prorata.domain.mail.deliveries import NEEDS, Need
from prorata.store.schema.column_types import partial_index

Conditions = tuple[ColumnElement[bool], ...]


def of_needs(invoice: Table) -> dict[Need, Conditions]:
    """Add, for each need, an index of the invoices with this need; return the conditions.

    A need is an action that the invoice requires, such as handing the invoice over.
    """
    needing: dict[Need, Conditions] = {
        need: (
            is_of(invoice.c.delivery, deliveries),
            is_of(invoice.c.status, UNPAID),
            invoice.c.tenant_id.is_not(None),
        )
        for need, deliveries in NEEDS.items()
    }
    for need, which in needing.items():
        partial_index(
            f"ix_invoice_{need.lower()}",
            invoice.c.account_id, invoice.c.delivery, invoice.c.month.desc(), invoice.c.number_key, invoice.c.id,
            invoice.c.property_id, invoice.c.unit_id, invoice.c.tenant_id, invoice.c.status,
            where=and_(*which),
        )  # fmt: skip
    return needing


def of_unbalanced(invoice: Table) -> Conditions:
    """Add an index by unit of overpaid and underpaid invoices, and return its conditions.

    Only invoices that are SENT, PAID or OVERDUE meet the conditions.
    """
    which = (is_of(invoice.c.status, CLOSING), invoice.c.total != invoice.c.paid_amount)
    partial_index("ix_invoice_unbalanced", invoice.c.account_id, invoice.c.unit_id, where=and_(*which))
    return which


def is_of(column: ColumnElement[str], values: Iterable[str]) -> ColumnElement[bool]:
    """Build the condition that a column has one of these values.

    The values become literals in the SQL, so that partial indexes can be used.
    """
    return or_(*(column == literal_column(f"'{value}'") for value in values))
