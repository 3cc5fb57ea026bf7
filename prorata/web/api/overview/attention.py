"""The tasks in an account that need a person, as the overview page lists them."""

from typing import Annotated

from msgspec import Meta

from prorata.actions.months import lists as month_lists
from prorata.actions.overview import attention, overview
from prorata.actions.overview.attention import Attention, Kind
from prorata.web.http.operations import Call, operation
from prorata.web.http.response_schemas import Answer


class AttentionPlace(Answer):
    """A month of a property, in which something needs attention."""

    property_id: str
    property_name: str
    month: str


class AttentionMonth(Answer):
    """A month, with the number of its records that need attention."""

    month: str
    number: int


class AttentionItem(Answer):
    """A task that needs a person's attention."""

    kind: Kind
    number: Annotated[int, Meta(description="The number of records; for drafts, the number of months of properties.")]
    message: Annotated[str, Meta(description="A description of the task and what to do, as shown in the overview.")]
    path: Annotated[
        str | None,
        Meta(description="Where to list these records in this API, after /api/v1. /documents lists others too."),
    ]
    places: Annotated[
        list[AttentionPlace], Meta(description="The first months of properties, if the task concerns such months.")
    ]
    months: Annotated[list[AttentionMonth], Meta(description="The newest months, if the task concerns months.")]
    has_more: Annotated[bool, Meta(description="Whether there are older months, which are not counted.")]


_PATHS: dict[Kind, str] = {
    "overdue": "/invoices?needs=OVERDUE",
    "refunds": "/invoices?needs=REFUNDS",
    "mailFailed": "/invoices?needs=UNDELIVERED",
    "handOver": "/invoices?needs=HAND_OVER",
    "jobsFailed": "/jobs?state=FAILED",
    "questions": "/questions?status=OPEN",
    "disputes": "/disputes?status=OPEN",
    "documents": "/documents",
    "mail": "/incoming-mail?status=WAITING",
    "mailNotTaken": "/incoming-mail?status=NOT_TAKEN",
    "flagged": "/bills?flagged=true",
    "waiting": "/bills?waiting=true",
    "pending": "/months?state=OTHER_CORRECTIONS",
    "missingFacts": "/months?state=MISSING_FACTS",
    "drafts": "/months?state=DRAFTS",
    "webhooksOff": "/webhook-endpoints",
    "paymentsToCheck": "/payment-messages",
    "statements": "/payment-files?status=OPEN",
}


def shown(item: Attention) -> AttentionItem:
    """Convert a task that needs attention to the API's format."""
    path = _PATHS.get(item.kind)
    if path and len(item.months) == 1 and not item.has_more:
        path = f"{path}&month={item.months[0].month}"
    return AttentionItem(
        kind=item.kind,
        number=item.number,
        message=item.message,
        path=path,
        places=[AttentionPlace(**place._asdict()) for place in item.places],
        months=[AttentionMonth(**month._asdict()) for month in item.months],
        has_more=item.has_more,
    )


@operation("GET", "/attention", at_once=True, summary="List what waits", answer=list[AttentionItem])
def list_attention(call: Call[None, None]) -> list[AttentionItem]:
    """List the tasks in the account that need a person's attention, one per kind.

    Tasks that cost money if they are neglected come first. Each task has the number of its records, and the path
    that lists them. The list is empty if nothing needs attention.
    """
    month = month_lists.latest_month(call.tx, call.caller)
    opened = overview.open_figures(call.tx, call.caller)
    return [shown(item) for item in attention.attention(call.tx, call.caller, month, opened)]
