"""The application in this process, with two accounts and their keys.

It runs over a fresh database of each kind.
"""

import itertools
import json
import shutil
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from prorata.actions.accounts import accounts, api_keys
from prorata.actions.accounts.api_keys import KeyHasher
from prorata.actions.invoices.tenant_links import TenantLinks
from prorata.actions.overview.schedule import RECURRING
from prorata.actions.webhooks.webhooks import Receivers
from prorata.adapters.exports.charge_layout_files import load_layouts
from prorata.adapters.exports.packs import packed
from prorata.adapters.files.logos import LogoProcess
from prorata.adapters.files.named_files import NamedFiles
from prorata.adapters.files.spreadsheet_files import csv_file, xlsx_file
from prorata.adapters.limits_memory import MemoryLimiter
from prorata.adapters.locale_forms import LocaleForms
from prorata.adapters.printing.joined_pdfs import PdfJoiner
from prorata.adapters.sealing import AesVault
from prorata.ports import Erased, Limiter, Printer
from prorata.settings import read_settings
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Database, Listener
from prorata.store.database.postgresql import PostgresqlDatabase
from prorata.store.database.schema_state import Condition, condition_of
from prorata.store.database.sqlite import SqliteDatabase
from prorata.store.webhooks.event_outbox import note_deeds
from prorata.web.app import create_app
from prorata.web.gateway import App
from prorata.web.http.operations import Tools
from prorata.wiring import printer, table_reader
from tests.client import Client, live
from tests.clock import TestClock

_bytes = itertools.count(1)
NAMES: defaultdict[str, list[str]] = defaultdict(list, {"inside.example.com": ["10.0.0.1"]})
"""The addresses of names: most have none that anybody knows at the moment."""
RECEIVERS = Receivers(AesVault([b"v" * 32]), NAMES.__getitem__)
TOOLS = Tools(
    table_reader(for_browsers=True), {"csv": csv_file, "xlsx": xlsx_file}, PdfJoiner(), load_layouts(), NamedFiles(),
    packed, printer(), LocaleForms,
    TenantLinks([b"a secret of links"], "http://127.0.0.1:8000"), "bills+{}@in.example.com".format, LogoProcess(),
)  # fmt: skip
HASHER = KeyHasher([b"a secret of the tests"])


class Shelf:
    """An archive that remembers what it keeps, or fails with a given exception."""

    def __init__(self) -> None:
        self.kept: dict[str, Any] = {}
        self.gone: list[tuple[Erased, list[str]]] = []
        self.breaks_with: Exception | None = None

    def keep(self, name: str, text: str) -> None:
        if self.breaks_with:
            raise self.breaks_with
        self.kept[name] = json.loads(text)

    def erased(self, erased: Erased, named: Sequence[str]) -> None:
        if self.breaks_with:
            raise self.breaks_with
        self.gone.append((erased, list(named)))


def open_database(url: str, clock: TestClock, patience: float, listener: Listener = note_deeds) -> Database:
    if url.startswith("sqlite"):
        return SqliteDatabase(Path(url.removeprefix("sqlite:///")), clock, listener=listener, patience=patience)
    return PostgresqlDatabase(url, clock, listener=listener)


@dataclass
class Landlord:
    """An account with a key of each permission."""

    account_id: str
    full: str
    read: str
    admin: str

    @property
    def caller(self) -> Caller:
        return Caller(self.account_id, "cli")


def new_landlord(database: Database, email: str = "landlord@example.com") -> Landlord:
    account = database.write(
        lambda tx: accounts.open_account(
            tx,
            recurs=RECURRING,
            name="Landlord",
            email=email,
            password_hash="-",
            timezone="UTC",
            locale="en-US",
            currency="USD",
        )
    )
    return Landlord(account.id, *(new_key(database, account.id, one) for one in ("FULL", "READ", "ADMIN")))


def new_key(
    database: Database, account_id: str, permission: str, expires_at: str | None = None, scopes: Sequence[str] = ()
) -> str:
    return database.write(
        lambda tx: api_keys.create(
            tx,
            Caller(account_id, "cli"),
            name="test",
            permission=permission,
            scopes=scopes,
            expires_at=expires_at,
            random_bytes=next(_bytes).to_bytes(24, "big"),
            hasher=HASHER,
        )
    )[1]


