import itertools
import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.web.addresses import assert_refused
from tests.web.conftest import Api, House
from tests.web.forms import assert_invalid, has_prefix, is_timestamp
from tests.web.furnished import Furnished, blend_named, furnish, rule_of

FIELDS = {"id", "propertyId", "utilityType", "splitMethod", "isActive", "customWeightsJson", "splitMethodId",
          "ownerPercent", "vacantOccupants", "createdAt", "updatedAt", "effectiveFrom", "versions"}  # fmt: skip
UTILITY_TYPES = ("ELECTRICITY", "WATER", "GAS", "INTERNET", "SEWER", "GARBAGE", "OTHER")
UNWEIGHTED = ("EQUAL", "SQFT", "OCCUPANTS", "BEDROOMS")
WEIGHTS = '{"1": 1, "2": 3}'


_numbers = itertools.count(1)


@pytest.fixture
def made(lasting_house: House) -> Furnished:
    """A property of the test's own."""
    return furnish(lasting_house, name=f"House {next(_numbers)}")


def post(made: Furnished, **body: Any) -> Any:
    return made.api.post(
        f"/properties/{made.property_id}/sharerules", {"utilityType": "WATER", "splitMethod": "EQUAL"} | body
    )


def totals(made: Furnished, month: str = "2026-03") -> dict[str, str]:
    return {invoice["unit"]["label"]: invoice["totalAmount"] for invoice in made.invoices(month=month)}


# --- reading -----------------------------------------------------------------------------------------------------------


def test_rules_are_a_bare_array_one_for_each_type_in_the_order_they_were_made(made: Furnished) -> None:
    answer = made.api.get(f"/properties/{made.property_id}/sharerules")
    rules = answer.json()
    assert answer.status_code == 200
    assert [rule["utilityType"] for rule in rules] == list(UTILITY_TYPES)
    assert {frozenset(rule) for rule in rules} == {frozenset(FIELDS)}
    assert {rule["propertyId"] for rule in rules} == {made.property_id}
    for rule in rules:
        assert has_prefix(rule["id"], "rule")
        assert made.api.get(f"/sharerules/{rule['id']}").json() == rule


def test_rules_of_an_unknown_property_are_404(api: Api) -> None:
    assert_refused(api.get("/properties/x/sharerules"), 404, "PROPERTY_NOT_FOUND")
    body = {"utilityType": "WATER", "splitMethod": "EQUAL"}
    assert_refused(api.post("/properties/x/sharerules", body), 404, "PROPERTY_NOT_FOUND")


# --- versions ----------------------------------------------------------------------------------------------------------


def test_a_rule_has_versions_from_months_on_and_is_read_as_of_one(made: Furnished) -> None:
    rule = rule_of(made.api, made.property_id, "WATER")
    path = f"/sharerules/{rule['id']}"
    assert (rule["effectiveFrom"], [one["effectiveFrom"] for one in rule["versions"]]) == (None, [None])

    changed = made.api.patch(path, {"splitMethod": "SQFT", "effectiveFrom": "2026-05"}).json()
    replaced = made.api.request("PUT", path, {"splitMethod": "BEDROOMS", "effectiveFrom": "2026-03"}).json()

    assert (changed["splitMethod"], changed["effectiveFrom"]) == ("SQFT", "2026-05")
    said = [(one["effectiveFrom"], one["splitMethod"], one["isActive"]) for one in replaced["versions"]]
    assert said == [(None, "EQUAL", True), ("2026-03", "BEDROOMS", True), ("2026-05", "SQFT", True)]
    assert made.api.get(path).json() == replaced
    seen = [made.api.get(f"{path}?month=2026-0{month}").json()["splitMethod"] for month in (2, 3, 4, 5)]
    assert seen == ["EQUAL", "BEDROOMS", "BEDROOMS", "SQFT"]
    listed = made.api.get(f"/properties/{made.property_id}/sharerules?month=2026-04").json()
    assert [one for one in listed if one["utilityType"] == "WATER"] == [
        replaced | {"splitMethod": "BEDROOMS", "effectiveFrom": "2026-03"}
    ]
    posted = post(made, splitMethod="OCCUPANTS", effectiveFrom="2026-07").json()
    assert [one["effectiveFrom"] for one in posted["versions"]] == [None, "2026-03", "2026-05", "2026-07"]
    assert_refused(made.api.get(path), 404, "SHARE_RULE_NOT_FOUND")


