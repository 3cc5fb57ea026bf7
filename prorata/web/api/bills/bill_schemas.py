"""Bills as clients send and read them, with lines, service days and flags.

See docs/decisions.md#bills-by-the-api.
"""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from prorata.actions.limits import MOST_FLAGS_ACCEPTED
from prorata.domain.bills.flags import FlagKind
from prorata.domain.limits import (
    LONGEST_BILL_NOTES,
    LONGEST_BILL_NUMBER,
    LONGEST_FLAG_REASON,
    LONGEST_ISSUER,
    LONGEST_LINE_NAME,
    LONGEST_UNIT,
)
from prorata.domain.utility_names import NotBilledReason, PaymentStatus, UtilityType
from prorata.web.http.fields import DateText, MonthText, line, text
from prorata.web.http.figures import PlainNumber, SignedFigures
from prorata.web.http.limits import MOST_BILL_LINES_SENT
from prorata.web.http.list_schemas import ListQuery
from prorata.web.http.request_schemas import Body, Filter, UtilityTypeSent
from prorata.web.http.response_schemas import Answer, Day, Figures, Timestamp

BillNumber = Annotated[str, line(LONGEST_BILL_NUMBER, least=0)]
_LINE_NAME = Meta(
    description="The name that tenants see instead of the utility's, such as Heating for OTHER; it has no semicolon."
)


class BillsQuery(ListQuery):
    """Filters and page number of a list of bills."""

    property_id: Annotated[Filter, Meta(description="Only bills for this property.")] | UnsetType = UNSET
    month: Annotated[MonthText, Meta(description="Only bills with a line in this billing month.")] | UnsetType = UNSET
    status: PaymentStatus | UnsetType = UNSET
    q: (
        Annotated[
            Filter,
            Meta(
                description="Only bills that match these words, as in the dashboard: each word begins a word of the "
                "issuer, the property or its address, or the words begin the bill's number or account "
                "number; an amount or a month among them narrows the search."
            ),
        ]
        | UnsetType
    ) = UNSET
    held: Annotated[bool, Meta(description="Only bills that are held, or only those that aren't.")] | UnsetType = UNSET
    waiting: (
        Annotated[bool, Meta(description="Only bills that are waiting for a month, or only those that aren't.")]
        | UnsetType
    ) = UNSET
    flagged: (
        Annotated[bool, Meta(description="Only bills with a flag that waits, or only those without one.")] | UnsetType
    ) = UNSET
    from_: Annotated[DateText, Meta(description="Only bills dated on this day or later.")] | UnsetType = UNSET
    to: Annotated[DateText, Meta(description="Only bills dated on this day or earlier.")] | UnsetType = UNSET


class UsageSent(Body):
    """A line's usage and price per unit of measure."""

    used: PlainNumber
    unit: Annotated[str, line(LONGEST_UNIT)]
    price: PlainNumber | UnsetType | None = UNSET


class CorrectedLine(Body):
    """A corrected bill line, and its usage if it was wrong."""

    utility_type: UtilityTypeSent | UnsetType | None = UNSET
    not_billed: NotBilledReason | UnsetType | None = UNSET
    amount: SignedFigures | UnsetType | None = UNSET
    usage: UsageSent | UnsetType | None = UNSET


class BillLineSent(CorrectedLine):
    """A bill line; either all lines of a bill have amounts, or none."""

    name: Annotated[str, line(LONGEST_LINE_NAME, least=0), Meta(pattern="^[^;]*$"), _LINE_NAME] | UnsetType | None = (
        UNSET
    )


LinesSent = Annotated[list[BillLineSent], Meta(min_length=1, max_length=MOST_BILL_LINES_SENT)]


class BillFields(Body):
    """A bill's fields; null clears a field, and `lines` replaces all of its lines."""

    issuer_name: Annotated[str, line(LONGEST_ISSUER)] | UnsetType = UNSET
    total_amount_due: SignedFigures | UnsetType = UNSET
    bill_date: DateText | UnsetType = UNSET
    lines: LinesSent | UnsetType = UNSET
    due_date: DateText | UnsetType | None = UNSET
    billing_month: (
        Annotated[MonthText, Meta(description="Null: determined by the bill's dates.")] | UnsetType | None
    ) = UNSET
    payment_status: PaymentStatus | UnsetType = UNSET
    account_number: BillNumber | UnsetType | None = UNSET
    bill_number: BillNumber | UnsetType | None = UNSET
    service_period_start: DateText | UnsetType | None = UNSET
    service_period_end: DateText | UnsetType | None = UNSET
    notes: Annotated[str, text(LONGEST_BILL_NOTES, least=0)] | UnsetType | None = UNSET
    spread: (
        Annotated[bool, Meta(description="Divides the bill among the months of its service period, by days.")]
        | UnsetType
    ) = UNSET


class BillChange(BillFields):
    """A bill's fields to change; null clears a field, and `lines` replaces all lines."""

    tenants_see_it: (
        Annotated[bool, Meta(description="Whether tenants who pay a part of the bill may see its file.")] | UnsetType
    ) = UNSET


