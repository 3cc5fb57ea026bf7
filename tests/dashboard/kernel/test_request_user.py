"""A member's session and role count as they are when a change is written.

The tests also cover the page to which a person is led back.
"""

import re
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from prorata.actions.properties import tenants, units
from prorata.store.accounts import api_keys, members as stored_members, sessions as stored_sessions
from prorata.store.database.engine import Tx
from prorata.web.dashboard import PAGES
from prorata.web.dashboard.kernel.pages import Page
from prorata.web.http.routing import Router
from tests.dashboard.billed import billed
from tests.dashboard.conftest import PASSWORD, Browser, Office
from tests.dashboard.kernel.test_sign_in_door import GUARDED, address, assert_page, named
from tests.dashboard.splitting.test_share_rules import furnish

KEY = {"name": "till", "permission": "FULL", "expires": ""}


def while_it_comes(office: Office, meanwhile: Callable[[Tx], object]) -> Browser:
    """An owner's browser whose first form is sent slowly.

    `meanwhile` runs after the owner was let in and before the form has arrived.
    """
    owner, begun = office.browser("owner"), []

    async def slow(scope: Any, receive: Any, send: Any) -> None:
        async def receive_later() -> Any:
            if scope["method"] == "POST" and not begun:
                begun.append(office.database.write(meanwhile))
            return await receive()

        await office.app(scope, receive_later, send)

    browser = Browser(slow)
    browser.client.cookies = owner.client.cookies
    return browser


