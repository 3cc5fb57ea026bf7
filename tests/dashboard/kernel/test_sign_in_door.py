"""Tests of signing in, access to pages, and requests from other sites."""

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import msgspec
import pytest
import structlog

from prorata.domain.accounts.login_throttling import IN_A_NETWORK, OF_AN_ADDRESS, OPENINGS_OF_AN_ADDRESS
from prorata.web.dashboard import PAGES
from prorata.web.dashboard.kernel.pages import Page
from tests.dashboard.conftest import OWN_SITE, PASSWORD, Browser, Office, build_office
from tests.filled_forms import fields_of

NEWCOMER = {
    "name": "Nora", "account_name": "Nora's Homes", "password": PASSWORD, "timezone": "Europe/Dublin",
    "locale": "en-IE", "currency": "EUR",
}  # fmt: skip
_SECRET_LINE = "don’t match"
GUARDED = [page for page in PAGES if page.may is not None]
POSTS = [page for page in PAGES if page.method == "POST"]
OF_A_RECORD = [page for page in GUARDED if "{id}" in page.path]


def named(page: Page) -> str:
    return f"{page.method} {page.path}"


_SAID = {"token": "nothing", "utility": "water", "month": "2026-03"}


def address(page: Page, record_id: str = "prop_00000000000000000000000000") -> str:
    """A page's address, with `record_id` as its `{id}` and example values for other parameters."""
    said = _SAID | {"id": record_id}
    return re.sub(r"\{(\w+)\}", lambda name: said.get(name[1], f"{name[1]}_x"), page.path)


def all_at_once(tried: Callable[[int], int], number: int) -> list[int]:
    """The responses to `number` simultaneous attempts.

    Some responses are slow on purpose.
    """
    with ThreadPoolExecutor(number) as pool:
        return [*pool.map(tried, range(number))]


def assert_page(response: httpx.Response, status: int) -> None:
    assert response.status_code == status, response.text[:500]
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    assert "<h1" in response.text or "<h2" in response.text


# --- signing in ------------------------------------------------------------------------------------------------------


def test_signing_in_begins_a_session_under_a_new_cookie(office: Office) -> None:
    browser = office.browser()
    answer = browser.sign_in("owner@example.com", then="/properties?sort=city")
    assert (answer.status_code, answer.headers["location"]) == (303, "/properties?sort=city")
    cookie = next(value for value in answer.headers.get_list("set-cookie") if value.startswith("prorata="))
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    first = browser.client.cookies["prorata"]
    assert_page(browser.get("/properties"), 200)
    browser.client.cookies.clear()
    browser.sign_in("owner@example.com")
    assert browser.client.cookies["prorata"] != first


def test_over_https_the_cookie_is_bound_to_the_host(migrated_sqlite_url: str) -> None:
    office = build_office(migrated_sqlite_url, PRORATA_BASE_URL="https://testserver.local")
    browser = office.browser()
    token = re.search(r'name="form_token" value="(\w+)"', (shown := browser.get("/sign-in")).text)
    cookies = shown.headers.get_list("set-cookie")
    guest = {"Cookie": cookies[0].partition(";")[0]}  # which this client, over plain http, sends not by itself
    who = {"email": "owner@example.com", "password": PASSWORD}
    assert token is not None
    cookies += browser.post("/sign-in", who, token=token[1], **guest).headers.get_list("set-cookie")
    assert [cookie.partition("=")[0] for cookie in cookies] == [
        "__Host-prorata-guest",
        "__Host-prorata",
        "__Host-prorata-known",
    ]
    assert all(cookie.startswith("__Host-") and "; Secure" in cookie for cookie in cookies)


@pytest.mark.parametrize(("scheme", "said"), [("https", "max-age=31536000"), ("http", None)])
def test_only_a_host_with_https_is_asked_over_nothing_else(
    migrated_sqlite_url: str, scheme: str, said: str | None
) -> None:
    browser = build_office(migrated_sqlite_url, PRORATA_BASE_URL=f"{scheme}://testserver.local").browser()
    for path in ("/sign-in", "/", "/nowhere"):
        assert browser.get(path).headers.get("strict-transport-security") == said


@pytest.mark.parametrize(("trusted", "address"), [("10.0.0.0/8", "203.0.113.9"), ("", "10.0.0.7")])
def test_behind_a_proxy_that_is_trusted_the_address_is_that_of_the_browser(
    migrated_sqlite_url: str, trusted: str, address: str
) -> None:
    office = build_office(migrated_sqlite_url, PRORATA_TRUSTED_PROXIES=trusted)

    async def proxied(scope: Any, receive: Any, send: Any) -> None:
        await office.app(scope | {"client": ("10.0.0.7", 4711)}, receive, send)

    browser = Browser(proxied)
    browser.client.headers["X-Forwarded-For"] = "6.6.6.6, 203.0.113.9"
    browser.sign_in("owner@example.com")
    assert f"{address} ·" in browser.get("/settings/security").text