@pytest.mark.parametrize(
    "sent", [None, "", "2026", "2026-13", "2026-3", "March", 202603, True, "0000-01", "1800-01", "9999-12"]
)
def test_what_is_no_month_or_lies_beyond_all_bills_is_refused(made: Furnished, sent: Any) -> None:
    rule = rule_of(made.api, made.property_id, "WATER")
    assert_invalid(post(made, effectiveFrom=sent), "effectiveFrom")
    for method in ("PATCH", "PUT"):
        answer = made.api.request(method, f"/sharerules/{rule['id']}", {"splitMethod": "SQFT", "effectiveFrom": sent})
        assert_invalid(answer, "effectiveFrom")
    assert rule_of(made.api, made.property_id, "WATER") == rule
    assert_invalid(made.api.get(f"/sharerules/{rule['id']}?month=13"), "month")


def test_a_month_before_the_first_to_bill_is_refused(made: Furnished) -> None:
    made.api.patch(f"/properties/{made.property_id}", {"billingStartsMonth": "2026-02"})
    rule = rule_of(made.api, made.property_id, "WATER")
    assert_invalid(post(made, effectiveFrom="2026-01"), "effectiveFrom")
    assert_invalid(made.api.patch(f"/sharerules/{rule['id']}", {"effectiveFrom": "2026-01"}), "effectiveFrom")
    assert made.api.patch(f"/sharerules/{rule['id']}", {"effectiveFrom": "2026-02"}).status_code == 200


# --- POST --------------------------------------------------------------------------------------------------------------


def test_a_posted_rule_replaces_the_earlier_one_whose_id_is_gone(made: Furnished) -> None:
    before = rule_of(made.api, made.property_id, "WATER")
    answer = post(made, splitMethod="SQFT")
    after = answer.json()
    assert (answer.status_code, set(after)) == (201, FIELDS)
    assert after | {"splitMethod": "SQFT", "isActive": True, "customWeightsJson": None, "splitMethodId": None,
                    "ownerPercent": 0, "vacantOccupants": 0} == after  # fmt: skip
    assert is_timestamp(after["createdAt"])
    assert after["id"] != before["id"]
    for answer in (made.api.get(f"/sharerules/{before['id']}"), made.api.patch(f"/sharerules/{before['id']}", {}),
                   made.api.delete(f"/sharerules/{before['id']}")):  # fmt: skip
        assert_refused(answer, 404, "SHARE_RULE_NOT_FOUND")
    rules = made.api.get(f"/properties/{made.property_id}/sharerules").json()
    assert len(rules) == 7
    assert rules[-1] == after


def test_there_is_one_rule_for_each_type_however_often_it_is_posted(made: Furnished) -> None:
    for utility_type in (*UTILITY_TYPES, "TRASH"):
        for method in UNWEIGHTED:
            assert post(made, utilityType=utility_type, splitMethod=method).status_code == 201
        rules = made.api.get(f"/properties/{made.property_id}/sharerules").json()
        assert sorted(rule["utilityType"] for rule in rules) == sorted(UTILITY_TYPES)
        stored = "GARBAGE" if utility_type == "TRASH" else utility_type
        assert rule_of(made.api, made.property_id, stored)["splitMethod"] == "BEDROOMS"


def test_one_active_rule_stands_after_many_posts_at_once(made: Furnished) -> None:
    with ThreadPoolExecutor(8) as clients:
        answers = list(clients.map(lambda _: post(made, splitMethod="SQFT"), range(16)))
    assert {answer.status_code for answer in answers} == {201}
    rules = made.api.get(f"/properties/{made.property_id}/sharerules").json()
    assert sorted(rule["utilityType"] for rule in rules) == sorted(UTILITY_TYPES)
    assert rule_of(made.api, made.property_id, "WATER")["id"] in {answer.json()["id"] for answer in answers}


