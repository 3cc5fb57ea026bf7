"""Fixtures that give the command a database of its own, of each kind."""

from pathlib import Path

import pytest

from prorata.actions.accounts import accounts
from prorata.actions.invoices import invoices
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from tests.actions.conftest import clock, database
from tests.cli.running import SECRET, Command
from tests.cli.seeding import database_at, seed, write_bills

__all__ = ["clock", "command", "database", "on_postgresql", "on_sqlite", "url"]


@pytest.fixture
def on_sqlite(tmp_path: Path) -> Command:
    """The command for a new operator, without settings and data."""
    return Command(tmp_path / "here")


@pytest.fixture
def on_postgresql(tmp_path: Path, migrated_postgresql_url: str) -> Command:
    """The command on a migrated PostgreSQL database."""
    return Command(tmp_path / "here", PRORATA_DATABASE_URL=migrated_postgresql_url, PRORATA_SECRET_KEY=SECRET)


@pytest.fixture(params=["sqlite", "postgresql"])
def command(request: pytest.FixtureRequest) -> Command:
    """The command; the test runs on SQLite and on PostgreSQL."""
    found: Command = request.getfixturevalue(f"on_{request.param}")
    return found


@pytest.fixture
def url(command: Command) -> str:
    """The address of the command's database."""
    return command.settings.get("PRORATA_DATABASE_URL") or f"sqlite:///{command.data / 'prorata.sqlite3'}"


@pytest.fixture
def furnished(command: Command, url: str) -> Command:
    """The command with an account that has two properties of two units."""
    command.account()
    seed(url, "ann@example.com", number=2, units=2)
    return command


@pytest.fixture
def billed(command: Command, url: str) -> Command:
    """The command with a property of two units, whose invoices were sent.

    Each is for $50.00 for January 2025.
    """
    command.account()
    seed(url, "ann@example.com", number=1, units=2)
    bills = write_bills(command.folder / "bills.csv", number=1, of_properties=1)
    command.ok("bills", "import", bills, "--account", "ann@example.com")

    def send(tx: Tx) -> None:
        caller = Caller(accounts.find_account(tx, "ann@example.com").id, "test")
        shown, _ = invoices.page(tx, caller, {}, limit=9, offset=0, details=False)
        for one in shown:
            invoices.set_status(tx, caller, one.summary.id, "SENT")

    with database_at(url) as database:
        database.write(send)
    return command
