"""Tests of the job that learns from a confirmed bill.

It leaves lessons that other bills taught in the meantime, and bills of other issuers, as they are.
"""

import threading
from collections.abc import Sequence

import pytest

from prorata.actions.bills.flags import Decision
from prorata.actions.intake import documents, lesson_files, page_lessons
from prorata.actions.intake.lesson_files import LINES
from prorata.actions.intake.page_lessons import LEARN
from prorata.domain.bills.flags import shown_as
from prorata.domain.bills.forms import BillForm, FormLine
from prorata.domain.intake.bill_reading.draft import Draft
from prorata.domain.intake.bill_reading.words import Page
from prorata.domain.intake.pointing.learning import learned
from prorata.domain.intake.pointing.lessons import PageLesson, Shown
from prorata.domain.intake.pointing.taught_reading import read_with
from prorata.domain.search_terms import folded
from prorata.store.jobs import jobs
from prorata.store.properties.properties import PropertyRow
from prorata.worker.documents import document_kinds
from prorata.worker.job_kinds import Done, Job, Lease
from tests.domain.intake.pointing.taught_bills import NEXT, WATER
from tests.domain.intake.test_bill_reading import HEAD, MADE, page
from tests.landlord import Landlord

AQUA, BOLTON = "Aqua Water Co.", "Bolton Water Co."
LATER = ("Water usage | 61.00", "Water base charge | 12.00", "Total amount due | 73.00")


class Reader:
    """A reader that reads pages in this process."""

    def read_again(self, bills: Sequence[Sequence[Page]], lessons: Sequence[PageLesson]) -> list[Draft]:
        return [read_with(pages, lessons) for pages in bills]

    def learn(self, pages: Sequence[Page], shown: Shown, before: PageLesson | None) -> PageLesson:
        return learned(pages, shown, before)


@pytest.fixture
def maple(landlord: Landlord) -> PropertyRow:
    of = landlord.property_()
    landlord.units(of, "1", "2")
    return of


def pages_of(name: str, made: tuple[str, ...] = MADE, amounts: tuple[str, ...] = WATER) -> tuple[Page, ...]:
    site = f"www.{name.partition(' ')[0].lower()}water.com"
    return (page(name, *HEAD[1:], *made, "", *amounts, "", f"Make checks payable to: | {name}", site, "212-555-0134"),)


def brought(landlord: Landlord, name: str, pages: tuple[Page, ...], note: str | None = None) -> str:
    """The id of a document that was read."""
    row = landlord.do(documents.take, name, f"%PDF-1.7 {name}".encode(), "upload").row
    known = landlord.run(lambda tx: page_lessons.known(tx, landlord.account.id))
    draft = read_with(pages, known)._replace(note=note)
    landlord.run(lambda tx: documents.note_draft(tx, landlord.account.id, row.id, draft, pages))
    return row.id


def confirm(landlord: Landlord, of: PropertyRow, document: str, issuer: str, total: str, number: str, day: str) -> None:
    form = BillForm(
        of.id, issuer, total, day, (FormLine("WATER"),), account_number="4417-2231", bill_number=number,
        payment_status="UNPAID",
    )  # fmt: skip
    entered = landlord.do(documents.confirm, document, form)
    if entered.bill is None:
        landlord.do(documents.confirm, document, form, decision=Decision(shown_as(entered.flags), later=True))


def learn(landlord: Landlord, document: str) -> Done:
    """Run the job that learns from a document, and return its unwritten outcome."""
    kind = document_kinds(Reader(), None)[1]  # type: ignore[arg-type]
    job = Job(landlord.account.id, "job_1", kind.name, {"document": document, "at": "{}"}, document, 1)
    done = kind.handler(job, landlord.database, Lease(threading.Event()))
    assert isinstance(done, Done)
    return done


def waiting_lessons(landlord: Landlord, document: str) -> int:
    """Count the pending jobs that learn from a document."""
    found = landlord.run(lambda tx: jobs.of_subject(tx, landlord.account.id, document))
    return sum(one.kind == LEARN for one in found)


def bills_learned(landlord: Landlord) -> int:
    lesson = landlord.run(lambda tx: page_lessons.of_issuer(tx, landlord.account.id, AQUA))
    return sum(layout.bills for layout in lesson.layouts) if lesson else 0


def test_a_bill_of_another_issuer_that_waits_stays_of_it_and_a_note_stays(
    landlord: Landlord, maple: PropertyRow
) -> None:
    first = brought(landlord, "1.pdf", pages_of(BOLTON))
    confirm(landlord, maple, first, BOLTON, "80.10", "INV-8801", "2026-03-14")
    landlord.run(learn(landlord, first).write)
    waits = brought(landlord, "2.pdf", pages_of(BOLTON, NEXT, LATER), note="The XML contradicts its sums.")
    own = brought(landlord, "3.pdf", pages_of(AQUA, NEXT, LATER), note="Another.")
    aqua = brought(landlord, "4.pdf", pages_of(AQUA))
    confirm(landlord, maple, aqua, AQUA, "80.10", "AQ-1", "2026-03-14")
    landlord.run(learn(landlord, aqua).write)

    drafts = [landlord.see(documents.find, one).draft for one in (waits, own)]
    assert [(draft.issuer.value, draft.note) for draft in drafts if draft] == [
        (BOLTON, "The XML contradicts its sums."), (AQUA, "Another."),
    ]  # fmt: skip
    assert [draft.lines.surety for draft in drafts if draft] == ["found", "found"]


def test_what_another_bill_taught_meanwhile_is_kept_and_this_one_is_learned_from_again(
    landlord: Landlord, maple: PropertyRow
) -> None:
    one, other = brought(landlord, "1.pdf", pages_of(AQUA)), brought(landlord, "2.pdf", pages_of(AQUA, NEXT, LATER))
    confirm(landlord, maple, one, AQUA, "80.10", "INV-8801", "2026-03-14")
    confirm(landlord, maple, other, AQUA, "73.00", "INV-8950", "2026-04-14")
    before = waiting_lessons(landlord, other)
    first, second = learn(landlord, one), learn(landlord, other)
    landlord.run(first.write)
    landlord.run(second.write)

    assert (bills_learned(landlord), waiting_lessons(landlord, other)) == (1, before + 1)
    landlord.run(learn(landlord, other).write)
    assert bills_learned(landlord) == 2


def test_what_was_forgotten_meanwhile_stays_forgotten(landlord: Landlord, maple: PropertyRow) -> None:
    one, other = brought(landlord, "1.pdf", pages_of(AQUA)), brought(landlord, "2.pdf", pages_of(AQUA, NEXT, LATER))
    confirm(landlord, maple, one, AQUA, "80.10", "INV-8801", "2026-03-14")
    landlord.run(learn(landlord, one).write)
    confirm(landlord, maple, other, AQUA, "73.00", "INV-8950", "2026-04-14")
    done = learn(landlord, other)
    landlord.do(lesson_files.forget_field, folded(AQUA), LINES)
    landlord.run(done.write)

    lesson = landlord.run(lambda tx: page_lessons.of_issuer(tx, landlord.account.id, AQUA))
    assert lesson is not None
    assert lesson.layouts[0].lines == ()