def test_the_log_says_who_asked_for_a_page_and_holds_no_link(quick_office: Office) -> None:
    browser = quick_office.browser("owner")
    with structlog.testing.capture_logs() as lines:
        browser.get("/properties")
        browser.get("/reset/link_secret.signature")
        browser.get("/nowhere")
    first, second, third = [line for line in lines if line["event"] == "request"]
    assert first["account"] == quick_office.account_id
    assert first["member"].startswith("member_")
    assert (first["operation"], second["path"], third["status"]) == ("page properties_page", "/reset/{token}", 404)
    assert "secret" not in str(lines)
    assert "example.com" not in str(lines)


@pytest.mark.parametrize("email", ["owner@example.com", "nobody@example.com"])
def test_a_wrong_password_and_an_unknown_address_are_told_the_same(office: Office, email: str) -> None:
    answer = office.browser().sign_in(email, password="battery staple")
    assert_page(answer, 400)
    assert _SECRET_LINE in answer.text
    assert f'value="{email}"' in answer.text
    assert "battery" not in answer.text


@pytest.mark.parametrize("then", ["//evil.example", "https://evil.example/", "/\\evil.example", "javascript:alert(1)"])
def test_signing_in_leads_nowhere_but_to_our_own_pages(quick_office: Office, then: str) -> None:
    assert quick_office.browser().sign_in("owner@example.com", then=then).headers["location"] == "/"


def test_after_ten_tries_an_account_waits_and_the_page_says_how_long(quick_office: Office) -> None:
    browser = quick_office.browser()
    for _ in range(10):
        assert browser.post("/sign-in", {"email": "owner@example.com", "password": "no"}).status_code == 400
    answer = browser.sign_in("OWNER@example.com")
    assert_page(answer, 429)
    assert "Wait 15 minutes" in answer.text
    assert int(answer.headers["retry-after"]) > 0
    assert browser.sign_in("manager@example.com").status_code == 303


@pytest.mark.parametrize(
    ("path", "fields", "status"),
    [
        ("/sign-in", {"password": "no"}, 400),
        ("/forgot", {}, 303),
        ("/sign-up", {"name": "N", "account_name": "N", "password": "short", "timezone": "UTC", "locale": "en-US",
                      "currency": "USD"}, 400),
    ],
)  # fmt: skip
@pytest.mark.thorough
def test_from_one_network_address_so_many_are_tried_whoever_they_are_and_others_go_on(
    migrated_sqlite_url: str, path: str, fields: dict[str, str], status: int
) -> None:
    office = build_office(migrated_sqlite_url, PRORATA_SIGNUP="open", PRORATA_TRUSTED_PROXIES="10.0.0.0/8")

    async def proxied(scope: Any, receive: Any, send: Any) -> None:
        await office.app(scope | {"client": ("10.0.0.7", 4711)}, receive, send)

    def tried(address: str, number: int) -> int:
        browser = Browser(proxied)
        browser.client.headers["X-Forwarded-For"] = address
        return browser.post(path, fields | {"email": f"somebody{number}@example.com"}).status_code

    assert all_at_once(lambda number: tried("203.0.113.9", number), 30) == [status] * 30
    assert tried("203.0.113.9", 30) == 429
    assert tried("203.0.113.10", 31) == status


@pytest.mark.thorough
def test_one_network_opens_so_many_accounts_and_others_go_on(migrated_sqlite_url: str) -> None:
    office = build_office(migrated_sqlite_url, PRORATA_SIGNUP="open", PRORATA_TRUSTED_PROXIES="10.0.0.0/8")

    async def proxied(scope: Any, receive: Any, send: Any) -> None:
        await office.app(scope | {"client": ("10.0.0.7", 4711)}, receive, send)

    def opened(address: str, number: int) -> int:
        browser = Browser(proxied)
        browser.client.headers["X-Forwarded-For"] = address
        return browser.post("/sign-up", NEWCOMER | {"email": f"somebody{number}@example.com"}).status_code

    most = OPENINGS_OF_AN_ADDRESS * IN_A_NETWORK
    assert all_at_once(lambda number: opened(f"2001:db8:1:{number}::1", number), most) == [303] * most
    assert opened(f"2001:db8:1:{most}::1", most) == 429
    assert opened("2001:db8:2::1", 99) == 303


