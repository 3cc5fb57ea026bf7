"""Payment files: uploading and reading them, and recording their rows (docs/payments.md)."""

from collections.abc import Sequence
from typing import Any

from prorata.actions.payments import file_reports, files, finished_files, recording, rows_aside
from prorata.actions.payments.file_reports import FileReport
from prorata.actions.payments.picks import Picks, mark_of
from prorata.actions.payments.recording import Recorded
from prorata.domain.files.column_mappings import ColumnMapping
from prorata.domain.money import in_figures
from prorata.domain.payments.files import CLOSED, OPEN
from prorata.domain.payments.matching import Match
from prorata.domain.problems import Problem
from prorata.errors import InvalidRequest
from prorata.store.payments.files import PaymentFileRow
from prorata.web.api.examples import PAYMENT_COLUMNS_SENT
from prorata.web.api.payments import payment_file_schemas as schemas
from prorata.web.api.payments.payment_file_schemas import (
    PaymentColumns,
    PaymentFile,
    PaymentFileInFull,
    PaymentFiles,
    PaymentFilesQuery,
    PaymentFileUpload,
    PaymentRow,
    PaymentRowChosen,
    PaymentRows,
    PaymentRowSame,
    PaymentRowsAside,
    PaymentRowsQuery,
    PaymentsRecorded,
)
from prorata.web.http.limits import MOST_UPLOAD_BYTES
from prorata.web.http.operations import FILE, FORM, Call, operation
from prorata.web.http.request_schemas import given
from prorata.web.http.response_schemas import Message, Page, page_of
from prorata.web.http.sent_files import FileAnswer

_KIND = ("payments file",)
_IS_CLOSED = "The file has been marked as done."
_ONE_OF = "Each row needs either a candidate's mark or an invoiceNumber, but not both."


def _known(row: PaymentFileRow) -> dict[str, Any]:
    return {
        "id": row.id,
        "name": row.name,
        "status": row.state.upper(),
        "rows": row.rows,
        "recorded": row.recorded,
        "created_at": row.created_at,
        "updated_at": row.updated_at,
    }


def _in_full(report: FileReport) -> PaymentFileInFull:
    sheet, looked = report.file.understood.sheet, report.looked
    named = zip(sheet.header, report.file.understood.fields, strict=True)
    return PaymentFileInFull(
        **_known(report.file.row),
        header_line=sheet.header_line,
        columns=[schemas.PaymentColumn(name=name.strip(), field=field) for name, field in named],  # type: ignore[arg-type]
        to_say=list(report.to_say),
        currency=report.file.currency,
        matched=report.number("matched"),
        proposed=report.number("proposed"),
        unmatched=report.number("unmatched"),
        recorded_lines=list(looked.recorded) if looked else [],
        aside_lines=[row.line for row in looked.aside] if looked else [],
        left_out=looked.left_out if looked else 0,
        problems=[schemas.PaymentRowProblem(**problem._asdict()) for problem in looked.problems] if looked else [],
        mail_waits=report.mail_waits,
    )


def _row(match: Match) -> PaymentRow:
    row = match.row
    return PaymentRow(
        line=row.line,
        date=row.day.isoformat(),
        amount=in_figures(row.cents),
        name=row.name,
        text=row.text,
        reference=row.reference,
        verdict=match.verdict.upper(),  # type: ignore[arg-type]
        reason=match.reason,
        candidates=[
            schemas.PaymentCandidate(
                mark=mark_of(candidate),
                invoices=[
                    schemas.PaymentPart(
                        invoice_id=part.invoice.id,
                        invoice_number=part.invoice.number,
                        amount=in_figures(part.cents),
                        in_place_of_noted=part.in_place_of_noted,
                    )
                    for part in candidate
                ],
            )
            for candidate in match.candidates
        ],
        same_as=[entry.id for entry in match.same_as],
    )


def _listed(call: Call[Any, Any], file_id: str) -> PaymentFile:
    """Build a payment file's list entry, without looking for the invoices that its rows pay.

    That search takes long and, in a transaction that writes, would block other writers.
    """
    return PaymentFile(**_known(files.find(call.tx, call.caller, file_id).row))


@operation(
    "GET", "/payment-files", at_once=True, summary="List payment files", query=PaymentFilesQuery, answer=PaymentFiles
)
def list_payment_files(call: Call[PaymentFilesQuery, None]) -> PaymentFiles:
    """List the payment files with rows that wait for a person, latest first.

    With `status=CLOSED`, the list contains the files that a person has closed instead.
    """
    query = call.query
    its_files = files.listed(call.tx, call.caller, query.status.lower(), given(query.before) or "")
    return PaymentFiles(data=[PaymentFile(**_known(row)) for row in its_files.rows], next=its_files.further)


