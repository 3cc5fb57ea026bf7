"""`/members`, `/invitations` and `/keys` manage who has access to an account."""

import re

import pytest

from prorata.actions.accounts import members
from prorata.domain.accounts.scopes import SCOPES
from prorata.store.accounts import members as stored
from prorata.web.api.accounts.members import REQUESTS_OF_AN_INVITATION
from tests.web.addresses import assert_refused
from tests.web.conftest import Api, House, new_key


@pytest.fixture
def second(house: House) -> str:
    """The id of a second member."""
    account_id = house.landlord.account_id

    def add(tx: stored.Tx) -> str:
        row = stored.new(tx, account_id, "mia@example.com", "-", "manager", name="Mia", is_verified=True)
        stored.add(tx, row)
        return row.id

    return house.database.write(add)


def test_members_are_listed_given_another_role_and_removed(house: House, second: str) -> None:
    listed = house.api.get("/members").json()
    assert [(one["email"], one["role"]) for one in listed["data"]] == [
        ("landlord@example.com", "owner"), ("mia@example.com", "manager"),
    ]  # fmt: skip
    assert listed["pagination"]["total"] == 2
    changed = house.api.patch(f"/members/{second}", {"role": "viewer"})
    assert (changed.status_code, changed.json()["role"]) == (200, "viewer")
    assert house.api.get(f"/members/{second}").json() == changed.json()
    assert house.api.delete(f"/members/{second}").status_code == 200
    assert_refused(house.api.get(f"/members/{second}"), 404, "MEMBER_NOT_FOUND")
    shown = house.database.read(lambda tx: members.listed(tx, house.landlord.caller))
    assert [one.email for one in shown] == ["landlord@example.com"]


def test_an_account_keeps_its_owner(house: House) -> None:
    owner = house.api.get("/members").json()["data"][0]["id"]
    for answer in (house.api.patch(f"/members/{owner}", {"role": "viewer"}), house.api.delete(f"/members/{owner}")):
        assert "needs an owner" in assert_refused(answer, 409, "CONFLICT")["error"]


def test_somebody_is_invited_and_the_invitation_is_withdrawn(house: House) -> None:
    made = house.api.post("/invitations", {"email": "bo@example.com", "role": "manager"})
    assert (made.status_code, made.json()["email"], made.json()["role"]) == (201, "bo@example.com", "manager")
    assert house.api.get(made.headers["location"].removeprefix("/api/v1")).json() == made.json()
    assert house.api.get("/invitations").json()["data"] == [made.json()]
    known = house.api.post("/invitations", {"email": "landlord@example.com", "role": "viewer"})
    assert assert_refused(known, 409, "CONFLICT")["details"][0]["field"] == "email"
    assert house.api.delete(f"/invitations/{made.json()['id']}").status_code == 200
    assert house.api.get("/invitations").json()["data"] == []
    assert_refused(house.api.delete(f"/invitations/{made.json()['id']}"), 404, "INVITATION_NOT_FOUND")


def test_an_invitation_counts_as_many_requests_as_it_tells_of_an_address(house: House) -> None:
    def left(answer: object) -> int:
        found = re.search(r'"minute";r=(\d+)', answer.headers["ratelimit"])  # type: ignore[attr-defined]
        assert found is not None
        return int(found[1])

    before = left(house.api.get("/invitations"))
    after = left(house.api.post("/invitations", {"email": "bo@example.com", "role": "manager"}))
    assert before - after == REQUESTS_OF_AN_INVITATION


def test_a_key_is_made_shown_once_works_as_it_is_scoped_and_is_revoked(house: House) -> None:
    wanted = {"name": "Books", "permission": "READ", "scopes": ["invoices:read"], "lastDay": "2030-12-31"}
    made = house.api.post("/keys", wanted)
    assert made.status_code == 201
    own = Api(house.client, made.json()["key"])
    assert own.get("/invoices").status_code == 200
    assert_refused(own.get("/properties"), 403, "INSUFFICIENT_SCOPE")
    read = house.api.get(f"/keys/{made.json()['id']}").json()
    assert read["lastUsedAt"] is None or read["lastUsedAt"]
    assert {name: read[name] for name in ("name", "permission", "scopes", "expiresAt")} == {
        "name": "Books", "permission": "READ", "scopes": ["invoices:read"], "expiresAt": "2031-01-01T00:00:00.000Z",
    }  # fmt: skip
    assert "key" not in read
    assert made.json()["key"] not in house.api.get("/keys").text
    assert house.api.delete(f"/keys/{read['id']}").status_code == 200
    assert house.api.get(f"/keys/{read['id']}").json()["revokedAt"] is not None
    assert read["id"] not in house.api.get("/keys").text


def test_a_key_that_is_made_twice_under_one_idempotency_key_is_made_once_and_shown_again(house: House) -> None:
    headers = {"Idempotency-Key": "8e03978e-40d5-43e8-bc93-6894a57f9324"}
    first, again = (house.api.post("/keys", {"name": "A", "permission": "READ"}, headers=headers) for _ in range(2))
    assert (first.status_code, again.json()) == (201, first.json())


