"""A parallel run: what the old way charged in a month, beside what Prorata charges."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from prorata.actions.months import parallel_runs
from prorata.actions.months.parallel_runs import ParallelRun
from prorata.domain.money import in_figures
from prorata.domain.months.former_charges import TheirCharge
from prorata.domain.months.parallel_runs import Compared, Kind
from prorata.domain.utility_names import UtilityType
from prorata.web.api.months.months import key_of
from prorata.web.http.fields import line
from prorata.web.http.figures import SignedFigures
from prorata.web.http.limits import MOST_CHARGES_COMPARED
from prorata.web.http.operations import Call, operation
from prorata.web.http.request_schemas import Body, cents_of
from prorata.web.http.response_schemas import Answer, Figures


class FormerCharge(Body):
    """What the old way charged a unit."""

    amount: SignedFigures
    unit: Annotated[str, line(255), Meta(description="The unit's label or id.")] | UnsetType = UNSET
    tenant_name: Annotated[str, line(255), Meta(description="Whose it is, without a unit.")] | UnsetType = UNSET
    utility_type: UtilityType | UnsetType = UNSET


class FormerCharges(Body):
    """What the old way charged in a month."""

    charges: Annotated[list[FormerCharge], Meta(min_length=1, max_length=MOST_CHARGES_COMPARED)]


class ComparedUnit(Answer):
    """A unit's two amounts."""

    unit_id: Annotated[str | None, Meta(description="null: it is none of the property's.")]
    label: str
    theirs: Annotated[Figures | None, Meta(description="What the old way charged.")]
    ours: Figures | None
    difference: Annotated[Figures, Meta(description="Ours less theirs.")]
    kind: Kind
    reason: Annotated[str, Meta(description="What is behind it, in a sentence.")]


class ComparedUtilities(Answer):
    """What both sides charged for some utilities."""

    utilities: list[str]
    theirs: Figures
    ours: Figures


class MonthComparison(Answer):
    """A month both ways."""

    property_id: str
    month: str
    agrees: Annotated[bool, Meta(description="The two are the same to the cent.")]
    theirs: Figures
    ours: Figures
    own_part: Annotated[Figures, Meta(description="What of its bills the owner bears.")]
    by_hand: Annotated[Figures, Meta(description="What of ours a person added to invoices.")]
    explanation: Annotated[str | None, Meta(description="What explains all of the differences, where one thing does.")]
    units: list[ComparedUnit]
    utilities: list[ComparedUtilities]


def _unit(one: Compared) -> ComparedUnit:
    theirs, ours = (None if cents is None else in_figures(cents) for cents in (one.theirs, one.ours))
    return ComparedUnit(
        unit_id=one.unit_id,
        label=one.label,
        theirs=theirs,
        ours=ours,
        difference=in_figures(one.difference),
        kind=one.kind,
        reason=one.reason,
    )


def shown(run: ParallelRun) -> MonthComparison:
    """A comparison as the API shows it."""
    found = run.comparison
    return MonthComparison(
        property_id=run.property.id,
        month=run.month,
        agrees=found.agrees,
        theirs=in_figures(found.theirs),
        ours=in_figures(found.ours),
        own_part=in_figures(run.owner),
        by_hand=in_figures(run.by_hand),
        explanation=found.other_way.sentence if found.other_way else found.cause,
        units=[_unit(one) for one in found.units],
        utilities=[
            ComparedUtilities(utilities=list(one.utilities), theirs=in_figures(one.theirs), ours=in_figures(one.ours))
            for one in run.utilities
        ],
    )


@operation(
    "POST", "/properties/{propertyId}/months/{month}/compare", summary="Compare a month", body=FormerCharges,
    answer=MonthComparison, status=200, missing=("property", "month"),
    example={"charges": [{"unit": "1A", "utilityType": "WATER", "amount": "30.00"}]},
)  # fmt: skip
def compare_month(call: Call[None, FormerCharges]) -> MonthComparison:
    """What the old way charged units in a month, beside what Prorata charges, to the cent; and how the old way divides,
    where that can be told. Nothing is written.
    """
    charges = [_charge(at, one) for at, one in enumerate(call.body.charges, 1)]
    return shown(parallel_runs.compare(call.tx, call.caller, *key_of(call), charges))


def _charge(at: int, one: FormerCharge) -> TheirCharge:
    return TheirCharge(
        at, one.unit or "", cents_of(one.amount), tenant=one.tenant_name or "", utility=one.utility_type or ""
    )
