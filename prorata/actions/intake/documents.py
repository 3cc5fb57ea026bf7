"""Documents: stored as received, read by a job, and confirmed as bills by a person.

The bytes are stored before anything is done with them, so that nothing is lost, even if reading them fails. The
data read charge nobody: they become a bill only when a person confirms them (docs/adr/0017).
"""

from collections.abc import Sequence
from datetime import date
from hashlib import sha256
from itertools import islice
from typing import NamedTuple

import msgspec

from prorata.actions.accounts import access
from prorata.actions.bills import entries as bill_entries
from prorata.actions.bills.entries import Entered
from prorata.actions.bills.flags import UNDECIDED, Decision
from prorata.actions.intake import issuer_lessons, page_lessons
from prorata.actions.intake.page_lessons import LEARN
from prorata.actions.jobs import jobs
from prorata.actions.limits import MOST_DOCUMENTS_ON_A_PAGE, MOST_DOCUMENTS_SEARCHED
from prorata.domain.audit.verbs import Verb
from prorata.domain.bills.forms import BillForm, FormLine, as_typed, written
from prorata.domain.currency_signs import may_mean
from prorata.domain.file_names import clean_name
from prorata.domain.intake.bill_reading.draft import Draft
from prorata.domain.intake.bill_reading.issuers import not_sent_by
from prorata.domain.intake.bill_reading.words import Page
from prorata.domain.intake.documents import BILLED, DRAFT, OPEN, READING, SET_ASIDE, UNREADABLE
from prorata.domain.intake.e_invoices.drafts import with_answers
from prorata.domain.limits import MOST_DOCUMENT_BYTES, MOST_DOCUMENTS_UNDER_WAY
from prorata.domain.search_terms import have_all, parts_of, words_of
from prorata.domain.texts import plain, say
from prorata.errors import Conflict, InvalidRequest, PayloadTooLarge
from prorata.ids import is_id
from prorata.store.accounts import accounts
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.inbound_mail import incoming_mail
from prorata.store.intake import documents
from prorata.store.intake.documents import DocumentRow, KeptDocument, ListedDocument
from prorata.store.properties.properties import PropertyRow

READ = "read document"
"""The kind of the job that reads a document."""
_LAST = "doc_~"


class Taken(NamedTuple):
    """A received document; `is_new` is False if the same bytes were stored before."""

    row: DocumentRow
    is_new: bool


class ShownDocument(NamedTuple):
    """A document with its draft and the id of its bill, for the document's page."""

    row: DocumentRow
    draft: Draft | None
    bill_id: str | None


class ListedDraft(NamedTuple):
    """A document as the inbox lists it, and the draft read from it."""

    row: ListedDocument
    draft: Draft | None


class Inbox(NamedTuple):
    """One page of the inbox's documents, with the number of documents in each state.

    `further` is the page's last id if another page follows. `brought` counts the documents of the latest upload, and
    `read` those that have been read. `is_cut` is set if there are more documents than a search compares.
    """

    rows: list[ListedDraft]
    counts: dict[str, int]
    further: str | None
    read: int = 0
    brought: int = 0
    is_cut: bool = False


class InboxWish(NamedTuple):
    """A request for documents or messages in the inbox.

    `behind` is the id of the previous page's last item; `text` searches file names, subjects and senders.
    """

    behind: str = ""
    text: str = ""
    oldest_first: bool = False

    def has_behind(self, one_id: str) -> bool:
        """True if an item's position in the list is after `behind`."""
        return not self.behind or (one_id > self.behind if self.oldest_first else one_id < self.behind)


_ANY = InboxWish()


def take(tx: Tx, caller: Caller, name: str, content: bytes, way: str) -> Taken:
    """Store a document and queue its reading, unless its bytes are already stored.

    In that case, return the stored document, which is read again only if its bill was removed and the bytes came by
    mail. Raises `InvalidRequest` for an empty file, `PayloadTooLarge` for a file that is too large, and `Conflict` if
    too many documents are already waiting to be read.
    """
    if not content:
        raise InvalidRequest(say("This file is empty. Choose the file that contains the bill."))
    require_size(content)
    there = documents.of_digest(tx, caller.account_id, sha256(content).hexdigest())
    if there is not None and not (way == "mail" and _lost_its_bill(tx, there)):
        return Taken(there, is_new=False)
    if number_in(tx, caller, [READING]) >= MOST_DOCUMENTS_UNDER_WAY:
        raise Conflict(
            say(
                "{most} documents are already waiting to be read. Add this one once some of them have been read.",
                most=MOST_DOCUMENTS_UNDER_WAY,
            )
        )
    if there is not None:
        return Taken(take_up(tx, caller, there.id), is_new=False)
    taken = keep(tx, caller, name, content, way)
    if taken.is_new:
        jobs.enqueue(tx, caller.account_id, READ, {"document": taken.row.id}, subject=taken.row.id)
    return taken


