"""Workers are tested in this process, on both databases, with a landlord as the tests of actions have."""

from pathlib import Path

import pytest

from tests.actions.conftest import clock, database, landlord
from tests.landlord import Landlord, MovableClock
from tests.worker.mailing import House

__all__ = ["clock", "database", "house", "landlord"]


@pytest.fixture
def house(landlord: Landlord, clock: MovableClock, tmp_path: Path) -> House:
    """A landlord with one tenant and one invoice, and a worker that sends."""
    return House(landlord, clock, tmp_path)
