"""A person can use the pages by keyboard, with and without scripts."""

from playwright.sync_api import expect

from tests.browser.conftest import Opened
from tests.browser.landlord import EMAIL, PASSWORD, Landlord


def test_signing_in_and_adding_a_property_needs_no_mouse(visit: Opened) -> None:
    visitor = visit(signed_in=False)
    page = visitor.go("/properties/new")
    keys = page.keyboard
    page.locator("input:focus").wait_for()  # the first field has it
    keys.type(EMAIL)
    keys.press("Tab")
    keys.type(PASSWORD)
    keys.press("Enter")
    page.wait_for_url(f"{visitor.url}/properties/new")
    page.locator("input:focus").wait_for()
    for text in ("Oak Row", "9", "Oak Street", "Galena", "IL", "61036"):
        keys.type(text)
        keys.press("Tab")
    keys.press("Tab")  # over the country, which is the one that is likely
    keys.press("Tab")  # over the first month to bill, which may stay empty
    keys.press("Enter")
    expect(page.get_by_role("status").first).to_have_text("Oak Row was added.")


def test_the_first_field_that_is_wrong_has_the_focus(visit: Opened) -> None:
    page = visit().go("/properties/new")
    page.evaluate("document.querySelectorAll('[required]').forEach(field => field.removeAttribute('required'))")
    page.get_by_label("Name").fill("Oak Row")
    page.get_by_role("button", name="Add the property").click()
    field = page.get_by_label("House number")
    expect(field).to_be_focused()
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_label("Name")).to_have_value("Oak Row")


def test_deleting_asks_in_a_dialog_and_without_a_script_on_a_page(landlord: Landlord, visit: Opened) -> None:
    page = visit().go("/settings/keys")
    page.get_by_role("button", name="Revoke").click()
    expect(page.get_by_role("dialog", name="Revoke laptop?")).to_be_visible()
    assert page.get_by_role("dialog").evaluate("dialog => dialog.scrollWidth <= dialog.clientWidth")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    page = visit(java_script_enabled=False).go("/settings/keys")
    page.get_by_role("button", name="Revoke").click()
    expect(page.get_by_role("heading", name="Revoke laptop?")).to_be_visible()


def test_what_is_counted_before_it_is_lost_is_asked_on_a_page(landlord: Landlord, visit: Opened) -> None:
    page = visit().go(f"/properties/{landlord.property.id}/edit")
    page.get_by_role("link", name="Delete").click()
    expect(page.get_by_role("heading", name="Delete Maple Court?")).to_be_visible()
    expect(page.get_by_text("2 units, 2 tenants, 1 bill and 2 invoices")).to_be_visible()


def test_a_theme_is_kept_whatever_the_system_says(visit: Opened) -> None:
    page = visit(color_scheme="light").go("/properties")
    page.get_by_role("button", name="Dark").click()
    assert "dark" in str(page.locator("html").get_attribute("class"))
    page.reload()
    assert "dark" in str(page.locator("html").get_attribute("class"))


def test_what_another_first_month_does_is_shown_as_it_is_chosen(landlord: Landlord, visit: Opened) -> None:
    page = visit().go(f"/properties/{landlord.property.id}/history?firstMonth=2026-02")
    button = page.get_by_role("button", name="Bill starting with")
    expect(button).to_have_text("Bill starting with February 2026")
    said = page.locator("#happens-said").element_handle()
    assert said is not None
    page.get_by_label("Bill tenants starting with this month").select_option("2026-01")
    expect(button).to_have_text("Bill starting with January 2026")
    expect(page.get_by_role("heading", name="Starting with January 2026")).to_be_visible()
    assert said.evaluate("one => one.isConnected && one.textContent").startswith("Billing starts with January 2026.")
    expect(page.locator("#what-happens[aria-live]")).to_have_count(0)
    button.click()
    expect(page.get_by_text("Maple Court is billed starting with January 2026.")).to_be_visible()


def test_on_a_phone_no_list_is_cut_off_and_what_is_looked_for_has_a_line_of_its_own(
    landlord: Landlord, visit: Opened
) -> None:
    visitor = visit(phone=True)
    for path in ("/invoices", "/bills", f"/properties/{landlord.property.id}/rules"):
        page = visitor.go(path)
        cut = "[...document.querySelectorAll('.scroll')].filter(list => list.scrollWidth > list.clientWidth).length"
        assert page.evaluate(cut) == 0, path
        if not path.endswith("/rules"):
            field, head = page.get_by_role("searchbox").bounding_box(), page.locator(".filters").bounding_box()
            assert field is not None
            assert head is not None
            assert field["width"] == head["width"], path
