"""No page has accessibility problems or makes the browser complain.

Axe checks every page in both themes, on a phone and in every language.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from prorata import wiring
from prorata.store.accounts import members
from tests.browser.conftest import DESK, LOCALES, PHONE, Opened
from tests.browser.every_page import AFTER_A_FORM, EVERY, FOR_GUESTS, Records, made_for, open_
from tests.browser.landlord import Landlord

PARTS = 4
APART = 10
"""The distance between the pages of a sample.

Each page of the sample is shown in another language than the one before it.
"""


@pytest.fixture(scope="module")
def records(landlord: Landlord) -> Records:
    return made_for(landlord)


@contextmanager
def speaking(landlord: Landlord, locale: str) -> Iterator[None]:
    """Show pages to the landlord in a language, and afterwards in the account's again."""

    def choose(chosen: str) -> None:
        with wiring.made(landlord.settings) as database:
            database.write(lambda tx: members.set_locale(tx, landlord.caller.account_id, landlord.member_id, chosen))

    choose(locale)
    yield
    choose("")


def found_wrong(landlord: Landlord, records: Records, visit: Opened, paths: list[str], locale: str) -> list[str]:
    """List the problems of pages in a language.

    Guests see the language of the browser; the landlord sees the language chosen for the landlord's own profile. The
    page of test payments is in the tenant's language.
    """
    guest, visitor = (visit(signed_in=is_in, color_scheme="light", locale=locale) for is_in in (False, True))
    found = []
    with speaking(landlord, locale):
        for path in paths:
            who = guest if path in FOR_GUESTS else visitor
            open_(who, path, landlord, records)
            language = "en" if path == "/sandbox/pay/{account}/{link}" else locale[:2]
            assert who.page.locator("html").get_attribute("lang") == language, (path, locale)
            found += who.wrong_in_every_look()
    return found


@pytest.mark.parametrize("part", range(PARTS))
def test_axe_finds_nothing_serious_in_either_theme_and_on_a_phone_no_page_is_wider_than_the_screen(
    landlord: Landlord, records: Records, visit: Opened, part: int
) -> None:
    guest, visitor = visit(signed_in=False, color_scheme="light"), visit(color_scheme="light")
    findings, wide = [], []
    for path in EVERY[part::PARTS]:
        who = guest if path in FOR_GUESTS else visitor
        open_(who, path, landlord, records)
        findings += who.findings_of_both_themes()
        who.page.set_viewport_size(PHONE)
        if who.page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            wide.append(path)
        if path in AFTER_A_FORM:
            findings += who.findings()  # what a phone alone scrolls must be reached by keyboard there
        who.page.set_viewport_size(DESK)
    assert (findings, wide) == ([], [])


@pytest.mark.parametrize("locale", LOCALES)
def test_a_sample_of_pages_has_nothing_that_axe_minds_in_any_language(
    landlord: Landlord, records: Records, visit: Opened, locale: str
) -> None:
    first = LOCALES.index(locale) * APART
    assert found_wrong(landlord, records, visit, EVERY[first :: APART * len(LOCALES)], locale) == []


@pytest.mark.soak
@pytest.mark.parametrize("locale", LOCALES)
def test_no_page_has_anything_that_axe_minds_in_any_language_theme_or_width(
    landlord: Landlord, records: Records, visit: Opened, locale: str
) -> None:
    assert found_wrong(landlord, records, visit, EVERY, locale) == []


def test_on_a_phone_the_menu_opens(visit: Opened) -> None:
    page = visit(phone=True).go("/")
    page.locator(".bar summary").click()
    page.get_by_role("navigation", name="Menu").get_by_role("link", name="Properties").click()
    assert page.get_by_role("heading", name="Properties").is_visible()
