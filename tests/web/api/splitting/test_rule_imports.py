"""`/sharerule-imports` imports a file of share rules as the page does."""

import json
from typing import Any

import httpx

from tests.web.addresses import assert_refused
from tests.web.conftest import MAPLE, House

ROWS = "Property,Utility,Split,Owner\nMaple Court,Water,By floor area,10\nMaple Court,Gas,Equal,\n"


def send(house: House, path: str, text: str, **fields: Any) -> httpx.Response:
    return house.api.request("POST", path, files={"file": ("rules.csv", text.encode())}, data=fields)


def rules_of(house: House) -> dict[str, tuple[str, float]]:
    rules = house.api.get("/sharerules").json()["data"]
    return {one["utilityType"]: (one["splitMethod"], one["ownerPercent"]) for one in rules}


def test_a_file_is_looked_at_and_existing_rules_are_replaced_as_they_were_seen(house: House) -> None:
    house.api.post("/properties", MAPLE)
    before = rules_of(house)
    looked = send(house, "/sharerule-imports/check", ROWS).json()
    assert [(one["utilityType"], one["effect"]) for one in looked["rules"]] == [("WATER", "CHANGED"), ("GAS", "SAME")]
    assert looked["rules"][0]["before"]["splitMethod"] == "EQUAL"
    assert looked["rules"][0]["after"]["ownerPercent"] == 10
    assert rules_of(house) == before
    unseen = assert_refused(send(house, "/sharerule-imports", ROWS), 400, "INVALID_REQUEST")
    assert [one["field"] for one in unseen["details"]] == ["mark"]
    assert send(house, "/sharerule-imports", ROWS, mark="x").status_code == 409
    done = send(house, "/sharerule-imports", ROWS, mark=looked["mark"])
    assert done.status_code == 200, done.text
    assert rules_of(house) == before | {"WATER": ("SQFT", 10)}


def test_imported_rules_apply_from_the_month_that_is_sent(house: House) -> None:
    house.api.post("/properties", MAPLE)
    looked = send(house, "/sharerule-imports/check", ROWS, effectiveFrom="2026-04").json()
    assert send(house, "/sharerule-imports", ROWS, mark=looked["mark"], effectiveFrom="2026-04").status_code == 200
    rules = house.api.get("/sharerules").json()["data"]
    assert {one["utilityType"]: one["effectiveFrom"] for one in rules if one["effectiveFrom"]} == {"WATER": "2026-04"}
    for month in ("6766-01", "April"):
        refused = assert_refused(
            send(house, "/sharerule-imports/check", ROWS, effectiveFrom=month), 400, "INVALID_REQUEST"
        )
        assert [one["field"] for one in refused["details"]] == ["effectiveFrom"]


def test_a_rule_that_a_later_version_ends_says_until_when_it_applies(house: House) -> None:
    house.api.post("/properties", MAPLE)
    looked = send(house, "/sharerule-imports/check", ROWS, effectiveFrom="2026-04").json()
    assert [(one["until"], one["followedBy"]) for one in looked["rules"]] == [(None, None)] * 2
    send(house, "/sharerule-imports", ROWS, mark=looked["mark"], effectiveFrom="2026-04")
    looked = send(house, "/sharerule-imports/check", ROWS.replace("floor area", "people"), effectiveFrom="2026-02")
    water, gas = looked.json()["rules"]
    assert (water["until"], water["followedBy"]["splitMethod"]) == ("2026-03", "SQFT")
    assert (gas["until"], gas["followedBy"]) == (None, None)


def test_a_deleted_rule_is_new_and_needs_no_mark(house: House) -> None:
    house.api.post("/properties", MAPLE)
    (water,) = (one for one in house.api.get("/sharerules").json()["data"] if one["utilityType"] == "WATER")
    house.api.delete(f"/sharerules/{water['id']}")
    done = send(house, "/sharerule-imports", ROWS).json()
    assert [one["effect"] for one in done["rules"]] == ["NEW", "SAME"]
    assert rules_of(house)["WATER"] == ("SQFT", 10)


