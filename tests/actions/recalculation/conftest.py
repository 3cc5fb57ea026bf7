"""The house whose corrections are tested."""

import pytest

from tests.actions.recalculation.corrected_house import sent_house
from tests.landlord import Landlord


@pytest.fixture
def house(landlord: Landlord, clock):
    """Flats of 600 and 400; March's water of 320.10 was sent: Ann 192.06, Bo 128.04."""
    return sent_house(landlord, clock)
