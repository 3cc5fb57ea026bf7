"""A session that ends while a person fills in a form loses nothing of it.

The tests use a browser with and without scripts.
"""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Opened
from tests.browser.landlord import EMAIL, PASSWORD, Landlord


def sign_in_here(page: Page) -> None:
    page.get_by_label("E-mail address").fill(EMAIL)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()


def test_a_preview_after_the_session_ended_leaves_the_form_as_it_is(landlord: Landlord, visit: Opened) -> None:
    visitor = visit(signed_in=False)
    visitor.sign_in()
    page = visitor.go(f"/properties/{landlord.property.id}/rules/gas")
    visitor.context.clear_cookies(name="prorata")
    owner = page.get_by_label("Your own part, in percent")
    owner.fill("20")
    expect(page.get_by_text("You’re no longer signed in")).to_be_visible()
    expect(owner).to_have_value("20")
    page.get_by_role("button", name="Save").click()
    sign_in_here(page)
    expect(page.get_by_role("status").first).to_contain_text("Nothing has been saved yet")
    expect(owner).to_have_value("20")


@pytest.mark.parametrize("has_script", [True, False])
def test_what_was_typed_is_there_again_after_signing_in_and_is_sent_by_the_person_alone(
    landlord: Landlord, visit: Opened, has_script: bool
) -> None:
    visitor = visit(signed_in=False, java_script_enabled=has_script)
    visitor.sign_in()
    page = visitor.go(f"/properties/{landlord.property.id}/units/new")
    label = f"9{has_script:d}"
    page.get_by_label("Unit", exact=True).fill(label)
    page.get_by_label("Square feet").fill("850")
    elsewhere = visitor.context.new_page()
    elsewhere.goto(f"{landlord.url}/settings/security")
    elsewhere.get_by_role("button", name="Sign out", exact=True).first.click()
    elsewhere.wait_for_url("**/sign-in")
    page.get_by_role("button", name="Add the unit").click()
    expect(page.get_by_role("status").first).to_contain_text("nothing was saved")
    if has_script:
        assert visitor.findings() == []
    sign_in_here(page)
    expect(page.get_by_role("status").first).to_contain_text("Nothing has been saved yet")
    expect(page.get_by_label("Unit", exact=True)).to_have_value(label)
    expect(page.get_by_label("Square feet")).to_have_value("850")
    elsewhere.goto(f"{landlord.url}/properties/{landlord.property.id}")
    expect(elsewhere.get_by_role("link", name=label, exact=True)).to_have_count(0)
    page.get_by_role("button", name="Add the unit").click()
    expect(page.get_by_role("status").first).to_contain_text(f"Unit {label} was added")
