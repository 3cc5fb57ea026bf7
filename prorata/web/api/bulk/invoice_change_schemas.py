"""Bulk changes of invoices as clients send and read them."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from prorata.domain.bulk.bulk import DONE, GOING_ON, STOPPED
from prorata.domain.bulk.verbs import BulkVerb
from prorata.web.http.limits import MOST_INVOICES_CHOSEN
from prorata.web.http.request_schemas import Body, Filter, Receipts
from prorata.web.http.response_schemas import Answer, Timestamp

Sent = Literal["SEND", "SEND_AGAIN", "REMIND", "HAND_OVER", "MARK_PAID", "CANCEL", "REOPEN"]
Done = Literal["SEND", "SEND_AGAIN", "REMIND", "HAND_OVER", "MARK_PAID", "CANCEL", "REOPEN", "UNDO", "NOT_HANDED_OVER"]
State = Literal["GOING_ON", "DONE", "STOPPED"]
STATES: dict[str, State] = {GOING_ON: "GOING_ON", DONE: "DONE", STOPPED: "STOPPED"}
InvoiceIds = Annotated[
    list[Filter], Meta(min_length=1, max_length=MOST_INVOICES_CHOSEN, description="The ids of the invoices.")
]


def verb_of(sent: Sent) -> BulkVerb:
    """Return the verb that a client names.

    >>> verb_of("MARK_PAID").value
    'mark paid'
    """
    return BulkVerb[sent]


def written(verb: str) -> Done:
    """Convert a verb's code to the API's name for it.

    >>> written("not handed over")
    'NOT_HANDED_OVER'
    """
    of = BulkVerb.of_code(verb)
    return (BulkVerb.MARK_PAID if of is BulkVerb.CONFIRM_PAID else of).name  # type: ignore[return-value]


class InvoicesChange(Body):
    """An action on many invoices, with their ids."""

    verb: Sent
    invoice_ids: InvoiceIds
    receipts: Receipts = False


class InvoiceChangesQuery(Body):
    """The page of a list of bulk changes."""

    before: (
        Annotated[Filter, Meta(description="Only what stands behind this one: the `next` of the answer before.")]
        | UnsetType
    ) = UNSET
    limit: Annotated[int, Meta(ge=1, le=100, description="Changes of an answer.")] = 20


class RefusedInvoice(Answer):
    """An invoice that was not changed, with the reason."""

    invoice_id: str
    invoice_number: Annotated[str | None, Meta(description="null: it is gone by now.")]
    reason: str


class BulkInvoiceChange(Answer):
    """A bulk change of invoices, with its progress."""

    id: str
    verb: Done
    state: Annotated[State, Meta(description="While it is GOING_ON, a task in the background goes on with it.")]
    actor: Annotated[str, Meta(description="Who began it: a member, an API key, or a part of Prorata.")]
    message: Annotated[str, Meta(description="How it stands, in a sentence.")]
    total: int
    changed: int
    unchanged: Annotated[int, Meta(description="What was so already.")]
    refused: int
    waiting: int
    refusals: Annotated[
        list[RefusedInvoice], Meta(description="The first 100 that were refused, and why; a list names none.")
    ]
    mail: Annotated[
        list[str], Meta(description="What is said of their e-mails: how many leave when, and how many go on paper.")
    ]
    property_id: Annotated[str | None, Meta(description="The property, where all are of one month of one.")]
    month: Annotated[str | None, Meta(description="That month, YYYY-MM.")]
    stopped_because: str | None
    can_undo: bool
    can_resume: bool
    is_undone: bool
    created_at: Timestamp


class BulkInvoiceChanges(Answer):
    """Bulk changes of invoices, newest first."""

    data: list[BulkInvoiceChange]
    next: Annotated[str | None, Meta(description="The `before` of what follows; null at the end.")]