def require_size(content: bytes) -> None:
    """Raise `PayloadTooLarge` for a file that is too large."""
    if len(content) > MOST_DOCUMENT_BYTES:
        raise PayloadTooLarge(say("A file can be at most {most} MB.", most=MOST_DOCUMENT_BYTES // 1_000_000))


def _lost_its_bill(tx: Tx, row: DocumentRow) -> bool:
    return row.state == BILLED and documents.bill_of(tx, row.account_id, row.id) is None


def keep(tx: Tx, caller: Caller, name: str, content: bytes, way: str) -> Taken:
    """Store a document without reading it, unless the same bytes are already stored."""
    digest = sha256(content).hexdigest()
    row = DocumentRow(
        account_id=caller.account_id,
        id=tx.new_id("doc"),
        name=clean_name(name),
        way=way,
        state=READING,
        digest=digest,
        size=len(content),
        said=None,
        draft=None,
        created_at=tx.now,
        updated_at=tx.now,
    )
    if not documents.add(tx, row, content):  # it exists, or somebody uploads it at the same moment
        same_one = documents.of_digest(tx, caller.account_id, digest)
        assert same_one is not None, "it is there already"
        return Taken(same_one, is_new=False)
    audit.record(tx, caller, Verb.BRING_DOCUMENT, row.id, after=row)
    return Taken(row, is_new=True)


def content_of(tx: Tx, caller: Caller, document_id: str) -> bytes:
    """Load a document's original content, or raise `NotFound`."""
    row = access.document(tx, caller, document_id)
    content = documents.content(tx, caller.account_id, row.id)
    assert content is not None, "a document and its content are added together"
    return content


def note_draft(tx: Tx, account_id: str, document_id: str, draft: Draft, pages: Sequence[Page] = ()) -> None:
    """Store a document's draft and words, unless a person confirmed it or set it aside.

    A document that was attached to a bill keeps that bill.
    """
    row = documents.lock(tx, account_id, document_id)
    if row is None or not (row.state in (READING, UNREADABLE) or _is_attached(row)):
        return
    if pages:
        documents.keep_words(tx, account_id, document_id, page_lessons.packed(pages))
    own = accounts.find(tx, account_id)
    assert own is not None, "a document has its account"
    draft = draft._replace(issuer=not_sent_by(own.name, draft.issuer))
    text, state = msgspec.json.encode(draft, enc_hook=plain).decode(), BILLED if _is_attached(row) else DRAFT
    documents.save(tx, row._replace(state=state, draft=text, said=None, asks=None, updated_at=tx.now))


def _is_attached(row: DocumentRow) -> bool:
    """True if a document was attached to a bill before anything was read from it."""
    return row.state == BILLED and row.draft is None


def note_waits(tx: Tx, account_id: str, document_id: str, why: str) -> None:
    """Store the reason why a document was not confirmed automatically, for its page."""
    row = documents.lock(tx, account_id, document_id)
    if row is not None and row.state == DRAFT:
        documents.save(tx, row._replace(said=why, updated_at=tx.now))


def note_unreadable(
    tx: Tx, account_id: str, document_id: str, sentence: str, pages: Draft | None = None, asks: str | None = None
) -> None:
    """Store the `sentence` that explains why a document could not be read.

    `asks` is set if a password is needed. `pages` is a draft with only page sizes, if the pages can be displayed.
    """
    row = documents.lock(tx, account_id, document_id)
    draft = None if pages is None else msgspec.json.encode(pages, enc_hook=plain).decode()
    if row is not None and draft is not None and _is_attached(row):
        documents.save(tx, row._replace(draft=draft, updated_at=tx.now))
    if row is not None and row.state == READING:
        documents.save(tx, row._replace(state=UNREADABLE, said=sentence, draft=draft, asks=asks, updated_at=tx.now))


def inbox(tx: Tx, caller: Caller, states: Sequence[str] = OPEN, since: str = "", wish: InboxWish = _ANY) -> Inbox:
    """List a page of the requested documents; count the uploaded ones from id `since` on."""
    rows, is_cut = _looked_for(tx, caller, states, wish)
    shown = rows[:MOST_DOCUMENTS_ON_A_PAGE]
    further = shown[-1].row.id if len(rows) > MOST_DOCUMENTS_ON_A_PAGE else None
    brought = documents.counts_since(tx, caller.account_id, since) if is_id(since, "doc") else {}
    number = sum(brought.values())
    read = number - brought.get(READING, 0)
    return Inbox(shown, documents.counts(tx, caller.account_id, OPEN), further, read, number, is_cut)


def _looked_for(tx: Tx, caller: Caller, states: Sequence[str], wish: InboxWish) -> tuple[list[ListedDraft], bool]:
    """List the matching documents of a page, and one more if another page follows.

    Also return True if documents beyond `MOST_DOCUMENTS_SEARCHED` were not searched, as no index has their words.
    """
    words = parts_of(wish.text)
    most, behind = (MOST_DOCUMENTS_SEARCHED, "") if wish.text.strip() else (MOST_DOCUMENTS_ON_A_PAGE, wish.behind)
    if wish.oldest_first:
        rows = documents.oldest(tx, caller.account_id, states, after=behind, limit=most + 1)
    else:
        rows = documents.page(tx, caller.account_id, states, before=behind or _LAST, limit=most + 1)
    if not wish.text.strip():
        return [ListedDraft(row, _draft(row.draft)) for row in rows], False
    drafts = (ListedDraft(row, _draft(row.draft)) for row in rows[:most] if wish.has_behind(row.id))
    fit = (draft for draft in drafts if have_all(_words_of(draft), words))
    return list(islice(fit, MOST_DOCUMENTS_ON_A_PAGE + 1)), len(rows) > most


def _words_of(draft: ListedDraft) -> frozenset[str]:
    """Return the words that a search compares: those of the file's name and issuer."""
    return words_of(draft.row.name, draft.row.issuer_name, draft.draft.issuer.value if draft.draft else None)


def number_in(tx: Tx, caller: Caller, states: Sequence[str]) -> int:
    """Count the documents in the given `states`."""
    return sum(documents.counts(tx, caller.account_id, states).values())


def find(tx: Tx, caller: Caller, document_id: str) -> ShownDocument:
    """Find a document with its draft.

    Lessons about an e-invoice's issuer are applied to its draft. Raises `NotFound` if there is no such document.
    """
    row = access.document(tx, caller, document_id)
    draft = _draft(row.draft)
    known = draft and issuer_lessons.applied(tx, caller.account_id, draft)
    return ShownDocument(row, known, documents.bill_of(tx, caller.account_id, row.id))


def say_items(tx: Tx, caller: Caller, document_id: str, kinds: Sequence[str]) -> None:
    """Store the purposes that a person chose for an e-invoice's items, such as utility types.

    Prorata learns them when the bill is confirmed. Raises `NotFound` if there is no such document, and `Conflict` if
    it is not an unconfirmed e-invoice.
    """
    row = access.document_to_change(tx, caller, document_id)
    draft = _draft(row.draft)
    if row.state != DRAFT or draft is None:
        raise Conflict(_WHY_NOT.get(row.state, say("This document was not read as an e-invoice. Choose an e-invoice.")))
    text = msgspec.json.encode(with_answers(draft, kinds), enc_hook=plain).decode()
    documents.save(tx, row._replace(draft=text, updated_at=tx.now))


def of_bill(tx: Tx, caller: Caller, bill_id: str) -> list[KeptDocument]:
    """List the documents of a bill."""
    return documents.of_bill(tx, caller.account_id, bill_id)


def begun(draft: Draft | None, chosen: PropertyRow) -> BillForm:
    """Prefill the form of a property's bill with the values read from a document.

    Amounts are formatted for the property's country; those in another currency are left out.
    """
    if draft is None:
        return BillForm(chosen.id, "", "", "", (), payment_status="UNPAID")
    country, read, is_other = chosen.country, draft.lines.value or (), is_of_another_currency(draft, chosen)
    total = None if is_other else draft.total.value
    if len(read) == 1 and (is_other or read[0].cents == total):
        used = None if is_other else read[0].usage
        lines = [FormLine(read[0].name, "", *as_typed(used, country))]  # all of it
    else:
        some = () if is_other else read
        lines = [FormLine(line.name, written(line.cents, country), *as_typed(line.usage, country)) for line in some]
    return BillForm(
        property_id=chosen.id,
        issuer_name=draft.issuer.value or "",
        total="" if total is None else written(total, country),
        bill_date=_day(draft.bill_date.value),
        lines=tuple(lines),
        due_date=_day(draft.due_date.value),
        payment_status="UNPAID",
        account_number=draft.account_number.value or "",
        bill_number=draft.bill_number.value or "",
        service_start=_day(draft.service_start.value),
        service_end=_day(draft.service_end.value),
    )


def is_of_another_currency(draft: Draft, of: PropertyRow) -> bool:
    """True if a draft's amounts can't be in the property's currency."""
    return bool(draft.currency) and not may_mean(draft.currency, of.currency)


def _day(value: date | None) -> str:
    return value.isoformat() if value else ""


def confirm(
    tx: Tx, caller: Caller, document_id: str, form: BillForm, *, decision: Decision = UNDECIDED,
    by_itself: bool = False, at: str | None = "{}",
) -> Entered:  # fmt: skip
    """Add the bill of a document with the values in a confirmed form.

    Its flags are treated as in `bill_entries.enter`. A job then learns from the document and the places marked on it
    (`at`), unless `at` is None or the bill was confirmed automatically (`by_itself`). Raises `NotFound` if there is no
    such document, `Conflict` if it is already a bill or was set aside, and `InvalidRequest` with every problem by
    field.
    """
    access.document(tx, caller, document_id)
    entered = bill_entries.enter(tx, caller, form, decision=decision)
    row = access.document_to_change(tx, caller, document_id)
    if row.state not in (DRAFT, UNREADABLE):
        raise Conflict(_WHY_NOT[row.state])
    if entered.bill is not None:
        row = row._replace(said=None)  # from now on it holds the note about learning from it
        documents.link(tx, caller.account_id, entered.bill.id, row.id)
        if by_itself:
            save_as(tx, caller, row, BILLED, Verb.COUNT_DOCUMENT)
        else:
            save_as(tx, caller, row, BILLED, Verb.CONFIRM_DOCUMENT)
            if not issuer_lessons.teach(tx, caller.account_id, _draft(row.draft), entered.bill.id) and at is not None:
                jobs.enqueue(tx, caller.account_id, LEARN, {"document": row.id, "at": at}, subject=row.id)
    return entered


_WHY_NOT = {
    READING: say("This document is being read. Wait a moment, then try again."),
    BILLED: say("This document has already become a bill. Nothing was added."),
    SET_ASIDE: say("This document was set aside. Reopen it first."),
}


def set_aside(tx: Tx, caller: Caller, document_id: str) -> None:
    """Set aside a document that is not a bill; it stays stored.

    Raises `NotFound` if there is no such document, and `Conflict` if it has a bill.
    """
    row = access.document_to_change(tx, caller, document_id)
    if row.state == BILLED and documents.bill_of(tx, caller.account_id, row.id):
        raise Conflict(say("A bill was created from this document. Remove the bill first."))
    if row.state != SET_ASIDE:
        save_as(tx, caller, row, SET_ASIDE, Verb.SET_DOCUMENT_ASIDE)


def take_up(tx: Tx, caller: Caller, document_id: str) -> DocumentRow:
    """Return a document that was set aside, or whose bill was removed, to the inbox.

    The document is read again, and its bill is never confirmed automatically. Raises `NotFound` if there is no such
    document, and `Conflict` if it still has a bill.
    """
    row = access.document_to_change(tx, caller, document_id)
    if documents.bill_of(tx, caller.account_id, row.id):
        raise Conflict(_WHY_NOT[BILLED])
    if row.state in OPEN:
        return row
    incoming_mail.forget_counted(tx, caller.account_id, row.id)
    jobs.enqueue(tx, caller.account_id, READ, {"document": row.id}, subject=row.id)
    return save_as(tx, caller, row._replace(draft=None, said=None, asks=None), READING, Verb.TAKE_DOCUMENT_UP)


def save_as(tx: Tx, caller: Caller, row: DocumentRow, state: str, verb: Verb) -> DocumentRow:
    """Save a document in another state, with an audit log entry."""
    after = row._replace(state=state, updated_at=tx.now)
    documents.save(tx, after)
    audit.record(tx, caller, verb, row.id, before=row._replace(draft=None), after=after._replace(draft=None))
    return after


def _draft(text: str | None) -> Draft | None:
    return msgspec.json.decode(text, type=Draft) if text else None
