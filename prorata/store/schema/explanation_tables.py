"""The tables of explanations stored with issued invoices (docs/explanations.md)."""

from sqlalchemy import LargeBinary

from prorata.store.schema.column_types import ID, MONTH, TIME, bytewise, needed, of, owned

month_explanation = owned(
    "month_explanation",
    needed("property_id", ID),
    needed("month", MONTH),
    needed("facts", bytewise(64)),
    needed("content", LargeBinary),
    needed("kept_at", TIME),
    of("billing_month", "property_id", "month"),
    key=("property_id", "month", "facts"),
)
"""What a month came to by facts of which invoices were issued, once for all of these; `facts` is their digest, and the
`content` JSON, packed.
"""

invoice_explanation = owned(
    "invoice_explanation",
    needed("invoice_id", ID),
    needed("number", bytewise(48)),
    needed("facts", bytewise(64)),
    needed("content", LargeBinary),
    needed("kept_at", TIME),
    of("invoice", "invoice_id"),
    key=("invoice_id", "number"),
)
"""How an invoice's charges came about, as it left DRAFT under a number, and by which facts of its month."""
