"""Tests of API keys' permissions and scopes (docs/api.md#keys)."""

import re
from pathlib import Path
from typing import Any

import httpx
import pytest

from prorata.domain.accounts.scopes import RESOURCES, SCOPES
from prorata.web.api import OPERATIONS
from prorata.web.http.scopes import CARRIES_OTHERS, NOUNS, scopes_of
from tests.web.addresses import assert_refused
from tests.web.conftest import MAPLE, Api, House, new_key
from tests.web.furnished import Furnished, furnish


@pytest.fixture(scope="module")
def made(shared_house: House) -> Furnished:
    return furnish(shared_house)


ALL_WORDS = {*CARRIES_OTHERS, *(word for words in NOUNS.values() for word in words)}


def api_of(house: House, permission: str, *scopes: str) -> Api:
    return Api(house.client, new_key(house.database, house.landlord.account_id, permission, scopes=scopes))


def test_every_operation_needs_a_scope_that_a_key_can_have_or_asks_each_change_that_it_carries() -> None:
    needed = {operation.path: scopes_of(operation) for operation in OPERATIONS}
    assert {scope for scopes in needed.values() for scope in scopes} <= set(SCOPES)
    assert [path for path, scopes in needed.items() if not scopes] == ["/bulk", "/bulk/{id}", "/previews"]


def test_invoices_and_bills_that_stand_below_others_need_their_own_scopes() -> None:
    needed = {operation.path: scopes_of(operation) for operation in OPERATIONS}
    assert needed["/tenants/{tenantId}/final-invoice"] == ("invoices:write",)
    for path in ("/tenants/{tenantId}/statement", "/tenants/{tenantId}/statement/export"):
        assert needed[path] == ("invoices:read",)
    assert needed["/properties/{propertyId}/months/{month}/unusual-amounts/accept"] == ("bills:write",)


def test_the_page_says_which_words_of_a_path_belong_to_each_resource_and_each_is_needed() -> None:
    page = (Path(__file__).parents[3] / "docs" / "api.md").read_text()
    rows = re.findall(r"^\| `(\w+)` \| (`[a-z-]+`(?:, `[a-z-]+`)*) \|$", page, re.MULTILINE)
    assert {resource: tuple(re.findall(r"[a-z-]+", words)) for resource, words in rows} == NOUNS
    deciding = {[word for word in operation.path.split("/") if word in ALL_WORDS][-1] for operation in OPERATIONS}
    assert deciding - {*CARRIES_OTHERS} == {word for words in NOUNS.values() for word in words}
    assert scopes_of(next(one for one in OPERATIONS if one.path == "/exports/invoices")) == ("invoices:read",)


def test_the_document_says_what_each_operation_needs(shared_house: House) -> None:
    paths: dict[str, Any] = shared_house.client.get("/api/v1/openapi.json").json()["paths"]
    for operation in OPERATIONS:
        described = paths[operation.path][operation.method.lower()]
        assert described["security"] == [{"apiKey": [*scopes_of(operation)]}]
        named = [] if operation.needs_every_scope else scopes_of(operation)
        assert all(f"`{scope}`" in described["description"] for scope in named)
        assert f"Needs a key with {operation.permission} permission" in described["description"]


def test_a_key_with_scopes_reaches_what_they_name_and_nothing_else(made: Furnished) -> None:
    api = api_of(made.house, "FULL", "invoices:read", "rules:write")
    assert api.get("/invoices").status_code == 200
    assert api.get(f"/properties/{made.property_id}/sharerules").status_code == 200
    assert api.patch(f"/sharerules/{made.rule_id}", {"splitMethod": "EQUAL"}).status_code == 200
    for method, path, scope in (
        ("GET", "/properties", "properties:read"),
        ("POST", "/properties", "properties:write"),
        ("GET", f"/units/{made.units['1']}", "properties:read"),
        ("GET", f"/units/{made.units['1']}/tenants", "tenants:read"),
        ("GET", f"/invoices/{made.ids['invoice']}/payments", "payments:read"),
        ("PATCH", f"/invoices/{made.ids['invoice']}", "invoices:write"),
        ("GET", "/audit-log", "audit:read"),
        ("GET", "/events", "webhooks:read"),
        ("GET", "/account", "account:read"),
    ):
        said = assert_refused(api.request(method, path, MAPLE if method != "GET" else None), 403, "INSUFFICIENT_SCOPE")
        assert re.search(rf"\b{scope}\b", said["error"]), said


