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
Wanted = Literal["OPEN", "CLOSED", "DRAFTS", "CORRECTIONS", "OTHER_CORRECTIONS", "MISSING_FACTS"]


class MonthsQuery(PageQuery):
    """Filters and page of a list of months."""

    property_id: Annotated[Filter, Meta(description="Only months of this property.")] | UnsetType = UNSET
    month: MonthText | UnsetType = UNSET
    state: (
        Annotated[
            Wanted,
            Meta(
                description="OPEN or CLOSED; or what is waiting: DRAFTS with a recipient, CORRECTIONS to decide, "
                "OTHER_CORRECTIONS than those of late bills, or MISSING_FACTS of an open month."
            ),
        ]
        | UnsetType
    ) = UNSET
    q: Annotated[Filter, Meta(description="Words in the property's name or address.")] | UnsetType = UNSET
    details: Annotated[bool, Meta(description="Whether totals and checks are included.")] = False


class MonthSending(Body):
    """The drafts of a month to send, with the month's `mark` as last read."""

    mark: Annotated[str, text(64), Meta(description="The month's `mark`, as last read.")]
    confirm: Annotated[bool, Meta(description="Confirms that someone has reviewed the month's open checks.")] = False
    invoice_ids: InvoiceIds | UnsetType = UNSET


class StatusNumbers(Answer):
    """The number of invoices in each status."""

    draft: int
    sent: int
    paid: int
    overdue: int
    cancelled: int


VacantUnits = Annotated[
    Figures,
    Meta(
        description="The part on invoices without a tenant: that of units in which nobody lived on any day billed. The "
        "owner bears it."
    ),
]
OwnPart = Annotated[
    Figures,
    Meta(
        description="The part on no invoice, which the owner bears as well: the owner's percentage, lines that are not "
        "billed or that no rule divides, the empty days of units in which somebody lived on other days, cancelled "
        "invoices, and corrections left to the owner."
    ),
]


class UtilityTotals(Answer):
    """The totals of one utility type, or of unbilled lines if `utilityType` is null."""

    utility_type: UtilityType | None
    bills: Figures
    tenants: Figures
    corrections: Figures
    vacant_units: VacantUnits
    own_part: OwnPart


class MonthTotals(Answer):
    """A month's sums: `bills` = `billed` - `further` + `corrections` + `vacantUnits` + `ownPart`."""

    bills: Figures
    billed: Annotated[Figures, Meta(description="The total of tenants' invoices that are not cancelled.")]
    further: Annotated[
        Figures,
        Meta(
            description="The part of the billed amount that is not from these bills: corrections of other months, "
            "and custom charges."
        ),
    ]
    corrections: Annotated[
        Figures, Meta(description="Differences from these bills that are charged to tenants on other invoices.")
    ]
    corrections_waiting: Annotated[
        Figures, Meta(description="The part of these corrections that is waiting for a decision.")
    ]
    vacant_units: VacantUnits
    own_part: OwnPart
    utilities: list[UtilityTotals]


class CheckKind(Answer):
    """The number of a month's checks of one kind."""

    kind: Kind
    number: int
    message: str


class MonthCheck(Answer):
    """A possible problem that a person should look at before the month is sent."""

    kind: Kind
    number: int
    message: str
    advice: Annotated[str, Meta(description="What to do about it.")]
    to_check: Annotated[
        bool, Meta(description="True if invoices may be wrong because of it; otherwise it is for information only.")
    ]
    keeps_back: Annotated[bool, Meta(description="Whether the check keeps a month from being sent automatically.")]
    record_ids: Annotated[list[str], Meta(description="The ids of the records that the check is about.")]
    path: Annotated[
        str | None,
        Meta(description="Where to read these records in this API, after /api/v1; null: only in the dashboard."),
    ]


class MonthInList(Answer):
    """A month of a property; with `details=true`, also its totals and checks by kind."""

    property_id: str
    property_name: str
    currency: str
    month: Annotated[str, Meta(description="YYYY-MM.")]
    state: Annotated[
        State, Meta(description="CLOSED once one of its invoices has been sent; HISTORY: before billing starts.")
    ]
    invoices: StatusNumbers
    invoiced: Annotated[Figures, Meta(description="The total of all its invoices that are not cancelled.")]
    pending_changes: Annotated[bool, Meta(description="Whether the month has corrections to decide.")]
    missing_facts: Annotated[bool, Meta(description="Whether a rule needs a unit's measure that nobody has entered.")]
    totals: MonthTotals | UnsetType = UNSET
    checks: Annotated[list[CheckKind], Meta(description="The open checks, by kind.")] | UnsetType = UNSET


class MonthInFull(Answer):
    """A property's month, with its totals, its checks, and the `mark` for sending it."""

    property_id: str
    property_name: str
    currency: str
    month: Annotated[str, Meta(description="YYYY-MM.")]
    state: State
    invoices: StatusNumbers
    totals: MonthTotals
    checks: Annotated[list[MonthCheck], Meta(description="Possible errors first, then items for information only.")]
    to_send: Annotated[int, Meta(description="Drafts that have a recipient. Zero: nothing can be sent.")]
    was_sent: Annotated[
        bool, Meta(description="Whether any of its invoices was ever sent, even if all are drafts again.")
    ]
    late_bills: Annotated[str, Meta(description="What happens to a bill that arrives after the month was sent.")]
    runs_by_itself: Annotated[str | None, Meta(description="What happens to the month automatically; null: nothing.")]
    mark: Annotated[
        str,
        Meta(description="Identifies the version of the month that was read: send it back when you send the month."),
    ]


class MonthSent(BulkInvoiceChange):
    """The bulk change that sent a month's invoices, and that you can undo."""

    invoices: Annotated[
        int,
        Meta(
            description="All that are sent. Those that are neither e-mailed nor on paper are unchanged and paid, and "
            "their tenants have them."
        ),
    ]
    by_mail: int
    on_paper: Annotated[int, Meta(description="Invoices for you to print and hand over.")]
    mail_leaves_at: Annotated[
        Timestamp | None,
        Meta(
            description="When the e-mails are sent or, without a mail server, saved to the outbox folder. An undo "
            "before then withdraws them. null: there are none, or they wait for another reason."
        ),
    ]
    mail_waits: Annotated[
        str | None, Meta(description="Why no e-mails are being sent at the moment, such as no mail server.")
    ]
