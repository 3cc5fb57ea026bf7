"""A person says only once what the lines of an issuer's e-invoices are for.

Prorata fills it in for the next e-invoice.
"""

import os

from playwright.sync_api import expect

from tests.adapters.intake.test_pdf_text import SENTENCE, pdf
from tests.browser.conftest import Opened
from tests.browser.landlord import Landlord
from tests.browser.test_bills import bring
from tests.e_invoices.in_pdfs import within
from tests.e_invoices.made import Line, Made, cii

FIRST = Made(lines=(Line("Trinkwasser", 100_00, 7), Line("Grundpreis", 50_00)), prepaid=30_00)
NEXT = FIRST._replace(number="R-2026-18", issued="2026-04-14", due="2026-05-01", period=("2026-03-01", "2026-03-31"))


def test_what_its_lines_are_for_is_said_once(landlord: Landlord, visit: Opened) -> None:
    visitor = visit()
    page = bring(visitor, "bill.xml", cii(FIRST).replace(b"EUR", b"USD"))
    page.get_by_label("Property", exact=True).select_option(label="Maple Court")
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_label("What “Trinkwasser” is for")).to_have_value("WATER")
    page.get_by_label("What “Grundpreis” is for").select_option(label="Water")
    page.get_by_label("What “What was prepaid” is for").select_option(label="Previous balance")
    assert visitor.findings_of_both_themes() == []
    if "LOOK" in os.environ:
        page.screenshot(path=os.environ["LOOK"], full_page=True)
    page.get_by_role("button", name="Fill in").click()
    expect(page.get_by_label("Amount for water")).to_have_value("166.50")
    page.get_by_role("button", name="Add the bill").click()
    expect(page.get_by_role("status").first).to_contain_text("The bill was added.")

    page = bring(visitor, "next.pdf", within(pdf(SENTENCE), cii(NEXT).replace(b"EUR", b"USD")))

    expect(page.get_by_label("Amount for water")).to_have_value("166.50")
    expect(page.get_by_alt_text("Page 1")).to_be_visible()
    assert visitor.findings_of_both_themes() == []
    if "LOOK" in os.environ:
        page.screenshot(path=f"{os.environ['LOOK']}.2.png", full_page=True)
