"""The demo account, with three properties and a year of bills and invoices.

The account is created once, by the same actions that people use; after that, it is found and left unchanged. Everyone
knows its e-mail address and password, so it may be used only on a private machine.
"""

import secrets
from collections.abc import Callable
from contextlib import suppress
from datetime import date, datetime
from pathlib import Path
from typing import NamedTuple

from prorata.actions.accounts import accounts, api_keys
from prorata.actions.accounts.api_keys import KeyHasher
from prorata.actions.online_payments import providers as payment_providers
from prorata.actions.overview.schedule import RECURRING
from prorata.actions.privacy.erasing import NothingOutside
from prorata.actions.properties import properties
from prorata.actions.splitting import split_methods
from prorata.adapters.database.atomic_files import write_whole
from prorata.demo.timeline import Year, begins
from prorata.domain.accounts.api_keys import FEWEST_RANDOM_BYTES, has_form
from prorata.errors import NotFound
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Database, Tx

EMAIL = "demo@example.com"
PASSWORD = "prorata-demo"  # noqa: S105  it guards nothing
KEY_NAME = "Demo"
TIMEZONE = "America/Chicago"
_NAME, _LOCALE, _CURRENCY = "Harbor & Heather Rentals", "en-US", "USD"
_OWNER = "Heather Harbor"
_ACTOR = "demo"
_MANY = 100


class DemoAccount(NamedTuple):
    """Credentials of the demo account: e-mail address and password, or the API key."""

    account_id: str
    email: str
    password: str
    key: str


class SettableClock:
    """A clock whose time changes only when it is set."""

    def __init__(self, moment: datetime) -> None:
        self.moment = moment

    def __call__(self) -> datetime:
        """Return the time that was set."""
        return self.moment


def prepare(
    database: Database, hasher: KeyHasher, today: date, keep: Path, *, hash_password: Callable[[str], str]
) -> DemoAccount:
    """Find the demo account, or make it with records of the twelve months before `today`.

    Days are counted in `TIMEZONE`. The account's API key is stored in the file `keep`, which only the file's owner
    may read, because the database has only the key's hash. If a run is interrupted, the next run completes the
    account. No other process may use `database` meanwhile.
    """
    caller, is_whole = database.read(_find)
    if caller is None or not is_whole:
        caller = _make(database, caller, today, hash_password)
    return DemoAccount(caller.account_id, EMAIL, PASSWORD, _key(database, caller, hasher, keep))


def _find(tx: Tx) -> tuple[Caller | None, bool]:
    """Return the demo account if it exists, and True if its records are complete.

    They are complete if the account has an API key, because the key is made last.
    """
    try:
        caller = Caller(accounts.find_account(tx, EMAIL).id, _ACTOR)
    except NotFound:
        return None, False
    return caller, bool(api_keys.all_of(tx, caller))


def _make(database: Database, begun: Caller | None, today: date, hash_password: Callable[[str], str]) -> Caller:
    """Open the demo account, and enter its year of records.

    If an interrupted run has opened the account, only the records are entered again.
    """
    now = database.clock
    database.clock = clock = SettableClock(begins(today))
    try:
        if begun is None:
            password_hash = hash_password(PASSWORD)
            caller = database.write(lambda tx: _open(tx, password_hash))
        else:
            caller = begun
            database.write(lambda tx: _clear(tx, begun))
        for step in Year(caller, today).steps():
            clock.moment = step.at
            database.write(step.work)
    finally:
        database.clock = now
    return caller


def _open(tx: Tx, password_hash: str) -> Caller:
    account = accounts.open_account(
        tx,
        recurs=RECURRING,
        name=_NAME,
        email=EMAIL,
        password_hash=password_hash,
        timezone=TIMEZONE,
        locale=_LOCALE,
        currency=_CURRENCY,
        owner_name=_OWNER,
    )
    return Caller(account.id, _ACTOR)


def _clear(tx: Tx, caller: Caller) -> None:
    rows, _ = properties.page(tx, caller, limit=_MANY, offset=0)
    for row in rows:
        properties.remove(tx, caller, row.id, NothingOutside())
    for method in split_methods.all_own(tx, caller):
        split_methods.remove(tx, caller, method.id)
    if payment_providers.find(tx, caller) is not None:
        payment_providers.stop(tx, caller)


def _key(database: Database, caller: Caller, hasher: KeyHasher, keep: Path) -> str:
    """Return the file's API key if it opens the account, or a new one.

    A new key is also stored in the file.
    """
    key = ""
    with suppress(FileNotFoundError):
        key = keep.read_text().strip()
    live = database.read(lambda tx: api_keys.find_live(tx, hasher(key))) if has_form(key) else None
    if live is not None and live.account_id == caller.account_id:
        return key
    made = database.write(lambda tx: _new_key(tx, caller, hasher))
    keep.parent.mkdir(parents=True, exist_ok=True)
    write_whole(keep, lambda file: file.write(f"{made}\n".encode()), replace=True)
    return made


def _new_key(tx: Tx, caller: Caller, hasher: KeyHasher) -> str:
    random_bytes = secrets.token_bytes(FEWEST_RANDOM_BYTES)
    _, key = api_keys.create(
        tx, caller, name=KEY_NAME, permission="FULL", expires_at=None, random_bytes=random_bytes, hasher=hasher
    )
    return key
