"""Error pages and empty pages have no accessibility problems.

Axe checks refused forms, dialogs, and the pages of a newcomer.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import DESK, Opened, Visitor
from tests.browser.landlord import Landlord
from tests.cli.running import Command

_SEND_AS_IT_IS = "form => { form.noValidate = true; form.requestSubmit(); }"


def refused_forms(landlord: Landlord) -> dict[str, dict[str, str]]:
    """Pages with a form, and invalid values for the fields of each form."""
    return {
        "/properties/new": {"name": "", "zip": "1" * 21},
        f"/properties/{landlord.property.id}/units/new": {"label": "1A", "sqft": "much", "tenantEmail": "nobody"},
        f"/properties/{landlord.property.id}/bills/new": {"totalAmountDue": "much", "amountWater": "x"},
        f"/tenants/{landlord.tenant.id}/edit": {"name": "", "email": "nobody"},
        f"/properties/{landlord.property.id}/rules/water": {"ownerPercent": "101"},
        "/split-methods": {"name": "", "equal": "half"},
        "/settings": {"name": "", "payment_terms": "soon"},
        "/settings/keys": {"name": "", "expires": "2020-01-01"},
        "/settings/members": {"email": "nobody"},
        "/settings/security": {"current": "no", "password": "x"},
    }


def test_axe_finds_nothing_serious_on_forms_that_are_refused(landlord: Landlord, visit: Opened) -> None:
    visitor = visit(color_scheme="light")
    findings = []
    for path, typed in refused_forms(landlord).items():
        page = visitor.go(path)
        for name, value in typed.items():
            field = page.locator(f"main form [name='{name}']").first
            field.evaluate("(element, value) => { element.type = 'text'; element.value = value; }", value)
        with page.expect_navigation():
            page.locator(f"main form:has([name='{next(iter(typed))}'])").first.evaluate(_SEND_AS_IT_IS)
        expect(page.locator("[aria-invalid='true'], .wrong").first).to_be_visible()
        findings += visitor.findings_of_both_themes()
    assert not findings


def test_a_theme_that_is_chosen_on_a_refused_form_loses_nothing_that_was_typed(
    landlord: Landlord, visit: Opened
) -> None:
    page = visit(color_scheme="light").go(f"/properties/{landlord.property.id}/units/new")
    page.locator("[name=label]").fill("Attic")
    page.locator("[name=monthlyRent]").fill("much")
    with page.expect_navigation():
        page.get_by_role("button", name="Add the unit").first.click()
    with page.expect_response("**/theme"):
        page.get_by_role("button", name="Dark").first.click()
    assert page.locator("[name=label]").input_value() == "Attic"
    assert page.locator("html.dark").count() == 1
    page.goto(f"{landlord.url}/properties")
    assert page.locator("html.dark").count() == 1


def test_on_what_answers_a_form_a_theme_is_chosen_and_nothing_is_lost(landlord: Landlord, visit: Opened) -> None:
    page = visit(color_scheme="light").go(f"/properties/{landlord.property.id}/rules/gas")
    page.get_by_label("Your own part, in percent").fill("20")
    with page.expect_navigation():
        page.get_by_role("button", name="Show how it splits").click()
    with page.expect_response("**/theme"):
        page.get_by_role("button", name="Dark").first.click()
    assert page.locator("html.dark").count() == 1
    expect(page.locator("#split tfoot tr").first).to_contain_text("$20.00")
    expect(page.get_by_label("Your own part, in percent")).to_have_value("20")


def test_axe_finds_nothing_serious_in_dialogs(landlord: Landlord, visit: Opened) -> None:
    visitor, findings = visit(), []
    for path in (
        f"/bills/{landlord.bill.id}",
        f"/invoices/{landlord.invoice_id}",
        "/settings/keys",
    ):
        page = visitor.go(path)
        page.locator("[data-dialog]:visible").first.click()
        expect(page.get_by_role("dialog")).to_be_visible()
        findings += visitor.findings()
    assert not findings


@pytest.fixture
def newcomer(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    """A visitor who has just opened an account, which is still empty."""
    command = Command(tmp_path_factory.mktemp("empty"))
    with command.serving() as server:
        context = chromium.new_context(viewport=DESK)
        context.set_default_timeout(10_000)
        visitor = Visitor(context, server.url)
        visitor.sign_up()
        yield visitor
        context.close()
    assert not visitor.complaints


def test_axe_finds_nothing_serious_on_pages_that_have_nothing_to_show_yet(newcomer: Visitor) -> None:
    findings = []
    for path in ("/", "/properties", "/tenants", "/bills", "/invoices", "/jobs", "/activity", "/split-methods",
                 "/bills/new", "/invoices/changes", "/import/bills", "/settings/keys", "/settings/members",
                 "/invoices?search=nobody"):  # fmt: skip
        newcomer.go(path)
        findings += newcomer.findings()
    assert not findings
