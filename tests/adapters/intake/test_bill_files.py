"""Pages that are pictures are read where possible, but a person must confirm the values."""

from collections.abc import Sequence

import pytest

from prorata.adapters.intake.bill_files import NO_WORDS, NOT_INSTALLED, BillFiles
from prorata.adapters.intake.pdf_files import SCANNED, PdfProcess
from prorata.domain.intake.bill_reading.words import Page
from prorata.errors import InvalidRequest
from tests.bill_pdfs.facts import facts_of
from tests.bill_pdfs.layouts import LAYOUTS
from tests.bill_pdfs.measuring import FIELDS, shown
from tests.bill_pdfs.photographed import joined, photo, pictures_of, scanned
from tests.bill_pdfs.printing import printed
from tests.hostile_files.pdfs import one_page, pdf_of, stream
from tests.pdf_pages import read_pdf
from tests.read_bills import read_bill

LAYOUT = next(one for one in LAYOUTS if one.locale == "en-US" and not one.held_out)
TWO_PAGES = next(one for one in LAYOUTS if one.locale == "en-US" and one.flow == "summary")
FACTS = facts_of("en-US", 1, "ELECTRICITY", "plain")
PDF = printed(FACTS, LAYOUT)


class Eye:
    """A picture reader that returns the words of a PDF instead.

    The picture was made from that PDF.

    It records which pages it looked at.
    """

    def __init__(self, pdf: bytes = PDF, *, words: int | None = None) -> None:
        self.pages = [page._replace(from_picture=True, words=page.words[:words]) for page in read_pdf(pdf)]
        self.looked: list[tuple[int, ...]] = []

    def __call__(self, _data: bytes, numbers: Sequence[int], _password: str | None) -> tuple[Page, ...]:
        self.looked.append(tuple(numbers))
        return tuple(page for page in self.pages if page.number in numbers)


def test_a_photo_is_read_and_nothing_of_it_counts_without_a_person() -> None:
    draft = BillFiles(PdfProcess(), Eye()).read(photo(PDF)).draft
    plain = PdfProcess().read(PDF).draft

    assert draft.from_picture
    assert not plain.from_picture
    for name in FIELDS:
        read, sure = getattr(draft, name), getattr(plain, name)
        assert read.surety != "found", name
        assert read.value == sure.value, name
        if sure.surety == "found":
            assert (read.reason, read.choices) == (None, (sure.value,)), name
    assert draft.total.value == FACTS.total


def test_a_scan_is_read_page_by_page() -> None:
    pdf = printed(FACTS, TWO_PAGES)
    eye = Eye(pdf)

    draft = BillFiles(PdfProcess(), eye).read(scanned(pictures_of(pdf, 100), 100)).draft

    assert (eye.looked, draft.pages, draft.from_picture) == ([(1, 2)], 2, True)
    assert draft.total.value == FACTS.total


@pytest.mark.thorough
def test_the_same_file_is_looked_at_once_while_it_is_worked_with() -> None:
    eye, file = Eye(), photo(PDF)
    reader = BillFiles(PdfProcess(), eye)
    first = reader.read(file)
    lesson = reader.learn(first.pages, shown(FACTS), None)
    again = reader.read(file, lessons=[lesson])

    assert eye.looked == [(1,)]
    assert first.pages == again.pages
    assert "due_date" in lesson.layouts[0].fields
    assert (again.draft.due_date.value, again.draft.issuer.value) == (FACTS.due, FACTS.issuer)
    assert again.draft.due_date.surety == "asked", "a lesson makes nothing plain that was read from a picture"
    assert reader.read_again([first.pages], [lesson]) == [again.draft]


