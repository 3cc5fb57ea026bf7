"""The tables of online payments: providers, their payment links, and their messages."""

from sqlalchemy import BigInteger, Boolean, Column, Index, String, Text, UniqueConstraint, literal_column

from prorata.domain.online_payments.payment_links import EVENT_STATES, HAPPENINGS, LINK_STATES, PROVIDERS
from prorata.store.schema.column_types import ID, TIME, bytewise, needed, one_of, owned, partial_index

LOOKUPS = frozenset({"uq_payment_provider_token"})
"""The columns by which the account of a provider's message is found.

The message names its account only by the token in the address to which it was sent.
"""

_THEIRS = bytewise(255)
"""The type of a column with an id that a payment provider has given."""

payment_provider = owned(
    "payment_provider",
    needed("provider", String(8)),
    Column("sealed_key", Text),
    Column("key_ends", String(8)),
    Column("sealed_secret", Text),
    needed("token", bytewise(64)),
    needed("updated_at", TIME),
    Column("former_key", Text),
    Column("former_key_ends", String(8)),
    Column("former_secrets", Text),
    UniqueConstraint("token", name="token"),
    one_of("provider", PROVIDERS),
    key=(),
)
"""The accounts' payment providers.

`sealed_key` is the key for calling the provider, and `sealed_secret` the secret with which its messages are signed. The
former key is kept until the links that were made with it are closed. `former_secrets` contains the secrets of all keys
that are no longer used, one per line, the latest first. They are kept because payments may be refunded or disputed much
later, even if the account no longer has a key.
"""

payment_link = owned(
    "payment_link",
    needed("invoice_id", ID),
    needed("provider", String(8)),
    needed("amount", BigInteger),
    needed("currency", String(3)),
    needed("state", String(8)),
    Column("provider_id", _THEIRS),
    Column("url", Text),
    needed("created_at", TIME),
    needed("updated_at", TIME),
    needed("number", Text),
    needed("is_former", Boolean),
    Column("tenant_id", ID),
    UniqueConstraint("account_id", "provider", "provider_id", name="provider_id"),
    one_of("provider", PROVIDERS),
    one_of("state", LINK_STATES),
    Index("ix_payment_link_invoice", "account_id", "invoice_id", "id"),
    partial_index("ix_payment_link_open", "account_id", "invoice_id", where=literal_column("state != 'closed'")),
)
"""The payment links, which outlive their invoices.

A link must be closed at the provider even if its invoice is deleted. If the provider's answer is unknown, the link is
requested once more with the same data, including the invoice's `number`. A link that `is_former` was made with the
former key, and is closed with that key. `tenant_id` is the tenant for whose payment the link was made; the invoice may
since have another tenant.
"""

provider_event = owned(
    "provider_event",
    needed("provider", String(8)),
    needed("event_id", _THEIRS),
    needed("happening", String(16)),
    needed("payment", _THEIRS),
    Column("link", _THEIRS),
    Column("reference", _THEIRS),
    needed("amount", BigInteger),
    needed("currency", String(3)),
    needed("at", TIME),
    needed("state", String(8)),
    Column("why", Text),
    Column("invoice_id", ID),
    needed("created_at", TIME),
    Column("why_details", Text),
    one_of("provider", PROVIDERS),
    one_of("happening", HAPPENINGS),
    one_of("state", EVENT_STATES),
    Index("ix_provider_event_payment", "account_id", "provider", "payment"),
    partial_index(
        "ix_provider_event_to_check",
        "account_id",
        "created_at",
        where=literal_column("why IS NOT NULL AND state != 'passed'"),
    ),
    partial_index(
        "ix_provider_event_under_way",
        "account_id",
        "invoice_id",
        where=literal_column("happening = 'under way' AND state = 'waits'"),
    ),
    partial_index("ix_provider_event_of_none", "account_id", "created_at", where=literal_column("invoice_id IS NULL")),
    key=("provider", "event_id"),
)
