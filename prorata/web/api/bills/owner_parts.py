"""The owner's part of a month's bills, with the reasons shown on the bills' pages."""

from collections.abc import Sequence
from typing import Annotated, Literal

from msgspec import Meta

from prorata.actions.bills import splits
from prorata.actions.bills.line_splits import LineSplit
from prorata.domain.billing_calendar import read_month
from prorata.domain.money import in_figures
from prorata.domain.utility_names import NotBilledReason, UtilityType
from prorata.errors import NotFound
from prorata.web.http.operations import Call, operation
from prorata.web.http.response_schemas import Answer, Figures

Became = Literal["CHARGED", "CORRECTED", "OWNER", "WAITING", "HISTORY"]


LeftToOwner = Annotated[
    Figures, Meta(description="The part of `ownPart` that comes from tenants' corrections left to the owner.")
]


class OwnerLine(Answer):
    """A bill line; for a billed line, `amount` = `toTenants` + `ownPart` + `vacantUnits`."""

    bill_id: str
    line: int
    utility_type: UtilityType | None
    not_billed: Annotated[NotBilledReason | None, Meta(description="Why nobody is billed for the line.")]
    amount: Figures
    became: Annotated[
        Became,
        Meta(
            description="CHARGED; CORRECTED: charged as corrections, because the bill arrived late; OWNER: not "
            "billed; WAITING for a month to be billed in; HISTORY: from before billing starts."
        ),
    ]
    to_tenants: Figures
    own_part: Annotated[Figures, Meta(description="The amount that no unit bears.")]
    vacant_units: Annotated[Figures, Meta(description="The amount that falls on vacant units.")]
    left_to_owner: LeftToOwner
    why: Annotated[list[str], Meta(description="Why the owner bears `ownPart`, with a sentence for each reason.")]


class OwnerPart(Answer):
    """The owner's part of a month's bills."""

    property_id: str
    month: str
    own_part: Figures
    vacant_units: Figures
    left_to_owner: LeftToOwner
    total: Annotated[Figures, Meta(description="`ownPart` and `vacantUnits` together.")]
    lines: list[OwnerLine]


def _line(split: LineSplit) -> OwnerLine:
    row = split.line
    return OwnerLine(
        bill_id=row.bill_id,
        line=row.number,
        utility_type=row.utility_type,  # type: ignore[arg-type]
        not_billed=row.not_billed,  # type: ignore[arg-type]
        amount=in_figures(row.amount),
        became=split.state.upper(),  # type: ignore[arg-type]
        to_tenants=in_figures(split.to_tenants - split.left),
        own_part=in_figures(split.owner + split.left),
        vacant_units=in_figures(split.vacant),
        left_to_owner=in_figures(split.left),
        why=list(split.why_owner),
    )


@operation(
    "GET", "/properties/{propertyId}/months/{month}/owner-part", at_once=True, summary="Read the owner's part",
    answer=OwnerPart, missing=("property", "month"),
)  # fmt: skip
def read_owner_part(call: Call[None, None]) -> OwnerPart:
    """Read the owner's part of a month's bills, line by line, with the reasons.

    The owner bears amounts that no unit bears, the shares of vacant units, and corrections that were left to the
    owner. For sums by month, use `GET /months?details=true`.
    """
    its, month = call.path["propertyId"], read_month(call.path["month"])
    splits_of_month = splits.lines_of_month(call.tx, call.caller, its, month or "")
    if not splits_of_month:
        raise NotFound("month", said="This property has no bills in this month.")
    return _together(its, month or "", splits_of_month)


def _together(property_id: str, month: str, line_splits: Sequence[LineSplit]) -> OwnerPart:
    left, vacant = (
        sum(line_split.left for line_split in line_splits),
        sum(line_split.vacant for line_split in line_splits),
    )
    own = sum(line_split.owner for line_split in line_splits) + left
    return OwnerPart(
        property_id=property_id,
        month=month,
        own_part=in_figures(own),
        vacant_units=in_figures(vacant),
        left_to_owner=in_figures(left),
        total=in_figures(own + vacant),
        lines=[_line(line_split) for line_split in line_splits],
    )
