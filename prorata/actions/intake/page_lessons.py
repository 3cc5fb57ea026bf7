"""Page lessons: where an issuer's bills show each value (docs/reading-bills.md).

A lesson is learned from a confirmed bill and the places that a person marked on its pages.
"""

import zlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import date
from itertools import accumulate
from typing import NamedTuple

import msgspec

from prorata.actions.intake import issuer_lessons
from prorata.actions.limits import MOST_LESSON_BYTES, MOST_LESSONS, MOST_READ_AGAIN, READ_AGAIN_AT_ONCE
from prorata.domain.bills.bills import NewBill
from prorata.domain.intake.bill_reading.draft import Draft
from prorata.domain.intake.bill_reading.words import Page, Place
from prorata.domain.intake.documents import BILLED, DRAFT
from prorata.domain.intake.pointing.known_issuers import known_of
from prorata.domain.intake.pointing.lessons import PageLesson, Shown
from prorata.domain.search_terms import folded
from prorata.domain.texts import plain, say
from prorata.errors import InvalidRequest
from prorata.ports.files import BillReader
from prorata.store.bills import bills
from prorata.store.bills.bills import BillRow
from prorata.store.database.engine import Database, Tx
from prorata.store.intake import documents, issuer_lessons as stored
from prorata.store.intake.issuer_lessons import IssuerLesson

LEARN = "learn from document"
"""The kind of the job that learns from a document."""
PAGES = "pages"
NOT_SHOWN = say(
    "Nothing was learned from this file for the next bill: none of the confirmed values appear on its pages."
)
NOT_READ = say(
    "Nothing was learned from this file for the next bill: its text was not kept, or can’t be read by a program."
)
PointedAt = Mapping[str, tuple[Place, ...]]
"""The places that a person pointed at, by the field that they teach."""


class Taught(NamedTuple):
    """A document's pages and confirmed values, from which to learn its issuer's layout.

    `shown` contains the values that a person confirmed. `before` is the issuer's lesson so far, and `stored` is
    the same lesson as stored text. Both are None if there is no lesson yet.
    """

    pages: tuple[Page, ...]
    shown: Shown
    before: PageLesson | None
    stored: str | None


def packed(pages: Sequence[Page]) -> bytes:
    """Compress a document's pages for storage."""
    return zlib.compress(msgspec.json.encode(pages, enc_hook=plain))


def pages_of(tx: Tx, account_id: str, document_id: str) -> tuple[Page, ...]:
    """Load a document's pages with their words; empty if the words are not stored."""
    kept = documents.words(tx, account_id, document_id)
    return _unpacked(kept) if kept else ()


def _unpacked(kept: bytes) -> tuple[Page, ...]:
    return msgspec.json.decode(zlib.decompress(kept), type=tuple[Page, ...])


def known(tx: Tx, account_id: str) -> list[PageLesson]:
    """Load the account's page lessons about all issuers, up to a total size."""
    rows = stored.all_of(tx, account_id, limit=MOST_LESSONS)
    room = accumulate(len(row.lesson) for row in rows)
    kept = [row for row, size in zip(rows, room, strict=True) if size <= MOST_LESSON_BYTES]
    return [lesson for row in kept if (lesson := lesson_in(row))]


def of_issuer(tx: Tx, account_id: str, issuer: str) -> PageLesson | None:
    """Load an issuer's page lesson."""
    return before(tx, account_id, issuer)[0]


def before(tx: Tx, account_id: str, issuer: str) -> tuple[PageLesson | None, str | None]:
    """Load an issuer's page lesson, decoded and as the stored text for `is_as_before`."""
    row = stored.find(tx, account_id, folded(issuer))
    return (lesson_in(row), row.lesson) if row else (None, None)


def is_as_before(tx: Tx, account_id: str, issuer: str, text: str | None) -> bool:
    """Lock an issuer's lesson; return True if its text equals the given stored text."""
    row = stored.lock(tx, account_id, folded(issuer))
    return (row.lesson if row else None) == text


def lesson_in(row: IssuerLesson) -> PageLesson | None:
    """Decode the page lesson that is stored about an issuer; None if there is none."""
    part = msgspec.json.decode(row.lesson, type=dict[str, msgspec.Raw]).get(PAGES)
    return msgspec.json.decode(part, type=PageLesson) if part is not None else None


def taught_by(tx: Tx, account_id: str, document_id: str, at: PointedAt) -> Taught | None:
    """Collect a billed document's pages, its bill's values and the places marked on it.

    `at` contains the places on the pages that a person marked. Return None if the document has no bill any more or
    its words are not stored.
    """
    bill_id = documents.bill_of(tx, account_id, document_id)
    row = bills.find(tx, account_id, bill_id) if bill_id else None
    pages = pages_of(tx, account_id, document_id)
    if row is None or not pages:
        return None
    amounts = issuer_lessons.amounts_of(tx, account_id, row.id)
    return Taught(pages, shown_by(row, tuple(amounts.items()), at), *before(tx, account_id, row.issuer_name))


