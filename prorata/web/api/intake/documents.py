"""Documents, which are bills as files: reading, confirming, and learning from them.

See docs/decisions.md#documents.
"""

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
    STATES,
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
from prorata.web.api.intake.shown_documents import in_full, listed
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
"""The names of fields in lessons, by their names in a confirmed bill."""


def _pointed(body: DocumentLesson) -> Iterator[tuple[str, Sequence[PlaceSent]]]:
    """Yield the name of each value to learn, and where a person found it.

    A place is a rectangle on one of the document's pages. A line's name is its utility type or unbilled reason.
    """
    if (at := given(body.at)) is not None:
        yield from ((_LEARNED[name], places) for name, places in sent_fields(at).items())
    yield from (
        (kind, given(document_line_sent.at) or ())
        for kind, document_line_sent in zip(kinds_of(body.lines), body.lines, strict=True)
    )


def _places(body: DocumentLesson) -> Mapping[str, Sequence[Place]]:
    return {
        name: [
            Place(
                place_sent.page,
                *(int(10 * edge) for edge in (place_sent.left, place_sent.top, place_sent.right, place_sent.bottom)),
            )
            for place_sent in some
        ]
        for name, some in _pointed(body)
        if some
    }


@operation(
    "GET", "/documents", at_once=True, summary="List documents", query=DocumentsQuery, answer=Page[Document]
)  # fmt: skip
def list_documents(call: Call[DocumentsQuery, None]) -> Page[Document]:
    """List the documents in any status, newest first."""
    query, status = call.query, given(call.query.status)
    its_page = sent_documents.listed(call.tx, call.caller, None if status is None else STATES[status], query.window)
    return part_of([listed(row) for row in its_page.rows], its_page, query)


@operation(
    "POST", "/documents", summary="Bring a document", body=DocumentUpload, takes=FORM, most_bytes=MOST_ATTACHED_BYTES,
    answer=DocumentInFull, status=201, conflict="Too many documents are waiting to be read.",
)  # fmt: skip
def bring_document(call: Call[None, DocumentUpload]) -> DocumentInFull:
    """Upload a file that contains a bill; the bill's values are read within seconds.

    Read the document by its id until its `status` is no longer READING. Each file is stored only once: if you send
    the same bytes again, you get the existing document.
    """
    file = call.body.file
    row = sent_documents.bring(call.tx, call.caller, file.name, file.content)
    return in_full(sent_documents.find(call.tx, call.caller, row.id))


@operation(
    "GET", _ONE, at_once=True, summary="Read a document", query=DocumentQuery, answer=DocumentInFull,
    missing=("document", "property"),
)  # fmt: skip
def read_document(call: Call[DocumentQuery, None]) -> DocumentInFull:
    """Read a document, with the values read from it and its proposed bill.

    Each value comes with its certainty, the reason for any doubt, and its places on the pages. The bill is
    proposed for the property that you name or, if you name none, for the one to which the document seems to belong.
    """
    whole = sent_documents.find(call.tx, call.caller, call.path["id"], given(call.query.property_id))
    return in_full(whole)


@operation("GET", _ONE + "/file", at_once=True, summary="Get a document's file", missing=("document",), media=FILE)
def get_file_of_document(call: Call[None, None]) -> FileAnswer:
    """Download the file as it arrived.

    The file comes from a stranger, so open it only where it can't do harm.
    """
    row = access.document(call.tx, call.caller, call.path["id"])
    return FileAnswer(row.name, documents.content_of(call.tx, call.caller, row.id))


@operation(
    "POST", _ONE + "/confirm", summary="Confirm a document", body=DocumentConfirmation, answer=Bill, status=201,
    missing=("document", "property"), example=DOCUMENT_CONFIRMED, moves=previews.of_property,
    conflict="The document is being read, has already become a bill, or is set aside.",
)  # fmt: skip
def confirm_document(call: Call[None, DocumentConfirmation]) -> Bill:
    """Add the bill in a document, and learn how to read the issuer's next bill.

    `at` contains the places on the pages where a person found the values. If the new bill has flags, they stay
    open, as for a bill that is added with `POST /properties/{propertyId}/bills`.
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
    missing=("document",), example=DOCUMENT_TAUGHT, conflict="The document is an e-invoice, or its text isn't "
                                                             "available.",
)  # fmt: skip
def teach_by_document(call: Call[None, DocumentLesson]) -> DocumentInFull:
    """Learn from a document how to read its issuer's next bill, without adding a bill.

    Within seconds, the other waiting documents are read again with the new lesson. If nothing can be learned, the
    document's `reason` says so.
    """
    form = form_of(BillForm("", "", "", "", ()), call.body, ANY_COUNTRY)
    sent_documents.teach(call.tx, call.caller, call.path["id"], form, _places(call.body))
    return in_full(sent_documents.find(call.tx, call.caller, call.path["id"]))


@operation(
    "PATCH", _ONE, summary="Set a document aside", body=DocumentChange, answer=DocumentInFull, missing=("document",),
    conflict="The document has become a bill.", example={"status": "SET_ASIDE"},
)  # fmt: skip
def change_document(call: Call[None, DocumentChange]) -> DocumentInFull:
    """Set aside a document that is not a bill, or have a document read again."""
    sent_documents.put_away(call.tx, call.caller, call.path["id"], STATES[call.body.status])
    return in_full(sent_documents.find(call.tx, call.caller, call.path["id"]))


@operation(
    "DELETE", _ONE, summary="Delete a document", answer=Message, missing=("document",),
    conflict="The document has become a bill, or isn't set aside.",
)  # fmt: skip
def delete_document(call: Call[None, None]) -> Message:
    """Delete a document for good.

    This is possible only if the document is set aside or its bill has been deleted.
    """
    document_removals.remove(call.tx, call.caller, call.path["id"])
    return Message(message="The document has been deleted.")
