"""A photographed bill counts only after a person has compared its values with the photo."""

import os

from playwright.sync_api import expect

from tests.bill_pdfs.facts import facts_of
from tests.bill_pdfs.layouts import LAYOUTS
from tests.bill_pdfs.photographed import photo
from tests.bill_pdfs.printing import printed
from tests.browser.conftest import Opened
from tests.browser.landlord import Landlord
from tests.ocr_extra import needs_ocr

LAYOUT = next(one for one in LAYOUTS if one.locale == "en-US" and not one.held_out)
LONG = 200_000
"""Milliseconds: reading a picture takes seconds of a processor, which others may need too."""


@needs_ocr
def test_a_photo_is_brought_compared_with_its_picture_and_added(landlord: Landlord, visit: Opened) -> None:
    facts = facts_of("en-US", 3, kinds="ELECTRICITY", story="plain")
    content = photo(printed(facts, LAYOUT), dpi=130, aslant=1.0, orientation=6)
    visitor = visit()
    page = visitor.go("/inbox")
    page.locator("#f-files").set_input_files(files=[{"name": "IMG_1.jpg", "mimeType": "image/jpeg", "buffer": content}])
    page.get_by_role("button", name="Upload", exact=True).click()
    page.get_by_role("heading", name="IMG_1.jpg").wait_for()
    needs_review = page.get_by_role("heading", name="Please check: read from a picture")
    needs_review.wait_for(timeout=LONG)
    page.get_by_label("Property", exact=True).select_option(label="Maple Court")
    page.get_by_role("button", name="Continue").click()
    expect(needs_review).to_be_visible()
    expect(page.get_by_label("Total in USD")).to_have_value(f"{facts.total / 100:.2f}")
    picture = page.get_by_alt_text("Page 1")
    picture.scroll_into_view_if_needed()
    expect(picture).to_have_js_property("complete", value=True)
    assert picture.evaluate("one => one.naturalHeight > one.naturalWidth"), "the right way up"
    assert page.locator("rect.mark.asked").count() >= 3
    assert page.locator("a > rect.mark:not(.asked)").count() == 0
    assert visitor.findings_of_both_themes() == []
    if "LOOK" in os.environ:
        page.screenshot(path=os.environ["LOOK"], full_page=True)
    page.get_by_label("Date of the bill", exact=True).fill(facts.billed.isoformat())
    page.get_by_label("Electricity", exact=True).check()
    page.get_by_role("button", name="Add the bill").click()
    expect(page.get_by_role("status").first).to_contain_text("The bill was added.")
