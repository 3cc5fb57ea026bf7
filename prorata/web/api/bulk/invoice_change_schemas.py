"""Bulk changes of invoices as clients send and read them."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from prorata.domain.bulk.bulk import DONE, GOING_ON, STOPPED
from prorata.domain.bulk.verbs import BulkVerb
from prorata.web.http.cursors import cursor
from prorata.web.http.limits import MOST_INVOICES_CHOSEN
from prorata.web.http.request_schemas import Body, Filter, Receipts
from prorata.web.http.response_schemas import Answer, Timestamp

Sent = Literal["SEND", "SEND_AGAIN", "REMIND", "HAND_OVER", "MARK_PAID", "CANCEL", "REOPEN"]
Done = Literal[
    "SEND",
    "SEND_AGAIN",
    "REMIND",
    "HAND_OVER",
    "MARK_PAID",
    "CANCEL",
    "REOPEN",
    "UNDO",
    "NOT_HANDED_OVER",
    "NOT_REMINDED",
]
State = Literal["GOING_ON", "DONE", "STOPPED"]
STATES: dict[str, State] = {GOING_ON: "GOING_ON", DONE: "DONE", STOPPED: "STOPPED"}
InvoiceIds = Annotated[
    list[Filter], Meta(min_length=1, max_length=MOST_INVOICES_CHOSEN, description="The ids of the invoices.")
]


def verb_of(sent: Sent) -> BulkVerb:
    """Convert an action's name in the API to the action's `BulkVerb`.

    >>> verb_of("MARK_PAID").value
    'mark paid'
    """
    return BulkVerb[sent]


def written(verb: str) -> Done:
    """Convert the stored code of an action on invoices to its name in the API.

    >>> written("not handed over")
    'NOT_HANDED_OVER'
    """
    of = BulkVerb.of_code(verb)
    return (BulkVerb.MARK_PAID if of is BulkVerb.CONFIRM_PAID else of).name  # type: ignore[return-value]


class InvoicesChange(Body):
    """An action on many invoices, and the ids of these invoices."""

    verb: Sent
    invoice_ids: InvoiceIds
    receipts: Receipts = False


class InvoiceChangesQuery(Body):
    """The page of a list of bulk changes."""

    before: Annotated[str, cursor("bulk")] | UnsetType = UNSET
    limit: Annotated[int, Meta(ge=1, le=100, description="The number of changes per response.")] = 20


class RefusedInvoice(Answer):
    """An invoice that was not changed, with the reason."""

    invoice_id: str
    invoice_number: Annotated[str | None, Meta(description="null: it is gone by now.")]
    reason: str


class BulkInvoiceChange(Answer):
    """A bulk change of invoices, with its progress."""

    id: str
    verb: Done
    state: Annotated[State, Meta(description="While it is GOING_ON, a background task is working on it.")]
    actor: Annotated[str, Meta(description="Who started it: a member, an API key, or a part of Prorata.")]
    message: Annotated[str, Meta(description="The status of the change, in a sentence.")]
    total: int
    changed: int
    unchanged: Annotated[int, Meta(description="Invoices that were already in the requested state.")]
    refused: int
    waiting: int
    refusals: Annotated[
        list[RefusedInvoice],
        Meta(description="The first 100 refused invoices, with the reason for each; omitted from lists of changes."),
    ]
    mail: Annotated[
        list[str],
        Meta(description="What happens to their e-mails: how many are sent and when, and how many go on paper."),
    ]
    property_id: Annotated[
        str | None, Meta(description="The property, if all invoices are for the same month of one property.")
    ]
    month: Annotated[str | None, Meta(description="That month, as YYYY-MM.")]
    stopped_because: str | None
    can_undo: bool
    can_resume: bool
    is_undone: bool
    created_at: Timestamp


class BulkInvoiceChanges(Answer):
    """Bulk changes of invoices, newest first."""

    data: list[BulkInvoiceChange]
    next: Annotated[str | None, Meta(description="The `before` value for the next entries; null at the end.")]
