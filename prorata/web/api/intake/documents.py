"""Documents: bills that come as files, read, confirmed and taught by (docs/decisions.md#documents)."""

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from prorata.actions.accounts import access
from prorata.actions.intake import document_removals, documents, sent_documents
from prorata.actions.intake.sent_documents import ANY_COUNTRY
from prorata.actions.invoices import previews
from prorata.domain.bills.forms import BillForm
from prorata.domain.intake.bill_reading.words import Place
from prorata.web.api.bills.bill_forms import form_of, kinds_of
from prorata.web.api.bills.bill_schemas import Bill
from prorata.web.api.bills.bills import read as read_bill
from prorata.web.api.examples import DOCUMENT_CONFIRMED, DOCUMENT_TAUGHT
from prorata.web.api.intake.document_schemas import (
    Document,
    DocumentChange,
    DocumentConfirmation,
    DocumentInFull,
    DocumentLesson,
    DocumentQuery,
    DocumentsQuery,
    DocumentUpload,
    PlaceSent,
)
from prorata.web.api.intake.shown_documents import STATES, in_full, listed
from prorata.web.http.limits import MOST_ATTACHED_BYTES
from prorata.web.http.operations import FILE, FORM, Call, operation
from prorata.web.http.request_schemas import given, sent_fields
from prorata.web.http.response_schemas import Message, Page, part_of
from prorata.web.http.sent_files import FileAnswer

_ONE = "/documents/{id}"
_LEARNED = {
    "issuer_name": "issuer",
    "total_amount_due": "total",
    "bill_date": "bill_date",
    "due_date": "due_date",
    "service_period_start": "service_start",
    "service_period_end": "service_end",
    "account_number": "account_number",
    "bill_number": "bill_number",
}
"""What is learned of each field, by its name."""


def _pointed(body: DocumentLesson) -> Iterator[tuple[str, Sequence[PlaceSent]]]:
    """What is learned, with the places that were pointed at."""
    if (at := given(body.at)) is not None:
        yield from ((_LEARNED[name], places) for name, places in sent_fields(at).items())
    yield from ((kind, given(one.at) or ()) for kind, one in zip(kinds_of(body.lines), body.lines, strict=True))


def _places(body: DocumentLesson) -> Mapping[str, Sequence[Place]]:
    return {
        name: [
            Place(one.page, *(int(10 * edge) for edge in (one.left, one.top, one.right, one.bottom))) for one in some
        ]
        for name, some in _pointed(body)
        if some
    }


@operation(
    "GET", "/documents", at_once=True, summary="List documents", query=DocumentsQuery, answer=Page[Document]
)  # fmt: skip
def list_documents(call: Call[DocumentsQuery, None]) -> Page[Document]:
    """Some of the bills that came as files, the newest first, whatever became of them."""
    query, status = call.query, given(call.query.status)
    found = sent_documents.listed(call.tx, call.caller, None if status is None else STATES[status], query.window)
    return part_of([listed(row) for row in found.rows], found, query)


@operation(
    "POST", "/documents", summary="Bring a document", body=DocumentUpload, takes=FORM, most_bytes=MOST_ATTACHED_BYTES,
    answer=DocumentInFull, status=201, conflict="Too many documents wait to be read.",
)  # fmt: skip
def bring_document(call: Call[None, DocumentUpload]) -> DocumentInFull:
    """A bill as a file, which is read within seconds: read it by its id until its `status` is no longer READING. The
    same bytes are kept once: who sends them again gets the document that is there.
    """
    file = call.body.file
    row = sent_documents.bring(call.tx, call.caller, file.name, file.content)
    return in_full(sent_documents.find(call.tx, call.caller, row.id))


