from tests.web.conftest import MAPLE, Api


def test_a_created_property_is_answered_with_201_and_read_back(api: Api) -> None:
    created = api.post("/properties", MAPLE)
    assert created.status_code == 201
    assert created.json() | MAPLE == created.json()
    assert api.get(f"/properties/{created.json()['id']}").json() == created.json()


def test_a_new_property_has_seven_active_rules_that_split_equally(api: Api) -> None:
    property_id = api.post("/properties", MAPLE).json()["id"]
    rules = api.get(f"/properties/{property_id}/sharerules").json()
    assert {rule["utilityType"] for rule in rules} == {
        "ELECTRICITY", "WATER", "GAS", "INTERNET", "SEWER", "GARBAGE", "OTHER",
    }  # fmt: skip
    assert {(rule["splitMethod"], rule["isActive"]) for rule in rules} == {("EQUAL", True)}
