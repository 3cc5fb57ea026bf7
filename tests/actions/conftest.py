"""A landlord on a database of each kind."""

from collections.abc import Iterator

import pytest

from prorata.store.engine import Database
from tests.landlord import Landlord, MovableClock, opened


@pytest.fixture
def clock() -> MovableClock:
    return MovableClock()


@pytest.fixture
def database(migrated_url: str, clock: MovableClock) -> Iterator[Database]:
    with opened(migrated_url, clock) as database:
        yield database


@pytest.fixture
def landlord(database: Database, clock: MovableClock) -> Landlord:
    return Landlord(database, clock)
