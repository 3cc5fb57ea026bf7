"""Accounts that commands open and furnish, and a month of bills from files."""

import csv
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.places import BIN, ROOT
from benchmarks.progress import tell
from benchmarks.scale_commands import Command, run, run_all
from benchmarks.scale_furnish import UNITS, name_of
from benchmarks.scale_servers import Databases

MONTH = "2026-03"
BILLS = (
    ("City Water Department", "WATER", 61_300),
    ("Prairie Power", "ELECTRICITY", 148_700),
    ("Prairie Gas", "GAS", 97_500),
)
"""The bills of each property: issuer, what for, and about how much in cents."""
AT_ONCE = 2
_PASSWORD = "measured and thrown away"


class Account(NamedTuple):
    """An account, one of its keys, and its number of properties."""

    email: str
    id: str
    key: str
    properties: int


class Furnished(NamedTuple):
    """The cost of furnishing, and the number of units."""

    seconds: float
    units: int
    megabytes: float


class Imported(NamedTuple):
    """The cost of importing the month, for all files and for each file."""

    seconds: float
    of_files: Sequence[float]
    cpu: float
    most_megabytes: float
    bills: int
    invoices: int
    charges: int
    megabytes: float


class Loader:
    """A loader that fills a database by commands, with their logs in a folder."""

    def __init__(self, databases: Databases, name: str, environment: dict[str, str], folder: Path) -> None:
        self._databases, self._name, self._environment, self._folder = databases, name, environment, folder
        folder.mkdir()

    def open_account(self, name: str, properties: int) -> Account:
        """Open an account with a key, as an operator does."""
        email = f"{name}@example.com"
        made = self._prorata("account", "create", "--name", name, "--email", email, "--password", _PASSWORD)
        return Account(email, made, self.new_key(email), properties)

    def new_key(self, email: str) -> str:
        """Make a fresh key."""
        return self._prorata("key", "create", "--account", email, "--name", "scale", "--permission", "FULL")

    def _prorata(self, *words: str) -> str:
        return run([BIN / "prorata", *words], self._environment, self._folder / "prorata.log").said.strip()

    def furnish(self, accounts: Sequence[Account]) -> Furnished:
        """Give the accounts their properties, units and tenants."""
        begun = time.perf_counter()
        commands = [
            Command(
                [sys.executable, "-m", "benchmarks.scale_furnish", each.email, str(each.properties)],
                self._environment | {"PYTHONPATH": str(ROOT)},
                self._folder / f"furnish-{each.email}.log",
            )
            for each in accounts
        ]
        run_all(
            commands,
            at_once=AT_ONCE,
            tell=lambda place, of: tell(
                f"  {accounts[place].properties * UNITS:>7,} units of {accounts[place].email}: {of.seconds:.1f} s"
            ),
        )
        seconds = time.perf_counter() - begun
        units = sum(each.properties for each in accounts) * UNITS
        return Furnished(seconds, units, self._databases.megabytes(self._name))

    def import_month(self, accounts: Sequence[Account]) -> Imported:
        """Import a month of bills, one file for each account; exit unless all have invoices."""
        files = [self._write(each) for each in accounts]
        before = self._counted()
        begun = time.perf_counter()
        done = run_all(
            [
                Command(
                    [BIN / "prorata", "bills", "import", file, "--account", each.email],
                    self._environment,
                    self._folder / f"import-{each.email}.log",
                )
                for file, each in zip(files, accounts, strict=True)
            ],
            at_once=AT_ONCE,
            tell=lambda place, of: tell(
                f"  {accounts[place].properties * len(BILLS):>7,} bills of {accounts[place].email}: "
                f"{of.seconds:.1f} s, {of.megabytes:.0f} MB at most"
            ),
        )
        seconds = time.perf_counter() - begun
        bills, invoices, charges = (now - was for now, was in zip(self._counted(), before, strict=True))
        units = sum(each.properties for each in accounts) * UNITS
        if (invoices, charges) != (units, units * len(BILLS)):
            raise SystemExit(f"{units:,} units have {invoices:,} invoices and {charges:,} charges of this month.")
        return Imported(
            seconds,
            [each.seconds for each in done],
            sum(each.cpu for each in done),
            max(each.megabytes for each in done),
            bills,
            invoices,
            charges,
            self._databases.megabytes(self._name),
        )

    def _write(self, account: Account) -> Path:
        file = self._folder / f"{account.email}.csv"
        with file.open("w", newline="") as into:
            rows = csv.writer(into)
            rows.writerow(["property", "issuerName", "utilityType", "totalAmountDue", "billDate"])
            for number in range(account.properties):
                for issuer, kind, about in BILLS:
                    cents = about + number * 13
                    rows.writerow([name_of(number), issuer, kind, f"{cents // 100}.{cents % 100:02d}", f"{MONTH}-14"])
        return file

    def _counted(self) -> tuple[int, int, int]:
        query = "select (select count(*) from bill), (select count(*) from invoice), (select count(*) from charge)"
        bills, invoices, charges = self._databases.rows(self._name, query)[0]
        return bills, invoices, charges
