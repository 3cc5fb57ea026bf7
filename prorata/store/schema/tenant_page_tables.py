"""The tables of tenants' pages: stopped or renewed links, and tenants' questions."""

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
"""An invoice without a row has links of the first generation, and nobody has stopped them. `was_for` is the tenant whom
it was sent to before it was taken back for somebody else.
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
"""`tenant_id` is who asked, `tenant_name` their name then: the invoice may be for somebody else by now. `about` is the
charge that was asked about, as the tenant read it, and NULL for the whole invoice. `reply` is what was answered in
writing at `answered_at`, and `replied_by` the name of who did.
"""

shown_bill = owned(
    "shown_bill",
    needed("bill_id", ID),
    needed("document_id", ID),
    needed("is_shown", Boolean),
    of("bill", "bill_id"),
    key=("bill_id",),
)
"""What somebody said of the PDF of a bill: whether tenants may see it. Without a row, how it was read decides."""