@operation(
    "GET", _ONE, at_once=True, summary="Read a document", query=DocumentQuery, answer=DocumentInFull,
    missing=("document", "property"),
)  # fmt: skip
def read_document(call: Call[DocumentQuery, None]) -> DocumentInFull:
    """A document with what was read of it: each value with how sure it is, why it is asked, and where on the pages it
    stands; and the bill that it would be, for the property that it seems to be for or that you name.
    """
    whole = sent_documents.find(call.tx, call.caller, call.path["id"], given(call.query.property_id))
    return in_full(whole)


@operation("GET", _ONE + "/file", at_once=True, summary="Get a document's file", missing=("document",), media=FILE)
def get_file_of_document(call: Call[None, None]) -> FileAnswer:
    """The file as it came: never open it where it could do harm, as it is a stranger's."""
    row = access.document(call.tx, call.caller, call.path["id"])
    return FileAnswer(row.name, documents.content_of(call.tx, call.caller, row.id))


@operation(
    "POST", _ONE + "/confirm", summary="Confirm a document", body=DocumentConfirmation, answer=Bill, status=201,
    missing=("document", "property"), example=DOCUMENT_CONFIRMED, moves=previews.of_property,
    conflict="It is being read, was made a bill already, or is set aside.",
)  # fmt: skip
def confirm_document(call: Call[None, DocumentConfirmation]) -> Bill:
    """Adds its bill, and learns from it how the next one of its issuer is read; `at` says where values stand. What is
    flagged of the bill is left open, as of one that is added.
    """
    body = call.body
    access.document(call.tx, call.caller, call.path["id"])
    of = access.property_(call.tx, call.caller, body.property_id)
    form = form_of(BillForm(of.id, "", "", "", ()), body, of.country)
    at = msgspec.json.encode(_places(body)).decode()
    entered = sent_documents.confirm(call.tx, call.caller, call.path["id"], form, at)
    assert entered.bill is not None, "flags that are left open keep no bill out"
    return read_bill(call.tx, call.caller, entered.bill.id)


@operation(
    "POST", _ONE + "/teach", summary="Teach by a document", body=DocumentLesson, answer=DocumentInFull, status=200,
    missing=("document",), example=DOCUMENT_TAUGHT, conflict="It is an e-invoice, or its words are not known.",
)  # fmt: skip
def teach_by_document(call: Call[None, DocumentLesson]) -> DocumentInFull:
    """Has learned from it how the next bill of its issuer is read, and adds no bill. Other documents that wait are read
    by it too, within seconds; where nothing can be learned from it, its `reason` says so.
    """
    form = form_of(BillForm("", "", "", "", ()), call.body, ANY_COUNTRY)
    sent_documents.teach(call.tx, call.caller, call.path["id"], form, _places(call.body))
    return in_full(sent_documents.find(call.tx, call.caller, call.path["id"]))


def _current(call: Call[None, None]) -> DocumentInFull:
    access.document_to_change(call.tx, call.caller, call.path["id"])
    return in_full(sent_documents.find(call.tx, call.caller, call.path["id"]))


@operation(
    "PATCH", _ONE, summary="Set a document aside", body=DocumentChange, answer=DocumentInFull, missing=("document",),
    current=_current, conflict="A bill came of it.", example={"status": "SET_ASIDE"},
)  # fmt: skip
def change_document(call: Call[None, DocumentChange]) -> DocumentInFull:
    """Puts away what is no bill, or takes it up again."""
    sent_documents.put_away(call.tx, call.caller, call.path["id"], STATES[call.body.status])
    return in_full(sent_documents.find(call.tx, call.caller, call.path["id"]))


@operation(
    "DELETE", _ONE, summary="Delete a document", answer=Message, missing=("document",), current=_current,
    conflict="A bill came of it, or it is not set aside.",
)  # fmt: skip
def delete_document(call: Call[None, None]) -> Message:
    """Deletes for good a file of which nothing came: one that is set aside, or whose bill was removed."""
    document_removals.remove(call.tx, call.caller, call.path["id"])
    return Message(message="The document has been deleted.")
