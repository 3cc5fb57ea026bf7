"""The property whose corrections are tested."""

import pytest

from tests.actions.recalculation.corrected_house import sent_house
from tests.landlord import Landlord


@pytest.fixture
def house(landlord: Landlord, clock):
    """Units of 600 and 400 sq ft whose invoices for March's water were sent.

    Of $320.10, Ann pays $192.06 and Bo pays $128.04.
    """
    return sent_house(landlord, clock)
