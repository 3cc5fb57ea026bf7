"""Corrections of closed months (docs/decisions.md#corrections)."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from prorata.actions.invoices import previews
from prorata.actions.recalculation import correction_decisions
from prorata.actions.recalculation.correction_decisions import Place, ShownCorrection
from prorata.domain.groups import grouped
from prorata.domain.money import in_figures
from prorata.web.api.examples import CORRECTIONS_SENT
from prorata.web.http.fields import MonthText
from prorata.web.http.limits import MOST_MONTHS_DECIDED
from prorata.web.http.operations import Call, operation
from prorata.web.http.request_schemas import Body, PageQuery, given
from prorata.web.http.response_schemas import Answer, Correction, Figures, Page, page_of


class CorrectionQuery(PageQuery):
    """The month whose corrections to list, and the page of the list."""

    month: (
        Annotated[MonthText, Meta(description="Only this month's corrections; if omitted, those of all months.")]
        | UnsetType
    ) = UNSET


class CorrectionDecision(Body):
    """The decision (`place`) about the corrections of one or more months."""

    months: Annotated[list[MonthText], Meta(min_length=1, max_length=MOST_MONTHS_DECIDED)]
    place: Place


class DecidedMonth(Answer):
    """The sums of a month's corrections after a decision."""

    month: str
    corrections: Annotated[int, Meta(description="The number of the month's corrections.")]
    pending: Annotated[Figures, Meta(description="The sum that still waits.")]
    placed: Annotated[Figures, Meta(description="The sum placed on invoices that aren't sent yet.")]
    left_to_owner: Annotated[Figures, Meta(description="The sum left to the owner.")]
    carrier_month: Annotated[
        str | None, Meta(description="The month whose invoices carry the placed sum, or would carry the pending one.")
    ]


def shown(correction: ShownCorrection) -> Correction:
    """Convert a correction to the API's format."""
    row = correction.row
    return Correction(
        month=row.month,
        unit_id=row.unit_id or None,
        unit_label=correction.unit_label or None,
        tenant_id=row.tenant_id or None,
        tenant_name=correction.tenant_name,
        utility_bill_id=row.bill_id,
        line=row.line,
        utility_type=row.utility_type,  # type: ignore[arg-type]
        right=in_figures(row.right_amount),
        issued=in_figures(row.issued_amount),
        difference=in_figures(row.right_amount - row.issued_amount),
        pending=in_figures(row.waiting_amount),
        placed=in_figures(row.to_charge_amount),
        left_to_owner=in_figures(row.left_amount),
        carrier_month=correction.goes_to,
        description=row.description,
    )


@operation(
    "GET", "/properties/{propertyId}/corrections", summary="List corrections", answer=Page[Correction],
    query=CorrectionQuery, missing=("property",),
)  # fmt: skip
def list_corrections(call: Call[CorrectionQuery, None]) -> Page[Correction]:
    """List a page of the corrections of a property's closed months.

    The corrections are sorted by month, household and line. Each states the correct amount, the amount on the
    closed month's invoices, the pending amount, the amount that later invoices carry, the month of these later
    invoices, and the amount left to the owner.
    """
    query, month = call.query, given(call.query.month)
    corrections, total = correction_decisions.page(
        call.tx, call.caller, call.path["propertyId"], month, limit=query.limit, offset=query.offset
    )
    return page_of([shown(correction) for correction in corrections], total, query)


@operation(
    "POST", "/properties/{propertyId}/corrections", summary="Decide corrections", body=CorrectionDecision,
    moves=previews.of_property, answer=list[DecidedMonth], status=200, missing=("property",), example=CORRECTIONS_SENT,
    conflict="One of the months has no corrections to decide.",
)  # fmt: skip
def decide_corrections(call: Call[None, CorrectionDecision]) -> list[DecidedMonth]:
    """Decide about the corrections of one or more months.

    The decision `next` puts pending corrections on the next invoices, and `owner` leaves them to the owner.
    `revoke` undoes earlier decisions: those that left amounts to the owner, and those that put amounts on invoices
    that have not been sent yet. If the account puts corrections on invoices automatically, `revoke` undoes only
    the decisions that left amounts to the owner. The answer sums up the corrections of each month; `GET
    /properties/{propertyId}/corrections` lists them one by one.
    """
    body = call.body
    corrections = correction_decisions.decide(call.tx, call.caller, call.path["propertyId"], body.months, body.place)
    by_month = grouped((correction.row.month, correction) for correction in corrections)
    return [_decided(month, some) for month, some in by_month.items()]


def _decided(month: str, corrections: list[ShownCorrection]) -> DecidedMonth:
    rows = [correction.row for correction in corrections]
    return DecidedMonth(
        month=month,
        corrections=len(rows),
        pending=in_figures(sum(row.waiting_amount for row in rows)),
        placed=in_figures(sum(row.to_charge_amount for row in rows)),
        left_to_owner=in_figures(sum(row.left_amount for row in rows)),
        carrier_month=next((correction.goes_to for correction in corrections if correction.goes_to), None),
    )