@pytest.mark.parametrize(
    ("path", "fields"),
    [("/sign-in", {"password": "x"}), ("/forgot", {}), ("/sign-in/code", {"code": "1", "ticket": "x"})],
)
@pytest.mark.thorough
def test_who_has_a_whole_network_tries_no_more_than_a_few_addresses_do(
    migrated_sqlite_url: str, path: str, fields: dict[str, str]
) -> None:
    office = build_office(migrated_sqlite_url, PRORATA_TRUSTED_PROXIES="10.0.0.0/8")

    async def proxied(scope: Any, receive: Any, send: Any) -> None:
        await office.app(scope | {"client": ("10.0.0.7", 4711)}, receive, send)

    def tried(address: str, number: int) -> int:
        browser = Browser(proxied)
        browser.client.headers["X-Forwarded-For"] = address
        email = {} if "code" in fields else {"email": f"somebody{number}@example.com"}
        return browser.post(path, fields | email).status_code

    most = OF_AN_ADDRESS * IN_A_NETWORK
    answers = set(all_at_once(lambda number: tried(f"2001:db8:1:{number:x}::1", number), most))
    assert 429 not in answers
    assert tried(f"2001:db8:1:{most:x}::1", most) == 429
    assert {tried("2001:db8:2::1", 999)} == answers


def test_signing_out_ends_the_session(office: Office) -> None:
    browser = office.browser("owner")
    cookie = browser.client.cookies["prorata"]
    assert browser.post("/sign-out", {}).headers["location"] == "/sign-in"
    browser.client.cookies.set("prorata", cookie)
    assert browser.get("/").status_code == 303


def test_a_session_that_is_over_leads_back_to_where_the_person_was(office: Office) -> None:
    browser = office.browser("owner")
    office.clock.advance(days=15)
    answer = browser.get("/properties?search=elm")
    assert answer.headers["location"] == "/sign-in?then=/properties%3Fsearch%3Delm"
    part = browser.get("/properties", **{"HX-Request": "true"})
    assert part.headers["hx-redirect"].startswith("/sign-in")


@pytest.mark.parametrize("signup", ["first", "open"])
def test_where_nobody_has_an_account_the_first_one_opens_it(migrated_sqlite_url: str, signup: str) -> None:
    empty = build_office(migrated_sqlite_url, is_empty=True, PRORATA_SIGNUP=signup)
    browser = empty.browser()
    assert browser.get("/").headers["location"] == "/sign-in"
    assert browser.get("/sign-in").headers["location"] == "/sign-up"
    assert_page(browser.get("/sign-up"), 200)


def test_the_sign_in_page_says_what_the_operator_wants_said(migrated_sqlite_url: str) -> None:
    office = build_office(migrated_sqlite_url, PRORATA_SIGN_IN_HINT="Ask Jo <at> the desk.", PRORATA_SIGNUP="open")
    text = office.browser().get("/sign-in").text
    assert "Ask Jo &lt;at&gt; the desk." in text
    assert 'href="/sign-up"' in text


# --- whose page it is ------------------------------------------------------------------------------------------------


def test_a_page_is_for_those_who_are_signed_in(quick_office: Office) -> None:
    browser = quick_office.browser()
    for page in GUARDED:
        answer = browser.get(address(page)) if page.method == "GET" else browser.post(address(page), {})
        assert answer.status_code == 303, named(page)
        assert answer.headers["location"].startswith("/sign-in"), named(page)


@pytest.mark.parametrize("page", OF_A_RECORD, ids=named)
def test_a_strangers_record_is_answered_as_one_that_is_not_there(quick_office: Office, page: Page) -> None:
    browser, strangers = quick_office.browser("owner"), quick_office.add_property(quick_office.stranger_id)

    def ask(record_id: str) -> httpx.Response:
        path = address(page, record_id)
        return browser.get(path) if page.method == "GET" else browser.post(path, fields_of(page))

    theirs, nobodys = ask(strangers.id), ask("prop_00000000000000000000000000")
    assert (theirs.status_code, nobodys.status_code) == (404, 404)
    assert theirs.text.replace(strangers.id, "") == nobodys.text.replace("prop_00000000000000000000000000", "")


