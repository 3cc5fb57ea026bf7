"""Whole journeys through a server that nobody has used yet, in a browser."""

import json
import re
import shlex
import shutil
import subprocess

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Opened, Visitor
from tests.browser.landlord import Landlord
from tests.servers import missing


def test_a_new_account_is_proposed_the_time_zone_of_the_browser_and_keeps_what_was_chosen(newcomer: Visitor) -> None:
    browser = newcomer.context.browser
    assert browser is not None
    context = browser.new_context(timezone_id="America/Chicago", locale="en-US")
    page = context.new_page()
    page.goto(newcomer.url)
    zone = page.get_by_label("Time zone")
    expect(zone).to_have_value("America/Chicago")
    zone.select_option("America/Denver")
    page.get_by_label("Password").fill("password1")
    for label, value in (("Your name", "Ada"), ("Name of your business", "Ada"), ("E-mail address", "a@example.com")):
        page.get_by_label(label).fill(value)
    page.get_by_role("button", name="Open the account").click()
    expect(page.locator("[aria-invalid='true']")).to_have_count(1)
    expect(zone).to_have_value("America/Denver")
    context.close()


def add_property(page: Page) -> None:
    for label, text in (
        ("Name", "Oak Row"), ("House number", "9"), ("Street", "Oak Street"), ("City", "Galena"),
        ("State or region", "IL"), ("Postal code", "61036"),
    ):  # fmt: skip
        page.get_by_label(label, exact=True).fill(text)
    page.get_by_role("button", name="Add the property").click()


@pytest.mark.sample
def test_a_newcomer_gets_from_the_first_page_to_draft_invoices_by_what_the_pages_say(newcomer: Visitor) -> None:
    page = newcomer.sign_up()
    page.get_by_role("link", name="Add a property").first.click()
    add_property(page)
    if not page.get_by_role("link", name="Add a unit").count():
        page.get_by_role("link", name="Oak Row").first.click()
    page.get_by_role("link", name="Add a unit").first.click()
    for unit, tenant, button in (("1A", "Bo Chen", "Add and enter another"), ("1B", "", "Add the unit")):
        page.get_by_label("Unit", exact=True).fill(unit)
        page.get_by_label("Tenant’s name").fill(tenant)
        page.get_by_role("button", name=button, exact=True).click()
        expect(page.get_by_role("status").first).to_contain_text(unit)
    newcomer.go("/")
    page.get_by_role("link", name="Enter a bill").first.click()
    page.get_by_role("textbox", name="Who sent the bill").fill("Aqua Water Co.")
    page.get_by_label("Total in USD").fill("100.01")
    page.get_by_label("Date of the bill").fill("2026-03-14")
    page.get_by_label("Water", exact=True).check()
    page.get_by_role("button", name="Add the bill").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Aqua Water Co.")
    newcomer.go("/invoices")
    expect(page.locator("tbody tr")).to_have_count(2)
    assert sorted(re.findall(r"\$50\.0\d", page.locator("table").inner_text())) == ["$50.00", "$50.01"]


# --- keys ------------------------------------------------------------------------------------------------------------


def asked_by_curl(line: str, *more: str) -> tuple[int, str]:
    """Run a curl command line and return its status and response.

    The line is taken as a page shows it, ready to be pasted into a terminal.
    """
    program = shutil.which("curl")
    if program is None:
        missing("A key used with curl", "curl")
    name, *words = shlex.split(line)
    assert name == "curl"
    quietly = ["--silent", "--show-error", "--noproxy", "*", "--max-time", "20", "--write-out", "\n%{http_code}"]
    command = [program, "--disable", *words, *quietly, *more]  # what a .curlrc asks for is no part of the page
    answered = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    body, _, status = answered.rpartition("\n")
    return int(status), body


def test_a_key_is_made_copied_used_with_curl_and_revoked(landlord: Landlord, visit: Opened) -> None:
    visitor = visit()
    page = visitor.go("/settings/keys")
    page.get_by_label("Name").fill("till")
    page.get_by_role("button", name="Create the key").click()
    key = page.locator("#new-key").inner_text().strip()
    shown = page.locator("code", has_text="curl").inner_text()
    line = shown.replace("pro_live_…", key)
    assert line == f'curl -H "Authorization: Bearer {key}" {landlord.url}/api/v1/properties'
    status, body = asked_by_curl(line)
    assert (status, [one["name"] for one in json.loads(body)["data"]]) == (200, ["Maple Court"])
    assert asked_by_curl(f"{line}/{landlord.property.id}", "--request", "DELETE")[0] == 403
    assert asked_by_curl(shown)[0] == 401, "the key is to be put in"
    visitor.go("/settings/keys")
    page.get_by_role("row", name="till").get_by_role("button", name="Revoke").click()
    page.get_by_role("dialog").get_by_role("button", name="Revoke the key").click()
    expect(page.get_by_role("status").first).to_contain_text("till was revoked")
    page.wait_for_timeout(1_000)
    assert asked_by_curl(line)[0] == 401


@pytest.mark.parametrize("has_clipboard", [True, False])
def test_copied_is_said_once_it_is_and_without_a_clipboard_the_key_is_marked(
    visit: Opened, has_clipboard: bool
) -> None:
    visitor = visit()
    page = visitor.go("/settings/keys")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    if not has_clipboard:  # as over plain http from another machine
        page.add_init_script("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
        page = visitor.go("/settings/keys")
    page.get_by_label("Name").fill("desk")
    page.get_by_role("button", name="Create the key").click()
    key = page.locator("#new-key").inner_text().strip()
    page.get_by_role("button", name="Copy").click()
    if has_clipboard:
        expect(page.locator("[data-says]")).to_have_text("Copied")
        assert page.evaluate("navigator.clipboard.readText()") == key
    else:
        expect(page.locator("[data-says]")).to_contain_text("Ctrl+C")
        assert page.evaluate("getSelection().toString()").strip() == key


def test_without_a_script_a_key_is_revoked_on_a_page_that_asks(visit: Opened) -> None:
    visitor = visit(java_script_enabled=False)
    page = visitor.go("/settings/keys")
    page.get_by_label("Name").fill("paper")
    page.get_by_role("button", name="Create the key").click()
    page.get_by_role("row", name="paper").get_by_role("button", name="Revoke").click()
    expect(page.get_by_role("heading", name="Revoke paper?")).to_be_visible()
    page.get_by_role("button", name="Revoke the key").click()
    expect(page.get_by_role("status").first).to_contain_text("paper was revoked")
