"""Properties can be found by name and address, and sorted by name, city or creation."""

import pytest

from prorata.actions.properties import property_lists
from tests.landlord import Landlord


@pytest.fixture
def town(landlord: Landlord) -> Landlord:
    for name, number in (("House 10", 1), ("house 2", 3), ("Élan", 0)):
        landlord.units(landlord.property_(name), *map(str, range(number)))
    return landlord


@pytest.mark.parametrize(
    ("wish", "found"),
    [
        ({}, ["Élan", "house 2", "House 10"]), ({"sort": "-name"}, ["House 10", "house 2", "Élan"]),
        ({"sort": "added"}, ["House 10", "house 2", "Élan"]), ({"sort": "-added"}, ["Élan", "house 2", "House 10"]),
        ({"sort": "city"}, ["Élan", "house 2", "House 10"]), ({"wanted": "elan"}, ["Élan"]),
        ({"wanted": "maple 12"}, ["Élan", "house 2", "House 10"]), ({"wanted": "oak"}, []), ({"wanted": "%"}, []),
    ],
)  # fmt: skip
def test_properties_are_found_and_put_in_order(town: Landlord, wish: dict[str, str], found: list[str]) -> None:
    page = town.see(property_lists.page, limit=10, offset=0, **wish)
    assert [one.row.name for one in page.rows] == found
    assert (page.total, page.of_all) == (len(found), 3)


def test_a_page_of_properties_counts_their_units_in_use(town: Landlord) -> None:
    page = town.see(property_lists.page, limit=1, offset=1)
    assert [(one.row.name, one.counts.units) for one in page.rows] == [("house 2", 3)]
    assert page.total == 3
    stranger = Landlord(town.database, town.clock)
    assert stranger.see(property_lists.page, "house", limit=9, offset=0) == ([], 0, 0)
