from typing import Any

import pytest

from tests.web.addresses import assert_refused
from tests.web.conftest import MAPLE, Api, House
from tests.web.forms import assert_invalid, has_prefix, is_timestamp, text_of
from tests.web.furnished import furnish, new_unit

FIELDS = {"id", "unitId", "name", "email", "createdAt", "updatedAt", "moveInDate", "moveOutDate",
          "occupants", "forwardingEmail", "forwardingAddress"}  # fmt: skip
NULLABLE = {"email": "ann@example.com", "moveInDate": "2026-01-01", "moveOutDate": "2026-12-31",
            "forwardingEmail": "ann@example.org", "forwardingAddress": "9 Oak Street\nSpringfield"}  # fmt: skip


@pytest.fixture
def api(lasting_house: House) -> Api:
    """The landlord's API; each test makes a property of its own."""
    return lasting_house.api


@pytest.fixture
def unit_id(api: Api) -> str:
    return new_unit(api, api.post("/properties", MAPLE).json()["id"], "1A")["id"]


def new_tenant(api: Api, unit_id: str, **fields: Any) -> dict[str, Any]:
    return api.post(f"/units/{unit_id}/tenants", {"name": "Ann Smith"} | fields).json()


def test_a_tenant_is_added_with_a_name_alone_and_read_back(api: Api, unit_id: str) -> None:
    answer = api.post(f"/units/{unit_id}/tenants", {"name": " Ann Smith "})
    said = answer.json()
    assert (answer.status_code, set(said)) == (201, FIELDS)
    assert has_prefix(said["id"], "tenant")
    assert (said["unitId"], said["name"]) == (unit_id, "Ann Smith")
    assert {said[field] for field in NULLABLE} == {None}
    assert said["occupants"] == 1
    assert is_timestamp(said["createdAt"])
    assert said["createdAt"] == said["updatedAt"]
    read = api.get(f"/tenants/{said['id']}")
    assert (read.status_code, read.json()) == (200, said)


def test_a_tenant_is_added_with_every_field(api: Api, unit_id: str) -> None:
    said = new_tenant(api, unit_id, **NULLABLE)
    assert said | NULLABLE == said


def test_tenants_are_listed_as_a_bare_array_in_the_order_they_were_added(api: Api, unit_id: str) -> None:
    assert api.get(f"/units/{unit_id}/tenants").json() == []
    added = [new_tenant(api, unit_id, name=name) for name in ("Zoe", "Ann", "Mia")]
    answer = api.get(f"/units/{unit_id}/tenants")
    assert (answer.status_code, answer.json()) == (200, added)
    assert_invalid(api.get(f"/units/{unit_id}/tenants?page=1"), "page")


@pytest.mark.parametrize("field", NULLABLE)
def test_each_nullable_field_is_set_and_cleared_by_null(api: Api, unit_id: str, field: str) -> None:
    before = new_tenant(api, unit_id)
    path = f"/tenants/{before['id']}"
    set_ = api.patch(path, {field: NULLABLE[field]}).json()
    assert set_ == before | {field: NULLABLE[field], "updatedAt": set_["updatedAt"]}
    assert set_["updatedAt"] > before["updatedAt"]
    cleared = api.patch(path, {field: None}).json()
    assert cleared == before | {"updatedAt": cleared["updatedAt"]}
    assert new_tenant(api, unit_id, **{field: None})[field] is None


def test_a_name_is_changed_alone(api: Api, unit_id: str) -> None:
    before = new_tenant(api, unit_id, **NULLABLE)
    after = api.patch(f"/tenants/{before['id']}", {"name": "Ann Jones"}).json()
    assert after == before | {"name": "Ann Jones", "updatedAt": after["updatedAt"]}


@pytest.mark.parametrize("body", [{}, {"name": "Ann Smith "}, NULLABLE])
def test_a_change_that_changes_nothing_is_200_and_leaves_updated_at(
    api: Api, unit_id: str, body: dict[str, Any]
) -> None:
    before = new_tenant(api, unit_id, **NULLABLE)
    answer = api.patch(f"/tenants/{before['id']}", body)
    assert (answer.status_code, answer.json()) == (200, before)


@pytest.mark.parametrize(
    ("field", "refused"),
    [
        ("name", [None, "", "\t", text_of(256), 5, ["Ann"]]),
        ("email", ["", "ann", "ann@", "@example.com", "a b@example.com", "ann@example", "a@b@example.com",
                   "ann@example.com, bob@example.com", "x" * 65 + "@example.com", "a@" + "x." * 126 + "com", 5]),
        ("moveInDate", ["2026-02-29", "1.2.2026", "", 1]),
        ("moveOutDate", ["2026-04-31", "now"]),
        ("occupants", [-1, 51, 1.5, "2", True, None]),
        ("forwardingEmail", ["", "ann@example", 5]),
        ("forwardingAddress", [text_of(501), 5]),
        ("unitId", ["unit_1"]),
        ("id", ["tenant_1"]),
    ],
)  # fmt: skip
def test_what_a_field_cannot_be_is_refused(api: Api, unit_id: str, field: str, refused: list[Any]) -> None:
    tenant_id = new_tenant(api, unit_id)["id"]
    for sent in refused:
        assert_invalid(api.patch(f"/tenants/{tenant_id}", {field: sent}), field)
        assert_invalid(api.post(f"/units/{unit_id}/tenants", {"name": "Bob"} | {field: sent}), field)


