"""The inbox's functions for programs, which handle documents through the API."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from prorata.actions.accounts import access
from prorata.actions.bills import entries as bill_entries
from prorata.actions.bills.entries import Entered
from prorata.actions.bills.flags import Decision
from prorata.actions.intake import documents, page_lessons
from prorata.actions.intake.page_lessons import LEARN
from prorata.actions.intake.proposed_properties import Proposed, proposed_for
from prorata.actions.jobs import jobs
from prorata.actions.lists import walks
from prorata.actions.lists.walks import Listed, Window
from prorata.domain.bills.flags import shown_as
from prorata.domain.bills.forms import BillForm, read_form
from prorata.domain.files.file_kinds import PICTURE_KINDS, SEND, TABLE_KINDS, told
from prorata.domain.intake.bill_reading.draft import Draft
from prorata.domain.intake.bill_reading.words import Place
from prorata.domain.intake.documents import SET_ASIDE, STATES
from prorata.domain.problems import Problem
from prorata.domain.texts import plain
from prorata.errors import Conflict, InvalidRequest
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.intake import documents as stored
from prorata.store.intake.documents import DocumentRow, ListedDocument

ANY_COUNTRY, ANY_CURRENCY = "US", "USD"
"""The country and currency for amounts that are only compared with each other."""
_ONE_BILL = "Send one bill: a PDF, a picture (JPEG, PNG) or an e-invoice (XML)."
_TABLE = (
    "This is a table of bills. Upload it in the Inbox, where you can say what its columns mean, or add its bills "
    "one by one."
)
AN_E_INVOICE = "Prorata learns what an e-invoice's lines are for when its bill is confirmed."
_NO_WORDS = "The text of this document is not available, so nothing can be learned from it."


class WholeDocument(NamedTuple):
    """A document as listed, with its draft and the property proposed for it."""

    row: ListedDocument
    draft: Draft | None
    proposed: Proposed = Proposed()
    is_of_another_currency: bool = False


def bring(tx: Tx, caller: Caller, name: str, content: bytes) -> DocumentRow:
    """Store a bill's file and queue its reading, unless the same bytes are already stored.

    In that case, return the stored document. Raises `InvalidRequest` if the file can't be a bill, `PayloadTooLarge` if
    it is too large, and `Conflict` if too many documents are already waiting to be read.
    """
    documents.require_size(content)
    kind, refused, _ = told(name, content)
    if kind not in {"pdf", "xml", *PICTURE_KINDS}:
        message = refused.replace(SEND, _ONE_BILL) if refused else _TABLE if kind in TABLE_KINDS else _ONE_BILL
        raise InvalidRequest.because([Problem("file", message)])
    return documents.take(tx, caller, name, content, "upload").row


def page(tx: Tx, caller: Caller, states: Sequence[str], *, limit: int, offset: int) -> tuple[list[WholeDocument], int]:
    """List one page of the documents in `states`, newest first, and count all of them."""
    total = documents.number_in(tx, caller, states)
    rows = stored.far(tx, caller.account_id, states, offset=offset, limit=limit) if offset < total else []
    return [WholeDocument(row, _draft(row)) for row in rows], total


def listed(tx: Tx, caller: Caller, state: str | None, window: Window) -> Listed[WholeDocument]:
    """List one page of the documents in a state, or of all documents, newest first."""
    return walks.listed(
        tx, caller, stored.DOCUMENTS, {} if state is None else {"state": state}, window,
        page=lambda: page(
            tx, caller, STATES if state is None else (state,), limit=window.limit, offset=window.offset
        ),
        found=lambda ids: [WholeDocument(row, _draft(row)) for row in stored.listed(tx, caller.account_id, ids)],
        id_of=lambda whole_document: whole_document.row.id,
    )  # fmt: skip


def _draft(row: ListedDocument) -> Draft | None:
    return msgspec.json.decode(row.draft, type=Draft) if row.draft else None


def of_bill(tx: Tx, caller: Caller, bill_id: str) -> list[WholeDocument]:
    """List the files of a bill, in order of receipt.

    Raises `NotFound` if there is no such bill.
    """
    bill = access.bill(tx, caller, bill_id)
    ids = [document.id for document in documents.of_bill(tx, caller, bill.id)]
    return [WholeDocument(row, _draft(row)) for row in reversed(stored.listed(tx, caller.account_id, ids))]


def find(tx: Tx, caller: Caller, document_id: str, property_id: str | None = None) -> WholeDocument:
    """Find a document with its draft and its property.

    The property is the one with the given `property_id` or else the one that `proposed_for` proposes. Raises
    `NotFound` if there is no such document or property.
    """
    shown = documents.find(tx, caller, document_id)
    (row,) = stored.listed(tx, caller.account_id, [shown.row.id])
    if property_id is not None:
        proposed = Proposed(access.property_(tx, caller, property_id))
    else:
        proposed = proposed_for(tx, caller, shown.draft) if shown.draft else Proposed()
    of = proposed.property
    is_other = bool(of and shown.draft and documents.is_of_another_currency(shown.draft, of))
    return WholeDocument(row, shown.draft, proposed, is_other)


def confirm(tx: Tx, caller: Caller, document_id: str, form: BillForm, at: str | None) -> Entered:
    """Confirm a document for a program, as `documents.confirm` does for a person.

    The bill's flags are not accepted, because no person has seen them. Raises everything that `documents.confirm`
    raises, and `InvalidRequest` if the lines do not sum to the total.
    """
    access.document(tx, caller, document_id)
    bill_entries.require_whole(tx, caller, form)
    entered = documents.confirm(tx, caller, document_id, form, at=at)
    if entered.bill is None:
        later = Decision(shown_as(entered.flags), later=True)
        entered = documents.confirm(tx, caller, document_id, form, decision=later, at=at)
    return entered


def teach(tx: Tx, caller: Caller, document_id: str, form: BillForm, at: Mapping[str, Sequence[Place]]) -> None:
    """Have a job learn from a document and its correct values, without adding a bill.

    This improves the reading of the issuer's next bill. `form` contains the correct values, with amounts in the
    format of `ANY_COUNTRY`, and `at` the places on the pages where each value is printed. Raises `NotFound` if there
    is no such document, `InvalidRequest` with every problem by field, and `Conflict` if the document is an e-invoice
    or its words are not stored.
    """
    row = access.document_to_change(tx, caller, document_id)
    bill, problems = read_form(form, ANY_COUNTRY, ANY_CURRENCY)
    if bill is None:
        raise InvalidRequest.because(problems)
    shown = documents.find(tx, caller, row.id)
    if shown.draft is not None and shown.draft.stated is not None:
        raise Conflict(AN_E_INVOICE)
    if stored.words(tx, caller.account_id, row.id) is None:
        raise Conflict(_NO_WORDS)
    amounts = bill.amounts or ((bill.utility_types[0], bill.total),)
    lesson = page_lessons.shown_by(bill, amounts, {name: tuple(places) for name, places in at.items()})
    text = msgspec.json.encode(lesson, enc_hook=plain).decode()
    jobs.enqueue(tx, caller.account_id, LEARN, {"document": row.id, "shown": text}, subject=row.id)


def put_away(tx: Tx, caller: Caller, document_id: str, state: str) -> None:
    """Set a document aside, or return it to the inbox.

    Raises everything that `documents.set_aside` and `documents.take_up` raise.
    """
    (documents.set_aside if state == SET_ASIDE else documents.take_up)(tx, caller, document_id)
