"""`/unit-imports` imports a file of units as the page does."""

import json
from typing import Any

import httpx
import pytest

from tests.web.addresses import assert_refused
from tests.web.conftest import MAPLE, House

PORTFOLIO = (
    "Property,House number,Street,City,State,ZIP,Country,Unit,Floor area,Monthly rent,Tenant,E-mail,Move-in date\n"
    "Oak Hall,12,Main Street,Springfield,IL,62701,US,1A,850,1450.00,Ann Lee,ann@example.org,2025-09-01\n"
    "Oak Hall,,,,,,,1B,620,1150.00,,,\n"
)


def send(house: House, path: str, text: str, **fields: Any) -> httpx.Response:
    return house.api.request("POST", path, files={"file": ("units.csv", text.encode())}, data=fields)


def test_rows_that_take_a_property_repeat_another_or_are_unclear_are_listed(house: House) -> None:
    rows = "Elm,1,Ann\n,2,Bo\nElm,1,Ann\nOak,1,Cy\nOak,2,Di\n,3,Ed\n"
    said = send(house, "/unit-imports/check", f"Property,Unit,Tenant\n{rows}").json()
    assert said["taken"] == [{"line": 2, "property": "Elm", "lines": [3]}]
    assert (said["repeats"], said["unclear"]) == ([{"line": 4, "above": 2}], [7])
    assert (7, "property") in [(problem["line"], problem["column"].lower()) for problem in said["problems"]]


def test_a_file_is_looked_at_then_imported_and_once_more_adds_nothing(house: House) -> None:
    looked = send(house, "/unit-imports/check", PORTFOLIO)
    assert looked.status_code == 200, looked.text
    said = looked.json()
    assert [said[name] for name in ("properties", "units", "tenants", "skipped", "problems")] == [1, 2, 1, 0, []]
    assert {one["name"]: one["field"] for one in said["columns"]}["Floor area"] == "sqft"
    assert said["columns"][7]["examples"] == ["1A", "1B"]
    assert said["read"][0] == {
        "line": 2, "property": "Oak Hall", "label": "1A", "sqft": 850, "bedrooms": None, "monthlyRent": "1450.00",
        "activeFrom": None,
        "tenants": [{"name": "Ann Lee", "email": "ann@example.org", "moveInDate": "2025-09-01", "moveOutDate": None,
                     "occupants": None}],
    }  # fmt: skip
    assert house.api.get("/properties").json()["data"] == []
    done = send(house, "/unit-imports", PORTFOLIO).json()
    assert [done[name] for name in ("properties", "units", "tenants")] == [1, 2, 1]
    assert [one["label"] for one in house.api.get("/units").json()["data"]] == ["1A", "1B"]
    again = send(house, "/unit-imports", PORTFOLIO).json()
    assert [again[name] for name in ("properties", "units", "tenants", "skipped")] == [0, 0, 0, 3]


def test_what_a_file_says_otherwise_is_changed_as_it_was_seen(house: House) -> None:
    send(house, "/unit-imports", PORTFOLIO)
    other = PORTFOLIO.replace(",850,", ",900,")
    looked = send(house, "/unit-imports/check", other).json()
    (differs,) = looked["differs"]
    assert (differs["field"], differs["here"], differs["inFile"]) == ("sqft", "850", "900")
    unseen = send(house, "/unit-imports", other, changeDiffering="true")
    assert [one["field"] for one in assert_refused(unseen, 400, "INVALID_REQUEST")["details"]] == ["mark"]
    assert house.api.get("/units").json()["data"][0]["sqft"] == 850
    stale = send(house, "/unit-imports", other, changeDiffering="true", mark="x")
    assert_refused(stale, 409, "CONFLICT")
    done = send(house, "/unit-imports", other, changeDiffering="true", mark=looked["mark"]).json()
    assert done["changed"] == 1
    assert house.api.get("/units").json()["data"][0]["sqft"] == 900


def test_units_in_which_other_people_live_are_listed_with_what_happens(house: House) -> None:
    send(house, "/unit-imports", PORTFOLIO)
    said = send(house, "/unit-imports/check", PORTFOLIO.replace("Ann Lee", "Bo Cruz")).json()
    (others,) = said["people"]
    (ann,) = house.api.get("/tenants").json()["data"]
    assert others == {
        "line": 2, "property": "Oak Hall", "unit": "1A", "named": ["Bo Cruz"], "added": ["Bo Cruz"], "gone": [],
        "stay": [{"id": ann["id"], "name": "Ann Lee", "moveOutDate": None}],
        "effect": "Ann Lee stays. Bo Cruz is added and shares the bill. If Ann Lee moved out, enter the last day first.",
    }  # fmt: skip


def test_columns_are_named_and_remembered_for_the_next_file(house: House) -> None:
    property_id = house.api.post("/properties", MAPLE).json()["id"]
    text = "Top,Grösse,Kaution\n7,80,100\n"
    looked = send(house, "/unit-imports/check", text, propertyId=property_id).json()
    assert [one["message"] for one in looked["problems"]] == ["The header is missing label. Add the column."]
    columns = json.dumps({"Top": "label", "Kaution": None})
    done = send(house, "/unit-imports", text, propertyId=property_id, columns=columns, remember="true")
    assert (done.status_code, done.json()["units"]) == (200, 1)
    next_one = send(house, "/unit-imports", text.replace("7,", "8,"), propertyId=property_id)
    assert next_one.json()["units"] == 1


def test_a_file_with_problems_adds_nothing_and_each_is_said_with_its_line(house: House) -> None:
    wrong = PORTFOLIO + "Oak Hall,,,,,,,2A,big,,,,\n"
    said = assert_refused(send(house, "/unit-imports", wrong), 400, "INVALID_REQUEST")
    assert said["details"][0]["field"] == "file"
    assert said["details"][0]["message"].startswith("Line 4, Floor area: ")
    assert house.api.get("/properties").json()["data"] == []
    left = send(house, "/unit-imports", wrong, leaveOut="true").json()
    assert (left["units"], left["leftOut"]) == (2, [4])


@pytest.mark.parametrize(
    ("fields", "field"),
    [({"columns": "[]"}, "columns"), ({"columns": '{"Unit": "price"}'}, "columns"), ({"take": "true"}, "take")],
)
def test_what_is_sent_beside_a_file_is_read_strictly(shared_house: House, fields: dict[str, str], field: str) -> None:
    said = assert_refused(send(shared_house, "/unit-imports", PORTFOLIO, **fields), 400, "INVALID_REQUEST")
    assert said["details"][0]["field"] == field


def test_a_file_that_is_no_table_and_a_property_of_others_are_refused(house: House) -> None:
    assert_refused(send(house, "/unit-imports", "\x00\x01"), 400, "INVALID_REQUEST")
    theirs = house.api_of_stranger.post("/properties", MAPLE).json()["id"]
    for property_id in (theirs, "prop_x"):
        answer = send(house, "/unit-imports", "Unit\n1\n", propertyId=property_id)
        assert_refused(answer, 404, "PROPERTY_NOT_FOUND")
