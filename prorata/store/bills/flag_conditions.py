"""Conditions for flags that wait for a person, and for their bills."""

from sqlalchemy import and_, exists, literal_column, or_

from prorata.store.schema.joins import named_by
from prorata.store.schema.tables import bill, bill_flag, bill_line, held_line, property_

_is_history = (
    exists()
    .where(
        named_by(property_, bill.c.property_id),
        bill.c.first_month < property_.c.billing_starts_month,
        ~exists().where(
            named_by(bill, bill_line.c.bill_id), bill_line.c.month >= property_.c.billing_starts_month
        ).correlate(bill, property_),
        ~exists().where(named_by(bill, held_line.c.bill_id)).correlate(bill),
    )
    .correlate(bill)
)  # fmt: skip
WAITS_FOR_A_PERSON = and_(
    bill_flag.c.accepted_at.is_(None), or_(bill_flag.c.kind == literal_column("'duplicate'"), ~_is_history)
)
"""The condition that a flag is open and its bill could charge somebody.

History charges nobody, so only its possible duplicates wait for a person, and held bills.
"""
IS_FLAGGED = exists().where(named_by(bill, bill_flag.c.bill_id), WAITS_FOR_A_PERSON).correlate(bill)
