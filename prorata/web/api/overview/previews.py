"""Previews, which make changes, read their effect on invoices, and undo the changes.

See docs/decisions.md#previews.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any, NamedTuple

from prorata.actions.invoices import previews
from prorata.actions.invoices.previews import Touches
from prorata.domain.invoices.previews import (
    ChangedCharge,
    ChangedCorrection,
    ChangedInvoice,
    ChangedMonth,
    Moved,
    Preview,
    SeenCharge,
    SeenCorrection,
    SeenInvoice,
    Sum,
)
from prorata.domain.money import in_figures
from prorata.domain.problems import Problem
from prorata.errors import InvalidRequest, MethodNotAllowed, NotFound, Refusal, Unavailable
from prorata.web.api.examples import PREVIEW_SENT
from prorata.web.api.overview import preview_schemas as schemas
from prorata.web.api.overview.preview_schemas import PreviewAnswer, PreviewRequests
from prorata.web.http.decoding import read_members
from prorata.web.http.encoding import first_instant_of_day
from prorata.web.http.operation_runner import NoBody, NoQuery
from prorata.web.http.operations import OPERATIONS, Call, Operation, operation
from prorata.web.http.routing import API, Router, routed
from prorata.web.http.scopes import refuse_without


class _Asked(NamedTuple):
    """A requested change that can be previewed, with the parameters in its path."""

    operation: Operation
    moves: Touches
    held: dict[str, str]
    sent: dict[str, Any] | None

    @property
    def record_id(self) -> str:
        """The id of the record whose invoices the change affects.

        This is the `propertyId` in the body or, if there is none, the first id in the path.
        """
        named = (self.sent or {}).get("propertyId")
        return named if isinstance(named, str) else next(iter(self.held.values()), "")


@operation(
    "POST", "/previews", summary="Preview changes", body=PreviewRequests, answer=PreviewAnswer, undone=True,
    carries=lambda body: len(body.requests),
    missing=(
        "property", "unit", "tenant", "share rule", "split method", "invoice", "custom charge", "utility bill", "flag",
        "month", "document",
    ),
    conflict="One of the changes would be refused in this form, or the changes would take longer than a preview "
             "allows.", example=PREVIEW_SENT,
)  # fmt: skip
def preview_changes(call: Call[None, PreviewRequests]) -> PreviewAnswer:
    """Preview the effect of 1 to 20 changes on invoices; nothing is saved.

    The changes are made one after another, and then undone. They can concern bills, documents, share rules, split
    methods, units, tenants, corrections and invoices' status. If a change would be refused, the answer is its
    refusal, with the position of the change. A preview does not accept an Idempotency-Key. Toward the rate limits,
    each change counts as a request.
    """
    asked = _resolved(call)
    property_ids = previews.touched(call.tx, call.caller, [(change.moves, change.record_id) for change in asked])
    return shown(previews.preview(call.tx, call.caller, property_ids, _changes(call, asked)))


@cache
def _router() -> Router[Operation]:
    """Build the router of the operations that can be previewed."""
    return Router([declared for declared in OPERATIONS if declared.moves is not None])


def _resolved(call: Call[None, PreviewRequests]) -> list[_Asked]:
    """Find the operation that each request of a preview calls.

    Raises `InvalidRequest` if a request can't be previewed, and `Forbidden` if the key may not make the requested
    change.
    """
    changes: list[_Asked] = []
    problems: list[Problem] = []
    for at, previewed_request in enumerate(call.body.requests):
        is_path = previewed_request.path.startswith("/") and "?" not in previewed_request.path
        try:
            wanted, held = _router().find(
                previewed_request.method, routed(previewed_request.path).removeprefix(API) if is_path else ""
            )
        except (NotFound, MethodNotAllowed):
            message = f"Request {at + 1} can't be previewed: it is no change of a bill, share rule, split method, "
            message += "unit, tenant or correction, or of the status of an invoice."
            problems.append(Problem(f"requests[{at}]", message))
            continue
        assert wanted.moves is not None, "the router has those that can be previewed"
        refuse_without(call.grant, wanted, f"requests[{at}]")
        changes.append(_Asked(wanted, wanted.moves, held, previewed_request.body))
    if problems:
        raise InvalidRequest.because(problems)
    return changes


def _changes(call: Call[None, PreviewRequests], asked: Sequence[_Asked]) -> list[Callable[[], None]]:
    """Build, for each requested change, a function that makes this change."""
    return [partial(_do, call, change, at, len(asked)) for at, change in enumerate(asked)]


def _do(call: Call[Any, Any], change: _Asked, at: int, of: int) -> None:
    """Make one change of a preview, and everything that follows from it.

    `at` is the change's position, from 0, among the `of` changes of the preview. If the change is refused, its
    refusal is raised and names this position. Only `Unavailable` is raised without a position, because the change
    is not its cause.
    """
    try:
        body = read_members(change.sent or {}, change.operation.body or NoBody)
        change.operation.work(replace(call, path=change.held, query=NoQuery(), body=body))
        call.tx.finish()
        call.tx.next_moment()
    except Unavailable:
        raise
    except Refusal as refused:
        raise refused.placed(f"Request {at + 1} of {of} would be refused", f"requests[{at}]") from None


def shown(preview: Preview) -> PreviewAnswer:
    """Convert a preview to the API's format."""
    return PreviewAnswer(
        months=[_month(preview, month) for month in preview.months],
        units=[schemas.PreviewedUnit(**_sum(preview, unit)) for unit in preview.units],
        households=[
            schemas.PreviewedHousehold(
                **_sum(preview, household),
                tenant_id=_known(preview, household.tenant_id),
                tenant_name=preview.names.get(household.tenant_id or ""),
            )
            for household in preview.households
        ],
        owners=[
            schemas.PreviewedOwner(property_id=of, total=_moved(owner_sum.asked), pending=_moved(owner_sum.waiting))
            for of, owner_sum in preview.owners.items()
        ],
        corrections=[_correction(preview, correction) for correction in preview.corrections],
    )


