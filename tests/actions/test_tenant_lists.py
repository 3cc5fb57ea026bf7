"""Who lives where, over all properties: found by any word of the tenant, the unit or the property."""

import pytest

from prorata.actions import tenant_lists, tenants
from tests.landlord import Landlord


@pytest.fixture
def town(landlord: Landlord) -> Landlord:
    maple, elm = landlord.property_("Maple Court"), landlord.property_("Elm House")
    one, two, three = landlord.units(maple, "2B", "3", "4")
    (other,) = landlord.units(elm, "2B")
    landlord.tenant(two, "Zoë Lee", email="zoe@example.org")
    landlord.tenant(one, "Ann Lee")
    landlord.tenant(other, "Bob Chen", move_in="2026-04-01")
    landlord.tenant(three, "Old Lee", move_out="2026-01-31")
    landlord.clock.forward(days=2)
    landlord.remove_tenant(landlord.tenant(other, "Entered Twice"))
    return landlord


@pytest.mark.parametrize(
    ("asked", "names"),
    [
        ({}, ["Ann Lee", "Bob Chen", "Zoë Lee"]),
        ({"sort": "-name"}, ["Zoë Lee", "Bob Chen", "Ann Lee"]),
        ({"sort": "added"}, ["Zoë Lee", "Ann Lee", "Bob Chen"]),
        ({"search": "lee"}, ["Ann Lee", "Zoë Lee"]),
        ({"search": "zoe"}, ["Zoë Lee"]),
        ({"search": "2b"}, ["Ann Lee", "Bob Chen"]),
        ({"search": "court 2b"}, ["Ann Lee"]),
        ({"search": "court lee 3"}, ["Zoë Lee"]),
        ({"search": "lee", "gone": True}, ["Ann Lee", "Old Lee", "Zoë Lee"]),
        ({"search": "nobody"}, []),
        ({"search": "!"}, []),
    ],
)
def test_tenants_are_found_by_their_words_and_those_of_where_they_live(
    town: Landlord, asked: dict[str, object], names: list[str]
) -> None:
    found = town.see(tenant_lists.page, limit=10, offset=0, **asked)
    assert [one.name for one in found.rows] == names
    assert found.total == len(names)


def test_a_tenant_stands_with_unit_and_property_and_a_page_at_a_time(town: Landlord) -> None:
    found = town.see(tenant_lists.page, limit=1, offset=1)
    assert [(one.name, one.label, one.property_name) for one in found.rows] == [("Bob Chen", "2B", "Elm House")]
    assert found.total == 3


def test_a_vacant_unit_that_fits_is_named_too(town: Landlord) -> None:
    assert [one.label for one in town.see(tenant_lists.page, "maple 4", limit=9, offset=0).vacant] == ["4"]
    assert [one.label for one in town.see(tenant_lists.page, "maple", limit=9, offset=0).vacant] == ["4"]
    assert town.see(tenant_lists.page, limit=9, offset=0).vacant == []


def test_tenants_stand_in_the_order_that_people_read_names_in(landlord: Landlord) -> None:
    units = landlord.units(landlord.property_("Maple Court"), *"1234567")
    names = ["Zoe", "Ödön", "de Vries", "Odell", "O\u2019Neill", "Dean", "Oneal"]
    made = [landlord.tenant(unit, name) for unit, name in zip(units, names, strict=True)]
    in_order = ["de Vries", "Dean", "Odell", "Ödön", "Oneal", "O\u2019Neill", "Zoe"]
    for search in ("", "maple"):
        assert [one.name for one in landlord.see(tenant_lists.page, search, limit=9, offset=0).rows] == in_order
        last = landlord.see(tenant_lists.page, search, sort="-name", limit=9, offset=0)
        assert [one.name for one in last.rows] == in_order[::-1]
    landlord.do(tenants.change, made[0].id, {"name": "Ábel"})
    assert landlord.see(tenant_lists.page, limit=1, offset=0).rows[0].name == "Ábel"


def test_a_stranger_finds_nobody(town: Landlord) -> None:
    stranger = Landlord(town.database, town.clock)
    assert stranger.see(tenant_lists.page, "lee", limit=9, offset=0)[:3] == ([], 0, [])
    assert stranger.see(tenant_lists.page, limit=9, offset=0).total == 0
