"""Workers are tested in this process, on both databases."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from prorata.store.engine import Database
from tests.landlord import Landlord, MovableClock, opened
from tests.worker.mailing import House


@pytest.fixture
def clock() -> MovableClock:
    """Stands at 18:00 UTC on 10 March 2026 until it is moved."""
    return MovableClock()


@pytest.fixture
def database(migrated_url: str, clock: MovableClock) -> Iterator[Database]:
    """An open database; the test runs on SQLite and on PostgreSQL."""
    with opened(migrated_url, clock) as opened_database:
        yield opened_database


@pytest.fixture
def landlord(database: Database, clock: MovableClock) -> Iterator[Landlord]:
    """A landlord with an account of their own; whatever the test did, the data is sound when it ends."""
    owner = Landlord(database, clock)
    yield owner
    owner.sound()


@pytest.fixture
def house(landlord: Landlord, clock: MovableClock, tmp_path: Path) -> House:
    """A landlord with one tenant and one invoice, and a worker that sends."""
    return House(landlord, clock, tmp_path)
