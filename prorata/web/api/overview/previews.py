"""Previews, which make and undo changes to show their effect on invoices.

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
from prorata.web.http.operation_runner import API, NoBody, NoQuery, routed
from prorata.web.http.operations import OPERATIONS, Call, Operation, operation
from prorata.web.http.routing import Router
from prorata.web.http.scopes import refuse_without


class _Asked(NamedTuple):
    """A request that can be previewed, with its path parameters."""

    operation: Operation
    moves: Touches
    held: dict[str, str]
    sent: dict[str, Any] | None

    @property
    def record_id(self) -> str:
        """The record whose invoices change.

        Its id is the body's property, or is in the path.
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
    """Preview the effect of 1 to 20 changes on invoices, which are then undone.

    The changes are made one after another. They can concern bills, documents, share rules, split methods, units,
    tenants, corrections and invoices' status. If one of them would be refused, the answer is that refusal with the
    change's position. A preview does not accept an Idempotency-Key. Each change counts as a request.
    """
    asked = _resolved(call)
    found = previews.touched(call.tx, call.caller, [(one.moves, one.record_id) for one in asked])
    return shown(previews.preview(call.tx, call.caller, found, _changes(call, asked)))


@cache
def _router() -> Router[Operation]:
    """Build the router of the operations that can be previewed."""
    return Router([one for one in OPERATIONS if one.moves is not None])


def _resolved(call: Call[None, PreviewRequests]) -> list[_Asked]:
    """Resolve the requested operations.

    Raises `InvalidRequest` if one can't be previewed, and `Forbidden` if the key may not do it.
    """
    found: list[_Asked] = []
    problems: list[Problem] = []
    for at, one in enumerate(call.body.requests):
        is_path = one.path.startswith("/") and "?" not in one.path
        try:
            wanted, held = _router().find(one.method, routed(one.path).removeprefix(API) if is_path else "")
        except (NotFound, MethodNotAllowed):
            said = f"Request {at + 1} can't be previewed: it is no change of a bill, share rule, split method, "
            said += "unit, tenant or correction, or of the status of an invoice."
            problems.append(Problem(f"requests[{at}]", said))
            continue
        assert wanted.moves is not None, "the router has those that can be previewed"
        refuse_without(call.grant, wanted, f"requests[{at}]")
        found.append(_Asked(wanted, wanted.moves, held, one.body))
    if problems:
        raise InvalidRequest.because(problems)
    return found


def _changes(call: Call[None, PreviewRequests], asked: Sequence[_Asked]) -> list[Callable[[], None]]:
    """Build a function for each change, which makes it as if it came alone."""
    return [partial(_do, call, one, at, len(asked)) for at, one in enumerate(asked)]


def _do(call: Call[Any, Any], one: _Asked, at: int, of: int) -> None:
    """Make one of the changes with everything that follows from it.

    Raises the change's refusal with its position, unless the refusal is unrelated to the change, such as an unavailable
    database.
    """
    try:
        body = read_members(one.sent or {}, one.operation.body or NoBody)
        one.operation.work(replace(call, path=one.held, query=NoQuery(), body=body))
        call.tx.finish()
        call.tx.next_moment()
    except Unavailable:
        raise
    except Refusal as refused:
        raise refused.placed(f"Request {at + 1} of {of} would be refused", f"requests[{at}]") from None


def shown(preview: Preview) -> PreviewAnswer:
    """Convert a preview to the form of the API."""
    return PreviewAnswer(
        months=[_month(preview, one) for one in preview.months],
        units=[schemas.PreviewedUnit(**_sum(preview, one)) for one in preview.units],
        households=[
            schemas.PreviewedHousehold(
                **_sum(preview, one),
                tenant_id=_known(preview, one.tenant_id),
                tenant_name=preview.names.get(one.tenant_id or ""),
            )
            for one in preview.households
        ],
        owners=[
            schemas.PreviewedOwner(property_id=of, total=_moved(one.asked), pending=_moved(one.waiting))
            for of, one in preview.owners.items()
        ],
        corrections=[_correction(preview, one) for one in preview.corrections],
    )


def _known(preview: Preview, name: str | None) -> str | None:
    """Return an id or number if it already exists, or null if it is new."""
    return name if name in preview.known else None


def _moved(one: Moved) -> schemas.Moved:
    return schemas.Moved(
        before=in_figures(one.before), after=in_figures(one.after), difference=in_figures(one.difference)
    )


def _sum(preview: Preview, one: Sum) -> dict[str, Any]:
    return {
        "property_id": one.property_id,
        "unit_id": _known(preview, one.unit_id),
        "unit_label": preview.labels[one.unit_id],
        "total": _moved(one.asked),
        "pending": _moved(one.waiting),
    }


def _month(preview: Preview, one: ChangedMonth) -> schemas.PreviewedMonth:
    return schemas.PreviewedMonth(
        property_id=one.shown.property_id,
        month=one.shown.month,
        closed_before=one.before is not None and one.before.is_closed,
        closed_after=one.after is not None and one.after.is_closed,
        total=_moved(one.total),
        owner=_moved(one.owner),
        invoices=[_invoice(preview, invoice) for invoice in one.invoices],
    )


def _invoice(preview: Preview, one: ChangedInvoice) -> schemas.PreviewedInvoice:
    return schemas.PreviewedInvoice(
        id=one.before.id if one.before else None,
        unit_id=_known(preview, one.shown.unit_id),
        unit_label=preview.labels[one.shown.unit_id],
        sequence=one.shown.sequence,
        before=_state(preview, one.before),
        after=_state(preview, one.after),
        difference=in_figures(one.total.difference),
        charges=[_charge(preview, charge) for charge in one.charges],
    )


def _state(preview: Preview, one: SeenInvoice | None) -> schemas.InvoiceState | None:
    if one is None:
        return None
    return schemas.InvoiceState(
        status=one.status,  # type: ignore[arg-type]
        invoice_number=_known(preview, one.number),
        replaces_number=_known(preview, one.replaces_number),
        invoice_date=first_instant_of_day(one.invoice_date),
        due_date=one.due_date,
        total_amount=in_figures(one.total),
        paid_amount=in_figures(one.paid_amount),
        payment_status=one.payment_status,
        tenant_id=_known(preview, one.tenant_id),
        tenant_name=one.tenant_name,
    )


def _charge(preview: Preview, one: ChangedCharge) -> schemas.PreviewedCharge:
    its = one.shown
    return schemas.PreviewedCharge(
        utility_bill_id=_known(preview, its.bill_id),
        line=its.line,
        utility_type=its.utility_type,  # type: ignore[arg-type]
        corrects_month=its.corrects_month,
        before=_charge_state(one.before),
        after=_charge_state(one.after),
        difference=in_figures(one.amount.difference),
    )


def _charge_state(one: SeenCharge | None) -> schemas.ChargeState | None:
    return schemas.ChargeState(amount=in_figures(one.amount), description=one.description) if one else None


def _correction(preview: Preview, one: ChangedCorrection) -> schemas.PreviewedCorrection:
    its = one.shown
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
        before=_correction_state(one.before),
        after=_correction_state(one.after),
    )


def _correction_state(one: SeenCorrection | None) -> schemas.CorrectionState | None:
    if one is None:
        return None
    return schemas.CorrectionState(
        right=in_figures(one.right),
        issued=in_figures(one.issued),
        difference=in_figures(one.right - one.issued),
        pending=in_figures(one.waiting),
        placed=in_figures(one.placed),
        left_to_owner=in_figures(one.left_to_owner),
        carrier_month=one.carrier,
    )
