"""The tables of documents: their fields, their contents, and the bills from them.

The contents have a table of their own, because they are large.
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
"""The documents, without their contents.

`draft` is the reading of the document, as JSON. Depending on the state, `said` is the reason why the document could not
be read, why it did not become a bill automatically, or why nothing was learned from it. `asks` is `password` if the
document could not be read without a password.
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
"""The words of a document's pages and their positions, as packed JSON.

From these words, a person chooses the value of a field; Prorata learns from the choice.
"""

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
"""The packed cells of documents that are tables.

The choices of a person for reading the table, and the outcome of its import, are JSON.
"""

column_mapping = owned(
    "column_mapping",
    needed("header", bytewise(64)),
    needed("names", Text),
    needed("mapping", Text),
    needed("updated_at", TIME),
    key=("header",),
)
"""The meanings that a person gave to the columns of a header, as JSON.

`header` is a digest of the header.
"""

issuer_lesson = owned(
    "issuer_lesson",
    needed("issuer_key", ORDER),
    needed("issuer_name", Text),
    needed("lesson", Text),
    needed("updated_at", TIME),
    key=("issuer_key",),
)
"""The lessons learned about an issuer from its confirmed bills.

A lesson is a JSON object with a part for each method of reading bills.
"""

bill_document = owned(
    "bill_document",
    needed("bill_id", ID),
    needed("document_id", ID),
    of("bill", "bill_id"),
    of("document", "document_id"),
    Index("ix_bill_document_document", "account_id", "document_id"),
    key=("bill_id", "document_id"),
)
