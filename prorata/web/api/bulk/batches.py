"""Batches of up to 1,000 writes, each done separately by a background job.

See docs/sync.md#many-writes.
"""

from http import HTTPStatus
from typing import Any, get_args

import msgspec

from prorata.actions.bulk import batches
from prorata.actions.bulk.batches import ShownBatch, Wanted
from prorata.store.bulk.batches import WriteRow
from prorata.web.api.bulk.batch_schemas import (
    STATES,
    Bulk,
    BulkInFull,
    BulkQuery,
    BulkResult,
    BulkSent,
    BulkWrite,
    Method,
)
from prorata.web.api.bulk.batched_writes import refused
from prorata.web.api.examples import BULK_SENT
from prorata.web.http.decoding import Unread
from prorata.web.http.encoding import encode
from prorata.web.http.limits import LONGEST_PREVIEWED_PATH, MOST_BULK_BYTES, WRITES_OF_A_REQUEST
from prorata.web.http.operations import Call, operation
from prorata.web.http.response_schemas import Error, page_of


def _fields(batch: ShownBatch) -> dict[str, Any]:
    row, numbers = batch
    return {
        "id": row.id,
        "state": STATES[row.state],
        "total": row.total,
        "done": numbers.done,
        "failed": numbers.failed,
        "stopped_because": row.why,
        "created_at": row.created_at,
        "ended_at": row.ended_at,
    }


def _result(row: WriteRow) -> BulkResult:
    answer = (row.answer or "").encode()
    is_refused = row.status is not None and row.status >= HTTPStatus.BAD_REQUEST
    return BulkResult(
        number=row.number,
        method=row.method or None,  # type: ignore[arg-type]
        path=row.path or None,
        status=row.status,
        body=msgspec.Raw(answer) if answer and not is_refused else None,
        error=msgspec.json.decode(answer, type=Error) if is_refused else None,
    )


def _wanted(write: BulkWrite | Unread) -> Wanted:
    if not isinstance(write, Unread):
        return Wanted(write.method, write.path, None if write.body is None else encode(write.body).decode())
    sent = write.sent if isinstance(write.sent, dict) else {}
    method, path = sent.get("method"), sent.get("path")
    return Wanted(
        str(method) if method in get_args(Method) else "",
        path if isinstance(path, str) and len(path) <= LONGEST_PREVIEWED_PATH else "",
        None,
        refused(write.refusal),
    )


@operation(
    "POST", "/bulk", summary="Make many changes", body=BulkSent, answer=Bulk, status=202, most_bytes=MOST_BULK_BYTES,
    carries=lambda body: -(-len(body.requests) // WRITES_OF_A_REQUEST), example=BULK_SENT,
    conflict="20 bulks of the account are not done yet.",
)  # fmt: skip
def begin_bulk(call: Call[None, BulkSent]) -> Bulk:
    """Start a batch of 1 to 1,000 writes, which are done in the order given.

    Each write is done and committed as if it had been sent alone. A refused or unreadable write doesn't affect the
    others. To get the result of each write, read the batch. Toward the rate limits, a batch counts as one request
    for every 100 writes or part thereof.
    """
    return Bulk(**_fields(batches.begin(call.tx, call.caller, [_wanted(request) for request in call.body.requests])))


@operation(
    "GET", "/bulk/{id}", at_once=True, summary="Read a bulk", query=BulkQuery, answer=BulkInFull, missing=("bulk",)
)
def read_bulk(call: Call[BulkQuery, None]) -> BulkInFull:
    """Read a batch's progress and one page of its results.

    A key can read its own batches, and those of another key if it has all rights of that key.
    """
    query = call.query
    batch = batches.find(call.tx, call.caller, call.path["id"], call.grant)
    rows = batches.results(call.tx, call.caller, batch.row.id, limit=query.limit, offset=query.offset)
    page = page_of([_result(row) for row in rows], batch.row.total, query)
    return BulkInFull(**_fields(batch), data=page.data, pagination=page.pagination)  # type: ignore[arg-type]