def test_the_borders_of_fields_are_taken(api: Api, unit_id: str) -> None:
    for fields in ({"name": text_of(255)}, {"name": "x"}, {"email": "x" * 64 + "@example.com"}, {"email": "用户@例子.广告"},
                   {"email": "x" * 64 + "@" + ("y" * 60 + ".") * 3 + "com.de"}, {"moveInDate": "2028-02-29"}, {"occupants": 0}, {"occupants": 50},
                   {"forwardingAddress": text_of(500)}):  # fmt: skip
        said = new_tenant(api, unit_id, **fields)
        assert said | fields == said


def test_a_tenant_may_not_move_out_before_moving_in(api: Api, unit_id: str) -> None:
    backwards = {"name": "Ann", "moveInDate": "2026-03-02", "moveOutDate": "2026-03-01"}
    assert_invalid(api.post(f"/units/{unit_id}/tenants", backwards), "moveOutDate")
    tenant_id = new_tenant(api, unit_id, moveInDate="2026-03-02")["id"]
    assert_invalid(api.patch(f"/tenants/{tenant_id}", {"moveOutDate": "2026-03-01"}), "moveOutDate")
    assert api.patch(f"/tenants/{tenant_id}", {"moveOutDate": "2026-03-02"}).status_code == 200


def test_a_tenant_of_the_last_24_hours_is_removed_as_if_never_there(house: House) -> None:
    made = furnish(house)
    house.clock.advance(hours=23, minutes=59)
    answer = house.api.delete(f"/tenants/{made.tenant_id}")
    assert (answer.status_code, set(answer.json())) == (200, {"message"})
    assert_refused(house.api.get(f"/tenants/{made.tenant_id}"), 404, "TENANT_NOT_FOUND")
    assert {invoice["tenantName"] for invoice in made.invoices(unitId=made.units["1"])} == {None}


def test_the_stay_of_any_other_ends_today_and_the_past_keeps_the_person(house: House) -> None:
    made = furnish(house)
    house.clock.advance(hours=24)
    path = f"/tenants/{made.tenant_id}"
    assert house.api.delete(path).status_code == 200
    for answer in (house.api.get(path), house.api.patch(path, {"name": "Bob"}), house.api.delete(path)):
        assert_refused(answer, 404, "TENANT_NOT_FOUND")
    assert house.api.get(f"/units/{made.units['1']}/tenants").json() == []
    assert house.api.get(f"/units/{made.units['1']}").json()["tenants"] == []
    assert {invoice["tenantName"] for invoice in made.invoices(unitId=made.units["1"])} == {"Ann Smith"}


def test_tenants_of_an_unknown_unit_are_404(api: Api) -> None:
    assert_refused(api.get("/units/x/tenants"), 404, "UNIT_NOT_FOUND")
    assert_refused(api.post("/units/x/tenants", {"name": "Ann"}), 404, "UNIT_NOT_FOUND")


def test_a_final_invoice_is_sent_once_and_refused_with_a_sentence(house: House) -> None:
    made = furnish(house)
    path = f"/tenants/{made.tenant_id}/final-invoice"
    refused = made.api.post(path)
    assert_refused(refused, 409, "CONFLICT")
    assert "move-out date" in refused.json()["error"]
    made.api.patch(f"/tenants/{made.tenant_id}", {"moveOutDate": "2026-03-10", "forwardingEmail": "ann@new.example"})

    sent = made.api.post(path, headers={"Idempotency-Key": "final"})

    said = sent.json()
    assert (sent.status_code, said["status"], said["sequence"]) == (201, "SENT", 1)
    assert (said["invoiceNumber"], said["tenantEmail"]) == ("MAPLECOURT-1.1-2026-03", "ann@new.example")
    assert (said["tenantId"], len(said["charges"])) == (made.tenant_id, 1)
    again = made.api.post(path, headers={"Idempotency-Key": "final"})
    assert (again.status_code, again.json(), again.headers["Idempotency-Replayed"]) == (201, said, "true")
    assert_refused(made.api.post(path), 409, "CONFLICT")
    assert_refused(made.api.post("/tenants/tenant_x/final-invoice"), 404, "TENANT_NOT_FOUND")
    sequences = {one["sequence"]: one["status"] for one in made.invoices(unitId=made.units["1"], month="2026-03")}
    assert sequences == {0: "DRAFT", 1: "SENT"}
