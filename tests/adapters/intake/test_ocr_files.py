"""Tests of reading the words and their places in pictures.

Pictures may be photographed in any way, and some text is left unread.
"""

import io

import pytest
from PIL import Image

from prorata.adapters.intake.ocr_files import OCR_LIMITS, OcrProcess
from prorata.adapters.intake.pdf_files import PdfProcess
from prorata.domain.intake.bill_reading.draft import Draft
from prorata.errors import InvalidRequest
from tests.bill_pdfs.facts import facts_of
from tests.bill_pdfs.layouts import LAYOUTS
from tests.bill_pdfs.measuring_scans import seen_in
from tests.bill_pdfs.photographed import photo, pictures_of, scanned
from tests.bill_pdfs.printing import printed
from tests.ocr_extra import needs_ocr
from tests.pdf_pages import read_pdf
from tests.read_bills import read_bill

LAYOUT = next(one for one in LAYOUTS if one.locale == "de-DE" and one.held_out)
FACTS = facts_of("de-DE", 1)
PDF = printed(FACTS, LAYOUT)
NEAR = 60
"""Tenths of a point."""


def middle(draft: Draft) -> tuple[int, int]:
    """Return the center of the bill number that is highest on the page."""
    place = min(draft.bill_number.places, key=lambda one: one.top)
    return (place.left + place.right) // 2, (place.top + place.bottom) // 2


def test_what_reads_pictures_is_tested_here_or_says_that_it_is_not() -> None:
    assert needs_ocr.kwargs["reason"].endswith("make ocr")


@needs_ocr
@pytest.mark.parametrize(
    ("aslant", "light", "orientation", "kind"),
    [(0.0, 1.0, 6, "JPEG"), (2.0, 0.35, 1, "JPEG"), (-4.0, 1.0, 1, "PNG")],
    ids=["held upright", "aslant in the dark", "far aslant"],
)
@pytest.mark.thorough
def test_a_photo_is_read_and_what_it_says_is_marked_where_it_stands(
    aslant: float, light: float, orientation: int, kind: str
) -> None:
    (page,) = seen_in(photo(PDF, kind, dpi=150, aslant=aslant, light=light, orientation=orientation))
    draft = read_bill([page])

    assert (page.from_picture, page.height) == (True, 8_420)
    assert (draft.total.choices[0], draft.bill_number.value) == (FACTS.total, FACTS.number)
    assert (draft.bill_date.value, draft.due_date.value) == (FACTS.billed, FACTS.due)
    assert "found" not in {draft.total.surety, draft.bill_number.surety, draft.bill_date.surety}
    degrees = page.tilt * 180 / 3141.6
    assert abs(degrees + aslant) < 0.5, "what is turned against the clock falls the other way"
    across, down = middle(draft)
    true_across, true_down = middle(read_bill(read_pdf(PDF)))
    right, below = true_across - page.width / 2, true_down - page.height / 2
    fall = -aslant * 3.1416 / 180
    assert abs(across - (true_across - below * fall)) < NEAR
    assert abs(down - (true_down + right * fall)) < NEAR


@pytest.mark.thorough
@needs_ocr
def test_the_pages_of_a_scan_that_are_asked_for_are_read_in_a_process_with_limits_of_its_own() -> None:
    scan = scanned([*pictures_of(PDF, 100)[:1], Image.new("RGB", (827, 1169), "white")], 100)

    (first, second) = OcrProcess()(scan, (1, 2))

    assert (first.number, second.number, second.words) == (1, 2, ())
    assert read_bill([first]).total.choices[0] == FACTS.total
    (again,) = PdfProcess().read_again([(first, second)], [])
    assert (again.pages, again.total.choices[0], again.total.surety) == (2, FACTS.total, "asked")
    with pytest.raises(InvalidRequest, match="takes more than 1 seconds"):
        OcrProcess(OCR_LIMITS._replace(seconds=1))(scan, (1, 2))
    with pytest.raises(InvalidRequest, match=r"can't be read automatically|too much in this picture"):
        OcrProcess(OCR_LIMITS._replace(memory=400 * 1024 * 1024))(scan, (1,))


@needs_ocr
@pytest.mark.parametrize("shade", ["black", "white"])
def test_a_picture_of_nothing_has_no_words(shade: str) -> None:
    made = io.BytesIO()
    Image.new("RGB", (800, 1000), shade).save(made, "JPEG")
    (page,) = seen_in(made.getvalue())
    assert page.words == ()