# --- cookies ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", [b"", b";"])
def test_each_cookie_may_come_in_a_header_of_its_own_as_over_http2(quick_office: Office, ending: bytes) -> None:
    async def apart(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            crumbs = [
                (name, crumb)
                for name, value in scope["headers"]
                for crumb in ([one + ending for one in value.split(b"; ")] if name == b"cookie" else [value])
            ]
            scope = scope | {"headers": crumbs}
        await quick_office.app(scope, receive, send)

    browser = Browser(apart)
    assert browser.sign_in("owner@example.com").status_code == 303
    assert {"prorata", "prorata-guest"} <= set(browser.client.cookies)
    assert_page(browser.get("/properties"), 200)
    assert browser.post("/settings/security/name", {"name": "Olga"}).status_code == 303


# --- what happens between a form and its transaction -----------------------------------------------------------------


def _sign_out_everywhere(tx: Tx) -> None:
    owner = stored_members.find_by_email(tx, "owner@example.com")
    assert owner is not None
    stored_sessions.end_others(tx, owner.account_id, owner.id)


def _make_viewer(tx: Tx) -> None:
    owner = stored_members.find_by_email(tx, "owner@example.com")
    assert owner is not None
    stored_members.set_role(tx, owner.account_id, owner.id, "viewer")


def test_who_is_signed_out_while_a_form_comes_changes_nothing(office: Office) -> None:
    browser = while_it_comes(office, _sign_out_everywhere)
    answer = browser.post("/settings/keys", KEY)
    assert_page(answer, 403)
    assert "nothing was saved. Sign in" in answer.text
    assert office.database.read(lambda tx: api_keys.all_of(tx, office.account_id)) == []


def test_who_is_signed_out_while_a_form_of_steps_comes_changes_nothing(office: Office) -> None:
    browser = while_it_comes(office, _sign_out_everywhere)
    changed = {"current": PASSWORD, "password": "battery staple"}
    assert "nothing was saved. Sign in" in browser.post("/settings/security/password", changed).text
    assert office.browser("owner").is_in


def test_the_role_of_when_it_is_written_counts(office: Office) -> None:
    browser = while_it_comes(office, _make_viewer)
    answer = browser.post("/settings/keys", KEY)
    assert_page(answer, 403)
    assert "Only an owner" in answer.text
    assert office.database.read(lambda tx: api_keys.all_of(tx, office.account_id)) == []


# --- where a person is led back to -----------------------------------------------------------------------------------


@pytest.mark.parametrize("page", [page for page in GUARDED if page.method == "POST"], ids=named)
def test_after_signing_in_again_a_page_opens_wherever_the_form_was_refused_before(
    quick_office: Office, page: Page
) -> None:
    browser = quick_office.browser()
    answer = browser.post(address(page), {}, Referer=f"http://testserver.local{address(page)}?month=2026-03")
    assert answer.status_code == 303
    then = httpx.URL(answer.headers["location"]).params.get("then", "/")
    Router(PAGES).find("GET", httpx.URL(then).path)


def test_what_has_no_page_of_its_own_leads_back_to_the_one_above(quick_office: Office) -> None:
    browser, own_site = quick_office.browser(), "http://testserver.local"
    for referer, then in (
        ("/invoices/chosen", "/invoices"),
        ("/invoices?status=SENT&page=3", "/invoices?status=SENT&page=3"),
        ("/settings/members/member_1/role", "/settings/members"),
        ("/nowhere/at/all", "/"),
    ):
        answer = browser.post("/invoices/changes", {}, Referer=own_site + referer)
        assert httpx.URL(answer.headers["location"]).params.get("then", "/") == then


def test_choosing_light_or_dark_leaves_a_list_as_it_was_found(quick_office: Office) -> None:
    billed(quick_office, "1", "2")
    browser = quick_office.browser("owner")
    page = browser.get("/invoices?status=DRAFT&search=maple").text
    back = re.search(r'name="back" value="([^"]+)"', page)
    assert back
    assert back[1] == "/invoices?status=DRAFT&amp;search=maple"
    chosen = browser.post("/theme", {"theme": "dark", "back": back[1].replace("&amp;", "&")})
    assert chosen.headers["location"] == "/invoices?status=DRAFT&search=maple"
    dark = browser.get("/invoices").text
    assert 'class="dark"' in dark
    assert "Same as your system" in dark
    browser.post("/theme", {"theme": "system", "back": "/"})
    assert "data-theme" not in browser.get("/").text


def test_without_a_script_what_answers_a_form_can_not_be_lost_by_choosing_a_theme(quick_office: Office) -> None:
    browser = quick_office.browser("owner")
    assert 'action="/theme">' in browser.get("/settings/keys").text
    made = browser.post("/settings/keys", KEY)
    assert made.status_code == 200
    assert 'action="/theme" data-stays hidden>' in made.text


def test_a_page_that_answers_a_form_that_was_refused_has_the_buttons_of_themes(quick_office: Office) -> None:
    browser = quick_office.browser("owner")
    refused = browser.post("/settings/keys", KEY | {"name": ""})
    assert refused.status_code == 400
    assert 'action="/theme"' in refused.text
    assert 'name="back" value="/settings/keys"' in refused.text
    assert 'action="/theme"' in browser.post("/split-methods/meth_1/delete", {}).text, "a refusal without its form"


def test_where_a_page_is_ends_with_its_last_step(quick_office: Office) -> None:
    page = quick_office.browser("owner").get("/split-methods").text
    (crumbs,) = re.findall(r'<nav class="crumbs"[^>]*>(.*?)</nav>', page)
    assert crumbs == '<a href="/properties">Properties</a>'


@pytest.mark.parametrize("path", ["/units/{}", "/tenants/{}/edit", "/split-methods", "/import/units", "/import/bills"])
def test_every_page_says_in_the_navigation_where_it_is(quick_office: Office, path: str) -> None:
    its = furnish(quick_office)
    (unit, *_) = quick_office.database.read(lambda tx: units.all_of(tx, quick_office.caller, its.id))
    (tenant,) = quick_office.database.read(lambda tx: tenants.of_unit(tx, quick_office.caller, unit.id))
    text = quick_office.browser("owner").get(path.format(tenant.id if "tenants" in path else unit.id)).text
    marked = set(re.findall(r'<a href="([^"]+)" aria-current="true">', text))
    (own,) = [way for way in ("bills", "tenants", "properties") if way in path] or ["properties"]
    assert marked == {f"/{own}"}
