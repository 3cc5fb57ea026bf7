"""While a person fills in a form, it shows the changes that saving would make."""

from playwright.sync_api import expect

from tests.browser.conftest import Opened
from tests.browser.landlord import Landlord


def test_what_would_change_follows_as_a_field_is_left_and_nothing_is_saved_before_saving(
    landlord: Landlord, visit: Opened
) -> None:
    page = visit(phone=True).go(f"/properties/{landlord.property.id}")
    unit = page.locator('a[href^="/units/"]').first.get_attribute("href")
    page.goto(f"{landlord.url}{unit}/edit")
    panel, last = page.locator("#would-change"), page.get_by_label("In use until")
    expect(panel).to_have_count(0)
    last.fill("2026-02-10")
    last.blur()
    expect(panel.get_by_role("row", name="Ann Lee").first).to_contain_text("$26.32")
    expect(page.locator("#effect-said")).to_have_text("1 month would change. Nothing has been saved yet.")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    last.fill("")
    page.get_by_role("button", name="Preview").click()
    expect(panel).to_contain_text("No invoices change.")
    page.reload()
    expect(last).to_have_value("")


def test_a_preview_takes_away_what_was_wrong_before_and_keeps_what_still_is(landlord: Landlord, visit: Opened) -> None:
    page = visit().go(f"/properties/{landlord.property.id}/rules/gas")
    part = page.get_by_label("Your own part, in percent")
    part.fill("200")
    page.locator("form").filter(has=part).evaluate("form => form.noValidate = true")
    page.get_by_role("button", name="Save").click()
    wrong, alert = page.locator("p.wrong"), page.get_by_text("Please check the field marked below.")
    expect(wrong).to_have_count(1)
    expect(part).to_have_attribute("aria-invalid", "true")
    part.fill("300")
    page.get_by_role("button", name="Preview").click()
    expect(page.locator("#would-change")).to_contain_text("It can’t be saved like this yet")
    expect(wrong).to_have_count(1)
    expect(alert).to_be_visible()
    part.fill("20")
    page.get_by_role("button", name="Preview").click()
    expect(page.locator("#would-change")).to_contain_text("No invoices change.")
    expect(wrong).to_have_count(0)
    expect(alert).to_have_count(0)
    expect(part).not_to_have_attribute("aria-invalid", "true")


def test_without_a_script_what_would_change_is_a_page_that_saves(landlord: Landlord, visit: Opened) -> None:
    page = visit(java_script_enabled=False).go(f"/properties/{landlord.property.id}/rules/gas")
    page.get_by_label("Your own part, in percent").fill("20")
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("heading", name="What would change")).to_be_visible()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("The rule for gas was saved.")).to_be_visible()
