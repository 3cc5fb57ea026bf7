"""Programs can read the audit log of their own account only.

The log tells who did what to which record, and each entry's place in the chain.
"""

import secrets
from hashlib import sha256
from typing import Any

import pytest

from prorata.actions.audit import chaining as audit_chains
from prorata.domain.audit.chains import written
from tests.web.conftest import House
from tests.web.forms import assert_invalid, has_prefix, is_timestamp
from tests.web.furnished import Furnished, add_bill, furnish

FIELDS = {
    "id",
    "at",
    "actor",
    "actorName",
    "action",
    "says",
    "recordId",
    "propertyId",
    "changes",
    "before",
    "after",
    "chain",
}


@pytest.fixture
def made(house: House) -> Furnished:
    return furnish(house)


def chained(made: Furnished) -> None:
    account_id = made.landlord.account_id
    made.house.database.write(lambda tx: audit_chains.go_on(tx, account_id, secrets.token_bytes))


def listed(made: Furnished, **query: Any) -> list[dict[str, Any]]:
    said = made.api.get("/audit-log", params={"limit": 100} | query)
    assert said.status_code == 200, said.text
    assert set(said.json()) == {"data", "next"}
    found: list[dict[str, Any]] = said.json()["data"]
    return found


def test_a_change_is_listed_with_who_made_it_and_what_was_there_before_and_after(made: Furnished) -> None:
    unit = made.units["1"]
    made.api.patch(f"/units/{unit}", {"label": "1 é"})
    entry = listed(made)[0]
    assert set(entry) == FIELDS
    assert (entry["action"], entry["recordId"], entry["propertyId"]) == ("change unit", unit, made.property_id)
    assert (entry["before"]["label"], entry["after"]["label"]) == ("1", "1 é")
    assert entry["says"] == "changed unit 1 é"
    assert has_prefix(entry["actor"], "key")
    assert entry["actorName"].startswith("API key ")
    assert is_timestamp(entry["at"])
    assert entry["chain"] is None


def test_what_a_change_changed_is_told_in_the_names_and_forms_of_the_api(made: Furnished) -> None:
    tenant, unit = made.tenant_id, made.units["1"]
    made.api.patch(f"/tenants/{tenant}", {"moveInDate": "2026-01-05", "email": None})
    made.api.patch(f"/units/{unit}", {"monthlyRent": 1200.5})
    made.api.patch("/account", {"daysToPay": 9, "sendsMail": False})
    account, of_unit, of_tenant = (entry["changes"] for entry in listed(made)[:3])
    assert of_tenant == [
        {"field": "email", "before": "ann@example.com", "after": None},
        {"field": "moveInDate", "before": None, "after": "2026-01-05"},
    ]
    assert of_unit == [{"field": "monthlyRent", "before": None, "after": "1200.50"}]
    assert account == [
        {"field": "daysToPay", "before": "14", "after": "9"}, {"field": "sendsMail", "before": "true", "after": "false"},
    ]  # fmt: skip


def test_the_chain_can_be_computed_from_the_answers(made: Furnished) -> None:
    made.api.patch(f"/units/{made.units['1']}", {"label": "1 é"})
    chained(made)
    entries = sorted(listed(made), key=lambda entry: entry["chain"]["number"])
    assert [entry["chain"]["number"] for entry in entries] == list(range(1, len(entries) + 1))
    previous = "0" * 64
    for entry in entries:
        place = entry["chain"]
        said = written(
            "prorata audit 1", previous, made.landlord.account_id, str(place["number"]), entry["id"], entry["at"],
            entry["actor"], entry["action"], entry["recordId"], entry["propertyId"], place["contents"],
        )  # fmt: skip
        assert sha256(said).hexdigest() == place["hash"]
        previous = place["hash"]
    text = made.api.get("/audit-log?limit=1").text
    before, after = (text.partition(f'"{name}":')[2] for name in ("before", "after"))
    before, after = before.partition(',"after"')[0], after.partition(',"chain"')[0]
    last = entries[-1]["chain"]
    assert sha256(written(last["salt"], before, after)).hexdigest() == last["contents"]


def test_a_log_is_read_to_its_end_with_the_next_of_each_answer(made: Furnished) -> None:
    whole = [entry["id"] for entry in listed(made)]
    assert whole == sorted(whole, reverse=True)
    found, query = [], {"limit": 3}
    while True:
        said = made.api.get("/audit-log", params=query).json()
        found += [entry["id"] for entry in said["data"]]
        if said["next"] is None:
            break
        query["before"] = said["next"]
    assert found == whole
    assert len(whole) > 6


def test_it_is_narrowed_to_a_record_a_property_an_actor_or_a_kind(made: Furnished) -> None:
    unit = made.units["1"]
    made.api.patch(f"/units/{unit}", {"label": "7"})
    other = made.api.post("/properties", {
        "name": "Elm", "streetNumber": "1", "street": "Elm St", "city": "Reno", "state": "NV", "zip": "89501",
        "country": "US",
    }).json()["id"]  # fmt: skip
    whole = listed(made)
    assert {one["recordId"] for one in listed(made, recordId=unit)} == {unit}
    assert [one["action"] for one in listed(made, recordId=unit)] == ["change unit", "create unit"]
    assert {one["propertyId"] for one in listed(made, propertyId=made.property_id)} == {made.property_id}
    assert {one["recordId"] for one in listed(made, propertyId=other)} == {other}
    actor = whole[0]["actor"]
    assert [one["id"] for one in listed(made, actor=actor)] == [one["id"] for one in whole if one["actor"] == actor]
    assert {one["recordId"].split("_")[0] for one in listed(made, type="bills")} == {"bill"}
    assert len(listed(made, type="bills", propertyId=made.property_id)) == len(made.bills)
    assert listed(made, recordId="unit_nothing") == []


@pytest.mark.parametrize(
    ("name", "value"),
    [("before", "x"), ("before", ""), ("limit", "0"), ("limit", "101"), ("type", "money"), ("page", "1")],
)
def test_a_query_that_means_nothing_is_refused_by_name(made: Furnished, name: str, value: str) -> None:
    assert_invalid(made.api.get("/audit-log", params={name: value}), name)


def test_what_is_of_another_account_is_not_in_it(house: House) -> None:
    mine, theirs = furnish(house), furnish(house, house.stranger)
    add_bill(house, theirs.landlord, theirs.property_id, "2026-04")
    found = {one["recordId"] for one in listed(mine)}
    assert not found & {one["recordId"] for one in listed(theirs)}
    assert listed(mine, recordId=theirs.property_id) == listed(mine, propertyId=theirs.property_id) == []
    last = listed(theirs)[0]["id"]
    assert listed(mine, before=last) != []


def test_a_key_that_may_only_read_reads_it_and_what_is_deleted_says_nothing_of_people_any_more(made: Furnished) -> None:
    tenant = made.api.post(
        f"/units/{made.units['1']}/tenants", {"name": "Zoë Omega", "email": "zoe@example.org"}
    ).json()
    chained(made)
    assert "Zoë Omega" in made.api.get("/audit-log").text
    made.api.delete(f"/tenants/{tenant['id']}")
    text = made.api.get("/audit-log").text
    assert "Zoë Omega" not in text
    (entry,) = [one for one in listed(made, recordId=tenant["id"]) if one["action"] == "create tenant"]
    assert (entry["before"], entry["after"], entry["chain"]["salt"]) == (None, None, None)