def test_a_page_that_is_a_picture_is_read_where_the_text_leaves_something_open_and_what_it_says_is_asked() -> None:
    pdf = printed(FACTS, TWO_PAGES)
    eye = Eye(pdf)
    mixed = joined((scanned(pictures_of(pdf, 100)[:1], 100), 0), (pdf, 1))
    text_alone = PdfProcess().read(mixed)
    assert text_alone.wordless == (1,)
    assert "found" not in (text_alone.draft.bill_date.surety, text_alone.draft.total.surety)

    draft = BillFiles(PdfProcess(), eye).read(mixed).draft

    assert (eye.looked, draft.from_picture, draft.pages) == ([(1,)], True, 2)
    assert draft.total.value == FACTS.total
    found = {name for name in FIELDS if getattr(draft, name).surety == "found"}
    assert found == {name for name in FIELDS if getattr(text_alone.draft, name).surety == "found"}
    assert draft.total.surety == "asked"


def test_a_picture_beside_the_pages_of_a_plain_bill_makes_nothing_asked() -> None:
    pages = read_pdf(printed(FACTS, TWO_PAGES))
    plain = read_bill(pages)
    words = tuple(
        word._replace(text=text) for word, text in zip(pages[0].words, ("Total", "EUR", "9.99", "due"), strict=False)
    )
    beside = pages[0]._replace(number=3, words=words, from_picture=True)
    draft = read_bill([*pages, beside])
    assert {name: getattr(draft, name).surety for name in FIELDS} == {
        name: getattr(plain, name).surety for name in FIELDS
    }
    assert plain.total.surety == "found"
    assert (draft.total.value, draft.currency, draft.pages) == (plain.total.value, plain.currency, 3)


def test_a_page_without_words_makes_nothing_doubtful_that_is_plain() -> None:
    eye = Eye()
    plain = PdfProcess().read(PDF).draft
    assert plain.total.surety == "found"

    draft = BillFiles(PdfProcess(), eye).read(joined((PDF, 0), (PDF, 1), None)).draft

    assert (eye.looked, draft.from_picture, draft.pages) == ([], False, 3)
    assert [getattr(draft, name) for name in FIELDS] == [getattr(plain, name) for name in FIELDS]


@pytest.mark.parametrize("eye", [None, Eye(words=3)], ids=["not installed", "no words"])
@pytest.mark.thorough
def test_a_bill_with_a_page_that_can_not_be_read_teaches_by_its_others(eye: Eye | None) -> None:
    pdf = joined((PDF, 0), None)
    reader = BillFiles(PdfProcess(), eye)

    lesson = reader.learn(reader.read(pdf).pages, shown(FACTS), None)

    assert {"account_number", "due_date"} <= set(lesson.layouts[0].fields)
    nothing = reader.learn(reader.read(photo(PDF, dpi=60)).pages, shown(FACTS), None)
    assert not nothing.layouts[0].fields


@pytest.mark.parametrize(
    ("eye", "said"), [(None, NOT_INSTALLED), (Eye(words=3), NO_WORDS)], ids=["not installed", "no words"]
)
def test_where_nothing_can_be_read_the_pages_can_still_be_shown(eye: Eye | None, said: str) -> None:
    read = BillFiles(PdfProcess(), eye).read(photo(PDF, dpi=60))

    assert read.said == said
    assert [height for _, height in read.draft.sizes] == [8_420]
    assert {getattr(read.draft, name).surety for name in FIELDS} == {"missing"}
    assert PdfProcess().read(photo(PDF, dpi=60)).said == SCANNED


def test_what_goes_wrong_with_a_picture_is_said() -> None:
    def fails(_data: bytes, _numbers: tuple[int, ...], _password: str | None) -> tuple[Page, ...]:
        raise InvalidRequest("Reading this picture takes more than 120 seconds.")

    assert BillFiles(PdfProcess(), fails).read(photo(PDF, dpi=60)).said == (
        "Reading this picture takes more than 120 seconds."
    )


