from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from typing import Any

import pytest

from prorata.actions.limits import MOST_BLENDS
from prorata.actions.splitting import split_methods
from prorata.actions.splitting.split_methods import NewBlend
from prorata.store.database.engine import Tx
from tests.web.addresses import assert_refused
from tests.web.conftest import Api, House
from tests.web.forms import assert_invalid, has_prefix, text_of
from tests.web.furnished import blend_named, furnish

BUILT_IN = ["EQUAL", "SQFT", "OCCUPANTS", "BEDROOMS", "PERCENTAGE", "CUSTOM"]
FIELDS = {"id", "name", "description", "builtIn", "components"}


def parts(**percents: Any) -> list[dict[str, Any]]:
    return [{"splitMethod": method, "percent": percent} for method, percent in percents.items()]


def test_the_built_in_methods_are_listed_first_then_the_account_s_own(api: Api) -> None:
    answer = api.get("/split-methods")
    assert (answer.status_code, [method["id"] for method in answer.json()]) == (200, BUILT_IN)
    for method in answer.json():
        assert set(method) == FIELDS
        assert (method["builtIn"], method["components"]) == (True, [])
        assert method["name"]
        assert method["description"].endswith(".")
    own = [api.post("/split-methods", blend_named(name)).json() for name in ("Z", "A")]
    assert api.get("/split-methods").json()[len(BUILT_IN) :] == own


def test_a_blend_is_created_with_201(api: Api) -> None:
    sent = {"name": " Half by area ", "components": parts(SQFT=62.5, EQUAL=37.5)}
    answer = api.post("/split-methods", sent)
    said = answer.json()
    assert (answer.status_code, set(said)) == (201, FIELDS)
    assert has_prefix(said["id"], "split")
    assert (said["name"], said["components"], said["builtIn"]) == ("Half by area", sent["components"], False)


def test_an_account_has_so_many_split_methods_of_its_own_and_is_told_so(house: House) -> None:
    blend = NewBlend("n", [("EQUAL", Decimal(100))])

    def fill(tx: Tx) -> None:
        for number in range(MOST_BLENDS):
            split_methods.create(tx, house.landlord.caller, blend._replace(name=f"n {number}"))

    house.database.write(fill)
    refused = house.api.post("/split-methods", blend_named("one more"))
    assert_refused(refused, 409, "CONFLICT")
    assert "at most 200" in refused.json()["error"]


@pytest.mark.parametrize(
    "components",
    [
        parts(EQUAL=100),
        parts(EQUAL=25, SQFT=25, OCCUPANTS=25, BEDROOMS=25),
        parts(EQUAL=33.33, SQFT=33.33, OCCUPANTS=33.34),
        parts(EQUAL=0, SQFT=100),
    ],
)
def test_percents_that_sum_to_100_are_taken(api: Api, components: Any) -> None:
    assert api.post("/split-methods", {"name": "x", "components": components}).json()["components"] == components


@pytest.mark.parametrize(
    "components",
    [
        parts(EQUAL=99.99),
        parts(EQUAL=50, SQFT=50.000001),
        parts(EQUAL=50) + parts(EQUAL=50),
        [],
        None,
        "EQUAL",
        parts(EQUAL=20, SQFT=20, OCCUPANTS=20, BEDROOMS=20) + parts(EQUAL=20),
    ],
)
def test_components_that_make_no_blend_are_refused(api: Api, components: Any) -> None:
    assert_invalid(api.post("/split-methods", {"name": "x", "components": components}), "components")
    assert_invalid(
        api.put(f"/split-methods/{'split_' + '0' * 26}", {"name": "x", "components": components}), "components"
    )


def test_each_component_is_checked_and_named_by_its_place(api: Api) -> None:
    components = [{"splitMethod": "CUSTOM", "percent": 101}, {"percent": 5, "colour": 1}, 5]
    answer = api.post("/split-methods", {"name": "x", "components": components})
    assert_invalid(answer, "components[0].splitMethod", "components[0].percent", "components[1].colour",
                   "components[1].splitMethod", "components[2]")  # fmt: skip


