"""What a bill says was used is typed where it is in nobody's way, at a desk and on a phone."""

import os

from playwright.sync_api import expect

from tests.browser.conftest import Opened
from tests.browser.landlord import Landlord


def test_usage_and_price_are_unfolded_typed_and_shown_on_the_page_of_the_bill(
    landlord: Landlord, visit: Opened
) -> None:
    visitor = visit()
    page = visitor.go(f"/properties/{landlord.property.id}/bills/new")
    used = page.get_by_label("Water: how much was used")
    expect(used).to_be_hidden()
    page.get_by_label("Who sent the bill").fill("Usage Water Co.")
    page.get_by_label("Total in USD").fill("60.00")
    page.get_by_label("Date of the bill").fill("2031-05-20")
    page.get_by_text("Usage and price").click()
    used.fill("12.5")
    page.get_by_label("Water: the unit").fill("m3")
    page.get_by_label("Water: the price of one").fill("3.20")
    assert visitor.wrong_in_every_look() == []
    if "LOOK" in os.environ:
        for name, width in (("desk", 1280), ("phone", 375)):
            page.set_viewport_size({"width": width, "height": 800})
            page.screenshot(path=f"{os.environ['LOOK']}.{name}.png", full_page=True)
    page.get_by_role("button", name="Add the bill").click()
    expect(page.get_by_role("status")).to_contain_text("The bill was added.")
    expect(page.get_by_text("Water: 12.5\xa0m³ at $3.20 each")).to_be_visible()
    if "LOOK" in os.environ:
        page.screenshot(path=f"{os.environ['LOOK']}.bill.png", full_page=True)
