"""Parallel runs of many months: what an older way charged in each, beside what Prorata charges."""

from typing import Annotated, Literal

from msgspec import Meta

from prorata.actions.months import parallel_runs
from prorata.domain.money import in_figures
from prorata.domain.months.former_charges import TheirCharge
from prorata.web.api.examples import MONTHS_COMPARED
from prorata.web.api.months.comparisons import FormerCharge
from prorata.web.http.fields import MonthText, line
from prorata.web.http.limits import MOST_CHARGES_COMPARED
from prorata.web.http.operations import Call, operation
from prorata.web.http.request_schemas import Body, cents_of
from prorata.web.http.response_schemas import Answer, Figures


class FormerChargeOfMonth(FormerCharge, kw_only=True):
    """What the old way charged a unit of a property for a month."""

    property_id: Annotated[str, line(64)]
    month: MonthText


class MonthsComparison(Body):
    """What the old way charged in months of properties."""

    charges: Annotated[list[FormerChargeOfMonth], Meta(min_length=1, max_length=MOST_CHARGES_COMPARED)]


class ComparedMonth(Answer):
    """A month of a property, both ways."""

    property_id: str
    month: str
    outcome: Literal["SAME", "DIFFERS", "NO_BILLS"]
    theirs: Figures
    ours: Figures
    differing: Annotated[int, Meta(description="In how many of its units they differ.")]
    units: int
    reason: str | None


@operation(
    "POST", "/comparisons", summary="Compare many months", body=MonthsComparison, answer=list[ComparedMonth],
    status=200, missing=("property",), example=MONTHS_COMPARED,
)  # fmt: skip
def compare_months(call: Call[None, MonthsComparison]) -> list[ComparedMonth]:
    """Each month of a property that you send charges of, both ways, by property and month. Nothing is written."""
    charges = [_charge(at, one) for at, one in enumerate(call.body.charges, 1)]
    return [_shown(one) for one in parallel_runs.compare_many(call.tx, call.caller, charges)]


def _charge(at: int, one: FormerChargeOfMonth) -> TheirCharge:
    return TheirCharge(
        at, one.unit or "", cents_of(one.amount), one.property_id, one.month, one.tenant_name or "",
        one.utility_type or "",
    )  # fmt: skip


def _shown(one: parallel_runs.ComparedMonth) -> ComparedMonth:
    return ComparedMonth(
        property_id=one.property.id,
        month=one.month,
        outcome=one.outcome.upper().replace(" ", "_"),  # type: ignore[arg-type]
        theirs=in_figures(one.theirs),
        ours=in_figures(one.ours),
        differing=one.differing,
        units=one.units,
        reason=one.why or None,
    )