def test_text_that_a_scanner_has_put_below_its_picture_is_as_doubtful_as_the_picture() -> None:
    def of(how: bytes) -> bytes:
        said = b"(Aqua Water Company) Tj T* (Account number 4471-2012) Tj T* (Amount due $ 120.50) Tj T* (Water $ 120.50) Tj"
        return pdf_of(one_page(b"BT " + how + b" /F1 12 Tf 14 TL 50 160 Td " + said + b" ET"))

    drawn, hidden = PdfProcess().read(of(b"0 Tr")).draft, PdfProcess().read(of(b"3 Tr")).draft

    assert (drawn.from_picture, hidden.from_picture) == (False, True)
    assert (drawn.account_number.surety, hidden.account_number.surety) == ("found", "asked")
    assert drawn.account_number.value == hidden.account_number.value == "4471-2012"
    assert all(getattr(hidden, name).surety != "found" for name in FIELDS)
    faint = b"0 Tr (Drawn letterhead of many more letters than are hidden) Tj T* 7 Tr"
    assert PdfProcess().read(of(faint)).draft.from_picture, "some of it is not drawn"


@pytest.mark.parametrize(
    ("drawn", "is_picture"),
    [
        (b"%s q 500 0 0 200 0 0 cm /X Do Q", True),  # in front of the text, which hides it
        (b"q 500 0 0 200 0 0 cm /X Do Q %s", True),
        (b"%s q 500 0 0 60 0 0 cm /X Do Q q 500 0 0 60 0 60 cm /X Do Q", True),  # in strips
        (b"%s q 250 0 0 100 0 0 cm /Y Do Q", True),  # in a form that is made twice as wide and high
        (b"%s q 200 0 0 60 0 140 cm /X Do Q", False),  # a logo
        (b"%s q 500 0 0 200 5000 0 cm /X Do Q", False),  # beside the page
    ],
)
def test_text_on_a_page_that_a_picture_covers_is_as_doubtful_as_the_picture(drawn: bytes, is_picture: bool) -> None:
    said = (
        b"(Aqua Water Company) Tj T* (Account number 4471-2012) Tj T* (Amount due $ 120.50) Tj T* (Water $ 120.50) Tj"
    )
    text = b"BT /F1 12 Tf 14 TL 50 160 Td " + said + b" ET"
    image = b"/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8"
    form = b"/Type /XObject /Subtype /Form /BBox [0 0 2 2] /Resources << /XObject << /X 6 0 R >> >>"
    objects = one_page(drawn % text, more={6: stream(b"\xff", image), 7: stream(b"2 0 0 2 0 0 cm /X Do", form)})
    objects[3] = objects[3].replace(b"/X 6 0 R", b"/X 6 0 R /Y 7 0 R")

    draft = PdfProcess().read(pdf_of(objects)).draft

    assert draft.account_number.value == "4471-2012"
    assert draft.from_picture == is_picture
    assert (draft.account_number.surety == "found") == (not is_picture)


def test_a_picture_that_alone_covers_a_page_is_told_from_another() -> None:
    def paper(drawn: bytes, shade: bytes = b"\xff", side: int = 64) -> str:
        image = b"/Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace /DeviceGray /BitsPerComponent 8"
        said = b"BT /F1 12 Tf 50 160 Td (Amount due $ 120.50) Tj ET"
        return read_pdf(pdf_of(one_page(drawn + b" " + said, more={6: stream(shade * side**2, image % (side, side))})))[
            0
        ].paper

    whole, strip = b"q 500 0 0 200 0 0 cm /X Do Q", b"q 500 0 0 60 0 %d cm /X Do Q"

    assert paper(whole) == paper(whole + b" q 9 0 0 9 0 0 cm /X Do Q") != paper(whole, b"\x00") != ""
    assert (
        paper(b"")
        == paper(whole + whole)
        == paper(whole, side=8)  # an empty background, with the words in front of it
        == paper(strip % 0 + strip % 60)
        == paper(whole + strip % 0 + strip % 60)
        == ""
    )
