"""Fixtures for tests that call actions as functions, on both databases."""

from collections.abc import Iterator

import pytest

from prorata.store.database.engine import Database
from tests.landlord import Landlord, MovableClock, opened
from tests.people import People


@pytest.fixture
def clock() -> MovableClock:
    """A clock that stands at 18:00 UTC on 10 March 2026 until moved."""
    return MovableClock()


@pytest.fixture
def database(migrated_url: str, clock: MovableClock) -> Iterator[Database]:
    """An open database; each test runs on SQLite and on PostgreSQL."""
    with opened(migrated_url, clock) as opened_database:
        yield opened_database


@pytest.fixture
def landlord(database: Database, clock: MovableClock) -> Iterator[Landlord]:
    """A landlord with an account of their own, whose data is checked after the test."""
    owner = Landlord(database, clock)
    yield owner
    owner.sound()


@pytest.fixture
def people(database: Database) -> People:
    """The people in the database, who call actions as the program does."""
    return People(database)
