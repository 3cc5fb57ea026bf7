"""The pages for newcomers and for two-step sign-in have no accessibility problems.

Axe checks them in both themes and on a phone.
"""

from base64 import b32decode
from time import time

import pytest
from playwright.sync_api import Page

from prorata import wiring
from prorata.adapters.passwords import Argon2Passwords
from prorata.domain.accounts.one_time_codes import code_at, step_at
from prorata.store.accounts import members
from prorata.store.database.engine import Tx
from tests.browser.conftest import Opened, Visitor
from tests.browser.landlord import PASSWORD, Landlord

CYD = "cyd@example.com"


def test_a_newcomer_finds_every_page_of_the_menu_sound_while_there_is_nothing_in_it(newcomer: Visitor) -> None:
    page = newcomer.go("/")
    wrong = newcomer.wrong_anywhere()
    newcomer.sign_up()
    links = page.get_by_role("navigation", name="Main").get_by_role("link").all()
    menu = [link.get_attribute("href") or "" for link in links]
    assert {"/", "/properties", "/invoices"} <= set(menu)
    for path in [*menu, "/settings/keys", "/settings/security"]:  # an address is to be confirmed before there are keys
        newcomer.go(path)
        wrong += newcomer.wrong_anywhere()
    assert wrong == []


def test_a_newcomer_is_proposed_the_forms_and_the_currency_of_the_browsers_time_zone(newcomer: Visitor) -> None:
    proposed = {
        ("Europe/London", "en-US"): ["Europe/London", "en-GB", "GBP"],
        ("Europe/Zurich", "de-DE"): ["Europe/Zurich", "de-DE", "CHF"],
        ("Asia/Tokyo", "en-US"): ["Asia/Tokyo", "en-US", "USD"],
        ("UTC", "de-AT"): ["UTC", "de-AT", "EUR"],
    }
    for (zone, locale), values in proposed.items():
        with newcomer.context.browser.new_context(timezone_id=zone, locale=locale) as context:
            page = context.new_page()
            page.goto(f"{newcomer.url}/sign-up")
            fields = [page.locator(f"[name={name}]") for name in ("timezone", "locale", "currency")]
            assert [field.input_value() for field in fields] == values


@pytest.fixture
def cyd(landlord: Landlord) -> str:
    """The e-mail address of a member who can set up two-step sign-in."""

    def make(tx: Tx) -> None:
        row = members.new(
            tx,
            landlord.caller.account_id,
            CYD,
            Argon2Passwords().hash(PASSWORD),
            "manager",
            name="Cyd",
            is_verified=True,
        )
        assert members.add(tx, row)

    with wiring.made(landlord.settings) as database:
        database.write(make)
    return CYD


def _fill_in_password(page: Page) -> None:
    page.get_by_label("Password", exact=False).fill(PASSWORD)
    page.get_by_role("button", name="Continue").click()


def test_the_pages_of_two_step_sign_in_are_sound_from_the_picture_to_a_recovery_code(visit: Opened, cyd: str) -> None:
    visitor = visit(signed_in=False, color_scheme="light")
    visitor.sign_in(cyd)
    page = visitor.go("/settings/security/app/begin")
    _fill_in_password(page)
    page.wait_for_url("**/settings/security/app")
    wrong = visitor.wrong_anywhere()
    assert page.get_by_role("img", name="QR code").is_visible()

    secret = b32decode(page.locator("#secret").inner_text().replace(" ", ""))
    page.get_by_label("six digits").fill(code_at(secret, step_at(time())))
    page.get_by_role("button", name="Turn it on").click()
    page.locator("#codes").wait_for()
    wrong += visitor.wrong_anywhere()
    (recovery, *_) = page.locator("#codes").inner_text().split()

    page.get_by_role("button", name="Sign out").first.click()
    page.wait_for_url("**/sign-in")
    page.get_by_label("E-mail address").fill(cyd)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("heading", name="Enter the code").wait_for()
    wrong += visitor.wrong_anywhere()
    page.get_by_label("Code").fill(recovery)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"{visitor.url}/")
    assert wrong == []
