"""The tables of batches: writes that a program sent in one request, and their outcomes."""

from sqlalchemy import Column, Index, Integer, String, Text

from prorata.domain.bulk.bulk import STATES
from prorata.store.schema.column_types import ID, TIME, needed, of, one_of, owned

batch = owned(
    "batch",
    needed("actor", ID),
    needed("state", String(16)),
    needed("total", Integer),
    Column("why", Text),
    needed("created_at", TIME),
    Column("ended_at", TIME),
    one_of("state", STATES),
    Index("ix_batch_ended", "account_id", "ended_at"),
)

batched_write = owned(
    "batched_write",
    needed("batch_id", ID),
    needed("number", Integer),
    needed("method", String(8)),
    needed("path", Text),
    Column("sent", Text),
    Column("status", Integer),
    Column("answer", Text),
    of("batch", "batch_id"),
    key=("batch_id", "number"),
)
"""The writes of a batch.

`sent` is the body of the write as JSON; it is NULL if there is no body, or once the write is done. `status` and
`answer` are the answer to the write; `status` is NULL until the write is done.
"""
