"""The tables of documents: their facts, their contents, and their bills.

The contents are separate, as they are large.
"""

from sqlalchemy import Column, Index, Integer, LargeBinary, String, Text, UniqueConstraint

from prorata.domain.intake.documents import STATES, WAYS
from prorata.store.schema.column_types import ID, ORDER, TIME, bytewise, indexed_by_change, needed, of, one_of, owned

document = owned(
    "document",
    needed("name", Text),
    needed("way", String(8)),
    needed("state", String(12)),
    needed("digest", bytewise(64)),
    needed("size", Integer),
    Column("said", Text),
    Column("draft", Text),
    needed("created_at", TIME),
    needed("updated_at", TIME),
    Column("asks", String(16)),
    UniqueConstraint("account_id", "digest", name="digest"),
    one_of("state", STATES),
    one_of("way", WAYS),
    Index("ix_document_state", "account_id", "state", "id"),
)
"""`draft` is what was read of it, as JSON; `said` why it could not be read, did not count by itself, or taught nothing,
by its state; `asks` is `password` where it could not be read for want of one.
"""
indexed_by_change(document)

document_content = owned(
    "document_content",
    needed("document_id", ID),
    needed("content", LargeBinary),
    of("document", "document_id"),
    key=("document_id",),
)

document_words = owned(
    "document_words",
    needed("document_id", ID),
    needed("pages", LargeBinary),
    of("document", "document_id"),
    key=("document_id",),
)
"""The words of a document's pages and where they stand, as packed JSON: what a person points at, and teaches by."""

document_table = owned(
    "document_table",
    needed("document_id", ID),
    needed("rows", Integer),
    needed("sheet", LargeBinary),
    Column("choices", Text),
    Column("outcome", Text),
    of("document", "document_id"),
    key=("document_id",),
)
"""What was read of a document that is a table: its cells, packed; what somebody chose for it, and what came of it, each
as JSON.
"""

column_mapping = owned(
    "column_mapping",
    needed("header", bytewise(64)),
    needed("names", Text),
    needed("mapping", Text),
    needed("updated_at", TIME),
    key=("header",),
)
"""What somebody said the columns of a header mean, as JSON; `header` is its mark."""

issuer_lesson = owned(
    "issuer_lesson",
    needed("issuer_key", ORDER),
    needed("issuer_name", Text),
    needed("lesson", Text),
    needed("updated_at", TIME),
    key=("issuer_key",),
)
"""What was learned of an issuer by what was confirmed of its bills: a JSON object, a part for each way of reading."""

bill_document = owned(
    "bill_document",
    needed("bill_id", ID),
    needed("document_id", ID),
    of("bill", "bill_id"),
    of("document", "document_id"),
    Index("ix_bill_document_document", "account_id", "document_id"),
    key=("bill_id", "document_id"),
)
