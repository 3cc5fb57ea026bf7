"""Fixtures that open the dashboard of a test server in Debian's Chromium, without a window.

Playwright keeps an event loop running in this thread while it is open, but other tests need an event loop of their own.
So Playwright stays open only while the tests of this folder run.
"""

import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http import HTTPStatus
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from prorata.adapters.passwords import Argon2Passwords
from tests.browser.landlord import EMAIL, PASSWORD, Landlord
from tests.cli.running import Command
from tests.servers import missing

_TOKEN = re.compile(r'name="form_token" value="([0-9a-f]+)"')
AXE = Axe().axe_script
MINDED = ("moderate", "serious", "critical")
"""The severities of axe findings that must be fixed: all but minor."""
_RUN = "wish => axe.run({...wish, resultTypes: ['violations']}).then(found => found.violations)"
_END_WHAT_FADES = """new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => {
    document.getAnimations().forEach(one => one.finish());
    done();
})))"""
"""A fade begins with the frame after the change that it is of."""
PHONE = {"width": 375, "height": 667}
DESK = {"width": 1280, "height": 800}
LOCALES = ("en-US", "de-DE", "es-ES", "fr-FR")
"""A locale of each language that pages speak."""
COLOURS = ["color-contrast", "link-in-text-block"]
"""The rules of axe that a theme can break: the others look at what a page says, which is the same in both."""


@pytest.fixture(scope="module")
def landlord(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Landlord]:
    """A landlord with a property, whose account is on a running server."""
    command = Command(tmp_path_factory.mktemp("browser"), PRORATA_PAYMENTS="sandbox")
    made = Landlord(command, Argon2Passwords().hash(PASSWORD))
    with command.serving() as server:
        made.url = server.url
        yield made


@contextmanager
def open_chromium() -> Iterator[Browser]:
    """A headless browser.

    Debian's headless shell uses a quarter of the CPU time of the complete Chromium, which is opened only if the shell
    is missing.
    """
    program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if program is None:
        missing("The dashboard", "chromium-headless-shell")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """The headless browser of all tests in this package."""
    with open_chromium() as browser:
        yield browser


