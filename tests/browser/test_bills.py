"""Bills, as a person brings them: typed in by keyboard, and from a file, with and without a script."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Opened
from tests.browser.landlord import Landlord

FILE = "property,issuerName,utilityType,totalAmountDue,billDate\nMaple Court,{},WATER,90.01,2026-03-02\n"


def test_a_bill_is_typed_in_by_keyboard_and_says_how_many_units_it_charged(landlord: Landlord, visit: Opened) -> None:
    page = visit().go(f"/properties/{landlord.property.id}/bills/new")
    keys = page.keyboard
    expect(page.get_by_label("Who sent the bill")).to_be_focused()
    keys.type("Prairie Gas")
    keys.press("Tab")
    keys.type("80.00")
    page.get_by_label("Date of the bill").fill("2026-03-04")
    page.get_by_label("Gas", exact=True).focus()
    keys.press("Space")
    keys.press("Enter")
    expect(page.get_by_role("status")).to_contain_text("The bill was added. Charged to")
    expect(page.get_by_role("heading", name="Prairie Gas")).to_be_visible()


def test_enter_never_adds_a_bill_that_looks_like_another(landlord: Landlord, visit: Opened) -> None:
    page = visit().go(f"/properties/{landlord.property.id}/bills/new")
    page.get_by_label("Who sent the bill").fill("Aqua Water Co.")
    page.get_by_label("Total in USD").fill("100.00")
    page.get_by_label("Date of the bill").fill("2026-02-20")
    page.get_by_label("Water", exact=True).check()
    for _ in range(2):
        page.get_by_label("Who sent the bill").press("Enter")
        expect(page.get_by_text("This looks like the bill of")).to_be_visible()
    page.get_by_label("Add it anyway: it is another bill").check()
    page.get_by_role("button", name="Add the bill").click()
    expect(page.get_by_role("status")).to_contain_text("The bill was added.")


def test_what_is_folded_away_opens_where_something_is_wrong_in_it(landlord: Landlord, visit: Opened) -> None:
    page = visit().go(f"/properties/{landlord.property.id}/bills/new")
    page.get_by_label("Who sent the bill").fill("Prairie Power")
    page.get_by_label("Total in USD").fill("80")
    page.get_by_label("Date of the bill").fill("2026-03-04")
    page.get_by_label("Electricity", exact=True).check()
    page.get_by_text("Service period, numbers and notes").click()
    page.get_by_label("First day of service").fill("2026-02-01")
    page.get_by_role("button", name="Add the bill").click()
    wrong = page.get_by_label("Last day of service")
    expect(wrong).to_be_visible()
    expect(wrong).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_label("First day of service")).to_have_value("2026-02-01")


@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
def test_a_file_of_bills_is_looked_at_and_imported(visit: Opened, *, script: bool) -> None:
    page = visit(java_script_enabled=script).go("/import/bills")
    rows = FILE.format("With a script" if script else "Without one")
    page.get_by_label("File", exact=True).set_input_files(
        files=[{"name": "march.csv", "mimeType": "text/csv", "buffer": rows.encode()}]
    )
    page.get_by_role("button", name="Look at the file").click()
    page.get_by_role("button", name="Add 1 bill").click()
    expect(page.get_by_role("status")).to_have_text("1 bill was added.")


def test_bills_of_before_are_made_history_and_compared_by_following_links(landlord: Landlord, visit: Opened) -> None:
    page = visit().go(f"/properties/{landlord.property.id}")
    page.get_by_role("link", name="Months", exact=True).click()
    page.get_by_role("link", name="First month to bill").click()
    page.get_by_label("Bill tenants from this month on").select_option("2026-04")
    page.get_by_role("button", name="See what happens").click()
    page.get_by_role("button", name="Bill from April 2026 on").click()
    expect(page.get_by_text("not billed").first).to_be_visible()
    page.get_by_role("link", name="February 2026", exact=True).click()
    expect(page.get_by_text("This month is history")).to_be_visible()
    page.get_by_role("link", name="Compare with before").click()
    page.get_by_label("Units and amounts").fill("1A\t50.00\n1B\t50.00")
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_text("This month is from before billing starts here.")).to_be_visible()
