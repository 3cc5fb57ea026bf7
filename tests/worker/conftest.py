"""Fixtures for tests of workers, which run in this process and on both databases.

They use a landlord, as the tests of actions do.
"""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.actions.conftest import clock, database, landlord
from tests.landlord import Landlord, MovableClock
from tests.worker.hooked import Hooked
from tests.worker.mailing import House
from tests.worker.trade import Trade

__all__ = ["clock", "database", "hooked", "house", "landlord"]


@pytest.fixture(autouse=True)
def no_job_goes_on(request: pytest.FixtureRequest) -> Iterator[None]:
    """Wait until jobs of a stopped worker end, before the test's database is closed."""
    if "database" in request.fixturenames:
        request.getfixturevalue("database")
    yield
    for thread in threading.enumerate():
        if thread.name.startswith("job-"):
            thread.join(30)
            assert not thread.is_alive()


@pytest.fixture
def house(landlord: Landlord, clock: MovableClock, tmp_path: Path) -> House:
    """A landlord with one tenant and one invoice, and a worker that sends e-mail."""
    return House(landlord, clock, tmp_path)


@pytest.fixture
def trade(landlord: Landlord) -> Trade:
    """A landlord whose one invoice is sent, with a link to pay it online."""
    trade = Trade(landlord)
    trade.send()
    trade.keep()
    return trade


@pytest.fixture
def hooked(landlord: Landlord, clock: MovableClock) -> Hooked:
    """An account whose endpoints receive its events, and the worker that sends them."""
    return Hooked(landlord, clock)
