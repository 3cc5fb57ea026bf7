"""Documents as clients send and read them (docs/decisions.md#documents)."""

from decimal import Decimal
from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from prorata.domain.intake.documents import BILLED, DRAFT, READING, SET_ASIDE, UNREADABLE
from prorata.domain.limits import LONGEST_BILL_NOTES, LONGEST_ISSUER, MOST_DOCUMENT_BYTES
from prorata.domain.utility_names import NotBilledReason, PaymentStatus, UtilityType
from prorata.web.api.bills.bill_schemas import BillLineSent, BillNumber, BillUsage
from prorata.web.http.fields import DateText, MonthText, Number, line, number, text
from prorata.web.http.figures import SignedFigures
from prorata.web.http.limits import LARGEST_PAGE_EDGE, MOST_ATTACHED_BYTES, MOST_BILL_LINES_SENT, MOST_PLACES_SENT
from prorata.web.http.list_schemas import ListQuery
from prorata.web.http.request_schemas import Body, Filter
from prorata.web.http.response_schemas import Answer, Day, Figures, JsonNumber, Timestamp
from prorata.web.http.sent_files import FileSent

DocumentStatus = Literal["READING", "TO_CONFIRM", "NOT_READ", "BECAME_BILL", "SET_ASIDE"]
STATUSES: dict[str, DocumentStatus] = {
    READING: "READING", DRAFT: "TO_CONFIRM", UNREADABLE: "NOT_READ", BILLED: "BECAME_BILL", SET_ASIDE: "SET_ASIDE",
}  # fmt: skip
"""The API's statuses by the stored states."""
STATES: dict[str, str] = {status: state for state, status in STATUSES.items()}
DocumentWay = Literal["UPLOAD", "MAIL", "COMMAND"]
Surety = Literal["FOUND", "ASKED", "MISSING"]


class DocumentsQuery(ListQuery):
    """Filter and page of a list of documents."""

    status: DocumentStatus | UnsetType = UNSET


class DocumentQuery(Body):
    """The property to propose for the document's bill."""

    property_id: (
        Annotated[Filter, Meta(description="The property to propose instead of the one that the bill seems to be for.")]
        | UnsetType
    ) = UNSET


class DocumentUpload(Body):
    """A file that contains a bill."""

    file: Annotated[
        FileSent,
        Meta(
            description="A PDF, a picture (JPEG, PNG) or an e-invoice (XML), "
            f"of at most {MOST_DOCUMENT_BYTES:,} bytes, in a form of at most {MOST_ATTACHED_BYTES >> 10:,} KiB."
        ),
    ]


class DocumentChange(Body):
    """A document's new status: set aside as not a bill, or read again."""

    status: Annotated[
        Literal["SET_ASIDE", "READING"],
        Meta(description="SET_ASIDE puts aside a document that isn't a bill; READING restores it and reads it again."),
    ]


_Edge = Annotated[Number, number(0, LARGEST_PAGE_EDGE)]


class PlaceSent(Body):
    """A rectangle on a page, in points from the page's top left corner."""

    page: Annotated[int, Meta(ge=1, le=1_000)]
    left: _Edge
    top: _Edge
    right: _Edge
    bottom: _Edge


PlacesSent = Annotated[list[PlaceSent], Meta(max_length=MOST_PLACES_SENT)]


class PointedAt(Body):
    """The rectangles on the document's pages where a person found each value."""

    issuer_name: PlacesSent | UnsetType = UNSET
    total_amount_due: PlacesSent | UnsetType = UNSET
    bill_date: PlacesSent | UnsetType = UNSET
    due_date: PlacesSent | UnsetType = UNSET
    service_period_start: PlacesSent | UnsetType = UNSET
    service_period_end: PlacesSent | UnsetType = UNSET
    account_number: PlacesSent | UnsetType = UNSET
    bill_number: PlacesSent | UnsetType = UNSET


class DocumentLineSent(BillLineSent):
    """A bill line, with the rectangles on the document's pages that contain its amounts."""

    at: PlacesSent | UnsetType = UNSET


class DocumentLesson(Body):
    """A bill's values as printed in a document; values not printed are omitted or null."""

    issuer_name: Annotated[str, line(LONGEST_ISSUER)]
    total_amount_due: SignedFigures
    bill_date: DateText
    lines: Annotated[list[DocumentLineSent], Meta(min_length=1, max_length=MOST_BILL_LINES_SENT)]
    due_date: DateText | UnsetType | None = UNSET
    service_period_start: DateText | UnsetType | None = UNSET
    service_period_end: DateText | UnsetType | None = UNSET
    account_number: BillNumber | UnsetType | None = UNSET
    bill_number: BillNumber | UnsetType | None = UNSET
    at: PointedAt | UnsetType = UNSET


class DocumentConfirmation(DocumentLesson, kw_only=True):
    """The bill in a document: its property, the printed values, and further details."""

    property_id: Filter
    billing_month: (
        Annotated[MonthText, Meta(description="Null: determined by the bill's dates.")] | UnsetType | None
    ) = UNSET
    payment_status: PaymentStatus | UnsetType = UNSET
    notes: Annotated[str, text(LONGEST_BILL_NOTES, least=0)] | UnsetType | None = UNSET
    spread: (
        Annotated[bool, Meta(description="Divides the bill among the months of its service period, by days.")]
        | UnsetType
    ) = UNSET


