from typing import Any

import pytest

from tests.web.addresses import assert_refused
from tests.web.conftest import MAPLE, Api, House
from tests.web.forms import assert_invalid, has_prefix, is_timestamp, text_of
from tests.web.furnished import Furnished, furnish, new_unit

FIELDS = {"id", "propertyId", "label", "sqft", "bedrooms", "monthlyRent", "isActive", "createdAt", "updatedAt",
          "activeFrom", "activeTo"}  # fmt: skip
NULLABLE = {"sqft": 850.5, "bedrooms": 2, "monthlyRent": 1200.25, "activeFrom": "2026-01-01", "activeTo": "2026-12-31"}


@pytest.fixture
def api(lasting_house: House) -> Api:
    """The landlord's API; each test makes a property of its own."""
    return lasting_house.api


@pytest.fixture
def property_id(api: Api) -> str:
    return api.post("/properties", MAPLE).json()["id"]


@pytest.fixture
def made(house: House) -> Furnished:
    return furnish(house)


def test_a_unit_is_added_with_its_label_alone(api: Api, property_id: str) -> None:
    answer = api.post(f"/properties/{property_id}/units", {"label": "1A"})
    said = answer.json()
    assert (answer.status_code, set(said), said["tenants"]) == (201, FIELDS | {"tenants"}, [])
    assert has_prefix(said["id"], "unit")
    assert (said["propertyId"], said["label"], said["isActive"]) == (property_id, "1A", True)
    assert {said[field] for field in NULLABLE} == {None}
    assert is_timestamp(said["createdAt"])
    assert said["createdAt"] == said["updatedAt"]


def test_a_unit_is_added_with_every_field_and_read_with_its_tenants(api: Api, property_id: str) -> None:
    said = new_unit(api, property_id, "1A", **NULLABLE)
    assert said | NULLABLE == said
    tenant = api.post(f"/units/{said['id']}/tenants", {"name": "Ann"}).json()
    read = api.get(f"/units/{said['id']}")
    assert (read.status_code, read.json()) == (200, said | {"tenants": [tenant]})


def test_amounts_and_measures_are_json_numbers_as_they_were_sent(api: Api, property_id: str) -> None:
    unit_id = new_unit(api, property_id, "1A")["id"]
    body = b'{"sqft": 1234.5678, "monthlyRent": 1200.00, "bedrooms": 2.0}'
    answer = api.request("PATCH", f"/units/{unit_id}", content=body, headers={"Content-Type": "application/json"})
    assert '"sqft":1234.5678,"bedrooms":2,"monthlyRent":1200,' in answer.text
    for sent, said in ((0, "0"), (12.3, "12.3"), (0.05, "0.05"), (9999999999.99, "9999999999.99")):
        answer = api.patch(f"/units/{unit_id}", {"monthlyRent": sent})
        assert f'"monthlyRent":{said},' in answer.text


@pytest.mark.parametrize("field", NULLABLE)
def test_each_nullable_field_is_set_and_cleared_by_null(api: Api, property_id: str, field: str) -> None:
    path = f"/units/{new_unit(api, property_id, '1A')['id']}"
    before = api.patch(path, {}).json()
    set_ = api.patch(path, {field: NULLABLE[field]}).json()
    assert set_ == before | {field: NULLABLE[field], "updatedAt": set_["updatedAt"]}
    assert set_["updatedAt"] > before["updatedAt"]
    cleared = api.patch(path, {field: None}).json()
    assert cleared == before | {"updatedAt": cleared["updatedAt"]}


@pytest.mark.parametrize(
    "body", [{}, {"label": " 1A "}, NULLABLE, {"sqft": 850.50}, {"label": "1A", "monthlyRent": 1200.25}]
)
def test_a_change_that_changes_nothing_is_200_and_leaves_updated_at(
    api: Api, property_id: str, body: dict[str, Any]
) -> None:
    before = new_unit(api, property_id, "1A", **NULLABLE)
    answer = api.patch(f"/units/{before['id']}", body)
    assert (answer.status_code, answer.json() | {"tenants": []}) == (200, before)


@pytest.mark.parametrize(
    ("field", "refused"),
    [
        ("label", [None, "", "  ", text_of(51), 5]),
        ("sqft", [-1, -0.01, 10_000_000.01, "850", True]),
        ("bedrooms", [-1, 1001, 2.5, "2", False]),
        ("monthlyRent", [-0.01, 12.345, 10_000_000_000, "1200.00"]),
        ("activeFrom", ["2026-02-30", "2026-2-1", "20260201", "2026-02-01T00:00:00Z", ""]),
        ("activeTo", ["tomorrow", 20260201]),
        ("isActive", [True, False]),
        ("propertyId", ["prop_1"]),
        ("tenants", [[]]),
        ("id", ["unit_1"]),
    ],
)
def test_what_a_field_cannot_be_is_refused(api: Api, property_id: str, field: str, refused: list[Any]) -> None:
    unit_id = new_unit(api, property_id, "1A")["id"]
    for sent in refused:
        assert_invalid(api.patch(f"/units/{unit_id}", {field: sent}), field)
        assert_invalid(api.post(f"/properties/{property_id}/units", {"label": "2"} | {field: sent}), field)


