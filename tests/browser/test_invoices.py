"""Tests of choosing and changing invoices in a browser, with and without scripts."""

import re
from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest
from playwright.sync_api import expect

from prorata import wiring
from prorata.actions.bills import bills
from prorata.actions.limits import MOST_CHANGED_AT_ONCE
from prorata.actions.properties import properties, tenancy_changes
from prorata.actions.properties.tenancy_changes import FirstTenant
from prorata.adapters.passwords import Argon2Passwords
from prorata.domain.bills.bills import NewBill
from tests.browser.conftest import Opened
from tests.browser.landlord import MAPLE, PASSWORD, Landlord
from tests.cli.running import Command

ALL = MOST_CHANGED_AT_ONCE + 5
"""Invoices of one property: enough that changing them all is a job."""
_WATCHES = """setInterval(() => {
    const says = document.querySelector("#stands")?.textContent.trim();
    const stood = JSON.parse(sessionStorage.getItem("stood") || "[]");
    if (says && stood.at(-1) !== says) sessionStorage.setItem("stood", JSON.stringify([...stood, says]));
}, 20)"""
"""Keeps what a page says of how far a change of many is."""


@pytest.fixture(scope="module")
def landlord(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Landlord]:
    """A landlord with an additional, larger property, on a running server."""
    command = Command(tmp_path_factory.mktemp("invoices"))
    made = Landlord(command, Argon2Passwords().hash(PASSWORD))

    def add(tx: Any) -> None:
        row = properties.create(tx, made.caller, MAPLE._replace(name="Oak Row"))
        for number in range(1, ALL + 1):
            tenant = FirstTenant(f"Tenant {number}", f"t{number}@example.org")
            tenancy_changes.add_unit(tx, made.caller, row.id, {"label": str(number)}, tenant)
        bills.add(tx, made.caller, [NewBill(row.id, "Aqua Water Co.", ("WATER",), 90_00, date(2026, 2, 20))])

    with wiring.made(made.settings) as database:
        database.write(add)
    with command.serving() as server:
        made.url = server.url
        yield made


def test_what_can_be_done_shows_once_something_is_chosen_and_says_how_many(visit: Opened) -> None:
    page = visit().go("/invoices?status=DRAFT&search=oak")
    send = page.get_by_role("button", name="Send…")
    expect(send).to_be_hidden()
    page.get_by_role("checkbox", name="Choose OAKROW-4-2026-02").check()
    page.get_by_role("checkbox", name="Choose OAKROW-5-2026-02").check()
    expect(page.get_by_text("2 chosen")).to_be_visible()
    page.get_by_role("checkbox", name="Select all on this page").check()
    expect(page.get_by_text(f"{ALL} chosen")).to_be_visible()
    page.get_by_role("checkbox", name="Select all on this page").uncheck()
    expect(send).to_be_hidden()


def test_without_a_script_invoices_are_chosen_asked_about_and_sent(visit: Opened) -> None:
    page = visit(java_script_enabled=False).go("/invoices?status=DRAFT")
    page.get_by_role("checkbox", name="Choose OAKROW-25-2026-02").check()
    page.get_by_role("button", name="Send…").click()
    expect(page.get_by_role("heading", name="Send 1 invoice totaling $3.60?")).to_be_visible()
    page.get_by_role("button", name=re.compile("^(Send 1 invoice$|Save 1 to|Mark 1 as sent)")).click()
    expect(page.get_by_role("status").first).to_have_text("1 of 1 invoice was marked as sent.")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("heading", name="Undo the change to 1 invoice?")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("status").first).to_have_text("1 of 1 invoice was set back as before.")


def test_several_are_chosen_and_sent_and_the_page_shows_how_far_it_is_until_all_are(visit: Opened) -> None:
    page = visit().go("/invoices?status=DRAFT&search=oak")
    page.get_by_role("checkbox", name="Select all on this page").check()
    page.get_by_role("checkbox", name="Choose OAKROW-1-2026-02").uncheck()
    number = page.locator("input[name='chosen']:checked").count()
    assert number > MOST_CHANGED_AT_ONCE
    page.get_by_role("button", name="Send…").click()
    expect(page.get_by_role("heading", name=re.compile(rf"^Send {number} invoices totaling "))).to_be_visible()
    page.context.add_init_script(_WATCHES)
    page.evaluate(_WATCHES)
    page.get_by_role("button", name=re.compile(r"^(Send \d+ invoices|Save \d+ to|Mark \d+ as sent)")).click()
    expect(page.get_by_role("status").first).to_have_text(
        f"{number} of {number} invoices were marked as sent.", timeout=20_000
    )
    shown = page.evaluate("JSON.parse(sessionStorage.getItem('stood'))")
    assert re.fullmatch(rf"\d+ of {number} done", shown[0])
    assert shown[-1] == "Done"
    page = visit().go("/invoices?status=SENT&search=oak")
    expect(page.get_by_role("link", name="OAKROW-2-2026-02")).to_be_visible()
    expect(page.get_by_role("link", name="OAKROW-1-2026-02", exact=True)).to_have_count(0)


def test_a_change_of_many_goes_on_by_itself_and_ends_by_itself(visit: Opened) -> None:
    page = visit().go("/invoices?search=oak")
    page.get_by_role("checkbox", name="Select all on this page").check()
    page.get_by_role("button", name="Mark as paid…").click()
    page.get_by_role("button", name=re.compile(rf"^Mark {ALL} invoices as paid")).click()
    expect(page.get_by_role("heading", name="Done")).to_be_visible(timeout=20_000)
    expect(page.locator("[hx-trigger]")).to_have_count(0)
    expect(page.get_by_role("button", name="Undo")).to_be_visible()


def test_a_step_asks_in_a_dialog_by_keyboard(landlord: Landlord, visit: Opened) -> None:
    page = visit().go(f"/invoices/{landlord.invoice_id}")
    page.get_by_role("button", name="Cancel the invoice").focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Cancel MAPLECOURT-1A-2026-02?")
    expect(dialog).to_be_visible()
    expect(dialog).to_contain_text("becomes the owner’s cost")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()


def test_on_a_phone_the_tenant_is_named_and_the_export_menu_is_on_the_screen(visit: Opened) -> None:
    visitor = visit(phone=True)
    page = visitor.go("/invoices?search=oak")
    expect(page.locator(".narrow-only").first).to_contain_text("Tenant")
    for path in ("/invoices", "/bills"):
        page = visitor.go(path)
        page.get_by_text("Export", exact=True).click()
        menu = page.locator(".drop-list").bounding_box()
        assert menu is not None
        assert menu["x"] >= 0
        assert menu["x"] + menu["width"] <= page.evaluate("innerWidth")


def test_what_opens_in_a_window_of_its_own_can_be_printed_again(landlord: Landlord, visit: Opened) -> None:
    page = visit().go("/invoices")
    page.get_by_role("checkbox", name="Choose").first.check()
    button = page.get_by_role("button", name="Print", exact=False).last
    with page.context.expect_page():
        button.click()
    page.wait_for_timeout(200)
    expect(button).to_be_enabled()
