"""The tables of bulk changes: each bulk change, and its invoices with their outcomes."""

from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, String, Text

from prorata.domain.bulk.bulk import OUTCOMES, STATES
from prorata.domain.invoice_states import STATUSES
from prorata.store.schema.column_types import ID, TIME, needed, of, one_of, owned

bulk = owned(
    "bulk",
    needed("verb", String(16)),
    needed("actor", ID),
    needed("state", String(16)),
    needed("total", Integer),
    needed("is_undone", Boolean),
    Column("why", Text),
    needed("created_at", TIME),
    Column("ended_at", TIME),
    one_of("state", STATES),
    Index("ix_bulk_ended", "account_id", "ended_at"),
)

bulk_item = owned(
    "bulk_item",
    needed("bulk_id", ID),
    needed("number", Integer),
    needed("invoice_id", ID),
    needed("status", String(16)),
    Column("expected", String(16)),
    Column("before", String(16)),
    needed("outcome", String(16)),
    Column("why", Text),
    Column("asked_amount", BigInteger),
    Column("asked_tenant", ID),
    one_of("status", STATUSES),
    one_of("outcome", OUTCOMES),
    of("bulk", "bulk_id"),
    Index("ix_bulk_item_outcome", "account_id", "bulk_id", "outcome", "number"),
    key=("bulk_id", "number"),
)