class Visitor:
    """A person with a browser, which records the errors and warnings of the pages."""

    def __init__(self, context: BrowserContext, url: str) -> None:
        self.context = context
        self.url = url
        self.complaints: list[str] = []
        self.page: Page = context.new_page()
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def _hear(self, message: object) -> None:
        kind, text = message.type, message.text  # type: ignore[attr-defined]
        # That a page was refused is what some tests are about; a browser says so of every status of 400 or more.
        if kind in ("error", "warning") and "server responded with a status" not in text:
            self.complaints.append(f"{self.page.url}: {text}")

    def go(self, path: str) -> Page:
        self.page.goto(self.url + path)
        return self.page

    def sign_in(self, email: str = EMAIL) -> None:
        page = self.go("/sign-in")
        page.get_by_label("E-mail address").fill(email)
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        page.wait_for_url(f"{self.url}/")

    def sign_up(self) -> Page:
        """Open the first account of a server that nobody has used yet."""
        page = self.go("/")
        page.get_by_label("Your name").fill("Ada Stone")
        page.get_by_label("Name of your business").fill("Stone Homes")
        page.get_by_label("E-mail address").fill("ada@example.com")
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Open the account").click()
        page.wait_for_url(f"{self.url}/")
        return page

    def wrong_anywhere(self) -> list[str]:
        """List the problems of the open page in both themes and on a phone.

        Axe finds the problems. On a phone, the page must not be wider than the screen.
        """
        found = self.findings_of_both_themes()
        self.page.set_viewport_size(PHONE)
        found += [f"on a phone: {finding}" for finding in self.findings()]
        if self.page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            found.append(f"{self.page.url}: wider than a phone")
        self.page.set_viewport_size(DESK)
        return found

    def wrong_in_every_look(self) -> list[str]:
        """List the problems of the open page in every look, by all rules of axe.

        The looks are both themes, at a desk and on a phone. The page must not be wider than the screen.
        """
        found = []
        for width, looks in ((DESK, "at a desk"), (PHONE, "on a phone")):
            self.page.set_viewport_size(width)
            for theme in ("light", "dark"):
                self._show(theme)
                found += [f"{looks}, {theme}: {finding}" for finding in self.findings()]
                if self.page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                    found.append(f"{looks}, {theme}: {self.page.url}: wider than the screen")
        self.page.set_viewport_size(DESK)
        self._show("light")
        return found

    def _show(self, theme: Literal["light", "dark"]) -> None:
        self.page.emulate_media(color_scheme=theme)
        self.page.locator("html.dark" if theme == "dark" else "html:not(.dark)").wait_for(state="attached")
        self.page.evaluate(_END_WHAT_FADES)

    def findings(self) -> list[str]:
        """List axe's findings that prevent use of the page in its current theme."""
        self.page.evaluate(AXE)
        return self._told(self.page.evaluate(_RUN, {}))

    def findings_of_both_themes(self) -> list[str]:
        """List axe's findings in the light theme, and its color findings in the dark theme."""
        findings = self.findings()
        self._show("dark")
        dark = self._colours() and self._colours()  # what had not begun to fade yet at the first look has ended by now
        self._show("light")
        return findings + [f"in the dark: {finding}" for finding in dark]

    def _colours(self) -> list[str]:
        self.page.evaluate(_END_WHAT_FADES)
        return self._told(self.page.evaluate(_RUN, {"runOnly": COLOURS}))

    def _told(self, violations: list[dict[str, Any]]) -> list[str]:
        return [
            f"{self.page.url}: {one['id']} ({one['impact']}): {one['nodes'][0]['html'][:200]}"
            for one in violations
            if one["impact"] in MINDED
        ]


@pytest.fixture(scope="module")
def cookies(chromium: Browser, landlord: Landlord) -> object:
    """The browser's storage after the landlord has signed in.

    The landlord signs in once for each test file and without loading a page, because hashing a password is slow on
    purpose, and a page is slow, too.
    """
    with chromium.new_context(base_url=landlord.url) as context:
        token = _TOKEN.search(context.request.get("/sign-in").text())
        assert token is not None
        fields = {"form_token": token[1], "email": EMAIL, "password": PASSWORD}
        answer = context.request.post(
            "/sign-in", form=fields, headers={"Sec-Fetch-Site": "same-origin"}, max_redirects=0
        )
        assert answer.status == HTTPStatus.SEE_OTHER
        return context.storage_state()


Opened = Callable[..., Visitor]


@pytest.fixture
def newcomer(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    """A visitor to a server that has just been started for the first time."""
    command = Command(tmp_path_factory.mktemp("new"))
    with command.serving() as server:
        context = chromium.new_context(viewport=DESK, color_scheme="light")
        context.set_default_timeout(10_000)
        visitor = Visitor(context, server.url)
        yield visitor
        context.close()
    assert not visitor.complaints


@pytest.fixture
def visit(chromium: Browser, landlord: Landlord, request: pytest.FixtureRequest) -> Iterator[Opened]:
    """A function that opens a browser for the test, signed in unless told otherwise."""
    contexts: list[BrowserContext] = []
    visitors: list[Visitor] = []

    def open_one(*, signed_in: bool = True, phone: bool = False, **options: object) -> Visitor:
        kept = {"storage_state": request.getfixturevalue("cookies")} if signed_in else {}
        context = chromium.new_context(viewport=PHONE if phone else DESK, **kept, **options)
        context.set_default_timeout(10_000)
        contexts.append(context)
        visitors.append(Visitor(context, landlord.url))
        return visitors[-1]

    yield open_one
    for context in contexts:
        with suppress(Exception):
            context.close()
    assert not [complaint for visitor in visitors for complaint in visitor.complaints]
