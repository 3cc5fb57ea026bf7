"""The tables of the audit log: the events, and the hash chain over them.

The chain has tables of its own, so that recording an event writes only the event.
"""

from sqlalchemy import BigInteger, Column, Index, String, Text, UniqueConstraint

from prorata.store.schema.column_types import ID, TIME, bytewise, needed, owned

_DIGEST = bytewise(64)

event = owned(
    "event",
    needed("at", TIME),
    needed("actor", ID),
    needed("verb", String(32)),
    needed("record_id", ID),
    Column("property_id", ID),
    Column("before", Text),
    Column("after", Text),
    Index("ix_event_record", "account_id", "record_id", "id"),
    Index("ix_event_property", "account_id", "property_id"),
)

audit_link = owned(
    "audit_link",
    needed("number", BigInteger),
    needed("event_id", ID),
    Column("salt", bytewise(32)),
    needed("contents", _DIGEST),
    needed("hash", _DIGEST),
    UniqueConstraint("account_id", "event_id", name="event"),
    key=("number",),
)
audit_chain = owned("audit_chain", needed("number", BigInteger), needed("hash", _DIGEST), needed("settled", ID), key=())
