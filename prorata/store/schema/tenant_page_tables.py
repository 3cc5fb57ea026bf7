"""The tables of tenants' pages: the state of their links, and tenants' questions."""

from sqlalchemy import Boolean, Column, Index, Integer, Text, literal_column

from prorata.store.schema.column_types import ID, TIME, needed, of, owned, partial_index

tenant_link = owned(
    "tenant_link",
    needed("invoice_id", ID),
    needed("generation", Integer),
    needed("is_stopped", Boolean),
    needed("updated_at", TIME),
    Column("was_for", ID),
    of("invoice", "invoice_id"),
    partial_index("ix_tenant_link_was_for", "account_id", "invoice_id", where=literal_column("was_for IS NOT NULL")),
    key=("invoice_id",),
)
"""The state of invoices' links.

If an invoice has no row here, its links are of the first generation, and nobody has stopped them. `was_for` is the
tenant to whom the invoice was sent before it was withdrawn and readdressed.
"""

tenant_question = owned(
    "tenant_question",
    needed("invoice_id", ID),
    needed("asked", Text),
    needed("asked_at", TIME),
    Column("answered_at", TIME),
    Column("tenant_id", ID),
    Column("tenant_name", Text),
    Column("about", Text),
    Column("reply", Text),
    Column("replied_by", Text),
    of("invoice", "invoice_id"),
    Index("ix_tenant_question_invoice", "account_id", "invoice_id", "id"),
    partial_index("ix_tenant_question_waits", "account_id", "id", where=literal_column("answered_at IS NULL")),
)
"""The tenants' questions.

`tenant_id` is the tenant who asked, and `tenant_name` the tenant's name at that time; the invoice may since have
another tenant. `about` is the charge in question, in the words that the tenant read, and NULL for the whole invoice.
`reply` is the written answer, given at `answered_at`, and `replied_by` the name of the person who gave it.
"""

shown_bill = owned(
    "shown_bill",
    needed("bill_id", ID),
    needed("document_id", ID),
    needed("is_shown", Boolean),
    of("bill", "bill_id"),
    key=("bill_id",),
)
"""The decision whether tenants may see the PDF of a bill.

If a bill has no row here, it depends on the result of reading the PDF.
"""
