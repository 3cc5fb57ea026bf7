"""Tests of details of the dashboard that only a real browser shows."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route, expect

from prorata.adapters.passwords import Argon2Passwords
from tests.browser.conftest import Opened, Visitor
from tests.browser.landlord import PASSWORD, Landlord
from tests.certificates import certificate
from tests.cli.running import Command


def test_over_tls_of_our_own_a_person_stays_signed_in(chromium: Browser, tmp_path: Path) -> None:
    command = Command(tmp_path, PRORATA_BASE_URL="https://127.0.0.1")
    made = Landlord(command, Argon2Passwords().hash(PASSWORD))
    cert, key = certificate(tmp_path)
    with command.serving("--tls-cert", cert, "--tls-key", key) as server:
        context = chromium.new_context(ignore_https_errors=True)
        visitor = Visitor(context, f"https://127.0.0.1:{server.port}")
        visitor.sign_in()
        page = visitor.go("/properties")
        expect(page.get_by_role("heading", name="Properties")).to_be_visible()
        assert page.evaluate("performance.getEntriesByType('navigation')[0].nextHopProtocol") == "http/1.1"
        page.goto(f"{visitor.url}/properties/{made.property.id}/edit")
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_role("status").first).to_be_visible()
        context.close()


def test_a_button_that_is_a_link_obeys_the_space_bar(landlord: Landlord, visit: Opened) -> None:
    page = visit().go(f"/bills/{landlord.bill.id}")
    page.get_by_role("button", name="Delete").focus()
    page.keyboard.press("Space")
    expect(page.get_by_role("dialog", name="Delete this bill")).to_be_visible()


@pytest.mark.parametrize("width", [390, 1280])
def test_every_tab_of_the_settings_is_in_sight(visit: Opened, width: int) -> None:
    page = visit().go("/settings")
    page.set_viewport_size({"width": width, "height": 900})
    tabs = page.get_by_role("navigation", name="Settings")
    assert tabs.get_by_role("link").count() > 8
    assert tabs.evaluate("(row) => row.scrollWidth <= row.clientWidth"), "none is cut off at the side"


def test_a_choice_made_by_arrow_keys_leaves_the_page_where_it_is(landlord: Landlord, visit: Opened) -> None:
    visitor = visit()
    page = visitor.go("/invoices")
    choice = page.get_by_label("Month")
    choice.focus()
    page.keyboard.press("ArrowDown")
    expect(choice).not_to_have_value("")
    page.wait_for_timeout(300)
    assert page.url == f"{visitor.url}/invoices"
    expect(choice).to_be_focused()
    page.get_by_role("button", name="Search").click()
    page.wait_for_url("**/invoices?*month=*")


def test_a_preview_that_is_refused_leaves_the_split_and_says_so(landlord: Landlord, visit: Opened) -> None:
    visitor = visit()
    page = visitor.go(f"/properties/{landlord.property.id}/rules/water")
    refused: list[bool] = []

    def busy(route: Route) -> None:
        refused.append(True)
        route.fulfill(status=503, content_type="text/html", body="<h1>Busy</h1>")

    page.route("**/split", busy)
    owner = page.get_by_label("Your own part, in percent")
    owner.fill("20")
    expect(
        page.get_by_role("alert").filter(
            has_text="The latest changes couldn’t be loaded, so this page may be out of date"
        )
    ).to_be_visible()
    assert refused
    expect(page.locator("#split tfoot tr").first).to_be_visible()
    page.unroute("**/split")
    owner.fill("10")
    expect(page.locator("#split tfoot tr").first).to_contain_text("+$10.00")
    expect(page.get_by_text("The latest changes couldn’t be loaded, so this page may be out of date")).to_be_hidden()
    expect(owner).to_be_focused()


def test_progress_survives_a_refused_look_and_keeps_the_focus(landlord: Landlord, visit: Opened) -> None:
    at = f"/invoices/changes/{landlord.change_id}"
    visitor = visit()
    looks = [0]
    going_on = visitor.context.request.get(visitor.url + at).text()
    poll = (
        f'<span id="look-again" hx-get="{at}" hx-trigger="every 1s" hx-select="#look-again" hx-swap="outerHTML"'
        ' hx-select-oob="#progress:outerMorph"></span><div id="progress"'
    )

    def answer(route: Route) -> None:
        looks[0] += 1
        if looks[0] == 2:
            route.fulfill(status=503, content_type="text/html", body="<h1>Busy</h1>")
        else:
            body = going_on.replace('<div id="progress"', poll).replace("Done</h2>", f"{looks[0]} of 300 done</h2>")
            route.fulfill(status=200, content_type="text/html; charset=utf-8", body=body)

    visitor.page.route(f"**{at}", answer)
    page = visitor.go(at)
    button = page.locator("#progress footer .btn").first
    button.focus()
    expect(page.get_by_role("heading", name="3 of 300 done")).to_be_visible()
    expect(button).to_be_focused()
    page.unroute(f"**{at}")
    expect(page.get_by_role("heading", name="Done")).to_be_visible()
    expect(page.locator("[hx-trigger]")).to_have_count(0)
    expect(page.get_by_role("status").first).not_to_be_empty()


def test_every_field_keeps_its_distance_from_the_hint_above_it(visit: Opened) -> None:
    page = visit().go("/settings/email")
    hint, label = (page.locator(one).bounding_box() for one in ("#hint-mail_subject", "label[for=f-mail_opening]"))
    assert hint is not None
    assert label is not None
    assert label["y"] - (hint["y"] + hint["height"]) >= 12


def test_the_tenant_in_a_month_leads_to_the_invoice_and_looks_like_a_link(landlord: Landlord, visit: Opened) -> None:
    page = visit().go(f"/properties/{landlord.property.id}/months/2026-02")
    row = page.locator("tbody tr").filter(has=page.locator("a[href^='/invoices/']")).first
    tenant = row.locator("td > a")
    expect(tenant).to_have_css("text-decoration-line", "underline")
    expect(row.locator("th > a")).to_have_css("text-decoration-line", "underline")
    tenant.click()
    page.wait_for_url("**/invoices/*")
