"""Bills that came after their month's invoices were sent, found through the changed months."""

from sqlalchemy import ColumnElement, not_

from prorata.store.schema.joins import alike
from prorata.store.schema.tables import bill_line, billing_month

LINE_OF_MONTH = alike(bill_line, billing_month, "property_id", "month")
MONTHS_WITH_LINES = billing_month.join(bill_line, LINE_OF_MONTH)
WAITS: tuple[ColumnElement[bool], ...] = (
    billing_month.c.pending,
    billing_month.c.snapshot.is_not(None),
    not_(bill_line.c.charged),
)
"""A line that a closed month has not charged would change it, so its month is pending: few months are, where history
alone may be many thousand lines that nobody is charged for. Said as the two indexes of those alone say it.
"""