def test_a_key_makes_none_that_may_more_than_itself(house: House) -> None:
    scopes = ["keys:write", "invoices:read"]
    api = Api(house.client, new_key(house.database, house.landlord.account_id, "ADMIN", scopes=scopes))
    body = {"name": "x", "permission": "READ"}
    assert_refused(api.post("/keys", body), 403, "INSUFFICIENT_PERMISSIONS")
    assert_refused(api.post("/keys", body | {"scopes": ["bills:read"]}), 403, "INSUFFICIENT_PERMISSIONS")
    assert api.post("/keys", body | {"scopes": ["invoices:read"]}).status_code == 201


def test_a_key_makes_none_that_works_longer_than_itself(house: House) -> None:
    body = {"name": "x", "permission": "ADMIN", "lastDay": "2030-06-30"}
    api = Api(house.client, house.api.post("/keys", body).json()["key"])
    for longer in ({"lastDay": "2030-07-01"}, {"lastDay": None}):
        assert_refused(api.post("/keys", body | longer), 403, "INSUFFICIENT_PERMISSIONS")
    assert api.post("/keys", body).status_code == 201


def test_a_key_that_expires_sends_events_to_no_address_of_its_own(house: House) -> None:
    there = house.api.post("/webhook-endpoints", {"url": "https://example.com/hook"}).json()
    body = {"name": "x", "permission": "ADMIN", "lastDay": "2030-06-30"}
    api = Api(house.client, house.api.post("/keys", body).json()["key"])
    other, path = {"url": "https://example.com/other"}, f"/webhook-endpoints/{there['id']}"
    assert_refused(api.post("/webhook-endpoints", other), 403, "INSUFFICIENT_PERMISSIONS")
    assert_refused(api.patch(path, other), 403, "INSUFFICIENT_PERMISSIONS")
    assert [one["url"] for one in house.api.get("/webhook-endpoints").json()] == [there["url"]]
    assert api.patch(path, {"state": "paused"}).json()["state"] == "paused"


def assert_grants_no_membership(house: House, api: Api, member: str) -> None:
    """Check that a key can't give a member more access than it has itself.

    It can take access away, but can't invite anybody or promote a manager.
    """
    for role in ("owner", "manager", "viewer"):
        sent = {"email": "eve@example.com", "role": role}
        assert_refused(api.post("/invitations", sent), 403, "INSUFFICIENT_PERMISSIONS")
    assert house.api.get("/invitations").json()["data"] == []
    assert_refused(api.patch(f"/members/{member}", {"role": "owner"}), 403, "INSUFFICIENT_PERMISSIONS")
    assert api.patch(f"/members/{member}", {"role": "viewer"}).json()["role"] == "viewer"
    assert_refused(api.patch(f"/members/{member}", {"role": "manager"}), 403, "INSUFFICIENT_PERMISSIONS")


def test_a_key_that_expires_makes_nobody_a_member_who_stays(house: House, second: str) -> None:
    body = {"name": "x", "permission": "ADMIN", "lastDay": "2030-06-30"}
    assert_grants_no_membership(house, Api(house.client, house.api.post("/keys", body).json()["key"]), second)


def test_a_key_with_scopes_makes_nobody_a_member_who_may_do_more_than_it(house: House, second: str) -> None:
    api = Api(house.client, new_key(house.database, house.landlord.account_id, "ADMIN", scopes=["members:write"]))
    assert_grants_no_membership(house, api, second)
    everywhere = Api(house.client, new_key(house.database, house.landlord.account_id, "ADMIN", scopes=[*SCOPES]))
    assert everywhere.post("/invitations", {"email": "eve@example.com", "role": "owner"}).status_code == 201


def test_a_secret_is_not_shown_again_to_another_key(house: House) -> None:
    headers, body = {"Idempotency-Key": "once"}, {"name": "A", "permission": "FULL"}
    assert house.api.post("/keys", body, headers=headers).status_code == 201
    other = Api(house.client, new_key(house.database, house.landlord.account_id, "ADMIN", scopes=["keys:write"]))
    assert_refused(other.post("/keys", body, headers=headers), 409, "CONFLICT")


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"permission": "ALL"}, "permission"),
        ({"scopes": ["bill:read"]}, "scopes[0]"),
        ({"scopes": []}, "scopes"),
        ({"scopes": ["bills:write"]}, "scopes"),
        ({"lastDay": "2020-01-01"}, "lastDay"),
    ],
)
def test_what_a_key_can_not_be_is_named(shared_house: House, wrong: dict[str, object], field: str) -> None:
    answer = shared_house.api.post("/keys", {"name": "x", "permission": "READ"} | wrong)
    assert [one["field"] for one in assert_refused(answer, 400, "INVALID_REQUEST")["details"]] == [field]


def test_the_scopes_of_the_document_are_those_that_keys_can_have(shared_house: House) -> None:
    schemas = shared_house.client.get("/api/v1/openapi.json").json()["components"]["schemas"]
    assert sorted(SCOPES) in [one.get("enum") for one in schemas.values()]


def test_only_keys_that_manage_see_members_and_keys(shared_house: House) -> None:
    for key in (shared_house.landlord.full, shared_house.landlord.read):
        for path in ("/members", "/invitations", "/keys"):
            assert_refused(Api(shared_house.client, key).get(path), 403, "INSUFFICIENT_PERMISSIONS")
