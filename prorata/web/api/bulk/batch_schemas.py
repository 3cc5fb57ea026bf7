"""Batches as clients send and read them."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Raw

from prorata.domain.bulk.bulk import DONE, GOING_ON, STOPPED
from prorata.web.http.fields import text
from prorata.web.http.limits import LONGEST_PREVIEWED_PATH, MOST_BULK_WRITES
from prorata.web.http.request_schemas import Body, PageQuery
from prorata.web.http.response_schemas import Answer, Error, Pagination, Timestamp

State = Literal["GOING_ON", "DONE", "STOPPED"]
STATES: dict[str, State] = {GOING_ON: "GOING_ON", DONE: "DONE", STOPPED: "STOPPED"}
Method = Literal["POST", "PUT", "PATCH", "DELETE"]


class BulkWrite(Body):
    """A write, as you would send it alone."""

    method: Method
    path: Annotated[str, text(LONGEST_PREVIEWED_PATH), Meta(description="With or without /api/v1 before it.")]
    body: dict[str, Any] | None = None


class BulkSent(Body):
    """Writes to do one after another. An unreadable one does not stop the others."""

    requests: Annotated[list[BulkWrite], Meta(min_length=1, max_length=MOST_BULK_WRITES, extra={"apart": True})]


class BulkQuery(PageQuery):
    """The page of a batch's results to read."""

    limit: Annotated[int, Meta(ge=1, le=MOST_BULK_WRITES, description="Results on a page.")] = 100


class Bulk(Answer):
    """The progress of a batch."""

    id: str
    state: Annotated[
        State, Meta(description="While it is GOING_ON, a task in the background goes on with it; STOPPED by a person.")
    ]
    total: int
    done: Annotated[int, Meta(description="Writes that were answered, refused ones among them.")]
    failed: Annotated[int, Meta(description="Writes that were refused.")]
    stopped_because: Annotated[str | None, Meta(description="Why it was stopped, where no person did it.")]
    created_at: Timestamp
    ended_at: Annotated[Timestamp | None, Meta(description="Its results are kept for 24 hours from then on.")]


class BulkResult(Answer):
    """A write of a batch, with its result."""

    number: Annotated[int, Meta(description="Its place among those that were sent, from 1.")]
    method: Annotated[Method | None, Meta(description="null: what was sent is none of these.")]
    path: Annotated[str | None, Meta(description="null: none was sent, or one that is too long.")]
    status: Annotated[int | None, Meta(description="The HTTP status that it would have had alone; null: it waits.")]
    body: Annotated[
        Annotated[Raw | None, Meta(extra_json_schema={"type": ["object", "null"], "additionalProperties": True})],
        Meta(description="What it was answered; null where that is nothing, or an error."),
    ]
    error: Annotated[Error | None, Meta(description="What refused it; null where it was done, or waits.")]


class BulkInFull(Bulk):
    """The progress of a batch, with one page of its results."""

    data: list[BulkResult]
    pagination: Pagination