def test_what_a_list_brings_along_needs_its_own_scope(made: Furnished) -> None:
    unit = f"/units/{made.units['1']}"
    for scope, path in (
        ("invoices:read", "/invoices?expand=charges,tenant"),
        ("properties:read", "/units?expand=tenants"),
        ("properties:read", unit),
    ):
        said = assert_refused(api_of(made.house, "READ", scope).get(path), 403, "INSUFFICIENT_SCOPE")
        assert "tenants:read" in said["error"]
        assert api_of(made.house, "READ", scope, "tenants:read").get(path).status_code == 200
    assert api_of(made.house, "READ", "invoices:read").get("/invoices?expand=charges").status_code == 200


def test_a_file_of_units_which_shows_and_changes_tenants_needs_their_scope(made: Furnished) -> None:
    def send(path: str, *scopes: str) -> httpx.Response:
        file = {"file": ("units.csv", b"Property,Unit,Tenant,E-mail\nMaple Court,1,Ada Lovelace,eve@example.com\n")}
        return api_of(made.house, "FULL", "properties:write", *scopes).request("POST", path, files=file)

    before = made.api.get("/tenants").content
    for path, lacking, scope in (
        ("/unit-imports/check", (), "tenants:read"),
        ("/unit-imports", (), "tenants:write"),
        ("/unit-imports", ("tenants:read",), "tenants:write"),
    ):
        said = assert_refused(send(path, *lacking), 403, "INSUFFICIENT_SCOPE")
        assert scope in said["error"]
    assert made.api.get("/tenants").content == before
    assert send("/unit-imports/check", "tenants:read").status_code == 200
    assert send("/unit-imports", "tenants:write").status_code == 200


def test_a_key_that_lacks_a_scope_changes_nothing_and_is_told_so_before_its_body_is_read(made: Furnished) -> None:
    api, before = api_of(made.house, "FULL", "invoices:write"), made.api.get("/properties").content
    assert_refused(api.post("/properties", {"nonsense": 1}), 403, "INSUFFICIENT_SCOPE")
    assert_refused(api.get("/properties/prop_x"), 403, "INSUFFICIENT_SCOPE")
    assert_refused(api.get("/nowhere"), 404, "NOT_FOUND")
    assert_refused(api_of(made.house, "READ", "invoices:read").post("/invoices"), 403, "INSUFFICIENT_PERMISSIONS")
    assert made.api.get("/properties").content == before


def test_each_change_of_a_preview_needs_its_scope(made: Furnished) -> None:
    rule = {"method": "PATCH", "path": f"/sharerules/{made.rule_id}", "body": {"splitMethod": "SQFT"}}
    unit = {"method": "PATCH", "path": f"/units/{made.units['1']}", "body": {"sqft": 500}}
    api = api_of(made.house, "FULL", "rules:write")
    assert api.post("/previews", {"requests": [rule]}).status_code == 200
    said = assert_refused(api.post("/previews", {"requests": [rule, unit]}), 403, "INSUFFICIENT_SCOPE")
    assert "properties:write" in said["error"]
    assert [one["field"] for one in said["details"]] == ["requests[1]"]


def test_every_resource_is_one_that_some_operation_or_page_of_keys_has() -> None:
    assert len(set(RESOURCES)) == len(RESOURCES)
    assert {scope.split(":")[0] for scope in SCOPES} == set(RESOURCES)
