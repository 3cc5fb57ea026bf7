"""The tables of events: batches, counts, endpoints and deliveries."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Index,
    Integer,
    LargeBinary,
    String,
    Text,
    UniqueConstraint,
    literal_column,
)

from prorata.domain.webhooks.webhooks import DELIVERY_STATES, STATES
from prorata.store.schema.column_types import ID, TIME, bytewise, needed, of, one_of, owned, partial_index

INDEXES_OVER_ALL_ACCOUNTS = frozenset({"ix_webhook_endpoint_next"})
"""By it a worker finds the endpoints that something is to be sent to, whoever they belong to."""
TYPE = bytewise(32)

event_batch = owned(
    "event_batch",
    needed("type", TYPE),
    Column("property_id", ID),
    needed("number", Integer),
    Column("first_sequence", BigInteger),
    needed("at", TIME),
    needed("record_ids", Text),
    Column("content", LargeBinary),
    CheckConstraint("number > 0", name="number"),
    Index("ix_event_batch_sequence", "account_id", "first_sequence"),
    Index("ix_event_batch_type", "account_id", "type", "first_sequence"),
    Index("ix_event_batch_property", "account_id", "property_id"),
)
"""`number` events of one type, of one change, about records of one property: `record_ids`, divided by spaces. `content`
holds what each says, one JSON object a line, deflated where it is long; none once it was forgotten. `first_sequence` is
the number of the first, once they are counted.
"""
UNCOUNTED = event_batch.c.first_sequence.is_(None)
partial_index("ix_event_batch_uncounted", event_batch.c.account_id, event_batch.c.id, where=UNCOUNTED)

event_feed = owned("event_feed", needed("last_sequence", BigInteger), key=())
"""The number of the last event that was counted, of each account."""

webhook_endpoint = owned(
    "webhook_endpoint",
    needed("url", Text),
    needed("description", Text),
    needed("types", Text),
    needed("state", String(8)),
    Column("why_off", Text),
    needed("secret", Text),
    Column("secret_before", Text),
    Column("before_until", TIME),
    needed("sent_to", BigInteger),
    Column("next_at", TIME),
    needed("is_slow", Boolean),
    needed("failures", Integer),
    Column("delivered_at", TIME),
    Column("failed_at", TIME),
    Column("failure", Text),
    needed("created_at", TIME),
    needed("updated_at", TIME),
    one_of("state", STATES),
)
"""`types` are divided by spaces, none is all; `sent_to` is the number of the last event that was tried once, or passed
over; `next_at` is when something is to be done, none for nothing; `failures` counts those since the last success;
`secret_before` are those that sign too until `before_until`, the latest first, divided by spaces.
"""
ON = webhook_endpoint.c.state == literal_column("'on'")
partial_index("ix_webhook_endpoint_next", webhook_endpoint.c.next_at, where=ON)

webhook_delivery = owned(
    "webhook_delivery",
    needed("endpoint_id", ID),
    needed("sequence", BigInteger),
    needed("event_id", ID),
    needed("type", TYPE),
    needed("state", String(12)),
    needed("attempts", Integer),
    Column("next_at", TIME),
    Column("status", Integer),
    needed("said", Text),
    needed("milliseconds", Integer),
    needed("created_at", TIME),
    needed("tried_at", TIME),
    UniqueConstraint("account_id", "endpoint_id", "sequence", name="sequence"),
    CheckConstraint("(state = 'waiting') = (next_at is not null)", name="next_at"),
    one_of("state", DELIVERY_STATES),
    of("webhook_endpoint", "endpoint_id"),
)
DELIVERY_WAITS = webhook_delivery.c.state == literal_column("'waiting'")
partial_index(
    "ix_webhook_delivery_waiting",
    *(webhook_delivery.c[name] for name in ("account_id", "endpoint_id", "next_at")),
    where=DELIVERY_WAITS,
)
