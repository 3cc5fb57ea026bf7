"""What people pointed at on bills, kept for each issuer: by this the next one is read (docs/reading-bills.md)."""

import zlib
from collections.abc import Mapping, Sequence
from datetime import date
from typing import NamedTuple

import msgspec

from prorata.actions.intake import issuer_lessons
from prorata.actions.limits import MOST_LESSONS, MOST_READ_AGAIN
from prorata.domain.bills.bills import NewBill
from prorata.domain.intake.bill_reading.draft import Draft
from prorata.domain.intake.bill_reading.words import Page, Place
from prorata.domain.intake.documents import BILLED, DRAFT
from prorata.domain.intake.pointing.known_issuers import known_of
from prorata.domain.intake.pointing.lessons import PageLesson, Shown
from prorata.domain.search_terms import folded
from prorata.errors import InvalidRequest
from prorata.store.bills import bills
from prorata.store.bills.bills import BillRow
from prorata.store.database.engine import Tx
from prorata.store.intake import documents, issuer_lessons as stored
from prorata.store.intake.issuer_lessons import IssuerLesson

LEARN = "learn from document"
"""The kind of job that learns from one."""
PAGES = "pages"
NOT_SHOWN = "Nothing was learned from this file for the next bill: none of what was confirmed stands on its pages."
NOT_READ = "Nothing was learned from this file for the next bill: its words can't be read by a program."
PointedAt = Mapping[str, tuple[Place, ...]]
"""The places that a person pointed at, by what is learned of them."""


class Taught(NamedTuple):
    """A document whose bill somebody has confirmed: its pages, what was confirmed, and what was known before."""

    pages: tuple[Page, ...]
    shown: Shown
    before: PageLesson | None


def packed(pages: Sequence[Page]) -> bytes:
    """Pages as they are stored."""
    return zlib.compress(msgspec.json.encode(pages))


def pages_of(tx: Tx, account_id: str, document_id: str) -> tuple[Page, ...]:
    """The words of a document's pages; none where they are not known."""
    kept = documents.words(tx, account_id, document_id)
    return _unpacked(kept) if kept else ()


def _unpacked(kept: bytes) -> tuple[Page, ...]:
    return msgspec.json.decode(zlib.decompress(kept), type=tuple[Page, ...])


def known(tx: Tx, account_id: str) -> list[PageLesson]:
    """What was learned of the issuers of an account."""
    return [lesson for row in stored.all_of(tx, account_id, limit=MOST_LESSONS) if (lesson := lesson_in(row))]


def of_issuer(tx: Tx, account_id: str, issuer: str) -> PageLesson | None:
    """What was learned of an issuer."""
    row = stored.find(tx, account_id, folded(issuer))
    return lesson_in(row) if row else None


def lesson_in(row: IssuerLesson) -> PageLesson | None:
    """What was learned of an issuer's pages, if anything was."""
    part = msgspec.json.decode(row.lesson, type=dict[str, msgspec.Raw]).get(PAGES)
    return msgspec.json.decode(part, type=PageLesson) if part is not None else None


def taught_by(tx: Tx, account_id: str, document_id: str, at: PointedAt) -> Taught | None:
    """What a document teaches by the bill that came of it, and by the places that a person pointed `at`; None where
    that bill is gone, or the words of the document are not known.
    """
    bill_id = documents.bill_of(tx, account_id, document_id)
    row = bills.find(tx, account_id, bill_id) if bill_id else None
    pages = pages_of(tx, account_id, document_id)
    if row is None or not pages:
        return None
    amounts = issuer_lessons.amounts_of(tx, account_id, row.id)
    return Taught(pages, shown_by(row, tuple(amounts.items()), at), of_issuer(tx, account_id, row.issuer_name))


def shown_by(bill: BillRow | NewBill, lines: tuple[tuple[str, int], ...], at: PointedAt) -> Shown:
    """What a bill says of the document that it came of, with its lines in cents and the places that were pointed at."""
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


def waiting(tx: Tx, account_id: str, lesson: PageLesson) -> list[tuple[str, tuple[Page, ...]]]:
    """The documents that wait for a person and are of an issuer of whom more is known by now, with their pages."""
    found = []
    for document_id, packed in documents.with_words(tx, account_id, DRAFT, limit=MOST_READ_AGAIN):
        pages = _unpacked(packed)
        if known_of(pages, [lesson]):
            found.append((document_id, pages))
    return found


def note(tx: Tx, account_id: str, document_id: str, lesson: PageLesson, drafts: Sequence[tuple[str, Draft]]) -> None:
    """Keep what a document taught, and what was read by it of others that wait."""
    if says_nothing(lesson):
        note_nothing(tx, account_id, document_id, NOT_SHOWN)
    else:
        teach(tx, account_id, lesson, drafts)


def says_nothing(lesson: PageLesson) -> bool:
    """Whether nothing was learned: no value that was confirmed stands on its pages."""
    return not any(layout.fields for layout in lesson.layouts)


def teach(tx: Tx, account_id: str, lesson: PageLesson, drafts: Sequence[tuple[str, Draft]]) -> None:
    """Keep what was learned of an issuer, and what was read by it of documents that wait."""
    keep(tx, account_id, lesson)
    for other_id, draft in drafts:
        row = documents.lock(tx, account_id, other_id)
        if row is not None and row.state == DRAFT:
            documents.save(tx, row._replace(draft=msgspec.json.encode(draft).decode(), updated_at=tx.now))


def as_places(text: str) -> PointedAt:
    """The places that a person pointed at, as the form of a document sends them. Raises `InvalidRequest`."""
    try:
        return msgspec.json.decode(text or "{}", type=dict[str, tuple[Place, ...]])
    except msgspec.DecodeError:
        raise InvalidRequest("What was pointed at on the page can't be read. Point at it again.") from None


def keep(tx: Tx, account_id: str, lesson: PageLesson) -> None:
    """Keep what was learned of an issuer."""
    issuer_lessons.keep(tx, account_id, folded(lesson.issuer), lesson.issuer, PAGES, msgspec.to_builtins(lesson))


def note_nothing(tx: Tx, account_id: str, document_id: str, why: str) -> None:
    """Note in a sentence why nothing is learned from a document; of one whose bill is gone meanwhile, nothing."""
    row = documents.lock(tx, account_id, document_id)
    if row is not None and row.state == BILLED and documents.bill_of(tx, account_id, document_id):
        documents.save(tx, row._replace(said=why, updated_at=tx.now))
