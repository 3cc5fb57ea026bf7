"""Tenants of all properties can be found by words.

The words may be of the tenant, the unit or the property.
"""

from typing import get_args

import pytest

from prorata.actions.lists.page_cursors import Leaf, written
from prorata.actions.properties import tenant_lists, tenants
from prorata.errors import InvalidRequest
from prorata.store.properties import tenant_searches
from prorata.store.properties.tenant_searches import Asked, Wanted
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
        ({"sort": "unit"}, ["Ann Lee", "Bob Chen", "Zoë Lee"]),
        ({"sort": "-unit"}, ["Zoë Lee", "Bob Chen", "Ann Lee"]),
        ({"sort": "property"}, ["Bob Chen", "Ann Lee", "Zoë Lee"]),
        ({"sort": "-property", "search": "lee"}, ["Zoë Lee", "Ann Lee"]),
        ({"sort": "stay"}, ["Zoë Lee", "Ann Lee", "Bob Chen"]),
        ({"sort": "-stay"}, ["Bob Chen", "Ann Lee", "Zoë Lee"]),
        ({"search": "lee"}, ["Ann Lee", "Zoë Lee"]),
        ({"search": "zoe"}, ["Zoë Lee"]),
        ({"search": "2b"}, ["Ann Lee", "Bob Chen"]),
        ({"search": "court 2b"}, ["Ann Lee"]),
        ({"search": "court lee 3"}, ["Zoë Lee"]),
        ({"search": "lee", "who": "ALL"}, ["Ann Lee", "Old Lee", "Zoë Lee"]),
        ({"search": "nobody"}, []),
        ({"search": "!"}, []),
    ],
)
def test_tenants_are_found_by_their_words_and_those_of_where_they_live(
    town: Landlord, asked: dict[str, object], names: list[str]
) -> None:
    found = town.see(tenant_lists.page, limit=10, **asked)
    assert [one.name for one in found.rows] == names
    assert found.total == len(names)


def test_a_tenant_stands_with_unit_and_property_and_a_page_at_a_time(town: Landlord) -> None:
    found = town.see(tenant_lists.page, limit=1, leaf=Leaf(1))
    assert [(one.name, one.label, one.property_name) for one in found.rows] == [("Bob Chen", "2B", "Elm House")]
    assert found.total == 3


def test_a_vacant_unit_that_fits_is_named_too(town: Landlord) -> None:
    assert [one.label for one in town.see(tenant_lists.page, "maple 4", limit=9).vacant] == ["4"]
    assert [one.label for one in town.see(tenant_lists.page, "maple", limit=9).vacant] == ["4"]
    assert town.see(tenant_lists.page, limit=9).vacant == []


def test_tenants_stand_in_the_order_that_people_read_names_in(landlord: Landlord) -> None:
    units = landlord.units(landlord.property_("Maple Court"), *"1234567")
    names = ["Zoe", "Ödön", "de Vries", "Odell", "O\u2019Neill", "Dean", "Oneal"]
    made = [landlord.tenant(unit, name) for unit, name in zip(units, names, strict=True)]
    in_order = ["de Vries", "Dean", "Odell", "Ödön", "Oneal", "O\u2019Neill", "Zoe"]
    for search in ("", "maple"):
        assert [one.name for one in landlord.see(tenant_lists.page, search, limit=9).rows] == in_order
        last = landlord.see(tenant_lists.page, search, sort="-name", limit=9)
        assert [one.name for one in last.rows] == in_order[::-1]
    landlord.do(tenants.change, made[0].id, {"name": "Ábel"})
    assert landlord.see(tenant_lists.page, limit=1).rows[0].name == "Ábel"


def test_units_stand_in_the_order_that_people_read_them_in(landlord: Landlord) -> None:
    maple = landlord.property_("Maple Court")
    for unit in landlord.units(maple, "10", "2", "1a"):
        landlord.tenant(unit, f"Tenant {unit.label}")
    for sort in ("unit", "property"):
        assert [one.label for one in landlord.see(tenant_lists.page, sort=sort, limit=9).rows] == ["1a", "2", "10"]
    landlord.change_unit(landlord.stored_units(maple)[0], label="0")
    assert landlord.see(tenant_lists.page, sort="unit", limit=9).rows[0].label == "0"


def test_a_stranger_finds_nobody(town: Landlord) -> None:
    stranger = Landlord(town.database, town.clock)
    assert stranger.see(tenant_lists.page, "lee", limit=9)[:3] == ([], 0, [])
    assert stranger.see(tenant_lists.page, limit=9).total == 0


@pytest.mark.parametrize("sort", get_args(tenant_lists.Sort))
@pytest.mark.parametrize("search", ["", "court", "lee"])
def test_a_list_goes_on_behind_a_mark_and_back_before_one(town: Landlord, sort: str, search: str) -> None:
    def seen(limit: int, leaf: Leaf) -> tenant_lists.FoundTenants:
        return town.see(tenant_lists.page, search, sort=sort, who="ALL", limit=limit, leaf=leaf)

    whole = [one.id for one in seen(9, Leaf()).rows]
    there, leaf = [], Leaf()
    pages = []
    while True:
        found = seen(1, leaf)
        pages.append(found)
        there += [one.id for one in found.rows]
        if not found.has_more:
            break
        leaf = Leaf(after=found.last)
    assert there == whole
    assert len(pages) > 1
    back = [seen(1, Leaf(before=one.first)).rows[0].id for one in pages[:0:-1]]
    assert back == whole[-2::-1]


def test_a_page_stays_where_it_is_when_somebody_before_it_goes(town: Landlord) -> None:
    first = town.see(tenant_lists.page, limit=1)
    town.do(tenants.change, first.rows[0].id, {"move_out": "2026-01-31"})
    following = town.see(tenant_lists.page, limit=1, leaf=Leaf(after=first.last))
    assert [one.name for one in following.rows] == ["Bob Chen"]


@pytest.mark.parametrize("mark", ["!", written([]), written(["a"]), written([1, 2]), written(["a", "b", "c"])])
def test_a_mark_that_is_none_is_refused(town: Landlord, mark: str) -> None:
    for leaf in (Leaf(after=mark), Leaf(before=mark)):
        with pytest.raises(InvalidRequest):
            town.see(tenant_lists.page, limit=9, leaf=leaf)


@pytest.mark.parametrize("sort", get_args(tenant_lists.Sort))
@pytest.mark.parametrize("gone", [False, True])
def test_many_that_a_search_finds_are_walked_and_few_gathered_and_both_are_the_same(
    town: Landlord, sort: str, gone: bool
) -> None:
    everybody = [one.id for one in town.see(tenant_lists.page, who="ALL", limit=9).rows]
    asked = Asked(Wanted([], [], everybody), sort, "2026-03-12", "ALL" if gone else "THERE")
    few, many = (town.read(tenant_searches.page, asked._replace(many=so), limit=9) for so in (False, True))
    assert few == many
    assert len(few) == town.read(tenant_searches.number, asked, most=9) == (4 if gone else 3)
    assert town.read(tenant_searches.number, asked, most=2) == 2
    every = asked._replace(wanted=None)
    assert town.read(tenant_searches.page, every, limit=9) == few
    assert town.read(tenant_searches.number, every, most=9) == len(few)
    assert town.read(tenant_searches.number, every, most=1) == 1
