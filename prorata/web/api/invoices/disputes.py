"""Disputes about charges: opening, reading, answering and ending (docs/disputes.md)."""

from prorata.actions.delivery import dispute_ends, disputes, question_replies
from prorata.actions.delivery.disputes import Opening, ShownDispute
from prorata.domain.money import in_figures
from prorata.web.api.examples import DISPUTE_SENT
from prorata.web.api.invoices.dispute_schemas import Dispute, DisputeAnswer, DisputeEnd, DisputeOpening, DisputesQuery
from prorata.web.http.operations import Call, operation
from prorata.web.http.request_schemas import cents_of, sent_fields
from prorata.web.http.response_schemas import Page, part_of

_FILTERS = {"invoice_id": "invoice", "property_id": "property", "status": "state"}
_ENDED = "The dispute has ended."


def shown(dispute: ShownDispute) -> Dispute:
    """Convert a dispute to the API's format."""
    row = dispute.row
    return Dispute(
        id=row.question_id,
        invoice_id=row.invoice_id,
        invoice_number=row.number,
        property_id=row.property_id,
        unit_id=row.unit_id,
        tenant_id=row.tenant_id,
        charge_id=row.charge_id,
        charged=in_figures(row.charged),
        amount=in_figures(row.amount),
        text=row.asked,
        status=row.state,  # type: ignore[arg-type]
        opened_at=row.asked_at,
        opened_by=row.opened_by,
        answer_by=row.answer_by,
        answer=row.reply,
        answered_at=row.answered_at,
        ended_at=row.ended_at,
        reason=row.reason,
        correction=None if row.corrected is None else in_figures(row.corrected),
        carrier_month=row.carrier,
        files=[file.name for file in dispute.files],
    )


@operation("GET", "/disputes", at_once=True, summary="List disputes", query=DisputesQuery, answer=Page[Dispute])
def list_disputes(call: Call[DisputesQuery, None]) -> Page[Dispute]:
    """List a page of your disputes, latest first; `status=OPEN` lists only the open ones."""
    query = call.query
    filters = {_FILTERS[name]: value for name, value in sent_fields(query).items() if name in _FILTERS}
    its_page = disputes.listed(call.tx, call.caller, filters, query.window)
    return part_of([shown(row) for row in its_page.rows], its_page, query)


@operation("GET", "/disputes/{id}", at_once=True, summary="Read a dispute", answer=Dispute, missing=("dispute",))
def read_dispute(call: Call[None, None]) -> Dispute:
    """Read a dispute, with your answer and, once the dispute has ended, its outcome."""
    return shown(disputes.find(call.tx, call.caller, call.path["id"]))


@operation(
    "POST", "/invoices/{id}/disputes", summary="Dispute a charge", body=DisputeOpening, answer=Dispute, status=201,
    missing=("invoice",), example=DISPUTE_SENT,
    conflict="The invoice is a draft or cancelled, or the charge already has an open dispute.",
)  # fmt: skip
def open_dispute(call: Call[None, DisputeOpening]) -> Dispute:
    """Dispute a charge on the tenant's behalf.

    While the dispute is open, no reminders are sent for the disputed amount, and the invoice becomes OVERDUE only for
    the undisputed amount.
    """
    body = call.body
    opening = Opening(body.charge_id, cents_of(body.amount), body.text)
    row = disputes.open_one(call.tx, call.caller, call.path["id"], opening)
    return shown(disputes.find(call.tx, call.caller, row.id))


@operation(
    "POST", "/disputes/{id}/answer", summary="Answer a dispute", body=DisputeAnswer, answer=Dispute, status=200,
    missing=("dispute",), conflict="The dispute has ended.",
    example={"text": "We are looking into it."},
)  # fmt: skip
def answer_dispute(call: Call[None, DisputeAnswer]) -> Dispute:
    """Answer a dispute by e-mail and on the tenant's page; the dispute stays open."""
    dispute = disputes.find(call.tx, call.caller, call.path["id"])
    by = disputes.name_of(call.tx, call.caller) or ""
    question_replies.reply(call.tx, call.caller, dispute.row.question_id, call.body.text, by)
    return shown(disputes.find(call.tx, call.caller, dispute.row.question_id))


@operation(
    "POST", "/disputes/{id}/resolve", summary="Resolve a dispute", body=DisputeEnd, answer=Dispute, status=200,
    missing=("dispute",), conflict=f"{_ENDED} Or its charge has no correction to end it by, or one that waits.",
    example={"by": "REASON", "reason": "The meter was read twice."},
)  # fmt: skip
def resolve_dispute(call: Call[None, DisputeEnd]) -> Dispute:
    """End a dispute, either for a reason or because its charge was corrected.

    The correction results from a change to the charge's bill, or from sending the disputed invoice again. The
    tenant is told the amount, and the month whose invoice carries the correction.
    """
    reason = sent_fields(call.body).get("reason", "")
    if call.body.by == "CORRECTION":
        dispute_ends.resolve_by_correction(call.tx, call.caller, call.path["id"], reason)
    else:
        dispute_ends.resolve(call.tx, call.caller, call.path["id"], reason)
    return shown(disputes.find(call.tx, call.caller, call.path["id"]))


@operation(
    "POST", "/disputes/{id}/withdraw", summary="Withdraw a dispute", answer=Dispute, status=200, missing=("dispute",),
    conflict=_ENDED,
)  # fmt: skip
def withdraw_dispute(call: Call[None, None]) -> Dispute:
    """End a dispute that the tenant has withdrawn or no longer pursues."""
    dispute_ends.withdraw(call.tx, call.caller, call.path["id"])
    return shown(disputes.find(call.tx, call.caller, call.path["id"]))