class DocumentPlace(Answer):
    """A rectangle on a page, in points from the page's top left corner."""

    page: int
    left: JsonNumber
    top: JsonNumber
    right: JsonNumber
    bottom: JsonNumber


class DocumentLine(Answer):
    """A bill line as read from a document; `places` locates its amounts on the pages."""

    utility_type: UtilityType | None
    not_billed: NotBilledReason | None
    amount: Figures
    usage: BillUsage | None
    places: list[DocumentPlace]


class ReadValue(Answer):
    """A value read from a document, with its certainty.

    FOUND means that two indications agree, ASKED that the value is uncertain, and MISSING that no value was found.
    """

    surety: Surety
    value: Annotated[
        str | None,
        Meta(
            description="Dates are written YYYY-MM-DD and amounts like 12.30; if the value is ASKED, "
            "this is a proposal."
        ),
    ]
    choices: Annotated[list[str], Meta(description="The possible values, if it is ASKED.")]
    reason: Annotated[str | None, Meta(description="Why the value is ASKED or MISSING.")]
    places: Annotated[list[DocumentPlace], Meta(description="Where the value appears in the document.")]


class ReadLines(Answer):
    """The bill lines read from a document, with the fields of `ReadValue`."""

    surety: Surety
    value: list[DocumentLine] | None
    choices: list[list[DocumentLine]]
    reason: str | None


class ChargedItem(Answer):
    """An item of an e-invoice, including tax; `kind` is its utility type or unbilled reason."""

    name: str
    amount: Figures
    kind: str | None
    choices: list[str]


class PageSize(Answer):
    """The size of a page, in points."""

    width: JsonNumber
    height: JsonNumber


class DocumentDraft(Answer):
    """The values read from a document; values read from a picture are never FOUND."""

    issuer_name: ReadValue
    total_amount_due: ReadValue
    bill_date: ReadValue
    due_date: ReadValue
    service_period_start: ReadValue
    service_period_end: ReadValue
    service_address: ReadValue
    account_number: ReadValue
    bill_number: ReadValue
    lines: ReadLines
    currency: Annotated[str | None, Meta(description="The currency of the amounts: a code, or a sign such as $.")]
    language: str | None
    from_picture: bool
    note: Annotated[
        str | None, Meta(description="Why the e-invoice inside the document couldn't be read, if it is invalid.")
    ]
    items: Annotated[list[ChargedItem], Meta(description="The items that an e-invoice charges for.")]
    pages: list[PageSize]


class ProposedLine(Answer):
    """A proposed bill line, in the form in which a confirmation expects lines."""

    utility_type: UtilityType | None
    not_billed: NotBilledReason | None
    amount: Figures
    usage: BillUsage | None


class ProposedBill(Answer):
    """A proposed body for the document's confirmation.

    Check the values that are ASKED, fill in those that are null, and send the body to `POST /documents/{id}/confirm`.
    """

    property_id: str | None
    issuer_name: str | None
    total_amount_due: Figures | None
    bill_date: Day | None
    lines: list[ProposedLine]
    due_date: Day | None
    service_period_start: Day | None
    service_period_end: Day | None
    account_number: str | None
    bill_number: str | None


class Document(Answer):
    """A file that may be a bill.

    If the document is a table of bills, `billId` is the id of the first bill.
    """

    id: str
    name: str
    status: DocumentStatus
    came_by: DocumentWay
    size: Annotated[int, Meta(description="In bytes.")]
    is_table: Annotated[
        bool, Meta(description="Whether the document is a table of bills, whose columns are assigned in the dashboard.")
    ]
    reason: Annotated[
        str | None,
        Meta(
            description="Why the document wasn't read; if it is TO_CONFIRM, why it didn't count automatically or why "
            "nothing was learned from it; if it became a bill, why nothing was learned from it."
        ),
    ]
    needs_password: bool
    issuer_name: Annotated[str | None, Meta(description="The issuer's name, as read.")]
    total_amount_due: Annotated[Figures | None, Meta(description="As read.")]
    bill_date: Annotated[Day | None, Meta(description="As read.")]
    currency: Annotated[
        str | None, Meta(description="The currency of the amounts, as read: a code, or a sign such as $.")
    ]
    bill_id: str | None
    created_at: Timestamp
    updated_at: Timestamp


class DocumentInFull(Document):
    """A document with the values read from it and the bill proposed from them."""

    draft: DocumentDraft | None
    proposed: ProposedBill
    property_reason: Annotated[str | None, Meta(description="Why the bill seems to be for the proposed property.")]
    other_currency: Annotated[
        bool, Meta(description="The amounts aren't in that property's currency, so none is proposed.")
    ]


def points(tenths: int) -> Decimal:
    """Convert tenths of a point to points.

    >>> points(1205)
    Decimal('120.5')
    """
    return Decimal(tenths) / 10