@pytest.mark.parametrize(
    ("field", "refused"),
    [
        ("utilityType", [None, "", "water", "STEAM", ["WATER"], 1]),
        ("splitMethod", [None, "", "equal", "BY_AREA", "split_1"]),
        ("isActive", [None, "true", 1, 0]),
        ("customWeightsJson", [{"1": 1}, 5, ["x"], "", "[]", "null", "1", '{"1": 1', '{"1": NaN}', '{"1": "1"}', '{"1": true}',
                               '{"1": -1}', '{"1": 1e10}', '{"1": null}', '{"1": 1, "1": 2}', "x" * 200_001]),
        ("splitMethodId", ["", "EQUAL", "split_1", "split_" + "0" * 26, 5]),
        ("ownerPercent", [None, -1, 100.01, "10"]),
        ("vacantOccupants", [None, -0.5, 1000.5, "1"]),
    ],
)  # fmt: skip
def test_what_a_field_cannot_be_is_refused(made: Furnished, field: str, refused: list[Any]) -> None:
    before = made.api.get(f"/properties/{made.property_id}/sharerules").json()
    for sent in refused:
        assert_invalid(post(made, **{field: sent}), field)
    assert made.api.get(f"/properties/{made.property_id}/sharerules").json() == before


def test_what_is_only_answered_cannot_be_sent(made: Furnished) -> None:
    for field in ("id", "propertyId", "createdAt", "updatedAt", "weights"):
        assert_invalid(post(made, **{field: "x"}), field)
    for field in ("utilityType", "id", "propertyId"):
        assert_invalid(made.api.patch(f"/sharerules/{made.rule_id}", {field: "WATER"}), field)
        assert_invalid(made.api.put(f"/sharerules/{made.rule_id}", {"splitMethod": "EQUAL", field: "WATER"}), field)


# --- PATCH -------------------------------------------------------------------------------------------------------------


def test_each_field_is_changed_alone_and_shows_in_the_invoices_at_once(made: Furnished) -> None:
    path = f"/sharerules/{made.rule_id}"
    assert totals(made) == {"1": "30.00", "2": "30.00", "10": "30.00"}
    before = made.api.get(path).json()
    for body, split in (
        ({"ownerPercent": 50}, {"1": "15.00", "2": "15.00", "10": "15.00"}),
        ({"splitMethod": "CUSTOM", "customWeightsJson": WEIGHTS}, {"1": "11.25", "2": "33.75", "10": "0.00"}),
        ({"isActive": False}, {}),
        ({"isActive": True}, None),
        ({"ownerPercent": 0}, {"1": "22.50", "2": "67.50", "10": "0.00"}),
        ({"vacantOccupants": 1.5}, None),
        ({"splitMethod": "OCCUPANTS"}, {"1": "22.50", "2": "33.75", "10": "33.75"}),
    ):
        after = made.api.patch(path, body).json()
        assert {name for name in before if before[name] != after[name]} == {*body, "updatedAt", "versions"}
        before = after
        if split is not None:
            assert {label: total for label, total in totals(made).items() if split or total != "0.00"} == split


@pytest.mark.parametrize("body", [{}, {"isActive": True}, {"splitMethod": "CUSTOM"}, {"customWeightsJson": '{" 1": 1, "2":3}'},
                                  {"ownerPercent": 12.50}, {"splitMethodId": None}])  # fmt: skip
def test_a_change_that_changes_nothing_is_200_and_leaves_updated_at(made: Furnished, body: dict[str, Any]) -> None:
    before = post(made, splitMethod="CUSTOM", customWeightsJson=WEIGHTS, ownerPercent=12.5).json()
    answer = made.api.patch(f"/sharerules/{before['id']}", body)
    assert (answer.status_code, answer.json()) == (200, before)


def test_weights_are_cleared_by_null_where_the_method_needs_none(made: Furnished) -> None:
    rule = post(made, splitMethod="SQFT", customWeightsJson=WEIGHTS).json()
    assert rule["customWeightsJson"] == WEIGHTS
    path = f"/sharerules/{rule['id']}"
    assert made.api.patch(path, {"customWeightsJson": None}).json()["customWeightsJson"] is None
    assert_invalid(made.api.patch(path, {"splitMethod": "CUSTOM"}), "customWeightsJson")
    made.api.patch(path, {"splitMethod": "CUSTOM", "customWeightsJson": WEIGHTS})
    assert_invalid(made.api.patch(path, {"customWeightsJson": None}), "customWeightsJson")


# --- PUT and DELETE ----------------------------------------------------------------------------------------------------


