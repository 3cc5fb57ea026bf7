"""The tables of the audit log's chain: they stand beside the events, so that whoever writes an event writes no more."""

from sqlalchemy import BigInteger, Column, UniqueConstraint

from prorata.store.columns import ID, bytewise, needed, owned

_DIGEST = bytewise(64)

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
