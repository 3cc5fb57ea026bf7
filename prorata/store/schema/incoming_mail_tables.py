"""The tables of received mail: an account's inbox address, each message, and its documents.

The bytes of the messages have a table of their own.
"""

from sqlalchemy import Boolean, Column, Index, Integer, LargeBinary, String, Text, UniqueConstraint

from prorata.domain.inbound_mail.inbox_addresses import MAIL_IN_STATES, MAIL_IN_WAYS
from prorata.store.schema.column_types import ID, TIME, bytewise, needed, of, one_of, owned
from prorata.store.schema.document_tables import document

LOOKUPS = frozenset({"uq_inbox_address_token"})
"""The columns by which the account of an incoming message is found.

A message names its account only by the token in the address to which it was sent.
"""

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
"""The accounts' addresses for bills sent by e-mail.

`allowed` contains the senders whose mail is accepted automatically, separated by spaces. `keep_days` is the number of
days for which a finished message is kept in its original form; 0 means forever. `counts_known` is set if a document
that resembles earlier bills becomes a bill without a person's confirmation.
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
"""The received messages.

`about` is Prorata's message that a report is about. `accepted_by` is the person who accepted a message from a sender
who is not allowed. `authentic` is set if the message was found to come from the sender that it names, and `said` gives
the reason for that result. `left_out`, as JSON, lists the parts that were not accepted, each with the reason. `brings`,
as JSON, lists the files that were accepted, or those of a waiting message, each with its size and the document that it
became.
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
"""The documents that messages brought.

`counted_at` is set if the document became a bill automatically, without confirmation by a person.
"""
