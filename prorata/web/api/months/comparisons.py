"""Parallel runs, which compare a former program's charges with Prorata's (docs/rules.md).

Nothing is saved.
"""

from collections.abc import Sequence
from typing import Annotated, Literal

from msgspec import Meta

from prorata.actions.months import parallel_runs
from prorata.domain.money import in_figures
from prorata.domain.months.former_charges import TheirCharge
from prorata.domain.months.parallel_runs import Kind, only_reason
from prorata.web.api.examples import CHARGES_COMPARED, MONTHS_COMPARED
from prorata.web.http.fields import MonthText, line
from prorata.web.http.figures import SignedFigures
from prorata.web.http.limits import MOST_CHARGES_COMPARED
from prorata.web.http.operations import Call, operation
from prorata.web.http.request_schemas import Body, UtilityTypeSent, cents_of
from prorata.web.http.response_schemas import Answer, Figures

_UNIT = "The unit's label or id; if empty, the unit is found by its tenant."
_Unit = Annotated[str, line(255, least=0), Meta(description=_UNIT)]
_Tenant = Annotated[str, line(255, least=0)]


class FormerCharge(Body, kw_only=True):
    """An amount that your former program charged a unit in the compared month."""

    amount: SignedFigures
    unit: _Unit = ""
    tenant: _Tenant = ""
    utility_type: UtilityTypeSent | None = None


class FormerChargeOfMonth(FormerCharge, kw_only=True):
    """An amount that your former program charged a unit, with its property and month."""

    property_id: Annotated[str, line(64)]
    month: MonthText


class MonthComparison(Body):
    """The charges of one property and month from your former program."""

    charges: Annotated[list[FormerCharge], Meta(min_length=1, max_length=MOST_CHARGES_COMPARED)]


class MonthsComparison(Body):
    """The charges of several properties and months from your former program."""

    charges: Annotated[list[FormerChargeOfMonth], Meta(min_length=1, max_length=MOST_CHARGES_COMPARED)]


class ComparedUnit(Answer):
    """The amounts that both programs charged one unit."""

    unit_id: Annotated[str | None, Meta(description="null: the property has no such unit.")]
    label: str
    theirs: Figures | None
    ours: Figures | None
    difference: Annotated[Figures, Meta(description="Prorata's amount minus the former program's.")]
    kind: Kind
    reason: str


class ComparedMonthInFull(Answer):
    """The amounts that both programs charged in a month, unit by unit."""

    theirs: Figures
    ours: Figures
    billed: Figures
    owner: Annotated[Figures, Meta(description="The part of the bills that the owner bears.")]
    agrees: bool
    cause: Annotated[
        str | None, Meta(description="The cause that explains the whole difference, if there is a single one.")
    ]
    split_method: Annotated[str | None, Meta(description="A split method that produces the former program's amounts.")]
    units: list[ComparedUnit]


class ComparedMonth(Answer):
    """The totals that both programs charged for a property's month."""

    property_id: str
    month: str
    outcome: Literal["SAME", "DIFFERS", "NO_BILLS"]
    theirs: Figures
    ours: Figures
    differing: Annotated[
        int,
        Meta(
            description="The number of units that differ; a vacant unit without an amount "
            "from the former program isn't counted."
        ),
    ]
    units: int
    reason: str | None


def _charges(sent: Sequence[FormerCharge], house: str = "", month: str = "") -> list[TheirCharge]:
    return [
        TheirCharge(
            at,
            former_charge.unit,
            cents_of(former_charge.amount),
            getattr(former_charge, "property_id", house),
            getattr(former_charge, "month", month),
            former_charge.tenant,
            former_charge.utility_type or "",
        )
        for at, former_charge in enumerate(sent, 1)
    ]


@operation(
    "POST", "/properties/{propertyId}/months/{month}/comparison", summary="Compare a month", body=MonthComparison,
    answer=ComparedMonthInFull, status=200, missing=("property",), only_reads=True, example=CHARGES_COMPARED,
)  # fmt: skip
def compare_month(call: Call[None, MonthComparison]) -> ComparedMonthInFull:
    """Compare your former program's charges for each unit in a month with Prorata's.

    Each difference comes with a reason. Nothing is saved.
    """
    of, month = call.path["propertyId"], call.path["month"]
    run = parallel_runs.compare(call.tx, call.caller, of, month, _charges(call.body.charges, of, month))
    return _in_full(run)


def _in_full(run: parallel_runs.ParallelRun) -> ComparedMonthInFull:
    comparison = run.comparison
    return ComparedMonthInFull(
        theirs=in_figures(comparison.theirs),
        ours=in_figures(comparison.ours),
        billed=in_figures(run.billed),
        owner=in_figures(run.owner),
        agrees=comparison.agrees,
        cause=comparison.other_way.sentence if comparison.other_way else comparison.cause,
        split_method=comparison.other_way.split_method if comparison.other_way else None,
        units=[
            ComparedUnit(
                unit_id=unit.unit_id,
                label=unit.label,
                theirs=None if unit.theirs is None else in_figures(unit.theirs),
                ours=None if unit.ours is None else in_figures(unit.ours),
                difference=in_figures(unit.difference),
                kind=unit.kind,
                reason=unit.reason,
            )
            for unit in comparison.units
        ],
    )


@operation(
    "POST", "/comparisons", summary="Compare many months", body=MonthsComparison, answer=list[ComparedMonth],
    status=200, missing=("property",), only_reads=True, example=MONTHS_COMPARED,
)  # fmt: skip
def compare_months(call: Call[None, MonthsComparison]) -> list[ComparedMonth]:
    """Compare your former program's charges with Prorata's, for each property and month you send.

    Nothing is saved.
    """
    comparisons = parallel_runs.compare_many(call.tx, call.caller, _charges(call.body.charges))
    return [
        ComparedMonth(
            property_id=month.property.id, month=month.month, outcome=month.outcome.upper().replace(" ", "_"),  # type: ignore[arg-type]
            theirs=in_figures(month.theirs), ours=in_figures(month.ours), differing=month.differing, units=month.units,
            reason=only_reason(month.findings) or None,
        )
        for month in comparisons
    ]  # fmt: skip