def test_each_form_about_a_record_is_filled_in_where_strangers_try_it() -> None:
    """A form that lacks a required field would be refused before the access check."""
    about = re.compile(r"\{(?!utility|month|step|kind|system)")
    forms = [page for page in GUARDED if page.method == "POST" and about.search(page.path)]
    lacking = {
        page.work.__name__: [
            field.encode_name
            for field in msgspec.structs.fields(page.form)
            if field.required and field.encode_name not in fields_of(page)
        ]
        for page in forms
        if page.form is not None
    }
    assert {name: fields for name, fields in lacking.items() if fields} == {}


@pytest.mark.parametrize(("who", "deeds"), [("viewer", ("write", "manage")), ("manager", ("manage",))])
def test_nobody_does_what_they_may_not(quick_office: Office, who: str, deeds: tuple[str, ...]) -> None:
    browser, mine = quick_office.browser(who), quick_office.add_property()
    token = browser.get("/properties").text.split('name="form_token" value="')[1].split('"')[0]
    for page in [page for page in GUARDED if page.may in deeds]:
        path = address(page, mine.id)
        answer = browser.get(path) if page.method == "GET" else browser.post(path, {}, token=token)
        assert answer.status_code == 403, named(page)
        assert_page(answer, 403)
        assert any(said in answer.text for said in ("Ask an owner", "Only an owner")), named(page)


# --- requests of other sites -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "none"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {},
    ],
    ids=str,
)
def test_another_site_changes_nothing(quick_office: Office, headers: dict[str, str]) -> None:
    browser = quick_office.browser("owner")
    token = browser.get("/properties/new").text.split('name="form_token" value="')[1].split('"')[0]
    for page in POSTS:
        answer = browser.client.post(address(page), data={"form_token": token}, headers=headers, follow_redirects=False)
        assert answer.status_code == 403, named(page)
    assert_page(answer, 403)


@pytest.mark.parametrize("sent", ["another session's", "", "é"])
def test_a_form_of_another_session_changes_nothing(quick_office: Office, sent: str) -> None:
    browser, other = quick_office.browser("owner"), quick_office.browser("manager")
    token = other.get("/properties/new").text.split('name="form_token" value="')[1].split('"')[0]
    for page in POSTS:
        answer = browser.post(address(page), {}, token=token if sent == "another session's" else sent)
        assert answer.status_code == 403, named(page)
    assert_page(answer, 403)


def test_a_browser_that_names_only_its_origin_may_come_from_ours(quick_office: Office) -> None:
    browser: Browser = quick_office.browser("owner")
    browser.client.headers.pop("Sec-Fetch-Site", None)
    token = browser.get("/properties/new").text.split('name="form_token" value="')[1].split('"')[0]
    answer = browser.client.post(
        "/sign-out", data={"form_token": token}, headers={"Origin": "http://testserver.local"}, follow_redirects=False
    )
    assert answer.status_code == 303


# --- every answer ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/", "/sign-in", "/properties", "/nowhere"])
def test_no_page_runs_foreign_scripts_is_framed_or_kept(quick_office: Office, path: str) -> None:
    answer = quick_office.browser(None if path == "/sign-in" else "owner").get(path)
    assert answer.status_code == (404 if path == "/nowhere" else 200)
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["cache-control"] == "no-store"
    assert " style=" not in answer.text
    assert "<script>" not in answer.text


def test_an_unknown_address_is_a_page_for_a_browser_and_json_for_a_program(quick_office: Office) -> None:
    browser = quick_office.browser()
    assert_page(browser.get("/nowhere"), 404)
    assert browser.client.get("/nowhere", headers={"Accept": "*/*"}).json()["code"] == "NOT_FOUND"
    assert browser.client.get("/health").json() == {"status": "ok"}


def test_files_are_kept_for_ever_and_sent_small(quick_office: Office) -> None:
    browser = quick_office.browser()
    path = browser.get("/sign-in").text.split('rel="stylesheet" href="')[1].split('"')[0]
    answer = browser.client.get(path, headers={"Accept-Encoding": "gzip"})
    assert answer.headers["content-encoding"] == "gzip"
    assert "immutable" in answer.headers["cache-control"]
    plain = browser.client.get(path, headers={"Accept-Encoding": "gzip;q=0, br"})
    assert "content-encoding" not in plain.headers
    assert plain.content == answer.content
    assert browser.client.get(path, headers={"If-None-Match": answer.headers["etag"]}).status_code == 304
    assert browser.client.get("/static/basecoat.css").status_code == 404


def test_a_method_that_a_page_does_not_take_is_refused_with_those_it_takes(quick_office: Office) -> None:
    answer = quick_office.browser("owner").client.request("DELETE", "/properties", headers=OWN_SITE)
    assert_page(answer, 405)
    assert answer.headers["allow"] == "GET, HEAD"
