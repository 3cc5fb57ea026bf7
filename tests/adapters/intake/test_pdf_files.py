"""Bills in PDF are read in a process that ends afterwards.

The result is a draft or a sentence.
"""

from datetime import date
from typing import Any

import pytest

from prorata.adapters.files.file_process import LIMITS
from prorata.adapters.intake.pdf_files import PdfProcess
from prorata.domain.intake.documents import ENCRYPTED, WRONG_PASSWORD
from prorata.domain.intake.pointing.learning import learned
from prorata.domain.limits import MOST_DOCUMENT_BYTES
from prorata.errors import InvalidRequest, PayloadTooLarge
from tests.adapters.intake.test_pdf_text import protected
from tests.bill_pdfs.facts import facts_of
from tests.bill_pdfs.layouts import LAYOUTS
from tests.bill_pdfs.measuring import next_of, pages_of, shown
from tests.bill_pdfs.printing import printed
from tests.hostile_files.pdfs import pages, tree
from tests.pdf_pages import read_pdf
from tests.read_bills import read_bill


def refusal_of(content: bytes, password: str | None = None, **limits: Any) -> InvalidRequest:
    with pytest.raises(InvalidRequest) as refused:
        PdfProcess(LIMITS._replace(**limits)).read(content, password)
    return refused.value


@pytest.mark.parametrize("situation", ["owing", "budget"])
def test_what_comes_from_the_process_is_what_is_read_here(situation: str) -> None:
    content = printed(facts_of("en-US", 3, "ELECTRICITY", situation), LAYOUTS[0])
    read = PdfProcess().read(content)

    assert read.draft == read_bill(read_pdf(content))
    assert read.pages == tuple(read_pdf(content)), "the words of the pages come with it"
    assert isinstance(read.draft.bill_date.value, date)
    assert read.draft.total.places[0].page == 1


def test_what_is_taught_in_the_process_is_what_is_learned_here_and_reads_the_next_bill() -> None:
    first = facts_of("en-US", 3, "ELECTRICITY", "plain")
    pages, process = pages_of(first, LAYOUTS[0]), PdfProcess()
    lesson = process.learn(pages, shown(first), None)
    following = next_of(first, 1003, story="plain")

    draft = process.read(printed(following, LAYOUTS[0]), lessons=[lesson]).draft

    assert lesson == learned(pages, shown(first))
    assert [draft] == process.read_again([pages_of(following, LAYOUTS[0])], [lesson])
    assert (draft.total.surety, draft.total.value) == ("found", following.total)
    assert [(line.name, line.cents) for line in draft.lines.value or ()] == [("ELECTRICITY", following.total)]


@pytest.mark.thorough
def test_a_protected_one_asks_for_its_password_and_says_when_it_is_not_that_one() -> None:
    content = protected("secret")

    asked = refusal_of(content)
    assert (asked.message, asked.problems[0].field) == (ENCRYPTED, "password")
    for other in ("wrong", "", "s" * 500, "\ud800"):
        assert refusal_of(content, other).message == WRONG_PASSWORD
    assert PdfProcess().read(content, "secret").draft.pages == 1


@pytest.mark.thorough
def test_its_limits_are_said_plainly() -> None:
    with pytest.raises(PayloadTooLarge, match="at most 10 MB"):
        PdfProcess().read(b"%PDF-1.7" + bytes(MOST_DOCUMENT_BYTES))
    assert "more than 50 pages" in refusal_of(pages(51)).message
    endless = tree({**{number: [number + 1] * 10 for number in range(2, 14)}, 14: [14]}, counts=10**9)
    assert "more than 1 seconds" in refusal_of(endless, seconds=1).message