class BillCreate(BillFields, kw_only=True):
    """A bill to add to a property."""

    issuer_name: Annotated[str, line(LONGEST_ISSUER)]
    total_amount_due: SignedFigures
    bill_date: DateText
    lines: LinesSent


class BillCorrection(Body):
    """The correct total of a bill, and the correct amount of each line."""

    total_amount_due: SignedFigures
    lines: Annotated[list[CorrectedLine], Meta(min_length=1, max_length=MOST_BILL_LINES_SENT)]


class LateBill(Body):
    """The open month in which to bill a late bill; by default, the next one."""

    month: MonthText | UnsetType = UNSET


class BillMove(Answer):
    """A bill's move to another billing month, or the reason why the bill stays."""

    bill_id: str
    from_month: str
    to_month: str
    why_left: Annotated[str | None, Meta(description="Why the bill stays in `fromMonth`; null: it moves.")]


class BillMoves(Answer):
    """Bills of open months for which the `billingMonthRule` would choose another month."""

    bills: list[BillMove]
    more: Annotated[int, Meta(description="How many others follow in a further request.")]


class FlagAcceptance(Body):
    """The reason for accepting a flag, and the flag's `mark` as you last read it."""

    reason: Annotated[str, text(LONGEST_FLAG_REASON)]
    mark: Annotated[str, text(200)]


class FlagsAcceptance(Body):
    """The reason for accepting all of a bill's flags; `mark` is the bill's `flagsMark`."""

    reason: Annotated[str, text(LONGEST_FLAG_REASON)]
    mark: Annotated[str, text(200)]


class FlaggedBillSent(Body):
    """A bill whose flags are accepted, with its `flagsMark` as you last read it."""

    bill_id: Filter
    mark: Annotated[str, text(200)]


class ManyFlagsAcceptance(Body):
    """The reason for accepting all flags of several bills."""

    reason: Annotated[str, text(LONGEST_FLAG_REASON)]
    bills: Annotated[list[FlaggedBillSent], Meta(min_length=1, max_length=MOST_FLAGS_ACCEPTED)]


class UnusualAmountAcceptance(Body):
    """The reason for accepting an unusual amount; `billIds` are the `recordIds` of the check."""

    bill_ids: Annotated[list[Filter], Meta(min_length=1, max_length=MOST_FLAGS_ACCEPTED)]
    reason: Annotated[str, text(LONGEST_FLAG_REASON)]


class FlagsAccepted(Answer):
    """The result of accepting flags; the flags of bills in `left` were not accepted.

    These bills were deleted, or their flags have changed.
    """

    bills: int
    counting: Annotated[int, Meta(description="How many of them were held and now count.")]
    left: list[str]


class BillUsage(Answer):
    """A line's usage and price per unit of measure."""

    used: str
    unit: str
    price: str | None


class BillLine(Answer):
    """A bill line's amount in one month; `charged` means that sent invoices contain its charges."""

    line: int
    month: str
    utility_type: UtilityType | None
    not_billed: NotBilledReason | None
    amount: Figures
    owner_amount: Annotated[Figures, Meta(description="The part of the line that the owner bears, once it is charged.")]
    charged: bool
    usage: BillUsage | None
    name: Annotated[str | None, _LINE_NAME]


class BillFlag(Answer):
    """A warning about a bill; to accept it, send its `mark` back."""

    number: int
    kind: FlagKind
    message: str
    bill_ids: Annotated[
        list[str], Meta(description="Other bills that the flag concerns, such as the one that already exists.")
    ]
    mark: str
    found_at: Timestamp
    accepted_at: Timestamp | None
    reason: str | None


class Bill(Answer):
    """A bill with lines and flags; while it is `held`, it charges nobody."""

    id: str
    property_id: str
    issuer_name: str
    total_amount_due: Figures
    bill_date: Day
    due_date: Day | None
    billing_month: Annotated[
        str | None, Meta(description="The month that someone chose; null: determined by the bill's dates.")
    ]
    payment_status: PaymentStatus
    account_number: str | None
    bill_number: str | None
    service_period_start: Day | None
    service_period_end: Day | None
    notes: str | None
    guessed: Annotated[
        bool,
        Meta(description="The bill gave no amounts for its utilities, so its total was divided equally among them."),
    ]
    waiting: Annotated[bool, Meta(description="The bill arrived after the invoices of one of its months were sent.")]
    held: bool
    corrected: Annotated[bool, Meta(description="Someone corrected the bill after it was charged.")]
    tenants_see_it: Annotated[
        bool | None,
        Meta(
            description="Whether tenants who pay a part of the bill may see its file; null: the account doesn't show "
            "bills, or no PDF or picture contains this bill alone."
        ),
    ]
    lines: list[BillLine]
    flags: list[BillFlag]
    flags_mark: Annotated[
        str | None, Meta(description="Send this back to accept all open flags at once; null: no flags are open.")
    ]
    created_at: Timestamp
    updated_at: Timestamp
