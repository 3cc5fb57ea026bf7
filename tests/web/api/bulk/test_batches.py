"""POST /bulk does many writes, each by itself, and returns the result of each."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

from prorata.actions.accounts import api_keys
from prorata.actions.bulk import batches
from prorata.actions.overview import schedule
from prorata.store.bulk.batches import WriteRow
from prorata.store.database.engine import Tx
from prorata.web.api import OPERATIONS
from prorata.web.api.bulk.batched_writes import Writes, why_not
from prorata.worker.batches import Door, Said, batch_kind, do_one
from prorata.worker.rounds import Worker
from tests.web.addresses import address, assert_refused, kind_of
from tests.web.conftest import HASHER, MAPLE, RECEIVERS, TOOLS, Api, House, new_key
from tests.web.forms import assert_invalid
from tests.web.furnished import Furnished, furnish


@pytest.fixture
def made(house: House) -> Furnished:
    return furnish(house)


def writes_of(house: House) -> Writes:
    return Writes(house.shelf, RECEIVERS, HASHER, None, TOOLS, dict)


def do_all(house: House, perform: Callable[[Tx, str, WriteRow], Said] | None = None) -> None:
    """Perform all writes of a batch, as a worker does."""
    writes = writes_of(house)
    door = Door(perform or writes.perform, writes.refused)
    Worker(house.database, lambda: 0, [batch_kind(lambda: door)]).do_round(threading.Event())


def write(method: str, path: str, body: Any = None) -> dict[str, Any]:
    return {"method": method, "path": path} | ({} if body is None else {"body": body})


def new_units(made: Furnished, number: int) -> list[dict[str, Any]]:
    return [write("POST", f"/properties/{made.property_id}/units", {"label": f"B{at}"}) for at in range(number)]


def send(api: Api, requests: list[dict[str, Any]], **options: Any) -> Any:
    answer = api.post("/bulk", {"requests": requests}, **options)
    assert answer.status_code == 202, answer.text
    return answer.json()


def read(api: Api, bulk: dict[str, Any], **query: Any) -> Any:
    return api.get(f"/bulk/{bulk['id']}", params={"limit": 1000} | query).json()


def labels(made: Furnished) -> set[str]:
    return {one["label"] for one in made.api.get("/units?after=&limit=1000").json()["data"]}


def test_each_write_is_done_by_itself_and_one_that_is_refused_leaves_the_others(house: House, made: Furnished) -> None:
    unit, tenant = made.units["1"], made.tenant_id
    requests = [
        write("PATCH", f"/units/{unit}", {"monthlyRent": 1200.5}),
        write("PATCH", f"/units/{unit}", {"bedrooms": -1, "sqm": 1}),
        write("POST", f"/api/v1/units/{unit}/tenants", {"name": "Bo Chen"}),
        write("PATCH", "/units/unit_" + "0" * 26, {"bedrooms": 1}),
        write("POST", "/nowhere"),
        write("PATCH", "/properties"),
        write("DELETE", f"/sharerules/{made.rule_id}"),
        write("PATCH", f"/tenants/{tenant}?x=1", {"name": "Z"}),
        write("PATCH", f"/tenants/{tenant}", {"name": "Ann Stone"}),
    ]
    bulk = send(made.api, requests)
    assert (bulk["state"], bulk["total"], bulk["done"], bulk["endedAt"]) == ("GOING_ON", 9, 0, None)
    waiting = read(made.api, bulk)
    assert {key: waiting[key] for key in bulk} == bulk
    assert [(one["status"], one["body"], one["error"]) for one in waiting["data"]] == [(None, None, None)] * 9
    house.clock.advance(seconds=5)
    do_all(house)
    done = read(made.api, bulk)
    assert (done["state"], done["done"], done["failed"], done["stoppedBecause"]) == ("DONE", 9, 5, None)
    assert done["endedAt"] > done["createdAt"]
    assert [one["status"] for one in done["data"]] == [200, 400, 201, 404, 404, 405, 204, 404, 200]
    assert [(one["number"], one["method"], one["path"]) for one in done["data"]] == [
        (number, one["method"], one["path"]) for number, one in enumerate(requests, start=1)
    ]
    shown = made.api.get(f"/units/{unit}").json()
    tenants = shown.pop("tenants")
    assert done["data"][0]["body"] == shown
    assert done["data"][2]["body"] in tenants
    assert (done["data"][6]["body"], done["data"][6]["error"]) == (None, None)
    assert done["data"][8]["body"] == made.api.get(f"/tenants/{tenant}").json()
    alone = made.api.patch(f"/units/{unit}", {"bedrooms": -1, "sqm": 1}).json()
    assert done["data"][1]["error"] == alone
    assert done["data"][1]["body"] is None
    assert [one["error"]["code"] for one in done["data"] if one["error"]] == [
        "INVALID_REQUEST", "UNIT_NOT_FOUND", "NOT_FOUND", "METHOD_NOT_ALLOWED", "NOT_FOUND",
    ]  # fmt: skip


def test_one_that_can_t_be_read_is_answered_why_and_leaves_the_others(house: House, made: Furnished) -> None:
    unit = f"/units/{made.units['1']}"
    requests: list[Any] = [
        {"method": "GET", "path": unit},
        {"method": "PATCH", "path": 1, "bodies": {}},
        {"method": "PATCH", "path": unit, "body": "bedrooms"},
        {"path": "/" + "x" * 200},
        "PATCH",
        write("PATCH", unit, {"bedrooms": 4}),
    ]
    bulk = send(made.api, requests)
    assert (bulk["state"], bulk["total"], bulk["done"], bulk["failed"]) == ("GOING_ON", 6, 5, 5)
    do_all(house)
    done = read(made.api, bulk)
    assert (done["state"], done["done"], done["failed"]) == ("DONE", 6, 5)
    assert [(one["status"], one["method"], one["path"]) for one in done["data"]] == [
        (400, None, unit), (400, "PATCH", None), (400, "PATCH", unit), (400, None, None), (400, None, None),
        (200, "PATCH", unit),
    ]  # fmt: skip
    assert [[detail["field"] for detail in one["error"]["details"]] for one in done["data"][:5]] == [
        ["requests[0].method"], ["requests[1].path", "requests[1].bodies"], ["requests[2].body"],
        ["requests[3].path", "requests[3].method"], ["requests[4]"],
    ]  # fmt: skip
    assert made.api.get(unit).json()["bedrooms"] == 4


@pytest.mark.parametrize(("many", "others"), [(60, "There are 57 more problems"), (4, "There is 1 more problem;")])
def test_of_many_problems_of_a_write_the_first_are_kept_with_the_number_of_the_others(
    house: House, made: Furnished, many: int, others: str
) -> None:
    unknown = {f"unknown{at}": 1 for at in range(many)}
    path = f"/units/{made.units['1']}"
    bulk = send(made.api, [write("PATCH", path, unknown), write("PATCH", path) | unknown])
    do_all(house)
    for result, prefix in zip(read(made.api, bulk)["data"], ("", "requests[1]."), strict=True):
        assert result["status"] == 400
        assert [detail["field"] for detail in result["error"]["details"]] == [f"{prefix}unknown{at}" for at in range(3)]
        assert others in result["error"]["error"]


def test_a_bulk_of_nothing_that_can_be_read_is_done_at_once(house: House, made: Furnished) -> None:
    bulk = send(made.api, [{}])
    do_all(house)
    done = read(made.api, bulk)
    assert (done["state"], done["done"], done["failed"]) == ("DONE", 1, 1)


def test_results_come_in_pages(house: House, made: Furnished) -> None:
    bulk = send(made.api, new_units(made, 7))
    do_all(house)
    whole = read(made.api, bulk)["data"]
    assert [one["number"] for one in whole] == [1, 2, 3, 4, 5, 6, 7]
    for page, numbers in ((1, [1, 2, 3]), (2, [4, 5, 6]), (3, [7]), (4, [])):
        said = read(made.api, bulk, limit=3, page=page)
        assert said["data"] == [whole[number - 1] for number in numbers]
        assert said["pagination"] == {"total": 7, "page": page, "limit": 3, "totalPages": 3}
    assert_invalid(made.api.get(f"/bulk/{bulk['id']}?limit=1001"), "limit")


def test_a_thousand_are_taken_and_of_one_more_nothing_is_done(house: House, made: Furnished) -> None:
    change = write("PATCH", f"/units/{made.units['1']}", {"bedrooms": 3})
    assert_invalid(made.api.post("/bulk", {"requests": [change] * 1001}), "requests")
    assert_invalid(made.api.post("/bulk", {"requests": []}), "requests")
    assert_invalid(made.api.post("/bulk", {"requests": change}), "requests")
    do_all(house)
    assert made.api.get(f"/units/{made.units['1']}").json()["bedrooms"] is None
    answer = made.api.post("/bulk", {"requests": [change] * 1000})
    assert (answer.status_code, answer.json()["total"]) == (202, 1000)
    large = write("PATCH", f"/units/{made.units['1']}", {"label": "x" * 1_100_000})
    assert_refused(made.api.post("/bulk", {"requests": [large]}), 413, "PAYLOAD_TOO_LARGE")


def test_it_says_where_it_is_read_and_is_taken_once_under_a_key(house: House, made: Furnished) -> None:
    requests, headers = new_units(made, 2), {"Idempotency-Key": "once"}
    first = made.api.post("/bulk", {"requests": requests}, headers=headers)
    again = made.api.post("/bulk", {"requests": requests}, headers=headers)
    assert first.headers["location"] == f"/api/v1/bulk/{first.json()['id']}"
    assert (again.json(), again.headers["idempotency-replayed"]) == (first.json(), "true")
    do_all(house)
    assert read(made.api, first.json())["failed"] == 0


@pytest.mark.parametrize("at", [0, 1, 3])
def test_a_worker_that_is_killed_between_loses_none_and_does_none_twice(house: House, made: Furnished, at: int) -> None:
    writes, done = writes_of(house), 0
    bulk = send(made.api, new_units(made, 5))

    def dies(tx: Tx, key: str, row: WriteRow) -> Said:
        nonlocal done
        said = writes.perform(tx, key, row)
        done += 1
        if done > at:
            raise SystemExit
        return said

    do_all(house, dies)
    assert read(made.api, bulk)["done"] == at
    assert len(labels(made)) == 3 + at
    house.clock.advance(hours=2)
    do_all(house)
    after = read(made.api, bulk)
    assert (after["state"], after["done"], after["failed"]) == ("DONE", 5, 0)
    assert labels(made) == {"1", "2", "10", "B0", "B1", "B2", "B3", "B4"}


def test_two_workers_at_one_write_do_it_once(house: House, made: Furnished) -> None:
    writes = writes_of(house)
    bulk = send(made.api, [write("POST", "/properties", MAPLE)])
    found = house.database.read(lambda tx: batches.next_write(tx, made.landlord.account_id, bulk["id"]))
    assert found is not None
    row, stale = found
    for _ in range(2):
        do_one(house.database, Door(writes.perform, writes.refused), row, stale)
    assert made.api.get("/properties").json()["pagination"]["total"] == 2
    do_all(house)
    assert made.api.get("/properties").json()["pagination"]["total"] == 2
    assert read(made.api, bulk)["state"] == "DONE"


def test_a_mistake_of_ours_is_the_answer_of_its_write_alone(house: House, made: Furnished) -> None:
    writes = writes_of(house)
    bulk = send(made.api, new_units(made, 3))

    def breaks(tx: Tx, key: str, row: WriteRow) -> Said:
        said = writes.perform(tx, key, row)
        if row.number == 2:
            raise ZeroDivisionError
        return said

    do_all(house, breaks)
    said = read(made.api, bulk)["data"]
    assert [one["status"] for one in said] == [201, 500, 201]
    assert said[1]["error"]["code"] == "INTERNAL_ERROR"
    assert "B1" not in labels(made)


def test_the_key_that_sent_it_must_live_and_may_do_no_more_than_alone(house: House, made: Furnished) -> None:
    key = new_key(house.database, made.landlord.account_id, "FULL")
    bulk = send(Api(house.client, key), new_units(made, 2))
    row = house.database.read(lambda tx: api_keys.find_live(tx, HASHER(key)))
    assert row is not None
    house.database.write(lambda tx: api_keys.revoke(tx, made.landlord.caller, row.id))
    do_all(house)
    said = read(made.api, bulk)["data"]
    assert [one["error"]["code"] for one in said] == ["UNAUTHORIZED", "UNAUTHORIZED"]
    assert_refused(Api(house.client, made.landlord.read).post("/bulk", {"requests": new_units(made, 1)}), 403,
                   "INSUFFICIENT_PERMISSIONS")  # fmt: skip


def test_secrets_previews_and_bulks_are_sent_alone(house: House, made: Furnished) -> None:
    refused = {one.path: why_not(one) for one in OPERATIONS if one.writes and why_not(one)}
    assert {"/webhook-endpoints", "/previews", "/bulk"} <= refused.keys()
    requests = [
        write("POST", "/webhook-endpoints", {"url": "https://example.com/other"}),
        write("POST", "/previews", {"requests": [write("DELETE", f"/units/{made.units['1']}")]}),
        write("POST", "/bulk", {"requests": []}),
    ]
    bulk = send(made.api, requests)
    do_all(house)
    said = read(made.api, bulk)["data"]
    assert [(one["status"], one["error"]["code"]) for one in said] == [(400, "INVALID_REQUEST")] * 3
    assert all("can't be part of a batch" in one["error"]["error"] for one in said)


def test_an_account_has_so_many_under_way(house: House, made: Furnished) -> None:
    for _ in range(20):
        send(made.api, new_units(made, 1))
    assert_refused(made.api.post("/bulk", {"requests": new_units(made, 1)}), 409, "CONFLICT")
    stranger = house.api_of_stranger
    assert stranger.post("/bulk", {"requests": [write("POST", "/properties", MAPLE)]}).status_code == 202
    do_all(house)
    assert made.api.post("/bulk", {"requests": new_units(made, 1)}).status_code == 202


def test_numbers_of_a_body_stay_as_exact_as_they_were_sent(house: House, made: Furnished) -> None:
    unit = made.units["1"]
    text = f'{{"requests": [{{"method": "PATCH", "path": "/units/{unit}", "body": {{"sqft": 850.12345678901234}}}}]}}'
    headers = {"Authorization": f"Bearer {made.landlord.full}", "Content-Type": "application/json"}
    answer = house.client.request("POST", "/api/v1/bulk", content=text, headers=headers)
    assert answer.status_code == 202, answer.text
    do_all(house)
    assert "850.12345678901234" in made.api.get(f"/units/{unit}").text


def test_it_is_nobody_else_s_and_kept_for_a_day(house: House, made: Furnished) -> None:
    bulk = send(made.api, new_units(made, 1))
    do_all(house)
    assert_refused(house.api_of_stranger.get(f"/bulk/{bulk['id']}"), 404, "BULK_NOT_FOUND")
    house.clock.advance(hours=25)
    house.database.write(lambda tx: schedule.tidy(tx, made.landlord.account_id))
    assert_refused(made.api.get(f"/bulk/{bulk['id']}"), 404, "BULK_NOT_FOUND")


@pytest.mark.thorough
def test_whatever_may_be_in_a_bulk_finds_there_what_it_works_with(house: House, made: Furnished) -> None:
    allowed = [one for one in OPERATIONS if one.writes and why_not(one) is None]
    requests = [
        write(one.method, address(one, made.ids[kind_of(one)]), one.example if one.body else None)
        for one in sorted(allowed, key=lambda one: one.method == "DELETE")
    ]
    bulk = send(made.api, requests)
    do_all(house)
    done = read(made.api, bulk)
    assert done["done"] == len(requests) > 80
    assert [(one["method"], one["path"], one["error"]) for one in done["data"] if one["status"] >= 500] == []
    (names,) = [one for one in done["data"] if one["path"].endswith("/charge-names/proposed")]
    assert names["status"] == 200


def test_what_counts_as_several_requests_is_sent_alone() -> None:
    assert {one.path for one in OPERATIONS if one.writes and "several requests" in (why_not(one) or "")} == {
        "/bulk", "/invitations", "/previews",
    }  # fmt: skip


def test_a_key_reads_bulks_of_its_own_and_of_keys_that_may_do_no_more(house: House, made: Furnished) -> None:
    def of(permission: str, *scopes: str) -> Api:
        return Api(house.client, new_key(house.database, made.landlord.account_id, permission, scopes=scopes))

    writer, reader, admin = of("FULL", "properties:write", "tenants:read"), of("READ"), of("ADMIN")
    bulk = send(writer, new_units(made, 1))
    by_admin = send(admin, [write("POST", "/properties", MAPLE)])
    assert read(writer, bulk)["total"] == read(admin, bulk)["total"] == read(of("FULL"), bulk)["total"] == 1
    for api, sent in ((reader, bulk), (writer, by_admin), (of("FULL"), by_admin), (of("FULL", "bills:write"), bulk)):
        assert_refused(api.get(f"/bulk/{sent['id']}"), 404, "BULK_NOT_FOUND")
