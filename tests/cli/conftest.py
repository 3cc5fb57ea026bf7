"""The command on a database of its own, of each kind."""

from pathlib import Path

import pytest

from tests.actions.conftest import clock, database
from tests.cli.running import SECRET, Command

__all__ = ["clock", "command", "database", "on_postgresql", "on_sqlite", "url"]


@pytest.fixture
def on_sqlite(tmp_path: Path) -> Command:
    """The command as a newcomer has it: nothing set, nothing there."""
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
