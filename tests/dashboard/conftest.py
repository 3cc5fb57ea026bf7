"""The dashboard, run in the test's process and seen by a browser without scripts."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from prorata.actions.accounts import accounts, one_time_links
from prorata.actions.accounts.api_keys import KeyHasher
from prorata.actions.invoices.tenant_links import TenantLinks
from prorata.actions.overview.job_lists import JobKind
from prorata.actions.overview.schedule import RECURRING
from prorata.actions.properties import properties
from prorata.actions.properties.properties import NewProperty
from prorata.adapters.delivery.mail_writer import letter_of
from prorata.adapters.exports.charge_layout_files import load_layouts
from prorata.adapters.exports.packs import packed
from prorata.adapters.files.logos import LogoProcess
from prorata.adapters.files.named_files import NamedFiles
from prorata.adapters.files.qr_svg import qr_svg, transfer_qr_svg
from prorata.adapters.files.spreadsheet_files import csv_file, xlsx_file
from prorata.adapters.intake.pdf_pictures import PictureProcess
from prorata.adapters.limits_memory import MemoryLimiter
from prorata.adapters.locale_forms import LocaleForms
from prorata.adapters.printing.joined_pdfs import PdfJoiner
from prorata.adapters.sealing import AesVault
from prorata.ports import Limiter, Passwords
from prorata.settings import Settings, read_settings
from prorata.store.accounts import members as stored_members
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Database
from prorata.store.properties.properties import PropertyRow
from prorata.web.app import EVERY_PAGE, create_app
from prorata.web.dashboard.kernel.pages import Outside, Page
from prorata.web.gateway import App
from prorata.web.http.pools import Pools
from prorata.wiring import bill_reader, files_in, payments, printer, table_reader
from tests.client import Client, live
from tests.clock import TestClock
from tests.web.conftest import HASHER, Shelf, open_database

ORIGIN = "http://testserver.local"
PASSWORD = "correct horse"
OWN_SITE = {"Sec-Fetch-Site": "same-origin"}
MAPLE = NewProperty("Maple Court", "12", "Main Street", "Springfield", "IL", "62701", "US")
_TOKEN = re.compile(r'name="form_token" value="([0-9a-f]+)"')


def form_token(page: str) -> str:
    """The form token of the first form on a page, or an empty string."""
    found = _TOKEN.search(page)
    return found[1] if found else ""


class QuickPasswords:
    """Password hashes that take no time to compute."""

    nobodys_hash = "nobody"

    def hash(self, password: str) -> str:
        return f"quick {password}"

    def matches(self, password: str, stored: str) -> bool:
        return stored == f"quick {password}"

    def wants_another_hash(self, stored: str) -> bool:
        return stored.startswith("old ")


def outside(url: str, shelf: Shelf, **environment: str) -> Outside:
    return Outside(
        settings=read_settings({"PRORATA_DATABASE_URL": url, "PRORATA_BASE_URL": ORIGIN} | environment, Path("no.env")),
        archive=shelf,
        printer=printer(),
        join=PdfJoiner(),
        hasher=HASHER,
        passwords=QuickPasswords(),
        vault=AesVault([b"v" * 32]),
        signer=one_time_links.LinkSigner([b"links"]),
        forms=LocaleForms,
        tenant_links=TenantLinks([b"tenants"], ORIGIN),
        read_table=table_reader(for_browsers=True),
        bills=bill_reader(for_browsers=True),
        files_in=files_in,
        picture=PictureProcess(),
        read_logo=LogoProcess(),
        named_files=NamedFiles(),
        sessions=KeyHasher([b"sessions"]),
        qr=qr_svg,
        letter=letter_of,
        transfer_qr=transfer_qr_svg,
        spreadsheets={"csv": csv_file, "xlsx": xlsx_file},
        pack=packed,
        payment_events=payments.readers(),
        job_kinds=dict,
        charge_layouts=load_layouts(),
    )


class Browser:
    """A browser without scripts.

    It keeps cookies, follows no redirects on its own, and sends forms with their tokens.
    """

    def __init__(self, app: App) -> None:
        self.client = Client(app, base_url=ORIGIN)
        self._token_of: dict[str, str] = {}
        """The token of the forms of each session."""

    def get(self, path: str, **headers: str) -> httpx.Response:
        sent = {"Accept": "text/html"} | headers
        return self.client.get(path, headers=sent, follow_redirects=False)

    def post(self, path: str, fields: dict[str, str], *, token: str | None = None, **headers: str) -> httpx.Response:
        if token is None:
            token = self._token()
        sent = OWN_SITE | headers
        return self.client.post(path, data={"form_token": token} | fields, headers=sent, follow_redirects=False)

    def _token(self) -> str:
        session = self.client.cookies.get("prorata")
        if session is None:
            return form_token(self.get("/sign-in").text)
        if session not in self._token_of:
            self._token_of = {session: form_token(self.get("/properties/new").text)}
        return self._token_of[session]

    @property
    def is_in(self) -> bool:
        return "prorata" in self.client.cookies

    def sign_in(self, email: str, **fields: str) -> httpx.Response:
        return self.post("/sign-in", {"email": email, "password": PASSWORD} | fields)


@dataclass
class Office:
    """The application with two accounts.

    The first account has the members `owner@`, `manager@` and `viewer@example.com`; the other account belongs to
    `stranger@example.com`.
    """

    app: App
    database: Database
    clock: TestClock
    shelf: Shelf
    account_id: str
    stranger_id: str

    @property
    def caller(self) -> Caller:
        return Caller(self.account_id, "cli")

    def live(self) -> AbstractContextManager[None]:
        """Run the application, and close it and its database at the end."""
        return live(self.app, self.database)

    def browser(self, who: str | None = None) -> Browser:
        """A browser, signed in if `who` is given."""
        made = Browser(self.app)
        if who:
            assert made.sign_in(f"{who}@example.com").status_code == 303
        return made

    def add_property(
        self, account_id: str | None = None, name: str = "Maple Court", **changes: str | None
    ) -> PropertyRow:
        caller = Caller(account_id or self.account_id, "cli")
        return self.database.write(lambda tx: properties.create(tx, caller, MAPLE._replace(name=name, **changes)))


def _account(database: Database, name: str, locale: str) -> str:
    return database.write(
        lambda tx: accounts.open_account(
            tx, recurs=RECURRING, name="Harbor Rentals", email=f"{name}@example.com", password_hash=f"quick {PASSWORD}", timezone="UTC",
            locale=locale, currency="USD",
        )
    ).id  # fmt: skip


def _add_member(database: Database, account_id: str, role: str) -> None:
    def add(tx: Any) -> None:
        email = f"{role}@example.com"
        row = stored_members.new(tx, account_id, email, f"quick {PASSWORD}", role, name=role.title(), is_verified=True)
        assert stored_members.add(tx, row)

    database.write(add)


def build_office(
    url: str,
    *,
    limiter: Limiter | None = None,
    pages: Sequence[Page] = EVERY_PAGE,
    job_kinds: Callable[[], Mapping[str, JobKind]] = dict,
    is_empty: bool = False,
    locale: str = "en-US",
    mail_held: str | None = None,
    reads_pictures: bool = False,
    pools: Pools | None = None,
    passwords: Passwords | None = None,
    find_inbox_address: Callable[[Settings], Callable[[str], str] | None] = lambda _settings: None,
    **environment: str,
) -> Office:
    clock, shelf = TestClock(), Shelf()
    database = open_database(url, clock, 10)
    things = replace(outside(url, shelf, **environment), job_kinds=job_kinds, mail_held=mail_held)
    things = replace(things, reads_pictures=reads_pictures)
    things = replace(things, passwords=passwords or things.passwords)
    things = replace(things, inbox_address=find_inbox_address(things.settings))
    app = create_app(
        database=database, settings=things.settings, hasher=HASHER, archive=shelf,
        limiter=MemoryLimiter() if limiter is None else limiter,
        printer=things.printer, receivers=things.receivers, is_current=lambda: True, outside=things, pages=pages, pools=pools,
    )  # fmt: skip
    if is_empty:
        return Office(app, database, clock, shelf, "", "")
    account_id, stranger_id = _account(database, "owner", locale), _account(database, "stranger", locale)
    for role in ("manager", "viewer"):
        _add_member(database, account_id, role)
    return Office(app, database, clock, shelf, account_id, stranger_id)


@pytest.fixture
def office(migrated_url: str) -> Iterator[Office]:
    """An office on each database."""
    built = build_office(migrated_url)
    with built.live():
        yield built


@pytest.fixture
def german_office(migrated_sqlite_url: str) -> Iterator[Office]:
    """An office whose account uses German formats: 1.234,50 and 14:05."""
    yield from _quick(migrated_sqlite_url, "de-DE")


@pytest.fixture
def french_office(migrated_sqlite_url: str) -> Iterator[Office]:
    """An office whose account uses French formats, with narrow spaces between thousands."""
    yield from _quick(migrated_sqlite_url, "fr-FR")


def _quick(url: str, locale: str) -> Iterator[Office]:
    built = build_office(url, locale=locale)
    with built.live():
        yield built


@pytest.fixture
def quick_office(migrated_sqlite_url: str) -> Iterator[Office]:
    """An office on SQLite only, for tests whose outcome does not depend on the database."""
    built = build_office(migrated_sqlite_url)
    with built.live():
        yield built


@pytest.fixture
def open_office(migrated_url: str) -> Iterator[Office]:
    """An office on each database, where anybody may open an account."""
    built = build_office(migrated_url, PRORATA_SIGNUP="open")
    with built.live():
        yield built