def test_put_replaces_method_state_and_weights_together(made: Furnished) -> None:
    rule = post(made, splitMethod="CUSTOM", customWeightsJson=WEIGHTS, isActive=False, ownerPercent=10).json()
    path = f"/sharerules/{rule['id']}"
    after = made.api.put(path, {"splitMethod": "SQFT"})
    assert after.status_code == 200
    changed = {"splitMethod": "SQFT", "isActive": True, "customWeightsJson": None}
    versions = [rule["versions"][0] | changed]
    assert after.json() == rule | changed | {"updatedAt": after.json()["updatedAt"], "versions": versions}
    assert_invalid(made.api.put(path, {"splitMethod": "PERCENTAGE"}), "customWeightsJson")
    assert_invalid(made.api.put(path, {"isActive": True}), "splitMethod")
    full = {"splitMethod": "PERCENTAGE", "isActive": False, "customWeightsJson": '{"1": 40, "10": 60}'}
    put = made.api.put(path, full).json()
    assert put | full == put
    assert put["id"] == rule["id"]


def test_a_deleted_rule_is_204_without_a_body_and_its_bills_are_the_owner_s(made: Furnished) -> None:
    rule_id = made.rule_id
    answer = made.api.delete(f"/sharerules/{rule_id}")
    assert (answer.status_code, answer.content) == (204, b"")
    assert_refused(made.api.get(f"/sharerules/{rule_id}"), 404, "SHARE_RULE_NOT_FOUND")
    assert_refused(made.api.delete(f"/sharerules/{rule_id}"), 404, "SHARE_RULE_NOT_FOUND")
    assert len(made.api.get(f"/properties/{made.property_id}/sharerules").json()) == 6
    assert set(totals(made).values()) == {"0.00"}
    assert post(made).status_code == 201
    assert set(totals(made).values()) == {"30.00"}


# --- customWeightsJson -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["PERCENTAGE", "CUSTOM"])
def test_methods_by_weight_need_weights(made: Furnished, method: str) -> None:
    assert_invalid(post(made, splitMethod=method), "customWeightsJson")
    assert_invalid(post(made, splitMethod=method, customWeightsJson=None), "customWeightsJson")


@pytest.mark.parametrize("method", UNWEIGHTED)
def test_other_methods_keep_weights_and_do_not_use_them(made: Furnished, method: str) -> None:
    rule = post(made, splitMethod=method, customWeightsJson='{"1": 500}').json()
    assert rule["customWeightsJson"] == '{"1": 500}'
    assert_invalid(post(made, splitMethod=method, customWeightsJson='{"99": 1}'), "customWeightsJson")


def test_labels_match_trimmed_and_without_regard_to_case(made: Furnished) -> None:
    made.api.patch(f"/units/{made.units['1']}", {"label": "Flat Ä"})
    rule = post(made, splitMethod="CUSTOM", customWeightsJson='{" flat ä ": 0.3, "2\\t": 7}').json()
    assert json.loads(rule["customWeightsJson"]) == {"Flat Ä": 0.3, "2": 7}
    assert_invalid(
        post(made, splitMethod="CUSTOM", customWeightsJson='{"FLAT Ä": 1, "flat ä": 1}'), "customWeightsJson"
    )


def test_labels_that_are_no_units_are_named_all_of_them(made: Furnished) -> None:
    answer = post(
        made, splitMethod="CUSTOM", customWeightsJson=json.dumps({"99": 1, "1": 1, "x" * 100: 1, "2B": "s3cr3t"})
    )
    details = assert_refused(answer, 400, "INVALID_REQUEST")["details"]
    assert [detail["field"] for detail in details] == ["customWeightsJson"] * 3
    assert ["99" in details[0]["message"], "x" * 63 + "…" in details[1]["message"], "2B" in details[2]["message"]] == [
        True
    ] * 3
    assert "s3cr3t" not in answer.text