def test_the_borders_of_fields_are_taken(api: Api, property_id: str) -> None:
    least = {"label": text_of(50), "sqft": 0, "bedrooms": 0, "monthlyRent": 0}
    most = {"label": text_of(49), "sqft": 10_000_000, "bedrooms": 1000, "monthlyRent": 9999999999.99}
    for fields in (least, most):
        said = api.post(f"/properties/{property_id}/units", fields).json()
        assert said | fields == said


@pytest.mark.parametrize("label", ["1a", "1A", " 1A\t"])
def test_a_label_is_taken_once_in_a_property_without_regard_to_case(api: Api, property_id: str, label: str) -> None:
    new_unit(api, property_id, "1A")
    other = new_unit(api, property_id, "2")["id"]
    for answer in (
        api.post(f"/properties/{property_id}/units", {"label": label}),
        api.patch(f"/units/{other}", {"label": label}),
    ):
        assert_refused(answer, 409, "CONFLICT")
    elsewhere = api.post("/properties", MAPLE).json()["id"]
    assert new_unit(api, elsewhere, label)["label"] == label.strip()


def test_a_unit_may_change_the_case_of_its_own_label(api: Api, property_id: str) -> None:
    unit_id = new_unit(api, property_id, "1A")["id"]
    assert api.patch(f"/units/{unit_id}", {"label": "1a"}).json()["label"] == "1a"


def test_the_last_day_may_not_come_before_the_first(api: Api, property_id: str) -> None:
    backwards = {"activeFrom": "2026-03-02", "activeTo": "2026-03-01"}
    assert_invalid(api.post(f"/properties/{property_id}/units", {"label": "1"} | backwards), "activeTo")
    unit_id = new_unit(api, property_id, "1", activeFrom="2026-03-02")["id"]
    assert_invalid(api.patch(f"/units/{unit_id}", {"activeTo": "2026-03-01"}), "activeTo")
    assert api.patch(f"/units/{unit_id}", {"activeTo": "2026-03-02"}).status_code == 200


# --- deleting ----------------------------------------------------------------------------------------------------------


def test_a_unit_without_a_past_is_removed_with_its_tenants(api: Api, property_id: str) -> None:
    unit_id = new_unit(api, property_id, "1A")["id"]
    tenant_id = api.post(f"/units/{unit_id}/tenants", {"name": "Ann"}).json()["id"]
    answer = api.delete(f"/units/{unit_id}")
    assert (answer.status_code, set(answer.json())) == (200, {"message", "isDeactivated"})
    assert answer.json()["isDeactivated"] is False
    assert_refused(api.get(f"/units/{unit_id}"), 404, "UNIT_NOT_FOUND")
    assert_refused(api.get(f"/tenants/{tenant_id}"), 404, "TENANT_NOT_FOUND")
    assert_refused(api.delete(f"/units/{unit_id}"), 404, "UNIT_NOT_FOUND")
    assert api.get(f"/properties/{property_id}/units?includeInactive=true").json()["pagination"]["total"] == 0
    assert new_unit(api, property_id, "1A")["label"] == "1A"


def test_a_unit_with_invoices_is_deactivated_and_can_be_reactivated(made: Furnished) -> None:
    api, path = made.api, f"/units/{made.units['1']}"
    answer = api.delete(path)
    assert (answer.status_code, answer.json()["isDeactivated"]) == (200, True)
    read = api.get(path).json()
    assert (read["isActive"], read["activeTo"]) == (False, "2026-04-02")
    assert len(read["tenants"]) == 1
    assert api.delete(path).json()["isDeactivated"] is True
    assert len(made.invoices(unitId=made.units["1"])) == 3
    again = api.patch(path, {"activeTo": None}).json()
    assert (again["isActive"], again["activeTo"]) == (True, None)


def test_deactivated_units_are_listed_only_where_they_are_asked_for(made: Furnished) -> None:
    api, path = made.api, f"/properties/{made.property_id}/units"
    api.delete(f"/units/{made.units['2']}")

    def labels(query: str) -> tuple[list[str], int]:
        said = api.get(path + query).json()
        return [unit["label"] for unit in said["data"]], said["pagination"]["total"]

    assert labels("") == labels("?includeInactive=false") == (["1", "10"], 2)
    assert labels("?includeInactive=true") == (["1", "2", "10"], 3)
    assert labels("?includeInactive=true&limit=1&page=2") == (["2"], 3)
    for sent in ("True", "1", "yes", "", "TRUE"):
        assert_invalid(api.get(f"{path}?includeInactive={sent}"), "includeInactive")


def test_the_label_of_a_deactivated_unit_stays_taken_and_the_answer_says_so(made: Furnished) -> None:
    made.api.delete(f"/units/{made.units['2']}")
    answer = made.api.post(f"/properties/{made.property_id}/units", {"label": "2"})
    assert "deactivated" in assert_refused(answer, 409, "CONFLICT")["error"]


def test_a_list_shows_units_without_their_tenants_in_the_order_they_were_added(made: Furnished) -> None:
    units = made.api.get(f"/properties/{made.property_id}/units").json()["data"]
    assert [unit["label"] for unit in units] == ["1", "2", "10"]
    assert {frozenset(unit) for unit in units} == {frozenset(FIELDS)}


def test_units_of_an_unknown_property_are_404(api: Api) -> None:
    assert_refused(api.get("/properties/x/units"), 404, "PROPERTY_NOT_FOUND")
    assert_refused(api.post("/properties/x/units", {"label": "1"}), 404, "PROPERTY_NOT_FOUND")