def _known(preview: Preview, name: str | None) -> str | None:
    """Return an id or invoice number, or None if the preview itself created it."""
    return name if name in preview.known else None


def _moved(moved: Moved) -> schemas.Moved:
    return schemas.Moved(
        before=in_figures(moved.before), after=in_figures(moved.after), difference=in_figures(moved.difference)
    )


def _sum(preview: Preview, its_sum: Sum) -> dict[str, Any]:
    return {
        "property_id": its_sum.property_id,
        "unit_id": _known(preview, its_sum.unit_id),
        "unit_label": preview.labels[its_sum.unit_id],
        "total": _moved(its_sum.asked),
        "pending": _moved(its_sum.waiting),
    }


def _month(preview: Preview, changed: ChangedMonth) -> schemas.PreviewedMonth:
    return schemas.PreviewedMonth(
        property_id=changed.shown.property_id,
        month=changed.shown.month,
        closed_before=changed.before is not None and changed.before.is_closed,
        closed_after=changed.after is not None and changed.after.is_closed,
        total=_moved(changed.total),
        owner=_moved(changed.owner),
        invoices=[_invoice(preview, invoice) for invoice in changed.invoices],
    )


def _invoice(preview: Preview, changed: ChangedInvoice) -> schemas.PreviewedInvoice:
    return schemas.PreviewedInvoice(
        id=changed.before.id if changed.before else None,
        unit_id=_known(preview, changed.shown.unit_id),
        unit_label=preview.labels[changed.shown.unit_id],
        sequence=changed.shown.sequence,
        before=_state(preview, changed.before),
        after=_state(preview, changed.after),
        difference=in_figures(changed.total.difference),
        charges=[_charge(preview, charge) for charge in changed.charges],
    )


def _state(preview: Preview, invoice: SeenInvoice | None) -> schemas.InvoiceState | None:
    if invoice is None:
        return None
    return schemas.InvoiceState(
        status=invoice.status,  # type: ignore[arg-type]
        invoice_number=_known(preview, invoice.number),
        replaces_number=_known(preview, invoice.replaces_number),
        invoice_date=first_instant_of_day(invoice.invoice_date),
        due_date=invoice.due_date,
        total_amount=in_figures(invoice.total),
        paid_amount=in_figures(invoice.paid_amount),
        payment_status=invoice.payment_status,
        tenant_id=_known(preview, invoice.tenant_id),
        tenant_name=invoice.tenant_name,
    )


def _charge(preview: Preview, changed: ChangedCharge) -> schemas.PreviewedCharge:
    its = changed.shown
    return schemas.PreviewedCharge(
        utility_bill_id=_known(preview, its.bill_id),
        line=its.line,
        utility_type=its.utility_type,  # type: ignore[arg-type]
        corrects_month=its.corrects_month,
        before=_charge_state(changed.before),
        after=_charge_state(changed.after),
        difference=in_figures(changed.amount.difference),
    )


def _charge_state(charge: SeenCharge | None) -> schemas.ChargeState | None:
    return schemas.ChargeState(amount=in_figures(charge.amount), description=charge.description) if charge else None


def _correction(preview: Preview, changed: ChangedCorrection) -> schemas.PreviewedCorrection:
    its = changed.shown
    return schemas.PreviewedCorrection(
        property_id=its.property_id,
        month=its.month,
        unit_id=_known(preview, its.unit_id),
        unit_label=preview.labels.get(its.unit_id),
        tenant_id=_known(preview, its.tenant_id),
        tenant_name=preview.names.get(its.tenant_id),
        utility_bill_id=_known(preview, its.bill_id),
        line=its.line,
        utility_type=its.utility_type,  # type: ignore[arg-type]
        before=_correction_state(changed.before),
        after=_correction_state(changed.after),
    )


def _correction_state(correction: SeenCorrection | None) -> schemas.CorrectionState | None:
    if correction is None:
        return None
    return schemas.CorrectionState(
        right=in_figures(correction.right),
        issued=in_figures(correction.issued),
        difference=in_figures(correction.right - correction.issued),
        pending=in_figures(correction.waiting),
        placed=in_figures(correction.placed),
        left_to_owner=in_figures(correction.left_to_owner),
        carrier_month=correction.carrier,
    )
