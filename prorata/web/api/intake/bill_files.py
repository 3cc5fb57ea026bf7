"""Files of bills: attaching them to a bill, listing and detaching them."""

from prorata.actions.intake import bill_attachments, sent_documents
from prorata.domain.problems import Problem
from prorata.errors import InvalidRequest
from prorata.web.api.intake.document_schemas import Document, DocumentInFull, DocumentUpload
from prorata.web.api.intake.shown_documents import in_full, listed
from prorata.web.http.limits import MOST_ATTACHED_BYTES
from prorata.web.http.operations import FORM, Call, operation
from prorata.web.http.response_schemas import Message

_FILES = "/bills/{id}/files"


@operation("GET", _FILES, at_once=True, summary="List a bill's files", answer=list[Document], missing=("utility bill",))
def list_files_of_bill(call: Call[None, None]) -> list[Document]:
    """List a bill's files, oldest first: the document it was made from, and attached ones."""
    return [listed(whole_document) for whole_document in sent_documents.of_bill(call.tx, call.caller, call.path["id"])]


@operation(
    "POST", _FILES, summary="Attach a file", body=DocumentUpload, takes=FORM, most_bytes=MOST_ATTACHED_BYTES,
    answer=DocumentInFull, status=201, missing=("utility bill",), conflict="The bill already has the maximum number of "
                                                                           "files.",
)  # fmt: skip
def attach_file(call: Call[None, DocumentUpload]) -> DocumentInFull:
    """Attach a PDF or picture to a bill; the bill's values don't change.

    If the inbox already contains the same file, that document is attached.
    """
    file = call.body.file
    try:
        row = bill_attachments.attach(call.tx, call.caller, call.path["id"], file.name, file.content)
    except InvalidRequest as refused:
        raise InvalidRequest.because([Problem("file", refused.message)]) from None
    return in_full(sent_documents.find(call.tx, call.caller, row.id))


@operation(
    "DELETE", _FILES + "/{documentId}", summary="Take a file off a bill", answer=Message,
    missing=("utility bill", "document"),
)  # fmt: skip
def detach_file(call: Call[None, None]) -> Message:
    """Detach a file from a bill.

    The bill doesn't change, and the file stays stored as a document.
    """
    bill_attachments.detach(call.tx, call.caller, call.path["id"], call.path["documentId"])
    return Message(message="The file has been removed from this bill. It is still stored.")
