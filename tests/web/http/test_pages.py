"""Tests of pagination (docs/decisions.md#pagination), and of both ways to write a path."""

from typing import Any

import pytest

from tests.web.addresses import OPERATIONS, address, assert_refused, kind_of, named
from tests.web.conftest import MAPLE, Api, House
from tests.web.forms import assert_invalid
from tests.web.furnished import Furnished, furnish

PAGED = ("/properties", "/properties/{id}/units", "/units", "/invoices", "/utility-bills")


@pytest.fixture(scope="module")
def made(shared_house: House) -> Furnished:
    """A furnished house with three of everything, but nine invoices."""
    made = furnish(shared_house)
    for name in ("Elm House", "Oak Hall"):
        shared_house.api.post("/properties", MAPLE | {"name": name})
    return made


def listed(made: Furnished, path: str, **query: Any) -> Any:
    return made.api.get(path.replace("{id}", made.property_id), params=query)


@pytest.mark.parametrize("path", PAGED)
def test_a_list_says_where_its_page_stands(made: Furnished, path: str) -> None:
    answer = listed(made, path)
    said = answer.json()
    total = 9 if path == "/invoices" else 3
    assert (answer.status_code, set(said)) == (200, {"data", "pagination"})
    assert said["pagination"] == {"total": total, "page": 1, "limit": 20, "totalPages": 1}
    assert len(said["data"]) == total


@pytest.mark.parametrize("limit", [1, 2, 3, 4, 9, 100])
@pytest.mark.parametrize("path", PAGED)
def test_the_pages_of_a_list_are_the_list(made: Furnished, path: str, limit: int) -> None:
    whole = listed(made, path, limit=100).json()["data"]
    pages = -(-len(whole) // limit)
    found = []
    for page in range(1, pages + 1):
        said = listed(made, path, limit=limit, page=page).json()
        assert said["pagination"] == {"total": len(whole), "page": page, "limit": limit, "totalPages": pages}
        found += said["data"]
    assert found == whole


@pytest.mark.parametrize("before", ["zzz", "", "evt_1", "unit_01kb1n3x6ve2hrrk0p1w4bqv2f"])
def test_a_cursor_that_no_answer_gave_is_refused(made: Furnished, before: str) -> None:
    lists = ("/audit-log", "/incoming-mail", "/invoice-changes", "/jobs", "/payment-files")
    takers = [one for one in OPERATIONS if one.query and "before" in one.query.__struct_fields__]
    assert {one.path for one in takers} == {*lists, "/webhook-endpoints/{id}/deliveries"}  # a number, in the last
    for path in lists:
        assert_invalid(made.api.get(path, params={"before": before}), "before")


@pytest.mark.parametrize("page", [2, 10, 1_000_000])
@pytest.mark.parametrize("path", PAGED)
def test_a_page_past_the_end_is_200_without_data(made: Furnished, path: str, page: int) -> None:
    answer = listed(made, path, page=page)
    total = 9 if path == "/invoices" else 3
    assert (answer.status_code, answer.json()["data"]) == (200, [])
    assert answer.json()["pagination"] == {"total": total, "page": page, "limit": 20, "totalPages": 1}


@pytest.mark.parametrize("path", ["/properties", "/invoices", "/utility-bills"])
def test_an_empty_list_has_no_pages(shared_house: House, path: str) -> None:
    said = shared_house.api_of_stranger.get(path).json()
    assert said == {"data": [], "pagination": {"total": 0, "page": 1, "limit": 20, "totalPages": 0}}


@pytest.mark.parametrize("path", PAGED)
@pytest.mark.parametrize(
    "sent", ["0", "-1", "1000001", "1.0", "1e3", "", " 1", "one", "0x1", "１", "9" * 30, "null", "true"]
)
def test_a_page_or_limit_outside_its_bounds_is_400(made: Furnished, path: str, sent: str) -> None:
    assert_invalid(listed(made, path, page=sent), "page")
    assert_invalid(listed(made, path, limit=sent), "limit")
    assert_invalid(listed(made, path, limit=sent, page=sent), "limit", "page")


@pytest.mark.parametrize("path", PAGED)
def test_the_largest_limit_is_100(made: Furnished, path: str) -> None:
    assert listed(made, path, limit=100).status_code == 200
    assert_invalid(listed(made, path, limit=101), "limit")


def test_properties_and_units_are_listed_in_the_order_they_were_made(made: Furnished) -> None:
    names = [one["name"] for one in listed(made, "/properties").json()["data"]]
    assert names == ["Maple Court", "Elm House", "Oak Hall"]
    assert [one["label"] for one in listed(made, "/properties/{id}/units").json()["data"]] == ["1", "2", "10"]


def test_a_list_of_more_than_a_page_counts_on(api: Api) -> None:
    made = [api.post("/properties", MAPLE | {"name": f"House {number}"}).json() for number in range(21)]
    first, second = api.get("/properties").json(), api.get("/properties?page=2").json()
    assert first["data"] + second["data"] == made
    assert second["pagination"] == {"total": 21, "page": 2, "limit": 20, "totalPages": 2}


# --- /v1/v1 ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("operation", [one for one in OPERATIONS if one.method == "GET"], ids=named)
def test_a_second_v1_in_a_path_changes_nothing(made: Furnished, operation: Any) -> None:
    path = address(operation, made.ids.get(kind_of(operation)))
    once, twice = made.api.get(path), made.api.get("/v1" + path)
    assert once.status_code == twice.status_code == 200
    assert operation.is_long or once.content == twice.content, "which is joined anew, under another id"


def test_a_second_v1_works_for_writing_and_a_third_is_unknown(made: Furnished) -> None:
    api = made.api
    created = api.post("/v1/properties", MAPLE)
    assert created.status_code == 201
    path = f"/v1/properties/{created.json()['id']}"
    assert api.patch(path, {"name": "Renamed"}).json()["name"] == "Renamed"
    assert api.delete(path).status_code == 200
    assert_refused(api.get("/v1/v1/properties"), 404, "NOT_FOUND")
