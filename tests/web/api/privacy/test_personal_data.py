"""A tenant's data can be exported by the API, even after the tenant was removed."""

import io
import json
import zipfile

import pytest

from prorata.ports import Erased
from prorata.web.api.examples import PROVIDER_SENT
from tests.web.addresses import assert_refused
from tests.web.conftest import Api, House, new_key
from tests.web.forms import assert_invalid
from tests.web.furnished import Furnished, furnish


@pytest.fixture
def made(house: House) -> Furnished:
    return furnish(house)


def kept(content: bytes) -> dict[str, list[dict[str, object]]]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        found: dict[str, list[dict[str, object]]] = json.loads(archive.read("tenant.json"))
        return found


def test_a_tenant_is_exported_also_after_removal(made: Furnished) -> None:
    made.set_status("SENT")
    answer = made.api.get(f"/tenants/{made.tenant_id}/personal-data")
    assert answer.headers["content-disposition"].endswith(f"{made.tenant_id}.zip")
    assert [one["id"] for one in kept(answer.content)["tenant"]] == [made.tenant_id]
    assert made.api.delete(f"/tenants/{made.tenant_id}").status_code in (200, 204)
    assert_refused(made.api.get(f"/tenants/{made.tenant_id}"), 404, "TENANT_NOT_FOUND")
    again = kept(made.api.get(f"/tenants/{made.tenant_id}/personal-data").content)
    assert [one["id"] for one in again["tenant"]] == [made.tenant_id]
    assert again["invoices"]


def test_it_takes_a_key_that_manages_and_reaches_everything(made: Furnished) -> None:
    of, its = made.landlord.account_id, f"/tenants/{made.tenant_id}"
    for permission, scopes, code in (
        ("FULL", [], "INSUFFICIENT_PERMISSIONS"),
        ("ADMIN", ["invoices:read"], "INSUFFICIENT_SCOPE"),
        ("ADMIN", ["tenants:write"], "INSUFFICIENT_PERMISSIONS"),
    ):
        api = Api(made.house.client, new_key(made.house.database, of, permission, scopes=scopes))
        for method, path in (("GET", f"{its}/personal-data"), ("POST", f"{its}/erase")):
            assert_refused(api.request(method, path), 403, code)
    assert_refused(made.api.get("/tenants/tenant_x/personal-data"), 404, "TENANT_NOT_FOUND")


def test_an_account_is_deleted_by_its_name_and_its_keys_are_dead(made: Furnished) -> None:
    api, of = made.api, made.landlord.account_id
    name = api.get("/account").json()["name"]
    full = Api(made.house.client, new_key(made.house.database, of, "FULL"))
    of_settings = Api(made.house.client, new_key(made.house.database, of, "ADMIN", scopes=["account:write"]))
    for key in (full, of_settings):
        assert_refused(key.delete("/account", body={"name": name}), 403, "INSUFFICIENT_PERMISSIONS")
    assert_invalid(api.delete("/account", body={}), "name")
    assert_invalid(api.delete("/account", body={"name": "nobody"}), "name")
    api.put("/account/online-payments", PROVIDER_SENT)
    assert_refused(api.delete("/account", body={"name": name}), 409, "CONFLICT")
    api.delete("/account/online-payments")
    answer = api.delete("/account", body={"name": name})
    assert (answer.status_code, answer.json()) == (200, {"message": "The account was deleted."})
    for one in (api, full):
        assert_refused(one.get("/account"), 401, "UNAUTHORIZED")
    assert made.house.shelf.gone[-1][0] == Erased(of, "")
