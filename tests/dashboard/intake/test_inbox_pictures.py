"""Tests of photos and scans in the inbox.

A photo is shown beside the form and read where possible, but a person always has to confirm its values.
"""

import io
import re
import threading

import pytest
from PIL import Image

from prorata.adapters.intake.bill_files import NOT_INSTALLED, BillFiles, See
from prorata.adapters.intake.pdf_files import PdfProcess
from prorata.wiring import table_reader
from prorata.worker.documents import document_kinds
from prorata.worker.rounds import Worker
from tests.adapters.intake.test_bill_files import Eye
from tests.adapters.intake.test_pdf_text import protected
from tests.bill_pdfs.photographed import photo, pictures_of, scanned
from tests.dashboard.conftest import Office
from tests.dashboard.intake.test_inbox import a_bill, bring, fields, ids, read_all, typed


def read_with(office: Office, see: See | None) -> None:
    reader = BillFiles(PdfProcess(), see)
    Worker(office.database, lambda: 0, document_kinds(reader, table_reader(for_browsers=True))).do_round(
        threading.Event()
    )


def test_a_photo_is_proposed_and_counts_once_somebody_has_compared_it(office: Office) -> None:
    browser, maple = office.browser("manager"), office.add_property()
    facts, pdf = a_bill()
    bring(browser, ("IMG_0001.jpg", photo(pdf)))
    read_with(office, Eye(pdf))
    (document,) = ids(office)
    listed = browser.get("/inbox").text
    assert "Needs review" in listed
    assert facts.issuer in listed
    shown = browser.get(f"/inbox/{document}?property={maple.id}").text
    assert "Please check: read from a picture" in shown
    assert "Compare each value with the page before you add the bill." in shown
    assert set(re.findall(r'<rect class="(mark[^"]*)" [^>]*><title>', shown)) == {"mark asked"}, "nothing is plain"
    form = fields(shown)
    assert form["totalAmountDue"] == f"{facts.total / 100:.2f}"
    form |= {"billDate": facts.billed.isoformat(), "dueDate": "", "hasElectricity": "true"}
    assert browser.post(f"/inbox/{document}", form).status_code == 303
    assert ids(office, ("billed",)) == [document]


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "PDF"])
def test_where_pictures_are_not_read_one_is_shown_beside_the_form_to_enter_it_by_hand(
    quick_office: Office, kind: str
) -> None:
    browser, maple = quick_office.browser("manager"), quick_office.add_property()
    pdf = a_bill()[1]
    content = scanned(pictures_of(pdf, 100), 100) if kind == "PDF" else photo(pdf, kind, dpi=100, orientation=6)
    bring(browser, (f"scan.{kind.lower()}", content))
    read_with(quick_office, None)
    (document,) = ids(quick_office)
    assert "Not read" in browser.get("/inbox").text
    shown = browser.get(f"/inbox/{document}?property={maple.id}").text
    assert NOT_INSTALLED in shown
    assert "make ocr" in shown
    assert f'src="/inbox/{document}/pages/1"' in shown
    picture = browser.get(f"/inbox/{document}/pages/1")
    seen = Image.open(io.BytesIO(picture.content))
    assert picture.headers["content-type"] == ("image/png" if kind == "PDF" else "image/jpeg")
    assert seen.height > seen.width, "the right way up"
    assert browser.post(f"/inbox/{document}", typed(maple.id)).status_code == 303
    assert ids(quick_office, ("billed",)) == [document]


def test_a_damaged_picture_says_so_and_can_still_be_entered_by_hand(quick_office: Office) -> None:
    browser, maple = quick_office.browser("manager"), quick_office.add_property()
    bring(browser, ("IMG_0002.jpg", photo(a_bill()[1], dpi=60)[:2_000]))
    read_all(quick_office)
    (document,) = ids(quick_office)
    shown = browser.get(f"/inbox/{document}?property={maple.id}").text
    assert "This picture is damaged or incomplete." in shown
    assert "There is no page image of this file." in shown
    assert browser.post(f"/inbox/{document}", typed(maple.id)).status_code == 303


def test_a_protected_scan_is_asked_for_without_its_password(quick_office: Office) -> None:
    browser = quick_office.browser("manager")
    bring(browser, ("scan.pdf", protected("secret", "")))
    read_all(quick_office)
    (document,) = ids(quick_office)
    answer = browser.post(f"/inbox/{document}/password", {"password": "secret"})
    assert answer.status_code == 400
    assert "Save it without its password" in answer.text