@operation(
    "POST", "/payment-files", summary="Bring a payment file", body=PaymentFileUpload, takes=FORM, table="payments",
    most_bytes=MOST_UPLOAD_BYTES, answer=PaymentFile, status=201,
)  # fmt: skip
def bring_payment_file(call: Call[None, PaymentFileUpload]) -> PaymentFile:
    """Upload a payment file, such as a bank statement; no payment is recorded yet.

    Each file is stored only once: if you send the same bytes again, you get the existing file.
    """
    assert call.sheet is not None, "its file was read"
    file = call.body.file
    kept = file_reports.keep(call.tx, call.caller, file.name, file.content, call.sheet)
    finished_files.finish(call.tx, call.caller, kept)
    return _listed(call, kept)


@operation(
    "GET", "/payment-files/{id}", at_once=True, summary="Read a payment file", answer=PaymentFileInFull, missing=_KIND
)
def read_payment_file(call: Call[None, None]) -> PaymentFileInFull:
    """Read a payment file: the meaning of its columns, and the state of its rows.

    The answer includes the numbers of rows with and without matching invoices, and the lines that can't be read.
    """
    return _in_full(file_reports.of_file(call.tx, call.caller, call.path["id"]))


@operation(
    "GET", "/payment-files/{id}/rows", at_once=True, summary="List the rows of a payment file", query=PaymentRowsQuery,
    answer=Page[PaymentRow], missing=_KIND,
)  # fmt: skip
def list_payment_rows(call: Call[PaymentRowsQuery, None]) -> Page[PaymentRow]:
    """List a payment file's waiting rows, each with the invoices that it may pay.

    The rows are in the file's order. The list is empty as long as the file's `toSay` contains questions.
    """
    query, verdict = call.query, given(call.query.verdict)
    waiting = file_reports.waiting(call.tx, call.caller, call.path["id"])
    rows = [match for match in waiting if verdict in (None, match.verdict.upper())]
    end = query.offset + query.limit
    return page_of([_row(row) for row in rows[query.offset : end]], len(rows), query)


@operation("GET", "/payment-files/{id}/file", summary="Get a payment file as it came", missing=_KIND, media=FILE)
def get_payment_file(call: Call[None, None]) -> FileAnswer:
    """Download the payment file, byte for byte as it was uploaded."""
    return FileAnswer(*files.as_it_came(call.tx, call.caller, call.path["id"]))


@operation(
    "POST", "/payment-files/{id}/columns", summary="Say what columns mean", body=PaymentColumns,
    answer=PaymentFile, status=200, missing=_KIND, conflict=_IS_CLOSED, example=PAYMENT_COLUMNS_SENT,
)  # fmt: skip
def choose_payment_columns(call: Call[None, PaymentColumns]) -> PaymentFile:
    """State a payment file's header line, the meaning of its columns, and its formats.

    Do this if the file's `toSay` asks for it, or if the file was read incorrectly.
    """
    body, file_id = call.body, call.path["id"]
    fields = {column.name: column.field or "" for column in body.columns}
    mapping = ColumnMapping(fields, decimal=given(body.decimal) or "", dates=given(body.dates) or "")
    file_reports.choose(call.tx, call.caller, file_id, body.header_line, mapping, remember=body.remember)
    finished_files.finish(call.tx, call.caller, file_id)
    return _listed(call, file_id)


@operation(
    "POST", "/payment-files/{id}/record", summary="Record rows of a payment file", body=PaymentRows,
    answer=PaymentsRecorded, status=200, missing=_KIND, example={"matched": True},
    conflict=f"{_IS_CLOSED} Or something has to be said of it first.",
)  # fmt: skip
def record_payment_rows(call: Call[None, PaymentRows]) -> PaymentsRecorded:
    """Record chosen rows of a payment file in the ledgers of the paid invoices.

    Each row is recorded once, however often the file is uploaded. A row is skipped if an invoice that it pays has
    changed since you read the row. A request records at most 500 rows. `left` is the number of rows that are still
    to be recorded; to record these, send the same request again.
    """
    file_id, picks = call.path["id"], _picks(given(call.body.rows) or ())
    decided = recording.decided(call.tx, call.caller, file_id, picks, matched=call.body.matched)
    (first, *others) = decided.in_parts()
    done = recording.record(call.tx, call.caller, first, receipts=call.body.receipts)
    finished_files.finish(call.tx, call.caller, file_id)
    return _recorded(done, sum(len(part.rows) for part in others), _listed(call, file_id))