class Api:
    """A client with an API key.

    `api.post("/properties", {...})` returns the response. Paths are relative to `/api/v1`.
    """

    def __init__(self, client: Client, key: str) -> None:
        self.client = client
        self.key = key

    def request(self, method: str, path: str, body: Any = None, **options: Any) -> httpx.Response:
        headers = {"Authorization": f"Bearer {self.key}"} | options.pop("headers", {})
        if body is not None:
            options["json"] = body
        return self.client.request(method, "/api/v1" + path, headers=headers, **options)

    def get(self, path: str, **options: Any) -> httpx.Response:
        return self.request("GET", path, **options)

    def post(self, path: str, body: Any = None, **options: Any) -> httpx.Response:
        return self.request("POST", path, body, **options)

    def patch(self, path: str, body: Any = None, **options: Any) -> httpx.Response:
        return self.request("PATCH", path, body, **options)

    def put(self, path: str, body: Any = None, **options: Any) -> httpx.Response:
        return self.request("PUT", path, body, **options)

    def delete(self, path: str, **options: Any) -> httpx.Response:
        return self.request("DELETE", path, **options)


@dataclass
class House:
    """The application with its database, clock, archive, client and two accounts."""

    url: str
    database: Database
    clock: TestClock
    shelf: Shelf
    app: App
    client: Client
    landlord: Landlord
    stranger: Landlord

    def live(self) -> AbstractContextManager[None]:
        """Run the application and its database for the duration of the block."""
        return live(self.app, self.database)

    @property
    def api(self) -> Api:
        """The landlord's API, with a key that may do everything."""
        return Api(self.client, self.landlord.admin)

    @property
    def api_of_stranger(self) -> Api:
        """The other account's API, with a key that may do everything."""
        return Api(self.client, self.stranger.admin)


CALLED = {"PRORATA_ALLOWED_HOSTS": "testserver"}
"""As the client of schemathesis calls an application."""


def build_house(
    url: str, *, limiter: Limiter | None = None, hasher: KeyHasher = HASHER, patience: float = 10, **environment: str
) -> House:
    """The application over a migrated database, not started yet."""
    clock, shelf = TestClock(), Shelf()
    database = open_database(url, clock, patience)
    limits = {"PRORATA_RATE_LIMIT_PER_MINUTE": "100000", "PRORATA_RATE_LIMIT_PER_HOUR": "1000000"}
    app = create_app(
        database=database,
        settings=read_settings({"PRORATA_DATABASE_URL": url} | limits | CALLED | environment, Path("no.env")),
        limiter=MemoryLimiter() if limiter is None else limiter,
        hasher=hasher,
        archive=shelf,
        printer=printer(),
        is_current=lambda: condition_of(url) is Condition.CURRENT,
        receivers=RECEIVERS,
        tools=TOOLS,
    )
    landlord = new_landlord(database)
    stranger = new_landlord(database, "stranger@example.com")
    client: Client = Client(app)
    return House(url, database, clock, shelf, app, client, landlord, stranger)


@contextmanager
def beside(
    house: House, *, hasher: KeyHasher = HASHER, prints: Printer | None = None, listener: Listener = note_deeds
) -> Iterator[Client]:
    """A client of a second, running application over a house's database."""
    database = open_database(house.url, house.clock, 10, listener)
    app = create_app(
        database=database,
        settings=read_settings({"PRORATA_DATABASE_URL": house.url}),
        limiter=MemoryLimiter(),
        hasher=hasher,
        archive=house.shelf,
        printer=prints or printer(),
        receivers=RECEIVERS,
        is_current=lambda: True,
    )
    with live(app, database):
        yield Client(app)


@pytest.fixture
def house(migrated_url: str) -> Iterator[House]:
    built = build_house(migrated_url)
    with built.live():
        yield built


@pytest.fixture
def api(house: House) -> Api:
    return house.api


@pytest.fixture(scope="module")
def lasting_house(lasting_url: str) -> Iterator[House]:
    """A house on each database, which all tests of a file share.

    It is for tests that look only at what they have made themselves.
    """
    built = build_house(lasting_url)
    with built.live():
        yield built


@pytest.fixture(scope="module")
def shared_house(tmp_path_factory: pytest.TempPathFactory, migrated_file: Path) -> Iterator[House]:
    """A house on SQLite, which all tests of a file share.

    It is for tests of what happens before a request reaches the database.
    """
    file = tmp_path_factory.mktemp("shared") / "prorata.db"
    shutil.copyfile(migrated_file, file)
    built = build_house(f"sqlite:///{file}")
    with built.live():
        yield built


MAPLE = {
    "name": "Maple Court",
    "streetNumber": "12",
    "street": "Main Street",
    "city": "Springfield",
    "state": "IL",
    "zip": "62701",
    "country": "US",
}
