"""Properties are found by name and address, and listed by name, creation or units."""

import pytest

from prorata.actions import property_lists
from prorata.errors import InvalidRequest
from tests.landlord import Landlord


@pytest.fixture
def town(landlord: Landlord) -> Landlord:
    for name, number in (("House 10", 1), ("house 2", 3), ("Élan", 0)):
        landlord.units(landlord.property_(name), *map(str, range(number)))
    return landlord


@pytest.mark.parametrize(
    ("wish", "found"),
    [
        ({}, ["house 2", "House 10", "Élan"]), ({"reverse": True}, ["Élan", "House 10", "house 2"]),
        ({"sort": "created"}, ["House 10", "house 2", "Élan"]), ({"sort": "units"}, ["Élan", "House 10", "house 2"]),
        ({"text": "elan"}, ["Élan"]), ({"text": "maple 12"}, ["house 2", "House 10", "Élan"]), ({"text": "oak"}, []),
    ],
)  # fmt: skip
def test_properties_are_found_and_put_in_order(town: Landlord, wish: dict[str, str], found: list[str]) -> None:
    rows, total = town.see(property_lists.page, limit=10, offset=0, **wish)
    assert [one.row.name for one in rows] == found
    assert total == len(found)


def test_a_page_of_properties_counts_their_units(town: Landlord) -> None:
    rows, total = town.see(property_lists.page, limit=1, offset=0)
    assert ([(one.row.name, one.units) for one in rows], total) == ([("house 2", 3)], 3)
    with pytest.raises(InvalidRequest):
        town.see(property_lists.page, sort="colour", limit=1, offset=0)
    stranger = Landlord(town.database, town.clock)
    assert stranger.see(property_lists.page, text="house", limit=9, offset=0) == ([], 0)
