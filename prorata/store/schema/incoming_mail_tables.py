"""The tables of received mail: an account's address, each message, and its documents.

A message's bytes are separate.
"""

from sqlalchemy import Boolean, Column, Index, Integer, LargeBinary, String, Text, UniqueConstraint

from prorata.domain.inbound_mail.inbox_addresses import MAIL_IN_STATES, MAIL_IN_WAYS
from prorata.store.schema.column_types import ID, TIME, bytewise, needed, of, one_of, owned
from prorata.store.schema.document_tables import document

LOOKUPS = frozenset({"uq_inbox_address_token"})
"""Mail names an account by the token in the address that it comes to."""

inbox_address = owned(
    "inbox_address",
    needed("token", bytewise(32)),
    needed("allowed", Text),
    needed("updated_at", TIME),
    needed("keep_days", Integer),
    needed("counts_known", Boolean),
    UniqueConstraint("token", name="token"),
    key=(),
)
"""`allowed` are the senders whose mail is taken by itself, divided by spaces; `keep_days` how long a message is kept as
it came once nothing is to be done with it, 0 always; `counts_known` whether a bill like those before it counts by
itself.
"""

incoming_mail = owned(
    "incoming_mail",
    needed("digest", bytewise(64)),
    needed("size", Integer),
    needed("way", String(8)),
    needed("state", String(12)),
    needed("envelope_from", Text),
    Column("about", ID),
    Column("accepted_by", ID),
    Column("sender", Text),
    Column("subject", Text),
    Column("message_id", Text),
    Column("likeness", bytewise(64)),
    Column("authentic", Boolean),
    Column("said", Text),
    Column("left_out", Text),
    Column("brings", Text),
    Column("answered_at", TIME),
    needed("created_at", TIME),
    needed("updated_at", TIME),
    UniqueConstraint("account_id", "digest", name="digest"),
    one_of("state", MAIL_IN_STATES),
    one_of("way", MAIL_IN_WAYS),
    Index("ix_incoming_mail_state", "account_id", "state", "id"),
    Index("ix_incoming_mail_likeness", "account_id", "likeness"),
    Index("ix_incoming_mail_answered", "account_id", "answered_at"),
)
"""`about` is the message of ours that a report is about; `accepted_by` who has taken up one of a sender that is not
allowed; `authentic` whether it comes from where it says, `said` why or why not; `left_out`, as JSON, what of it was
not taken, each with its reason; `brings`, as JSON, the files of one that waits, or that were taken, each with its bytes
and the document that it became.
"""

incoming_content = owned(
    "incoming_content",
    needed("mail_id", ID),
    needed("content", LargeBinary),
    of("incoming_mail", "mail_id"),
    key=("mail_id",),
)

incoming_document = owned(
    "incoming_document",
    needed("mail_id", ID),
    needed("document_id", ID),
    Column("counted_at", TIME),
    of("incoming_mail", "mail_id"),
    of(document.name, "document_id"),
    Index("ix_incoming_document_document", "account_id", "document_id"),
    key=("mail_id", "document_id"),
)
"""`counted_at` says that the document became a bill by itself, without anybody having confirmed it."""
