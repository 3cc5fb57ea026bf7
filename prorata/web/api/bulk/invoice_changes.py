"""Bulk changes of invoices: starting, reading, stopping, resuming and undoing."""

from typing import Any

from prorata.actions.accounts import access
from prorata.actions.bulk import bulk, bulk_questions
from prorata.actions.bulk.bulk import ShownBulk
from prorata.domain.locale_forms import PLAIN
from prorata.domain.problems import Problem
from prorata.errors import InvalidRequest
from prorata.ids import is_id
from prorata.store.bulk.bulk import Place
from prorata.web.api.bulk.invoice_change_schemas import (
    STATES,
    BulkInvoiceChange,
    BulkInvoiceChanges,
    InvoiceChangesQuery,
    InvoicesChange,
    RefusedInvoice,
    verb_of,
    written,
)
from prorata.web.api.examples import INVOICES_CHANGED
from prorata.web.http.operations import Call, operation
from prorata.web.http.request_schemas import given

_KIND = ("change of invoices",)
_NO_INVOICE = "No invoice has this id."


def shown(change: ShownBulk, place: Place | None = None, mail: tuple[str, ...] = ()) -> dict[str, Any]:
    """Convert a bulk change to its fields in the API."""
    numbers = change.numbers
    return {
        "id": change.id,
        "verb": written(change.verb),
        "state": STATES[change.state],
        "actor": change.actor,
        "message": change.says,
        "total": numbers.total,
        "changed": numbers.changed,
        "unchanged": numbers.unchanged,
        "refused": numbers.refused,
        "waiting": numbers.waiting,
        "refusals": [
            RefusedInvoice(
                invoice_id=refused_item.invoice_id, invoice_number=refused_item.invoice_number, reason=refused_item.why
            )
            for refused_item in change.refused
        ],
        "mail": list(mail),
        "property_id": place.property_id if place else None,
        "month": place.month if place else None,
        "stopped_because": change.why,
        "can_undo": change.can_undo,
        "can_resume": change.can_go_on,
        "is_undone": bool(change.is_undone),
        "created_at": change.created_at,
    }


def fields_of(call: Call[Any, Any], change_id: str) -> dict[str, Any]:
    """Read a bulk change, and return its current state as fields of the API.

    Raises `NotFound` if there is no such bulk change.
    """
    bulk_review = bulk_questions.review(call.tx, call.caller, change_id, mail_held=call.mail_held)
    return shown(bulk_review.change, bulk_review.place, bulk_review.of_mail)


def read(call: Call[Any, Any], change_id: str) -> BulkInvoiceChange:
    """Read a bulk change in the API's format.

    Raises `NotFound` if there is no such change.
    """
    return BulkInvoiceChange(**fields_of(call, change_id))


@operation(
    "GET", "/invoice-changes", at_once=True, summary="List changes of many invoices", query=InvoiceChangesQuery,
    answer=BulkInvoiceChanges,
)  # fmt: skip
def list_invoice_changes(call: Call[InvoiceChangesQuery, None]) -> BulkInvoiceChanges:
    """List the last week's bulk changes of invoices, newest first, without their refused invoices."""
    query = call.query
    changes = bulk.latest(call.tx, call.caller, limit=query.limit + 1, before=given(query.before), write=PLAIN)
    page = changes[: query.limit]
    return BulkInvoiceChanges(
        data=[BulkInvoiceChange(**shown(shown_bulk)) for shown_bulk in page],
        next=page[-1].id if len(changes) > len(page) else None,
    )


@operation(
    "GET", "/invoice-changes/{id}", at_once=True, summary="Read a change of many invoices", answer=BulkInvoiceChange,
    missing=_KIND,
)  # fmt: skip
def read_invoice_change(call: Call[None, None]) -> BulkInvoiceChange:
    """Read a bulk change: its progress, its e-mails, and the refused invoices with reasons."""
    return read(call, call.path["id"])


@operation(
    "POST", "/invoice-changes", summary="Change many invoices", body=InvoicesChange, answer=BulkInvoiceChange,
    status=201, example=INVOICES_CHANGED,
    conflict="All that are to be sent are of vacant units, none can be e-mailed again or reminded of, or "
    "none is to be handed over.",
)  # fmt: skip
def begin_invoice_change(call: Call[None, InvoicesChange]) -> BulkInvoiceChange:
    """Start an action on many invoices, each of which is changed or refused separately.

    The reason for each refusal is stored. Up to 20 invoices are changed before the answer. If you name more, a
    background job changes them; read the bulk change again while its `state` is GOING_ON. REMIND e-mails a
    reminder of each invoice that is due and unpaid, at most once a day. HAND_OVER records that the tenants have
    received the paper invoices that were to be handed over.
    """
    body = call.body
    if none := [at for at, invoice_id in enumerate(body.invoice_ids) if not is_id(invoice_id, "inv")]:
        raise InvalidRequest.because([Problem(f"invoiceIds[{at}]", _NO_INVOICE) for at in none])
    begun = bulk.begin(call.tx, call.caller, verb_of(body.verb), body.invoice_ids, receipts=body.receipts)
    return read(call, begun.id)


@operation(
    "POST", "/invoice-changes/{id}/stop", summary="Stop a change of many invoices", answer=BulkInvoiceChange,
    status=200, missing=_KIND, conflict="The change has ended.",
)  # fmt: skip
def stop_invoice_change(call: Call[None, None]) -> BulkInvoiceChange:
    """Stop a bulk change; the remaining invoices stay as they are."""
    return read(call, bulk.stop(call.tx, call.caller, call.path["id"]).id)


@operation(
    "POST", "/invoice-changes/{id}/resume", summary="Go on with a change of many invoices", answer=BulkInvoiceChange,
    status=200, missing=_KIND, conflict="The change is still in progress, is done, or has been undone.",
)  # fmt: skip
def resume_invoice_change(call: Call[None, None]) -> BulkInvoiceChange:
    """Resume a bulk change that a person or a failure of its job stopped."""
    return read(call, bulk.resume(call.tx, call.caller, call.path["id"]).id)


@operation(
    "POST", "/invoice-changes/{id}/undo", summary="Take back a change of many invoices", answer=BulkInvoiceChange,
    status=201, missing=_KIND, conflict="The change is still in progress, has changed nothing that can be undone, or "
                                        "has already been undone.",
)  # fmt: skip
def undo_invoice_change(call: Call[None, None]) -> BulkInvoiceChange:
    """Undo a bulk change, except on invoices that have been changed again since.

    The undo is itself a new bulk change. E-mails that have not been sent yet are withdrawn, but e-mails that were
    sent can't be recalled.
    """
    access.bulk_change(call.tx, call.caller, call.path["id"])
    return read(call, bulk.undo(call.tx, call.caller, call.path["id"]).id)
