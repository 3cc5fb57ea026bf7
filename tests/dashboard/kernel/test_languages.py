"""Members see pages in their own language, or else in the account's.

Guests see them in their browser's language.
"""

import pytest

from prorata.domain.mail.words import WORDS
from prorata.web.dashboard.kernel.translations import catalog_name, catalog_of
from tests.dashboard.conftest import PASSWORD, Browser, Office, build_office

OWN = "/settings/security/name"


def language_of(browser: Browser, path: str = "/", **headers: str) -> str:
    return browser.get(path, **headers).text.split('<html lang="', 1)[1].split('"', 1)[0]


def test_a_member_sees_pages_in_the_language_they_chose_and_others_go_on_as_before(office: Office) -> None:
    owner, manager = office.browser("owner"), office.browser("manager")
    assert owner.post(OWN, {"name": "Olga", "locale": "de-DE"}).status_code == 303
    page = owner.get("/").text
    assert '<html lang="de"' in page
    assert "Übersicht" in page
    assert "Overview" not in page
    assert language_of(manager) == "en"
    chosen = owner.get("/settings/security").text
    assert '<option value="de-DE" selected>' in chosen
    assert owner.post(OWN, {"name": "Olga", "locale": "account"}).status_code == 303
    assert language_of(owner) == "en"


def test_a_changed_language_is_confirmed_in_the_language_of_the_next_page(quick_office: Office) -> None:
    owner = quick_office.browser("owner")
    of_account = {"name": "Harbor", "timezone": "UTC", "locale": "fr-FR", "currency": "USD", "payment_terms": "21"}
    for path, form, said in (
        (OWN, {"name": "Olga", "locale": "de-DE"}, "Gespeichert."),
        ("/settings", of_account, "Gespeichert."),
        (OWN, {"name": "Olga", "locale": "account"}, "Enregistré."),
        ("/settings", of_account | {"locale": "es-ES"}, "Guardado."),
    ):
        assert said in owner.get(owner.post(path, form).headers["location"]).text


def test_whoever_opens_an_account_is_greeted_in_its_language(migrated_sqlite_url: str) -> None:
    built = build_office(migrated_sqlite_url, PRORATA_SIGNUP="open")
    opening = {
        "name": "Nora", "account_name": "Noras Wohnungen", "email": "nora@example.com", "password": PASSWORD,
        "timezone": "Europe/Berlin", "locale": "de-DE", "currency": "EUR",
    }  # fmt: skip
    with built.live():
        browser = built.browser()
        assert "Willkommen bei Prorata." in browser.get(browser.post("/sign-up", opening).headers["location"]).text


def test_a_language_that_is_not_offered_is_refused_beside_its_field(office: Office) -> None:
    owner = office.browser("owner")
    refused = owner.post(OWN, {"name": "Olga", "locale": "tlh"})
    assert refused.status_code == 400
    assert "Choose a language from the list." in refused.text
    assert language_of(owner) == "en"


@pytest.mark.parametrize(
    ("locale", "language"),
    [("de-AT", "de"), ("es-MX", "es"), ("fr-CA", "fr"), ("en-IE", "en-GB"), ("en-US", "en"), ("sv-SE", "en")],
)
def test_an_account_speaks_the_language_of_its_locale(migrated_sqlite_url: str, locale: str, language: str) -> None:
    built = build_office(migrated_sqlite_url, locale=locale)
    with built.live():
        assert language_of(built.browser("owner")) == language


@pytest.mark.parametrize(
    ("asked", "language"), [("de-CH,de;q=0.9", "de"), ("en-US,en;q=0.9", "en"), ("pl", "en"), ("", "en")]
)
def test_a_guest_is_spoken_to_as_their_browser_asks(quick_office: Office, asked: str, language: str) -> None:
    assert language_of(quick_office.browser(), "/sign-in", **{"Accept-Language": asked}) == language


def test_what_is_refused_by_the_api_stays_english(quick_office: Office) -> None:
    said = quick_office.browser().client.get("/api/v1/properties", headers={"Accept-Language": "de"}).json()
    assert said["error"].isascii()
    assert "API key" in said["error"]


@pytest.mark.parametrize("language", WORDS)
def test_mail_names_the_buttons_of_pages_as_they_do(language: str) -> None:
    words, catalog = WORDS[language], catalog_of(catalog_name(language))
    assert catalog.gettext("Forgot your password?") in words.not_you_login
    assert catalog.gettext("Forgot your password?") in words.not_you_factor
    assert catalog.gettext("Settings") in words.turn_webhook_on
    assert catalog.gettext("Webhooks") in words.turn_webhook_on
