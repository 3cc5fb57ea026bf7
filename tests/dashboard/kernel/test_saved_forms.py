"""A form submitted after its session has ended appears again after signing in.

Only the person who filled it in sees it.
"""

import re
from html import unescape
from typing import Any

import httpx
import pytest

from prorata.adapters.sealing import AesVault
from prorata.domain.accounts.login_throttling import MINUTES
from tests.dashboard.accounts.test_security import HOME, code_now, turn_on
from tests.dashboard.billed import billed
from tests.dashboard.conftest import OWN_SITE, PASSWORD, Browser, Office
from tests.dashboard.kernel.test_sign_in_door import assert_page

ELM = {"name": "Elm House", "streetNumber": "7", "street": "Elm Road", "city": "Springfield", "state": "IL",
       "zip": "62701", "country": "US"}  # fmt: skip
_TOKEN = re.compile(r'name="form_token" value="([0-9a-f]+)"')
WAITING = ("kept", "then")
_FIELD = r'name="{}" value="([^"]*)"'


def token_of(text: str) -> str:
    found = _TOKEN.search(text)
    assert found, text[:300]
    return found[1]


def hidden(answer: httpx.Response, name: str) -> str:
    found = re.search(_FIELD.format(name), answer.text)
    return unescape(found[1]) if found else ""


def sent_too_late(browser: Browser, path: str, fields: dict[str, Any]) -> httpx.Response:
    """Submit a form that was opened in a session that has since ended."""
    token = token_of(browser.get("/settings/security").text)
    del browser.client.cookies["prorata"]  # as signing out in another tab does
    return browser.post(path, fields, token=token)


def signed_in_again(browser: Browser, asked: httpx.Response, who: str = "owner", **other: str) -> httpx.Response:
    fields = {"email": f"{who}@example.com", "password": PASSWORD} | {name: hidden(asked, name) for name in WAITING}
    return browser.post("/sign-in", fields | other, token=token_of(asked.text))


def test_a_form_sent_after_its_session_ended_is_there_again_and_done_once_it_is_sent_again(office: Office) -> None:
    browser = office.browser("owner")
    token = token_of(browser.get("/properties/new").text)
    office.clock.advance(days=15)
    asked = browser.post("/properties/new", ELM, token=token)
    assert_page(asked, 403)
    assert "nothing was saved" in asked.text
    assert 'type="password"' in asked.text
    shown = signed_in_again(browser, asked)
    assert_page(shown, 200)
    assert all(f'value="{text}"' in shown.text for text in ("Elm House", "Elm Road", "62701"))
    assert "Nothing has been saved yet" in shown.text
    assert 'action="/properties/new"' in shown.text
    assert "Elm House" not in browser.get("/properties").text
    assert browser.post("/properties/new", ELM, token=token_of(shown.text)).status_code == 303
    assert "1 property<" in browser.get("/properties").text


def test_who_signed_out_in_another_tab_finds_the_form_of_a_record_as_it_was_typed(office: Office) -> None:
    its, browser = office.add_property(), office.browser("manager")
    asked = sent_too_late(browser, f"/properties/{its.id}/units/new", {"label": "2B", "sqft": "850", "another": "true"})
    shown = signed_in_again(browser, asked, "manager")
    assert_page(shown, 200)
    assert 'value="2B"' in shown.text
    assert 'value="850"' in shown.text
    assert f'action="/properties/{its.id}/units/new"' in shown.text


def test_what_was_ticked_is_ticked_again_after_signing_in(quick_office: Office) -> None:
    one, two, three = billed(quick_office, "1", "2", "3")
    browser = quick_office.browser("owner")
    asked = sent_too_late(browser, "/invoices/chosen", {"verb": "send", "chosen": [one.id, three.id]})
    shown = signed_in_again(browser, asked).text
    assert [f'value="{row.id}" checked' in shown for row in (one, two, three)] == [True, False, True]


def test_nobody_else_is_shown_what_was_typed(office: Office) -> None:
    browser = office.browser("owner")
    asked = sent_too_late(browser, "/properties/new", ELM)
    assert "Elm House" not in asked.text
    answer = signed_in_again(browser, asked, "manager")
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    after = browser.get("/").text
    assert "Someone else filled in the unfinished form" in after
    assert "Elm House" not in after


