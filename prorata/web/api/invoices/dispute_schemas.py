"""Disputes as clients open and read them."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from prorata.domain.delivery.disputes import State
from prorata.domain.limits import LONGEST_QUESTION
from prorata.web.http.fields import text
from prorata.web.http.list_schemas import ListQuery
from prorata.web.http.request_schemas import Body, FiguresSent, Filter
from prorata.web.http.response_schemas import Answer, Day, Figures, Timestamp

Words = Annotated[str, text(LONGEST_QUESTION)]


class DisputesQuery(ListQuery):
    """Filters and page of a list of disputes."""

    invoice_id: Annotated[Filter, Meta(description="Only disputes about this invoice.")] | UnsetType = UNSET
    property_id: Annotated[Filter, Meta(description="Only disputes about this property.")] | UnsetType = UNSET
    status: State | UnsetType = UNSET


class DisputeOpening(Body):
    """A dispute about a charge, which you open on the tenant's behalf."""

    charge_id: Annotated[Filter, Meta(description="A charge on the invoice, including a custom one.")]
    amount: Annotated[
        FiguresSent, Meta(description="The disputed amount: at most that of the charge, without its sign.")
    ]
    text: Words


class DisputeAnswer(Body):
    """Your answer to a tenant's dispute."""

    text: Words


class DisputeEnd(Body):
    """The end of a dispute, either for a reason or because its charge was corrected."""

    by: Literal["REASON", "CORRECTION"]
    reason: Annotated[Words, Meta(description="Required with REASON.")] | UnsetType = UNSET


class Dispute(Answer):
    """A disputed charge; `answerBy` is the day by which you must answer."""

    id: str
    invoice_id: str
    invoice_number: str
    property_id: str
    unit_id: str
    tenant_id: str | None
    charge_id: str
    charged: Annotated[Figures, Meta(description="The amount of the charge when it was disputed.")]
    amount: Annotated[Figures, Meta(description="The disputed amount.")]
    text: str
    status: State
    opened_at: Timestamp
    opened_by: Annotated[
        str | None, Meta(description="Who opened the dispute on the tenant's behalf; null: the tenant opened it.")
    ]
    answer_by: Day
    answer: str | None
    answered_at: Timestamp | None
    ended_at: Timestamp | None
    reason: str | None
    correction: Annotated[
        Figures | None,
        Meta(
            description="If the dispute is CORRECTED, the amount by which the charge changed, negative if it was "
            "reduced."
        ),
    ]
    carrier_month: Annotated[
        str | None, Meta(description="The month whose invoice carries the correction; null: a future one.")
    ]
    files: Annotated[list[str], Meta(description="The names of the files that came with the dispute.")]
