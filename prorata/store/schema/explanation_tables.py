"""The tables of explanations stored when invoices are sent (docs/explanations.md)."""

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
"""The explanations of months, by the facts from which invoices were issued.

An explanation is stored once for all invoices that were computed from the same facts. `facts` is the digest of these
facts, and `content` the explanation as packed JSON.
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
"""The explanation of an invoice's charges at the time it left DRAFT.

It is stored under the number that the invoice had then, with the digest of its month's facts.
"""
