"""A dispute goes from a tenant's phone to the corrected bill and back."""

import os
import struct
import zlib

from playwright.sync_api import Page, expect

from tests.browser.conftest import Opened
from tests.browser.landlord import Landlord
from tests.browser.test_tenant_page import sent

PHOTO = "IMG_4711.png"


def photo() -> bytes:
    """A gray picture as a PNG."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    rows = (b"\x00" + b"\x80" * 40) * 30
    head = struct.pack(">IIBBBBB", 40, 30, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def look(page: Page, name: str) -> None:
    """Save a picture of the page if the environment variable `LOOK` is set."""
    if "LOOK" in os.environ:
        page.screenshot(path=f"{os.environ['LOOK']}-{name}.png", full_page=True)


def fits(page: Page) -> bool:
    return not page.evaluate("document.documentElement.scrollWidth > innerWidth")


def test_a_dispute_goes_from_a_phone_to_a_correction_and_back(landlord: Landlord, visit: Opened) -> None:
    path = sent(landlord, landlord.invoice_id)
    phone = visit(signed_in=False, phone=True)
    page = phone.go(path)
    page.get_by_role("link", name="Dispute this charge").click()
    expect(page.get_by_label("Amount in question")).to_have_value("50.00")
    page.get_by_label("Amount in question").fill("50.01")
    page.get_by_label("What is wrong with this charge?").fill("The meter says 40, the bill says 50.")
    page.get_by_role("button", name="Send the dispute").click()
    page.get_by_role("link", name="Enter an amount above zero, and at most $50.00.").wait_for()
    page.get_by_label("Amount in question").fill("20.00")
    page.get_by_label("Photos or PDFs").set_input_files(
        files=[{"name": PHOTO, "mimeType": "image/png", "buffer": photo()}]
    )
    assert fits(page)
    assert phone.findings_of_both_themes() == []
    look(page, "form")
    page.get_by_role("button", name="Send the dispute").click()
    page.get_by_role("status").get_by_text("Harbor Rentals has received your dispute. An answer is due by").wait_for()
    thread = page.get_by_role("region", name="What you asked")
    thread.get_by_text("$20.00 in dispute since").wait_for()
    look(page, "disputed")

    office = visit()
    desk = office.go("/")
    desk.get_by_text("1 disputed charge to settle.").wait_for()
    desk = office.go("/questions")
    desk.get_by_role("link", name="See it").click()
    desk.get_by_text("$20.00 of $50.00 is in dispute.").wait_for()
    with desk.expect_download() as kept:
        desk.get_by_role("link", name=PHOTO).click()
    assert kept.value.suggested_filename == PHOTO
    assert kept.value.path().read_bytes() == photo()
    desk.get_by_label("Your reply").fill("You are right, we correct it.")
    desk.get_by_role("button", name="Send the reply").click()
    desk.get_by_role("status").wait_for()
    look(desk, "answered")
    assert office.findings_of_both_themes() == []

    correct_the_bill(office.go(f"/bills/{landlord.bill.id}/correct"))
    desk = office.go(f"/invoices/{landlord.invoice_id}")
    desk.get_by_role("button", name="End the dispute with the correction").click()
    desk.get_by_text("The dispute was ended with the correction").wait_for()
    desk.get_by_text("Corrected by -$10.00, on the invoice for March 2026.").wait_for()
    look(desk, "ended")

    page = phone.go(path)
    thread = page.get_by_role("region", name="What you asked")
    thread.get_by_text("You are right, we correct it.").wait_for()
    thread.get_by_text("The $10.00 is taken off your invoice of March 2026.").wait_for()
    page.get_by_role("link", name="Dispute this charge").wait_for()
    assert fits(page)
    assert phone.findings_of_both_themes() == []
    look(page, "corrected")


def correct_the_bill(desk: Page) -> None:
    """Correct the total of the bill, and put the differences on the next invoices."""
    desk.get_by_label("Correct total in USD").fill("80.00")
    desk.get_by_role("button", name="Preview").click()
    desk.get_by_role("button", name="Correct the bill").click()
    desk.get_by_role("status").wait_for()
