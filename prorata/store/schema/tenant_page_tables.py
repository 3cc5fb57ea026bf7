"""The tables of tenants' pages: links that an account has stopped or replaced, and what tenants asked."""

from sqlalchemy import Boolean, Column, Index, Integer, Text

from prorata.store.schema.column_types import ID, TIME, needed, of, owned

tenant_link = owned(
    "tenant_link",
    needed("invoice_id", ID),
    needed("generation", Integer),
    needed("is_stopped", Boolean),
    needed("updated_at", TIME),
    Column("was_for", ID),
    of("invoice", "invoice_id"),
    key=("invoice_id",),
)
"""An invoice without a row has links of the first generation, and nobody has stopped them. `was_for` is the tenant whom
it was sent to before it was taken back for somebody else.
"""
_was_anothers = tenant_link.c.was_for.is_not(None)
Index(
    "ix_tenant_link_was_for", tenant_link.c.account_id, tenant_link.c.invoice_id,
    sqlite_where=_was_anothers, postgresql_where=_was_anothers,
)  # fmt: skip

tenant_question = owned(
    "tenant_question",
    needed("invoice_id", ID),
    needed("asked", Text),
    needed("asked_at", TIME),
    Column("answered_at", TIME),
    Column("tenant_id", ID),
    Column("tenant_name", Text),
    of("invoice", "invoice_id"),
    Index("ix_tenant_question_invoice", "account_id", "invoice_id", "id"),
)
_waits = tenant_question.c.answered_at.is_(None)
Index(
    "ix_tenant_question_waits", tenant_question.c.account_id, tenant_question.c.id,
    sqlite_where=_waits, postgresql_where=_waits,
)  # fmt: skip
"""`tenant_id` is who asked, `tenant_name` their name then: the invoice may be for somebody else by now."""

shown_bill = owned(
    "shown_bill",
    needed("bill_id", ID),
    needed("document_id", ID),
    needed("is_shown", Boolean),
    of("bill", "bill_id"),
    key=("bill_id",),
)
"""What somebody said of the PDF of a bill: whether tenants may see it. Without a row, how it was read decides."""