@pytest.mark.parametrize(
    ("method", "weights", "allowed"),
    [
        ("PERCENTAGE", {"1": 100}, True),
        ("PERCENTAGE", {"1": 33.4, "2": 33.3, "10": 33.3}, True),
        ("PERCENTAGE", {"1": 33.4, "2": 33.3, "10": 33.31}, False),
        ("PERCENTAGE", {"1": 100, "2": 0.000001}, False),
        ("PERCENTAGE", {"1": 0}, True),
        ("PERCENTAGE", {}, True),
        ("CUSTOM", {"1": 0.001}, True),
        ("CUSTOM", {"1": 1_000_000_000, "2": 5000}, True),
        ("CUSTOM", {"1": 0, "2": 0.0}, False),
        ("CUSTOM", {}, False),
    ],
)
def test_percentages_sum_to_100_at_most_and_weights_to_more_than_0(
    made: Furnished, method: str, weights: dict[str, float], allowed: bool
) -> None:
    answer = post(made, splitMethod=method, customWeightsJson=json.dumps(weights))
    if allowed:
        assert (answer.status_code, json.loads(answer.json()["customWeightsJson"])) == (201, weights)
    else:
        assert_invalid(answer, "customWeightsJson")


def test_a_renamed_unit_carries_its_weight_along_and_a_removed_one_takes_it_out(made: Furnished) -> None:
    rule_id = post(made, utilityType="GAS", splitMethod="CUSTOM", customWeightsJson='{"1": 1, "2": 3}').json()["id"]
    made.api.patch(f"/units/{made.units['1']}", {"label": "Attic"})
    shown = made.api.get(f"/sharerules/{rule_id}").json()["customWeightsJson"]
    assert json.loads(shown) == {"Attic": 1, "2": 3}
    made.api.delete(f"/units/{made.units['2']}")  # it has invoices: deactivated
    assert json.loads(made.api.get(f"/sharerules/{rule_id}").json()["customWeightsJson"]) == {"Attic": 1, "2": 3}


def test_a_rule_whose_weights_went_with_their_units_can_still_be_changed(made: Furnished) -> None:
    api = made.api
    new = api.post(f"/properties/{made.property_id}/units", {"label": "New", "activeFrom": "2030-01-01"}).json()["id"]
    rule = post(made, utilityType="GAS", splitMethod="CUSTOM", customWeightsJson='{"New": 1}').json()
    assert api.delete(f"/units/{new}").json()["isDeactivated"] is False
    path = f"/sharerules/{rule['id']}"
    left = api.get(path).json()
    assert left["customWeightsJson"] == "{}"
    assert api.patch(path, {}).json() == left
    assert api.patch(path, {"isActive": False}).json()["isActive"] is False
    assert api.patch(path, {"ownerPercent": 5}).json()["ownerPercent"] == 5


# --- blends ------------------------------------------------------------------------------------------------------------


def test_a_rule_that_names_a_blend_reads_as_custom(made: Furnished) -> None:
    rule = post(made, splitMethod="EQUAL", splitMethodId=made.split_method_id).json()
    assert (rule["splitMethod"], rule["splitMethodId"], rule["customWeightsJson"]) == (
        "CUSTOM",
        made.split_method_id,
        None,
    )
    path = f"/sharerules/{rule['id']}"
    assert made.api.patch(path, {"isActive": False}).json()["splitMethodId"] == made.split_method_id
    assert made.api.patch(path, {"splitMethod": "EQUAL"}).json()["splitMethodId"] is None
    assert made.api.patch(path, {"splitMethodId": made.split_method_id}).json()["splitMethod"] == "CUSTOM"
    assert_invalid(made.api.patch(path, {"splitMethodId": None}), "customWeightsJson")
    assert made.api.put(path, {"splitMethod": "SQFT"}).json()["splitMethodId"] is None


def test_a_blend_of_another_account_is_no_blend(made: Furnished) -> None:
    theirs = made.house.api_of_stranger.post("/split-methods", blend_named("Theirs")).json()["id"]
    unknown = post(made, splitMethodId="split_" + "0" * 26)
    assert post(made, splitMethodId=theirs).content == unknown.content


@pytest.mark.parametrize("method", ["PATCH", "PUT", "POST"])
def test_weights_that_are_no_json_object_are_400_before_the_record_is_looked_for(api: Api, method: str) -> None:
    nowhere = "/properties/prop_00000000000000000000000000/sharerules"
    path = nowhere if method == "POST" else "/sharerules/rule_00000000000000000000000000"
    body = {"splitMethod": "CUSTOM", "customWeightsJson": "[]"} | ({"utilityType": "WATER"} if method == "POST" else {})
    answer = api.request(method, path, body)
    assert (answer.status_code, answer.json()["details"][0]["field"]) == (400, "customWeightsJson")