def taught_as(tx: Tx, account_id: str, document_id: str, shown: Shown) -> Taught | None:
    """Collect a document's pages and the given confirmed values; no bill is needed.

    Return None if the document's words are not stored.
    """
    pages = pages_of(tx, account_id, document_id)
    return Taught(pages, shown, *before(tx, account_id, shown.issuer)) if pages else None


def shown_by(bill: BillRow | NewBill, lines: tuple[tuple[str, int], ...], at: PointedAt) -> Shown:
    """Collect the values of a bill that may be found on its document's pages.

    `lines` pairs the bill's utility types and unbilled reasons with amounts in cents, and `at` contains the places
    on the pages that a person marked.
    """
    texts = {"account_number": bill.account_number, "bill_number": bill.bill_number}
    days = {
        "bill_date": bill.bill_date, "due_date": bill.due_date,
        "service_start": bill.service_start, "service_end": bill.service_end,
    }  # fmt: skip
    return Shown(
        bill.issuer_name,
        {name: text for name, text in texts.items() if text},
        {name: msgspec.convert(day, type=date) for name, day in days.items() if day},
        bill.total,
        lines,
        at,
    )


def read_again(database: Database, reader: BillReader, account_id: str, lesson: PageLesson) -> list[tuple[str, Draft]]:
    """Reread an issuer's documents in the Inbox with the issuer's new lesson; return the drafts.

    The other issuers' lessons help to recognize the issuer. Documents that can't be read are left out.
    """
    known_by_now = database.read(lambda tx: known(tx, account_id))
    lessons = [
        lesson,
        *(page_lesson for page_lesson in known_by_now if folded(page_lesson.issuer) != folded(lesson.issuer)),
    ]
    rows = database.read(lambda tx: documents.with_words(tx, account_id, DRAFT, limit=MOST_READ_AGAIN))
    waiting = [(document_id, _unpacked(kept)) for document_id, kept in rows]
    waiting = [
        (its_id, pages)
        for its_id, pages in waiting
        if (lesson_known := known_of(pages, lessons)) and lesson_known.lesson is lesson
    ]
    drafts: list[tuple[str, Draft]] = []
    for first in range(0, len(waiting), READ_AGAIN_AT_ONCE):
        some = waiting[first : first + READ_AGAIN_AT_ONCE]
        with suppress(InvalidRequest):
            read = reader.read_again([pages for _, pages in some], lessons)
            drafts += zip((its_id for its_id, _ in some), read, strict=True)
    return drafts


def note(
    tx: Tx, account_id: str, document_id: str, taught: Taught, lesson: PageLesson, drafts: Sequence[tuple[str, Draft]]
) -> bool:
    """Store the lesson learned from a document, and the `drafts` reread with that lesson.

    If nothing was learned, a sentence that says so is stored with the document instead. If the issuer's lesson was
    changed or deleted meanwhile, nothing is stored, and the result is False.
    """
    if says_nothing(lesson):
        note_nothing(tx, account_id, document_id, NOT_SHOWN)
    elif not is_as_before(tx, account_id, lesson.issuer, taught.stored):
        return False
    else:
        teach(tx, account_id, lesson, drafts)
    return True


def says_nothing(lesson: PageLesson) -> bool:
    """True if a lesson is empty because no confirmed value was found on the pages."""
    return not any(layout.fields for layout in lesson.layouts)


def teach(tx: Tx, account_id: str, lesson: PageLesson, drafts: Sequence[tuple[str, Draft]]) -> None:
    """Store an issuer's lesson, and the drafts of unconfirmed documents reread with it."""
    keep(tx, account_id, lesson)
    for other_id, draft in drafts:
        row = documents.lock(tx, account_id, other_id)
        if row is not None and row.state == DRAFT:
            had = msgspec.json.decode(row.draft, type=Draft).note if row.draft else None
            text = msgspec.json.encode(draft._replace(note=had), enc_hook=plain).decode()
            documents.save(tx, row._replace(draft=text, updated_at=tx.now))


def as_places(text: str) -> PointedAt:
    """Parse the places marked on a document's pages, as the document's form submits them.

    Raises `InvalidRequest` if they can't be parsed.
    """
    try:
        return msgspec.json.decode(text or "{}", type=dict[str, tuple[Place, ...]])
    except msgspec.DecodeError:
        raise InvalidRequest(say("The places marked on the page can't be read. Mark them again.")) from None


def keep(tx: Tx, account_id: str, lesson: PageLesson) -> None:
    """Store an issuer's lesson."""
    issuer_lessons.keep(tx, account_id, folded(lesson.issuer), lesson.issuer, PAGES, msgspec.to_builtins(lesson))


def note_nothing(tx: Tx, account_id: str, document_id: str, why: str) -> None:
    """Store a sentence that explains why nothing was learned from a document.

    Nothing is stored if the document has no bill and no longer waits to be confirmed.
    """
    row = documents.lock(tx, account_id, document_id)
    is_there = row is not None and (row.state == DRAFT or documents.bill_of(tx, account_id, document_id))
    if row is not None and is_there and row.state in (DRAFT, BILLED):
        documents.save(tx, row._replace(said=why, updated_at=tx.now))
