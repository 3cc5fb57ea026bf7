"""The tables of withdrawn invoices, as they were sent, and of the facts behind them.

See docs/decisions.md#replaced-invoices.
"""

from sqlalchemy import BigInteger, Column, String, Text, UniqueConstraint

from prorata.store.schema.column_types import DAY, ID, MONTH, ORDER, TIME, bytewise, needed, of, owned

earlier_invoice = owned(
    "earlier_invoice",
    needed("invoice_id", ID),
    needed("number", bytewise(48)),
    Column("replaces_number", bytewise(48)),
    needed("status", String(16)),
    needed("invoice_date", DAY),
    Column("due_date", DAY),
    needed("total", BigInteger),
    needed("paid_amount", BigInteger),
    Column("paid_at", TIME),
    Column("tenant_id", ID),
    Column("tenant_name", ORDER),
    needed("printed", Text),
    needed("generated_at", TIME),
    needed("charges", Text),
    Column("facts", bytewise(64)),
    needed("kept_at", TIME),
    UniqueConstraint("account_id", "number", name="number"),
    of("invoice", "invoice_id"),
    key=("invoice_id", "number"),
)
"""The invoices under each number, when they last left SENT, PAID or OVERDUE.

`charges` is JSON. The row with the present number of an invoice contains the state in which the invoice was last sent.
`facts` is the digest of the facts from which the invoice's month was computed.
"""

earlier_facts = owned(
    "earlier_facts",
    needed("property_id", ID),
    needed("month", MONTH),
    needed("digest", bytewise(64)),
    needed("snapshot", Text),
    of("billing_month", "property_id", "month"),
    key=("property_id", "month", "digest"),
)
"""The facts from which a month was computed when its invoices were withdrawn.

They are stored once for all invoices that were computed from the same facts.
"""
