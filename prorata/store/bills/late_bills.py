"""Late bills, which arrived after their billing month was closed."""

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
"""The conditions for a bill line that its closed month has not charged.

Such a line would change the month, so the month is pending. The search starts from the pending months, because they are
few, whereas months of history alone may contain many thousand lines that charge nobody. The conditions are worded like
those of the two partial indexes.
"""
