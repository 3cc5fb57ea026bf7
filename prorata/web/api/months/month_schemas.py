"""Months as clients send and read them."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from prorata.domain.months.findings import Kind
from prorata.domain.utility_names import UtilityType
from prorata.web.api.bulk.invoice_change_schemas import BulkInvoiceChange, InvoiceIds
from prorata.web.http.fields import MonthText, text
from prorata.web.http.request_schemas import Body, Filter, PageQuery
from prorata.web.http.response_schemas import Answer, Figures, Timestamp

State = Literal["OPEN", "CLOSED", "HISTORY"]
Wanted = Literal["OPEN", "CLOSED", "DRAFTS", "CORRECTIONS", "MISSING_FACTS"]


class MonthsQuery(PageQuery):
    """Filters and page of a list of months."""

    property_id: Annotated[Filter, Meta(description="Only months of this property.")] | UnsetType = UNSET
    month: MonthText | UnsetType = UNSET
    state: (
        Annotated[
            Wanted,
            Meta(
                description="OPEN or CLOSED; or what waits: DRAFTS that are for somebody, CORRECTIONS to decide, "
                "MISSING_FACTS of an open one."
            ),
        ]
        | UnsetType
    ) = UNSET
    q: Annotated[Filter, Meta(description="Words of the property's name or address.")] | UnsetType = UNSET
    details: Annotated[bool, Meta(description="Whether totals and checks are included.")] = False


class MonthSending(Body):
    """The invoices of a month to send, with the month's mark as it was read."""

    mark: Annotated[str, text(64), Meta(description="The month's `mark`, as it was read.")]
    confirm: Annotated[bool, Meta(description="That somebody has looked at its open checks.")] = False
    invoice_ids: InvoiceIds | UnsetType = UNSET


class StatusNumbers(Answer):
    """The number of invoices in each status."""

    draft: int
    sent: int
    paid: int
    overdue: int
    cancelled: int


class UtilityTotals(Answer):
    """The totals of one utility; without a type, of unbilled lines."""

    utility_type: UtilityType | None
    bills: Figures
    tenants: Figures
    corrections: Figures
    vacant_units: Figures
    own_part: Figures


class MonthTotals(Answer):
    """A month's sums: `bills` = `billed` - `further` + `corrections` + `vacantUnits` + `ownPart`."""

    bills: Figures
    billed: Annotated[Figures, Meta(description="What is on invoices of tenants that are not cancelled.")]
    further: Annotated[
        Figures,
        Meta(description="What of it is no part of these bills: corrections of other months, and charges of your own."),
    ]
    corrections: Annotated[
        Figures, Meta(description="Differences of these bills that tenants are charged on other invoices.")
    ]
    corrections_waiting: Annotated[Figures, Meta(description="What of these waits for a decision.")]
    vacant_units: Annotated[Figures, Meta(description="What is for units that stood empty: the owner's cost.")]
    own_part: Annotated[Figures, Meta(description="What no unit bears: the owner's cost, too.")]
    utilities: list[UtilityTotals]


class CheckKind(Answer):
    """The number of checks of one kind."""

    kind: Kind
    number: int
    message: str


class MonthCheck(Answer):
    """A check to make before a month is sent."""

    kind: Kind
    number: int
    message: str
    advice: Annotated[str, Meta(description="What to do about it.")]
    to_check: Annotated[bool, Meta(description="Invoices may be wrong by it; else it is good to know.")]
    keeps_back: Annotated[bool, Meta(description="A month that runs by itself is not sent while this is so.")]
    record_ids: Annotated[list[str], Meta(description="The records that it is about.")]
    path: Annotated[
        str | None, Meta(description="Where they are read in this API, behind /api/v1; null: on the dashboard alone.")
    ]


class MonthInList(Answer):
    """A property's month; with `details=true`, also totals and checks by kind."""

    property_id: str
    property_name: str
    currency: str
    month: Annotated[str, Meta(description="YYYY-MM.")]
    state: Annotated[
        State, Meta(description="CLOSED once an invoice of it was sent; HISTORY is of before billing starts.")
    ]
    invoices: StatusNumbers
    invoiced: Annotated[Figures, Meta(description="What all of its invoices that are not cancelled come to.")]
    pending_changes: Annotated[bool, Meta(description="It has corrections to decide.")]
    missing_facts: Annotated[bool, Meta(description="A rule needs a measure of a unit that nobody has entered.")]
    totals: MonthTotals | UnsetType = UNSET
    checks: Annotated[list[CheckKind], Meta(description="What is to be checked, by kind.")] | UnsetType = UNSET


class MonthInFull(Answer):
    """A property's month before it is sent, or as it was sent."""

    property_id: str
    property_name: str
    currency: str
    month: Annotated[str, Meta(description="YYYY-MM.")]
    state: State
    invoices: StatusNumbers
    totals: MonthTotals
    checks: Annotated[list[MonthCheck], Meta(description="What may be wrong first, then what is good to know.")]
    to_send: Annotated[int, Meta(description="Drafts that are for somebody. Zero: nothing can be sent.")]
    was_sent: Annotated[bool, Meta(description="Something of it was sent once, though all may be drafts again.")]
    late_bills: Annotated[str, Meta(description="What a bill does that comes after it was sent.")]
    runs_by_itself: Annotated[str | None, Meta(description="What happens with it by itself; null: nothing.")]
    mark: Annotated[str, Meta(description="What was read here: send it with the month.")]


class MonthSent(BulkInvoiceChange):
    """The bulk change that sends a month's invoices, which can be undone."""

    invoices: int
    by_mail: int
    on_paper: Annotated[int, Meta(description="For you to print and hand over.")]
    mail_leaves_at: Annotated[Timestamp | None, Meta(description="null: none is sent, or none leaves for now.")]
    mail_waits: Annotated[str | None, Meta(description="Why no e-mail leaves for now.")]
