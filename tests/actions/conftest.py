"""Actions are tested through their functions, on both databases."""

from collections.abc import Iterator

import pytest

from prorata.store.database.engine import Database
from tests.landlord import Landlord, MovableClock, opened
from tests.people import People


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
def people(database: Database) -> People:
    """The people of the database, and the actions as they call them."""
    return People(database)