def _recorded(done: Recorded, left: int, file: PaymentFile) -> PaymentsRecorded:
    return PaymentsRecorded(
        recorded=done.rows,
        amount=in_figures(done.cents),
        changed_lines=list(done.refused),
        mail_withdrawn=done.withdrawn,
        left=left,
        file=file,
    )


def _picks(rows: Sequence[PaymentRowChosen]) -> Picks:
    """Convert a client's chosen rows to the `Picks` of the action that records rows.

    Raises `InvalidRequest` if a row names neither an invoice nor a candidate, names both, or is chosen twice.
    """
    wrong = [
        at
        for at, payment_row_chosen in enumerate(rows)
        if (given(payment_row_chosen.mark) is None) == (given(payment_row_chosen.invoice_number) is None)
    ]
    if wrong:
        raise InvalidRequest.because([Problem(f"rows[{at}]", _ONE_OF) for at in wrong])
    lines = [row.line for row in rows]
    if twice := [at for at, line in enumerate(lines) if line in lines[:at]]:
        raise InvalidRequest.because([Problem(f"rows[{at}].line", "This row has already been chosen.") for at in twice])
    chosen = {row.line: mark for row in rows if (mark := given(row.mark)) is not None}
    return Picks(chosen, {row.line: number for row in rows if (number := given(row.invoice_number)) is not None})


@operation(
    "POST", "/payment-files/{id}/same", summary="Call a row the same", body=PaymentRowSame, answer=PaymentFile,
    status=200, missing=_KIND, conflict="Nothing more needs to be decided about this row.", example={"line": 3},
)  # fmt: skip
def call_payment_row_same(call: Call[None, PaymentRowSame]) -> PaymentFile:
    """Record that a row repeats the recorded payments that its `sameAs` lists.

    The row then no longer waits for a person.
    """
    asked = recording.asked_about(call.tx, call.caller, call.path["id"], call.body.line)
    recording.call_same(call.tx, call.caller, asked)
    finished_files.finish(call.tx, call.caller, call.path["id"])
    return _listed(call, call.path["id"])


@operation(
    "POST", "/payment-files/{id}/aside", summary="Set rows aside", body=PaymentRowsAside, answer=PaymentFile,
    status=200, missing=_KIND, conflict=f"{_IS_CLOSED} Or none of these rows waits.", example={"lines": [3]},
)  # fmt: skip
def set_payment_rows_aside(call: Call[None, PaymentRowsAside]) -> PaymentFile:
    """Set aside waiting rows that are not tenants' payments, or let them wait again."""
    rows_aside.change(call.tx, call.caller, call.path["id"], call.body.lines, aside=call.body.aside)
    finished_files.finish(call.tx, call.caller, call.path["id"])
    return _listed(call, call.path["id"])


@operation(
    "POST", "/payment-files/{id}/close", summary="Close a payment file", answer=PaymentFile, status=200,
    missing=_KIND,
)  # fmt: skip
def close_payment_file(call: Call[None, None]) -> PaymentFile:
    """Close a payment file; the file and the payments recorded from it are kept."""
    files.set_state(call.tx, call.caller, call.path["id"], CLOSED)
    return _listed(call, call.path["id"])


@operation(
    "POST", "/payment-files/{id}/reopen", summary="Open a payment file again", answer=PaymentFile, status=200,
    missing=_KIND,
)  # fmt: skip
def reopen_payment_file(call: Call[None, None]) -> PaymentFile:
    """Reopen a payment file, so that its rows wait for a person again."""
    files.set_state(call.tx, call.caller, call.path["id"], OPEN)
    return _listed(call, call.path["id"])


@operation(
    "DELETE", "/payment-files/{id}", summary="Delete a payment file", answer=Message, missing=_KIND,
)  # fmt: skip
def delete_payment_file(call: Call[None, None]) -> Message:
    """Delete a payment file for good, including the rows that were not recorded.

    Payments that were recorded from the file are kept and remembered: if the file is uploaded again, none of them
    is recorded twice.
    """
    files.remove(call.tx, call.caller, call.path["id"])
    return Message(message="The file has been deleted. Payments recorded from it have been kept.")
