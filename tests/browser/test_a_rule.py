"""Tests of the page that shows the split while a person edits a rule."""

from playwright.sync_api import Route, expect

from tests.browser.conftest import Opened
from tests.browser.landlord import Landlord


def test_the_split_follows_as_a_rule_is_edited_and_nothing_is_saved_before_saving(
    landlord: Landlord, visit: Opened
) -> None:
    page = visit().go(f"/properties/{landlord.property.id}/rules/water")
    split, owner = page.locator("#split"), page.locator("#split tfoot tr").first
    expect(split.get_by_text("No change")).to_be_visible()
    expect(page.get_by_label("1A")).to_be_hidden()
    page.get_by_label("By percentage").check()
    expect(owner).to_contain_text("+$100.00")
    page.get_by_label("1A").fill("60")
    page.get_by_label("1B").fill("50")
    expect(split).to_contain_text("must not add up to more than 100 percent")
    expect(page.locator("#below-weights")).to_contain_text("10% too much")
    page.get_by_label("1B").fill("30")
    expect(owner).to_contain_text("+$10.00")
    expect(page.get_by_label("1B")).to_be_focused()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status").first).to_have_text("The rule for water was saved.")
    expect(page.get_by_role("row", name="Water")).to_contain_text("By percentage")


def test_what_is_said_of_the_split_changes_in_a_place_that_stays(landlord: Landlord, visit: Opened) -> None:
    page = visit().go(f"/properties/{landlord.property.id}/rules/gas")
    said, owner = page.locator("#split-said"), page.get_by_label("Your own part, in percent")
    expect(said).to_be_empty()
    was = said.element_handle()
    assert was is not None
    owner.fill("20")
    expect(said).to_have_text(
        "Of $100.00, $80.00 would go to 2 units, $40.00 each, and $20.00 to you. That changes 2 units."
    )
    owner.fill("200")
    expect(said).to_contain_text("It can’t be divided like this yet. Your own part: ")
    assert was.evaluate("one => one.isConnected && one.getAttribute('aria-live')") == "polite"
    expect(page.locator("[aria-live] table")).to_have_count(0)


def test_what_was_said_of_a_month_goes_as_another_is_picked(landlord: Landlord, visit: Opened) -> None:
    page = visit().go("/settings")
    page.locator("[name=announce_days]").fill("45")
    page.locator("form:has([name=announce_days])").get_by_role("button", name="Save").click()
    page.goto(f"{landlord.url}/properties/{landlord.property.id}/rules/gas")
    page.locator("[name=splitMethod][value=SQFT]").check()
    said = page.locator("[data-as-filled]")
    expect(said).to_contain_text("That is too soon to tell tenants 45 days in advance.")
    page.get_by_text("Later months").click()
    waiting: list[Route] = []

    def hold(route: Route) -> None:
        waiting.append(route)

    page.route("**/split", hold)
    page.locator("#dates details input").last.check()
    expect(said).to_be_hidden()
    while not waiting:
        page.wait_for_timeout(20)
    waiting.pop().continue_()
    expect(said).to_contain_text("Tenants are told about it by e-mail on")
    expect(said).to_be_visible()
    page.unroute("**/split")
    with page.expect_response("**/split"):
        page.get_by_label("Your own part, in percent").fill("20")
    expect(said).to_be_visible()
    page.get_by_label("Your own part, in percent").blur()
    page.wait_for_timeout(100)
    expect(said).to_be_visible()


def test_without_a_script_a_button_shows_the_split(landlord: Landlord, visit: Opened) -> None:
    page = visit(java_script_enabled=False).go(f"/properties/{landlord.property.id}/rules/gas")
    page.get_by_label("Your own part, in percent").fill("20")
    page.get_by_role("button", name="Show how it splits").click()
    expect(page.locator("#split tfoot tr").first).to_contain_text("$20.00")
    expect(page.get_by_label("Your own part, in percent")).to_have_value("20")
    expect(page.get_by_role("button", name="Dark")).to_have_count(0)  # choosing would lose what was typed
