"""Payment files, such as bank statements, as clients send and read them."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from prorata.web.http.cursors import cursor
from prorata.web.http.fields import text
from prorata.web.http.limits import (
    LONGEST_PAYMENT_MARK,
    MOST_PAYMENT_COLUMNS_SENT,
    MOST_PAYMENT_ROWS_CHOSEN,
    MOST_WALKED,
)
from prorata.web.http.request_schemas import Body, PageQuery, Receipts
from prorata.web.http.response_schemas import Answer, Day, Figures, Timestamp
from prorata.web.http.sent_files import FileSent

FileStatus = Literal["OPEN", "CLOSED"]
Verdict = Literal["MATCHED", "PROPOSED", "UNMATCHED"]
Field = Literal[
    "date", "amount", "received", "paidOut", "name", "text", "reference", "invoice", "currency", "direction"
]  # fmt: skip
Line = Annotated[int, Meta(ge=1, le=10_000_000, description="The row's line in the file.")]


class PaymentFileUpload(Body):
    """A file of payments from a bank or another program: CSV, XLSX, ODS or XLS."""

    file: FileSent


class PaymentFilesQuery(Body):
    """Filter and page of a list of payment files."""

    status: FileStatus = "OPEN"
    before: Annotated[str, cursor("pfile")] | UnsetType = UNSET


class PaymentRowsQuery(PageQuery):
    """Filter and page of a list of a payment file's rows."""

    limit: Annotated[
        int,
        Meta(
            ge=1,
            le=MOST_WALKED,
            description="The number of rows per page. Each answer matches the whole file again, so few large pages are "
            "read faster than many small ones.",
        ),
    ] = 20
    verdict: Verdict | UnsetType = UNSET


class ColumnSent(Body):
    """The meaning of one column of a payment file."""

    name: Annotated[str, text(255), Meta(description="The column's name, as given in the file's `columns`.")]
    field: Annotated[Field | None, Meta(description="null: nothing that is needed.")]


class PaymentColumns(Body):
    """The layout of a payment file: header line, columns, decimal mark and date order."""

    header_line: Annotated[int, Meta(ge=0, le=10_000_000, description="The line of the header; 0: the file has none.")]
    columns: Annotated[list[ColumnSent], Meta(min_length=1, max_length=MOST_PAYMENT_COLUMNS_SENT)]
    decimal: Annotated[Literal[".", ","], Meta(description="The decimal separator.")] | UnsetType = UNSET
    dates: (
        Annotated[Literal["DMY", "MDY"], Meta(description="Whether the day or the month comes first.")] | UnsetType
    ) = UNSET
    remember: Annotated[bool, Meta(description="Apply this automatically to the next file with the same columns.")] = (
        False
    )


class PaymentRowChosen(Body):
    """A row of a payment file to record, and the invoices that it pays.

    Send either the `mark` of one of the row's candidates or the number of an invoice.
    """

    line: Line
    mark: Annotated[str, text(LONGEST_PAYMENT_MARK), Meta(description="A candidate's `mark`.")] | UnsetType = UNSET
    invoice_number: Annotated[str, text(255)] | UnsetType = UNSET


class PaymentRows(Body):
    """The rows of a payment file to record."""

    rows: Annotated[list[PaymentRowChosen], Meta(max_length=MOST_PAYMENT_ROWS_CHOSEN)] | UnsetType = UNSET
    matched: Annotated[bool, Meta(description="Also record all clearly matched rows.")] = False
    receipts: Receipts = False


class PaymentRowSame(Body):
    """A row of a payment file that repeats a payment recorded earlier."""

    line: Line


class PaymentRowsAside(Body):
    """Rows of a payment file to set aside, because they are not tenants' payments.

    If `aside` is false, the rows wait for a person again.
    """

    lines: Annotated[list[Line], Meta(min_length=1, max_length=MOST_PAYMENT_ROWS_CHOSEN)]
    aside: bool = True


class PaymentColumn(Answer):
    """A column of a payment file, with its current meaning."""

    name: str
    field: Field | None


class PaymentRowProblem(Answer):
    """A problem in one line of a payment file."""

    line: int
    column: str | None
    message: str


class PaymentFile(Answer):
    """A payment file, without the invoices that its rows may pay."""

    id: str
    name: str
    status: FileStatus
    rows: int
    recorded: Annotated[int, Meta(description="How many of the file's rows have been recorded.")]
    created_at: Timestamp
    updated_at: Timestamp


class PaymentFiles(Answer):
    """Payment files, latest first."""

    data: list[PaymentFile]
    next: Annotated[str | None, Meta(description="The `before` value for the next entries; null at the end.")]


class PaymentFileInFull(PaymentFile):
    """A payment file, with the meaning of its columns and the state of its rows."""

    header_line: Annotated[int, Meta(description="0: it has no header.")]
    columns: list[PaymentColumn]
    to_say: Annotated[
        list[str], Meta(description="What must first be specified using `/columns`. Empty: the rows can be read.")
    ]
    currency: str
    matched: Annotated[int, Meta(description="Rows that clearly belong to one invoice.")]
    proposed: Annotated[int, Meta(description="Rows that may belong to invoices.")]
    unmatched: int
    recorded_lines: list[int]
    aside_lines: Annotated[list[int], Meta(description="Rows that somebody has set aside: no tenants' payments.")]
    left_out: Annotated[int, Meta(description="Rows that aren't incoming payments.")]
    problems: Annotated[list[PaymentRowProblem], Meta(description="Lines that couldn't be read.")]
    mail_waits: Annotated[
        int,
        Meta(
            description="Invoices that rows may pay and whose e-mails haven't been sent yet; if they are paid in "
            "full, those e-mails won't be sent."
        ),
    ]


class PaymentPart(Answer):
    """The part of a row's amount that would pay one invoice."""

    invoice_id: str
    invoice_number: str
    amount: Figures
    in_place_of_noted: Annotated[
        bool, Meta(description="Whether it is the payment that was noted when the invoice was marked as paid.")
    ]


class PaymentCandidate(Answer):
    """One or more invoices that a row may pay together."""

    mark: Annotated[str, Meta(description="Send this back to record the row for these invoices.")]
    invoices: list[PaymentPart]


class PaymentRow(Answer):
    """A waiting row of a payment file, with the invoices that it may pay."""

    line: int
    date: Day
    amount: Figures
    name: str
    text: str
    reference: str
    verdict: Verdict
    reason: Annotated[str, Meta(description="The reason for the verdict, in a sentence.")]
    candidates: list[PaymentCandidate]
    same_as: Annotated[list[str], Meta(description="The ids of recorded payments that this row may duplicate.")]


class PaymentsRecorded(Answer):
    """The result of recording payments."""

    recorded: int
    amount: Figures
    changed_lines: Annotated[
        list[int], Meta(description="Lines that were not recorded because something has changed: check them again.")
    ]
    mail_withdrawn: Annotated[
        int,
        Meta(
            description="Invoices that will no longer be e-mailed, because they were paid before the e-mail was sent."
        ),
    ]
    left: Annotated[int, Meta(description="Rows that have yet to be recorded: send the same request again.")]
    file: PaymentFile
