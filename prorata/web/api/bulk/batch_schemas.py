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
    """A write of a batch: the method, path and body of a single request."""

    method: Method
    path: Annotated[str, text(LONGEST_PREVIEWED_PATH), Meta(description="With or without the prefix /api/v1.")]
    body: dict[str, Any] | None = None


class BulkSent(Body):
    """Writes to do in order; an unreadable write does not stop the others."""

    requests: Annotated[list[BulkWrite], Meta(min_length=1, max_length=MOST_BULK_WRITES, extra={"apart": True})]


class BulkQuery(PageQuery):
    """The requested page of a batch's results."""

    limit: Annotated[int, Meta(ge=1, le=MOST_BULK_WRITES, description="The number of results per page.")] = 100


class Bulk(Answer):
    """The progress of a batch."""

    id: str
    state: Annotated[
        State,
        Meta(
            description="While it is GOING_ON, a background task is working on it; STOPPED: a person stopped "
            "it, or its task failed."
        ),
    ]
    total: int
    done: Annotated[int, Meta(description="Writes that were answered, including refused ones.")]
    failed: Annotated[int, Meta(description="Writes that were refused.")]
    stopped_because: Annotated[str | None, Meta(description="Why it was stopped, if no person stopped it.")]
    created_at: Timestamp
    ended_at: Annotated[
        Timestamp | None, Meta(description="The time when it ended. Its results are kept for 24 hours after that.")
    ]


class BulkResult(Answer):
    """A write of a batch, with its result."""

    number: Annotated[int, Meta(description="The write's position among those that were sent, from 1.")]
    method: Annotated[Method | None, Meta(description="null: what was sent is none of these.")]
    path: Annotated[str | None, Meta(description="null: none was sent, or one that is too long.")]
    status: Annotated[
        int | None,
        Meta(description="The HTTP status that the write would have received on its own; null: it is still waiting."),
    ]
    body: Annotated[
        Annotated[Raw | None, Meta(extra_json_schema={"type": ["object", "null"], "additionalProperties": True})],
        Meta(description="The body of the response to the write; null if there is none, or if it is an error."),
    ]
    error: Annotated[
        Error | None, Meta(description="The error that refused the write; null if it succeeded or is still waiting.")
    ]


class BulkInFull(Bulk):
    """The progress of a batch, with one page of its results."""

    data: list[BulkResult]
    pagination: Pagination
