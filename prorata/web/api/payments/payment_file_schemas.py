"""Payment files as clients send and read them."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from prorata.web.http.fields import text
from prorata.web.http.limits import LONGEST_PAYMENT_MARK, MOST_PAYMENT_COLUMNS_SENT, MOST_PAYMENT_ROWS_CHOSEN
from prorata.web.http.request_schemas import Body, Filter, PageQuery, Receipts
from prorata.web.http.response_schemas import Answer, Day, Figures, Timestamp
from prorata.web.http.sent_files import FileSent

FileStatus = Literal["OPEN", "CLOSED"]
Verdict = Literal["MATCHED", "PROPOSED", "UNMATCHED"]
Field = Literal[
    "date", "amount", "received", "paidOut", "name", "text", "reference", "invoice", "currency", "direction"
]  # fmt: skip
Line = Annotated[int, Meta(ge=1, le=10_000_000, description="The line of the file in which the row stands.")]


class PaymentFileUpload(Body):
    """A bank's or ledger's file: CSV, XLSX, ODS or XLS."""

    file: FileSent


class PaymentFilesQuery(Body):
    """Filter and page of a list of payment files."""

    status: FileStatus = "OPEN"
    before: (
        Annotated[Filter, Meta(description="Only what stands behind this file: the `next` of the answer before.")]
        | UnsetType
    ) = UNSET


class PaymentRowsQuery(PageQuery):
    """Filter and page of a list of a file's rows."""

    verdict: Verdict | UnsetType = UNSET


class ColumnSent(Body):
    """The meaning of one column."""

    name: Annotated[str, text(255), Meta(description="The column's name, as the file's `columns` have it.")]
    field: Annotated[Field | None, Meta(description="null: nothing that is needed.")]


class PaymentColumns(Body):
    """The layout of a payment file: its header line, columns, decimal mark and date order."""

    header_line: Annotated[int, Meta(ge=0, le=10_000_000, description="The line of the header; 0: it has none.")]
    columns: Annotated[list[ColumnSent], Meta(min_length=1, max_length=MOST_PAYMENT_COLUMNS_SENT)]
    decimal: Annotated[Literal[".", ","], Meta(description="The decimal mark.")] | UnsetType = UNSET
    dates: Annotated[Literal["DMY", "MDY"], Meta(description="Whether the day comes first.")] | UnsetType = UNSET
    remember: Annotated[bool, Meta(description="Read the next file with these columns this way at once.")] = False


class PaymentRowChosen(Body):
    """A row to record, with a candidate's mark or an invoice's number."""

    line: Line
    mark: Annotated[str, text(LONGEST_PAYMENT_MARK), Meta(description="A candidate's `mark`.")] | UnsetType = UNSET
    invoice_number: Annotated[str, text(255)] | UnsetType = UNSET


class PaymentRows(Body):
    """The rows of a file to record."""

    rows: Annotated[list[PaymentRowChosen], Meta(max_length=MOST_PAYMENT_ROWS_CHOSEN)] | UnsetType = UNSET
    matched: Annotated[bool, Meta(description="All that are plainly matched besides.")] = False
    receipts: Receipts = False


class PaymentRowSame(Body):
    """A row that is a payment recorded before."""

    line: Line


class PaymentColumn(Answer):
    """A column of a file, with its current meaning."""

    name: str
    field: Field | None


class PaymentRowProblem(Answer):
    """A problem in one line."""

    line: int
    column: str | None
    message: str


class PaymentFile(Answer):
    """A payment file, without its rows' invoices."""

    id: str
    name: str
    status: FileStatus
    rows: int
    recorded: Annotated[int, Meta(description="How many of its rows were recorded.")]
    created_at: Timestamp
    updated_at: Timestamp


class PaymentFiles(Answer):
    """Payment files, latest first."""

    data: list[PaymentFile]
    next: Annotated[str | None, Meta(description="The `before` of what follows; null at the end.")]


class PaymentFileInFull(PaymentFile):
    """A payment file, with its interpretation and the state of its rows."""

    header_line: Annotated[int, Meta(description="0: it has no header.")]
    columns: list[PaymentColumn]
    to_say: Annotated[
        list[str], Meta(description="What somebody has to say of it first, by `/columns`. Empty: its rows can be read.")
    ]
    currency: str
    matched: Annotated[int, Meta(description="Rows that are plainly for one invoice.")]
    proposed: Annotated[int, Meta(description="Rows that may be for invoices.")]
    unmatched: int
    recorded_lines: list[int]
    left_out: Annotated[int, Meta(description="Rows that are no money that came.")]
    problems: Annotated[list[PaymentRowProblem], Meta(description="Lines that can't be read.")]
    mail_waits: Annotated[
        int,
        Meta(description="Invoices that rows may be for whose e-mails have not left: paid in full, they don't leave."),
    ]


class PaymentPart(Answer):
    """A row's part for one invoice."""

    invoice_id: str
    invoice_number: str
    amount: Figures
    in_place_of_noted: Annotated[bool, Meta(description="It is what marking the invoice as paid had noted.")]


class PaymentCandidate(Answer):
    """The invoices, usually one, that a row may pay together."""

    mark: Annotated[str, Meta(description="Send it back to record the row for them.")]
    invoices: list[PaymentPart]


class PaymentRow(Answer):
    """A waiting row of a file: received money, and the invoices that it may pay."""

    line: int
    date: Day
    amount: Figures
    name: str
    text: str
    reference: str
    verdict: Verdict
    reason: Annotated[str, Meta(description="Why, in a sentence.")]
    candidates: list[PaymentCandidate]
    same_as: Annotated[list[str], Meta(description="Payments in ledgers that it may be: their ids.")]


class PaymentsRecorded(Answer):
    """The result of recording payments."""

    recorded: int
    amount: Figures
    changed_lines: Annotated[list[int], Meta(description="Not recorded, as something has changed: look again.")]
    mail_withdrawn: Annotated[int, Meta(description="Invoices that are not e-mailed any more: they were paid before.")]
    left: Annotated[int, Meta(description="Rows that are still to be recorded: send the same once more.")]
    file: PaymentFile