def test_problems_are_told_and_may_be_left_out_and_columns_remembered(house: House) -> None:
    house.api.post("/properties", MAPLE)
    text = "Wo,Was,Wie\nMaple Court,Gas,Equal\nNowhere,Gas,Equal\n"
    said = send(house, "/sharerule-imports/check", text).json()
    assert "The header is missing property. Add the column." in [one["message"] for one in said["problems"]]
    columns = json.dumps({"Wo": "property", "Was": "utilityType", "Wie": "splitMethod"})
    refused = assert_refused(send(house, "/sharerule-imports", text, columns=columns), 400, "INVALID_REQUEST")
    assert refused["details"][0]["message"].startswith("Line 3, Wo: No property")
    done = send(house, "/sharerule-imports", text, columns=columns, leaveOut="true", remember="true").json()
    assert (done["leftOut"], len(done["rules"])) == ([3], 1)
    assert send(house, "/sharerule-imports", text, leaveOut="true").json()["leftOut"] == [3]
    assert_refused(send(house, "/sharerule-imports", text, columns="[]"), 400, "INVALID_REQUEST")


def test_a_column_for_each_utility_is_read_as_rules(house: House) -> None:
    house.api.post("/properties", MAPLE)
    text = "House,Water,Gas,Sewer\nMaple Court,By floor area,,By luck\nFir,Equal,Equal,\n"
    looked = send(house, "/sharerule-imports/check", text).json()
    columns = [(one["name"], one["field"]) for one in looked["columns"]]
    assert columns == [("House", "property"), ("utilityType", "utilityType"), ("splitMethod", "splitMethod")]
    assert [(one["utilityType"], one["after"]["splitMethod"]) for one in looked["rules"]] == [("WATER", "SQFT")]
    assert [(one["line"], one["column"]) for one in looked["problems"]] == [(2, "Sewer"), (3, "House")]


def test_a_column_is_given_a_utility(house: House) -> None:
    house.api.post("/properties", MAPLE)
    text = "House,Water,Cleaning\nMaple Court,Equal,By floor area\n"
    columns = {"Cleaning": "splitMethod:OTHER"}
    looked = send(house, "/sharerule-imports/check", text, columns=json.dumps(columns)).json()
    assert [(one["utilityType"], one["effect"]) for one in looked["rules"]] == [("WATER", "SAME"), ("OTHER", "CHANGED")]
    sent = {"columns": json.dumps(columns), "mark": looked["mark"], "remember": "true"}
    assert send(house, "/sharerule-imports", text, **sent).status_code == 200
    assert len(send(house, "/sharerule-imports/check", text).json()["rules"]) == 2
    unknown = json.dumps({"Cleaning": "splitMethod:RENT"})
    assert_refused(send(house, "/sharerule-imports/check", text, columns=unknown), 400, "INVALID_REQUEST")


def test_a_blend_that_does_not_exist_is_added_by_the_import(house: House) -> None:
    house.api.post("/properties", MAPLE)
    text = "Property,Utility,Split\nMaple Court,Water,50% area / 50% people\n"
    looked = send(house, "/sharerule-imports/check", text).json()
    (rule,) = looked["rules"]
    assert (rule["newSplitMethod"], rule["after"]["splitMethodId"]) == ("50% area / 50% people", None)
    assert house.api.get("/split-methods").json()[-1]["builtIn"], "nothing is stored by looking"
    (rule,) = send(house, "/sharerule-imports", text, mark=looked["mark"]).json()["rules"]
    added = house.api.get("/split-methods").json()[-1]
    assert (added["name"], added["id"]) == ("50% area / 50% people", rule["after"]["splitMethodId"])
    assert rule["newSplitMethod"] is None
