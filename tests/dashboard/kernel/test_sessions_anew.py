"""A browser gets a new session when its member changes how they sign in."""

import re
from base64 import b32decode

from tests.dashboard.accounts.test_security import HOME, NEW, code_now, location, turn_on
from tests.dashboard.conftest import PASSWORD, Office, form_token


def test_a_copy_of_the_cookie_is_worth_nothing_once_the_password_or_the_app_was_changed(office: Office) -> None:
    browser, copied = office.browser("owner"), office.browser()
    before: list[str] = []

    def is_renewed() -> bool:
        copied.client.cookies.set("prorata", before[-1])
        before.append(browser.client.cookies["prorata"])
        return (
            before[-1] not in before[:-1]
            and copied.get(HOME).status_code == 303
            and browser.get(HOME).status_code == 200
        )

    before.append(browser.client.cookies["prorata"])
    turn_on(office, browser)
    assert is_renewed()
    location(browser.post(f"{HOME}/app/off", {"current": PASSWORD}))
    assert is_renewed()
    location(browser.post(f"{HOME}/password", {"current": PASSWORD, "password": NEW}))
    assert is_renewed()
    location(browser.post(f"{HOME}/name", {"name": "Ann"}))


def test_the_page_of_recovery_codes_has_forms_of_the_new_session(quick_office: Office) -> None:
    browser = quick_office.browser("owner")
    location(browser.post(f"{HOME}/app/begin", {"current": PASSWORD}))
    shown = re.search(r'id="secret">([A-Z2-7 ]+)<', browser.get(f"{HOME}/app").text)
    assert shown is not None
    code = code_now(quick_office, b32decode(shown[1].replace(" ", "")))
    page = browser.post(f"{HOME}/app/confirm", {"code": code}).text
    assert browser.post("/theme", {"theme": "dark"}, token=form_token(page)).status_code == 303