def test_who_is_signed_in_as_somebody_else_by_now_is_not_shown_it_either(quick_office: Office) -> None:
    browser = quick_office.browser("owner")
    token = token_of(browser.get("/properties/new").text)
    del browser.client.cookies["prorata"]
    browser.sign_in("manager@example.com")
    answer = browser.post("/properties/new", ELM, token=token)
    assert_page(answer, 403)
    assert "Elm House" not in answer.text


def test_passwords_are_never_kept(quick_office: Office) -> None:
    browser = quick_office.browser("owner")
    asked = sent_too_late(browser, f"{HOME}/email", {"new_email": "ann@example.com", "own_password": "my secret word"})
    kept = AesVault([b"v" * 32]).open(hidden(asked, "kept"), "kept form")
    assert kept
    assert b"ann@example.com" in kept
    assert b"secret word" not in kept
    assert "Please enter passwords and codes again" in signed_in_again(browser, asked).text


def test_a_wrong_password_first_and_a_second_factor_lose_nothing(quick_office: Office) -> None:
    browser = quick_office.browser("owner")
    secret, _ = turn_on(quick_office, browser)
    asked = sent_too_late(browser, "/properties/new", ELM)
    wrong = signed_in_again(browser, asked, password="no")
    assert wrong.status_code == 400
    code_asked = signed_in_again(browser, wrong)
    assert 'name="ticket"' in code_asked.text
    quick_office.clock.advance(minutes=1)
    step = {name: hidden(code_asked, name) for name in ("ticket", "then", "kept")}
    code = {"code": code_now(quick_office, secret)}
    shown = browser.post("/sign-in/code", step | code, token=token_of(code_asked.text))
    assert_page(shown, 200)
    assert 'value="Elm House"' in shown.text


def test_who_signs_in_in_another_tab_first_still_gets_it_back_in_this_one(quick_office: Office) -> None:
    browser = quick_office.browser("owner")
    asked = sent_too_late(browser, "/properties/new", ELM)
    browser.sign_in("owner@example.com")
    assert 'value="Elm House"' in signed_in_again(browser, asked).text


@pytest.mark.parametrize("kept", ["", "1:AAAA", "nothing of ours", "yesterday's"])
def test_what_is_not_ours_or_too_old_leads_to_where_the_person_was(quick_office: Office, kept: str) -> None:
    browser = quick_office.browser("owner")
    asked = sent_too_late(browser, "/properties/new", ELM)
    if kept == "yesterday's":
        kept = hidden(asked, "kept")
        quick_office.clock.advance(days=1, minutes=MINUTES)
    answer = signed_in_again(browser, asked, kept=kept, then="/bills")
    assert (answer.status_code, answer.headers["location"]) == (303, "/bills")


def test_a_form_whose_record_is_gone_is_said_to_be_gone(quick_office: Office) -> None:
    its, browser = quick_office.add_property(), quick_office.browser("owner")
    asked = sent_too_late(browser, f"/properties/{its.id}/units/new", {"label": "2B"})
    again = quick_office.browser("owner")
    again.post(f"/properties/{its.id}/delete", {})
    assert signed_in_again(browser, asked).status_code == 303
    assert "can no longer be shown" in browser.get("/").text


def test_files_are_said_to_be_missing(quick_office: Office) -> None:
    its, browser = quick_office.add_property(), quick_office.browser("owner")
    token = token_of(browser.get("/import/units").text)
    del browser.client.cookies["prorata"]
    asked = browser.client.post(
        "/import/units", data={"form_token": token, "property": its.id}, headers=OWN_SITE,
        files={"file": ("units.csv", b"label\n1A\n")}, follow_redirects=False,
    )  # fmt: skip
    assert "Please choose your files again" in asked.text
    shown = signed_in_again(browser, asked)
    assert_page(shown, 200)
    assert "Please choose your files again" in shown.text


@pytest.mark.parametrize("odd", ["too much", "no token", "another site"])
def test_what_can_not_be_kept_leads_to_sign_in_as_before(quick_office: Office, odd: str) -> None:
    browser = quick_office.browser("owner")
    token = token_of(browser.get("/properties/new").text)
    del browser.client.cookies["prorata"]
    fields = ELM | ({"name": "x" * 300_000} if odd == "too much" else {})
    headers = {"Sec-Fetch-Site": "same-site"} if odd == "another site" else {}
    answer = browser.post("/properties/new", fields, token="" if odd == "no token" else token, **headers)
    assert (answer.status_code, answer.headers["location"]) == (303, "/sign-in")
