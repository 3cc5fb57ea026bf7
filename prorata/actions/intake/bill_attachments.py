"""Attaching PDFs or pictures to bills that were entered without a file.

The files are stored like other documents. A job reads the words on their pages, but the bill keeps its data.
"""

from prorata.actions.accounts import access
from prorata.actions.intake.documents import READ, keep, require_size, save_as
from prorata.actions.jobs import jobs
from prorata.actions.limits import MOST_FILES_OF_A_BILL
from prorata.domain.audit.verbs import Verb
from prorata.domain.files.file_kinds import PICTURE_KINDS, told
from prorata.domain.intake.documents import BILLED, READING, SET_ASIDE
from prorata.domain.texts import say
from prorata.errors import Conflict, InvalidRequest, NotFound
from prorata.store.audit.audit import Caller
from prorata.store.bills.bills import BillRow
from prorata.store.database.engine import Tx
from prorata.store.intake import documents
from prorata.store.intake.documents import DocumentRow

_OTHER = say("Attach a PDF or a picture (JPEG or PNG) of the bill.")
_ENDINGS = {"pdf": (".pdf",), "jpeg": (".jpg", ".jpeg", ".jpe"), "png": (".png",)}


def attach(tx: Tx, caller: Caller, bill_id: str, name: str, content: bytes) -> DocumentRow:
    """Attach a file to an existing bill, and queue the reading of the file's pages.

    The bill's data do not change. If the file is already in the inbox, its document is attached to the bill.
    Attaching the same file twice has no effect.

    Raises `NotFound` if there is no such bill, `InvalidRequest` for a file that is neither a PDF nor a picture,
    `PayloadTooLarge` for a file that is too large, and `Conflict` if the bill already has `MOST_FILES_OF_A_BILL`
    files.
    """
    _, bill = access.bill_to_change(tx, caller, bill_id)
    row = _kept(tx, caller, name, content)
    there = documents.of_bill(tx, caller.account_id, bill.id)
    if any(document.id == row.id for document in there):
        return row
    if len(there) >= MOST_FILES_OF_A_BILL:
        raise Conflict(say("This bill already has {most} files. Remove one first.", most=MOST_FILES_OF_A_BILL))
    documents.link(tx, caller.account_id, bill.id, row.id)
    if row.draft is None and row.state != READING:
        jobs.enqueue(tx, caller.account_id, READ, {"document": row.id}, subject=row.id)
    return save_as(tx, caller, row._replace(said=None, asks=None), BILLED, Verb.ATTACH_DOCUMENT)


def _kept(tx: Tx, caller: Caller, name: str, content: bytes) -> DocumentRow:
    """Store a file as a document, unless it is already stored, and lock the document.

    Raises the errors that `attach` raises for an unusable file.
    """
    if not content:
        raise InvalidRequest(say("This file is empty. Choose the file that contains the bill."))
    require_size(content)
    kind, refused, _ = told(name, content)
    if kind not in {"pdf", *PICTURE_KINDS}:
        raise InvalidRequest(refused or _OTHER)
    ends = _ENDINGS[kind]
    taken = keep(tx, caller, name if name.lower().endswith(ends) else f"{name}{ends[0]}", content, "upload")
    if taken.is_new:
        jobs.enqueue(tx, caller.account_id, READ, {"document": taken.row.id}, subject=taken.row.id)
    return access.document_to_change(tx, caller, taken.row.id)


def detach(tx: Tx, caller: Caller, bill_id: str, document_id: str) -> BillRow:
    """Detach a file from a bill without changing the bill.

    If no other bill has the file, the file's document is set aside. Raises `NotFound` if the bill or the file does
    not exist, or if the file is not attached to the bill.
    """
    _, bill = access.bill_to_change(tx, caller, bill_id)
    row = access.document_to_change(tx, caller, document_id)
    if not documents.unlink(tx, caller.account_id, bill.id, row.id):
        raise NotFound("document")
    is_left = documents.bill_of(tx, caller.account_id, row.id) is None
    save_as(tx, caller, row, SET_ASIDE if is_left else row.state, Verb.DETACH_DOCUMENT)
    return bill
