"""The tables of outgoing mail: each message, often about an invoice, and its content.

The contents have a table of their own, because they are large and seldom read.
"""

from sqlalchemy import Boolean, Column, Index, LargeBinary, String, Text, UniqueConstraint, literal_column

from prorata.domain.mail.deliveries import MAIL_STATES
from prorata.store.schema.column_types import ID, TIME, bytewise, its_account, needed, of, one_of, owned, partial_index

LOOKUPS = frozenset({"uq_mail_id"})
"""The columns by which the account of a delivery report is found.

A delivery report names only the message that it is about, in the address to which it is sent.
"""

mail = owned(
    "mail",
    Column("invoice_id", ID),
    needed("kind", String(16)),
    needed("occasion", bytewise(64)),
    needed("state", String(16)),
    Column("to_name", Text),
    needed("to_address", Text),
    Column("said", Text),
    needed("created_at", TIME),
    Column("sent_at", TIME),
    needed("updated_at", TIME),
    Column("link_id", ID),
    Column("invited_by", Text),
    needed("is_former", Boolean),
    UniqueConstraint("id", name="id"),
    UniqueConstraint("account_id", "invoice_id", "occasion", name="occasion"),
    one_of("state", MAIL_STATES),
    of("invoice", "invoice_id"),
    its_account("mail"),
    Index("ix_mail_invoice", "account_id", "invoice_id", "id"),
    partial_index("ix_mail_link", "account_id", "link_id", where=literal_column("link_id IS NOT NULL")),
)
"""The outgoing messages.

A message without an invoice is about signing in, and refers to its account directly. It contains a one-time link,
`link_id`, unless it is a notice. A message that `is_former` went to a former recipient of its invoice, and does not
affect the invoice's delivery.
"""

mail_content = owned(
    "mail_content",
    needed("mail_id", ID),
    Column("message", LargeBinary),
    needed("pdf", LargeBinary),
    Column("rests_on", Text),
    of("mail", "mail_id"),
    key=("mail_id",),
)
"""The contents of messages.

`rests_on` is the fingerprint of the facts in the message that may change before a server accepts it; if they change,
the message is written again.
"""
