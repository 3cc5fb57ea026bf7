"""The API lists the units and tenants of all properties, in pages."""

from typing import Any

import pytest

from tests.web.conftest import MAPLE, Api, House
from tests.web.forms import assert_invalid
from tests.web.furnished import Furnished, furnish, new_unit


@pytest.fixture(scope="module")
def made(lasting_house: House) -> Furnished:
    """A furnished property, and a second one with a unit and a tenant.

    Somebody else has a furnished property too.
    """
    furnish(lasting_house, lasting_house.stranger)
    made = furnish(lasting_house)
    second = made.api.post("/properties", MAPLE | {"name": "Elm House"}).json()["id"]
    unit = new_unit(made.api, second, "A")["id"]
    made.api.post(f"/units/{unit}/tenants", {"name": "Bo Chen"})
    return made


def listed(api: Api, path: str, **query: Any) -> list[dict[str, Any]]:
    return api.get(path, params={"limit": 100} | query).json()["data"]


def second_property(made: Furnished) -> str:
    return str(listed(made.api, "/properties")[1]["id"])


def test_all_units_are_those_of_each_property_oldest_first(made: Furnished) -> None:
    of_each = [
        unit for one in listed(made.api, "/properties") for unit in listed(made.api, f"/properties/{one['id']}/units")
    ]
    assert listed(made.api, "/units") == of_each
    assert [one["label"] for one in of_each] == ["1", "2", "10", "A"]
    assert [one["label"] for one in listed(made.api, "/units", propertyId=second_property(made))] == ["A"]
    said = made.api.get("/units?limit=3&page=2").json()
    assert said == {"data": of_each[3:], "pagination": {"total": 4, "page": 2, "limit": 3, "totalPages": 2}}


def test_deactivated_units_are_listed_where_they_are_asked_for(made: Furnished) -> None:
    unit = new_unit(made.api, second_property(made), "Z", activeTo="2020-01-01")
    assert unit["id"] not in [one["id"] for one in listed(made.api, "/units")]
    assert unit["id"] in [one["id"] for one in listed(made.api, "/units", includeInactive="true")]
    made.api.delete(f"/units/{unit['id']}")


def test_all_tenants_are_those_of_each_unit_but_for_removed_ones(made: Furnished) -> None:
    of_each = [
        one for unit in listed(made.api, "/units") for one in made.api.get(f"/units/{unit['id']}/tenants").json()
    ]
    assert listed(made.api, "/tenants") == of_each
    assert [one["name"] for one in of_each] == ["Ann Smith", "Bo Chen"]
    assert listed(made.api, "/tenants", propertyId=made.property_id) == of_each[:1]
    assert listed(made.api, "/tenants", unitId=of_each[1]["unitId"]) == of_each[1:]
    assert listed(made.api, "/tenants", unitId=of_each[1]["unitId"], propertyId=made.property_id) == []
    gone = made.api.post(f"/units/{made.units['2']}/tenants", {"name": "Cy"}).json()["id"]
    assert made.api.get("/tenants").json()["pagination"]["total"] == 3
    made.api.delete(f"/tenants/{gone}")
    assert made.api.get("/tenants").json()["pagination"]["total"] == 2


def test_a_filter_that_names_nothing_gives_an_empty_list_and_an_unknown_one_is_refused(made: Furnished) -> None:
    for path in ("/units", "/tenants"):
        assert listed(made.api, path, propertyId="prop_" + "0" * 26) == []
        assert_invalid(made.api.get(path + "?property=1"), "property")
        assert_invalid(made.api.get(path + "?limit=101"), "limit")


def test_units_are_listed_with_their_tenants_where_that_is_asked_for(made: Furnished) -> None:
    for path in ("/units", f"/properties/{made.property_id}/units"):
        plain, full = listed(made.api, path), listed(made.api, path, expand="tenants")
        assert all("tenants" not in one for one in plain)
        assert full == [made.api.get(f"/units/{one['id']}").json() for one in plain]
        walked = made.api.get(path, params={"expand": "tenants", "after": "start", "limit": 1000}).json()
        assert walked == {"data": full, "next": None}
        for wrong in ("", "tenant", "tenants,", "charges"):
            assert_invalid(made.api.get(path, params={"expand": wrong}), "expand")
