"""The tables of events and webhooks: event batches, numbering, endpoints and deliveries."""

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
"""The index by which a worker finds the endpoints that need a delivery.

The endpoints may belong to any account.
"""
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
"""The batches of events.

A batch is `number` events of one type, from one change, about records of one property. `record_ids` are separated by
spaces. `content` contains the content of each event, one JSON object per line, compressed if it is long; it is NULL
once it was blanked. `first_sequence` is the number of the batch's first event, or NULL until a worker numbers the
events.
"""
UNCOUNTED = event_batch.c.first_sequence.is_(None)
partial_index("ix_event_batch_uncounted", event_batch.c.account_id, event_batch.c.id, where=UNCOUNTED)

event_feed = owned("event_feed", needed("last_sequence", BigInteger), key=())
"""The number of each account's last numbered event."""

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
"""The webhook endpoints.

`types` are separated by spaces; if empty, all types are sent. `sent_to` is the number of the last event whose delivery
was tried at least once, or skipped. `next_at` is the time at which the worker next looks at the endpoint, or NULL if
there is nothing to send. `failures` is the number of failures since the last success. `secret_before` contains earlier
secrets, the latest first, separated by spaces, with which deliveries are also signed until `before_until`.
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