def test_a_name_has_1_to_100_characters_and_is_taken_once_without_regard_to_case(api: Api) -> None:
    for name in ("", "  ", text_of(101), None, 5):
        assert_invalid(api.post("/split-methods", blend_named("x") | {"name": name}), "name")
    assert api.post("/split-methods", blend_named(text_of(100))).status_code == 201
    first = api.post("/split-methods", blend_named("Half")).json()["id"]
    second = api.post("/split-methods", blend_named("Other")).json()["id"]
    assert_refused(api.post("/split-methods", blend_named(" HALF ")), 409, "CONFLICT")
    assert_refused(api.put(f"/split-methods/{second}", blend_named("half")), 409, "CONFLICT")
    assert api.put(f"/split-methods/{first}", blend_named("HALF")).json()["name"] == "HALF"


def test_of_many_posts_of_one_name_at_once_one_is_taken(api: Api) -> None:
    with ThreadPoolExecutor(8) as clients:
        answers = list(clients.map(lambda _: api.post("/split-methods", blend_named("Half")), range(8)))
    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 7
    assert len(api.get("/split-methods").json()) == len(BUILT_IN) + 1


def test_a_replaced_blend_recalculates_the_months_of_every_rule_that_uses_it(house: House) -> None:
    made = furnish(house)
    house.api.patch(f"/units/{made.units['1']}", {"sqft": 900})
    house.api.patch(f"/sharerules/{made.rule_id}", {"splitMethodId": made.split_method_id})
    assert made.invoice("1")["totalAmount"] == "60.00"  # half of 90 by area, a third of the other half
    path = f"/split-methods/{made.split_method_id}"
    body = {"name": "By area", "components": parts(SQFT=100)}
    assert house.api.put(path, body).json() | body == house.api.put(path, body).json()
    assert made.invoice("1")["totalAmount"] == "90.00"


def test_a_blend_is_deleted_only_while_no_rule_uses_it(house: House) -> None:
    made = furnish(house)
    path = f"/split-methods/{made.split_method_id}"
    house.api.patch(f"/sharerules/{made.rule_id}", {"splitMethodId": made.split_method_id, "isActive": False})
    assert_refused(house.api.delete(path), 409, "CONFLICT")
    house.api.patch(f"/sharerules/{made.rule_id}", {"splitMethod": "EQUAL"})
    answer = house.api.delete(path)
    assert (answer.status_code, set(answer.json())) == (200, {"message"})
    assert_refused(house.api.delete(path), 404, "SPLIT_METHOD_NOT_FOUND")
    assert len(house.api.get("/split-methods").json()) == len(BUILT_IN)


@pytest.mark.parametrize("method_id", [*BUILT_IN, "x"])
def test_built_in_methods_can_be_neither_replaced_nor_deleted(api: Api, method_id: str) -> None:
    assert_refused(api.put(f"/split-methods/{method_id}", blend_named("x")), 404, "SPLIT_METHOD_NOT_FOUND")
    assert_refused(api.delete(f"/split-methods/{method_id}"), 404, "SPLIT_METHOD_NOT_FOUND")


def test_a_split_method_is_read_by_its_id_built_in_or_own(api: Api) -> None:
    own = api.post("/split-methods", blend_named("Half and half")).json()
    assert api.get(f"/split-methods/{own['id']}").json() == own
    assert api.get("/split-methods/SQFT").json() == api.get("/split-methods").json()[1]
    assert api.get("/split-methods/HEIGHT").json()["code"] == "SPLIT_METHOD_NOT_FOUND"
    tag = api.get(f"/split-methods/{own['id']}").headers["ETag"]
    changed = api.put(f"/split-methods/{own['id']}", blend_named("Other"), headers={"If-Match": tag})
    assert (changed.status_code, changed.json()["name"]) == (200, "Other")
    assert api.delete(f"/split-methods/{own['id']}", headers={"If-Match": tag}).status_code == 412
