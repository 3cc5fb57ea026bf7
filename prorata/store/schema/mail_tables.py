"""The tables of mail: each message, most about an invoice; and its content.

The content is separate, as it is large and seldom read.
"""

from sqlalchemy import Boolean, Column, Index, LargeBinary, String, Text, UniqueConstraint, literal_column

from prorata.domain.mail.deliveries import MAIL_STATES
from prorata.store.schema.column_types import ID, TIME, bytewise, its_account, needed, of, one_of, owned, partial_index

LOOKUPS = frozenset({"uq_mail_id"})
"""A report about a message names the message alone, in the address that it comes back to."""

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
"""A message about no invoice is about how somebody signs in, and has its account through none but itself. It holds a
one-time link, `link_id`, unless it is a notice. One that `is_former` was to somebody whom its invoice is not for any
more, and says nothing of how that stands.
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
"""`rests_on` is what the message says that may be otherwise before a server takes it: then it is written anew."""
