"""A POST repeated with the same Idempotency-Key gets the same answer, and is done once."""

import asyncio
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from prorata.errors import Conflict, Forbidden, PayloadTooLarge, Unavailable
from prorata.store.database.engine import Tx
from prorata.web.api import OPERATIONS
from prorata.web.http.errors import error_headers
from prorata.web.http.idempotency import Answer, Hashes, InFlight, answer_once, hashes_of
from prorata.web.http.operations import FORM, Operation
from tests.web.addresses import assert_refused, named
from tests.web.conftest import MAPLE, Api, House, build_house, new_key
from tests.web.furnished import furnish, new_unit
from tests.web.knocking import knock
from tests.web.ready import ready

POSTS = [operation for operation in OPERATIONS if operation.takes_key]


def post(api: Api, body: Any = MAPLE, key: str = "a key", path: str = "/properties") -> httpx.Response:
    return api.post(path, body, headers={"Idempotency-Key": key})


def replayed(answer: httpx.Response) -> bool:
    assert answer.headers.get("idempotency-replayed") in (None, "true")
    return "idempotency-replayed" in answer.headers


def count(api: Api) -> int:
    return api.get("/properties").json()["pagination"]["total"]


@pytest.fixture
def quick_house(migrated_sqlite_url: str) -> Iterator[House]:
    """A house on SQLite only, for the test that runs for every operation.

    The other tests of this file run on both databases.
    """
    built = build_house(migrated_sqlite_url)
    with built.live():
        yield built


@pytest.mark.parametrize("operation", POSTS, ids=named)
def test_a_repeated_post_answers_the_same_bytes_and_is_done_once(quick_house: House, operation: Operation) -> None:
    house = quick_house
    path, body = ready(furnish(house), operation)
    headers = {"Idempotency-Key": "a key"}
    sent = {"files": body} if operation.takes == FORM else {"body": body}
    first, again = (house.api.post(path, headers=headers, **sent) for _ in range(2))
    assert (first.status_code, again.status_code) == (operation.status, operation.status)
    assert first.content == again.content
    assert (replayed(first), replayed(again)) == (False, True)
    assert again.headers["content-type"] == "application/json"


def test_a_stored_answer_outlives_the_record(api: Api) -> None:
    first = post(api)
    api.delete(f"/properties/{first.json()['id']}")
    assert post(api).content == first.content
    assert count(api) == 0


def test_another_body_or_path_under_a_key_is_409_and_changes_nothing(api: Api) -> None:
    property_id = post(api).json()["id"]
    assert_refused(post(api, MAPLE | {"name": "Elm House"}), 409, "CONFLICT")
    assert_refused(post(api, {"label": "1"}, path=f"/properties/{property_id}/units"), 409, "CONFLICT")
    assert count(api) == 1
    assert post(api, path="/v1/properties").json()["id"] == property_id
    assert api.get(f"/properties/{property_id}/units").json()["data"] == []


def test_a_body_that_says_the_same_otherwise_is_the_same(api: Api) -> None:
    first = post(api)
    turned = json.dumps(dict(reversed(MAPLE.items())), indent=2)
    headers = {"Idempotency-Key": "a key", "Content-Type": "application/json"}
    again = api.request("POST", "/properties", headers=headers, content=turned)
    assert (again.content, replayed(again)) == (first.content, True)
    assert count(api) == 1


def test_numbers_are_the_same_by_their_value_and_no_body_is_an_empty_one(house: House) -> None:
    made = furnish(house)
    path = f"/properties/{made.property_id}/units"
    headers = {"Idempotency-Key": "a key", "Content-Type": "application/json"}
    first, *others = (
        house.api.request("POST", path, headers=headers, content=f'{{"label": "850", "sqft": {number}}}')
        for number in ("850", "850.0", "8.50e2", "850.1", '"850"')
    )
    assert first.status_code == 201
    assert [(other.status_code, replayed(other)) for other in others] == [
        (201, True), (201, True), (409, False), (400, False)
    ]  # fmt: skip
    invoice_id = made.invoice("1", "2026-01")["id"]
    bare, whole = (
        house.api.request(
            "POST", f"/invoices/{invoice_id}/tenant-link/renew", headers=headers | {"Idempotency-Key": "b"}, **sent
        )
        for sent in ({}, {"content": "{}"})
    )
    assert (bare.status_code, whole.status_code, replayed(whole)) == (200, 200, True)


def test_an_answer_stored_by_the_bytes_of_its_body_is_found_yet(house: House) -> None:
    hashes = hashes_of("POST", "/x", b'{"b": 1, "a": 2}')
    before = Hashes(hashes.sent, hashes.sent)
    account_id = house.landlord.account_id
    for one in (before, hashes):
        answer = house.database.write(
            lambda tx, one=one: answer_once(tx, account_id, "old", one, lambda: Answer(201, b"{}"))
        )
    assert answer.replayed


def test_without_a_key_a_repeated_post_is_done_again(api: Api) -> None:
    assert api.post("/properties", MAPLE).json()["id"] != api.post("/properties", MAPLE).json()["id"]


def test_a_key_is_free_again_after_24_hours(house: House) -> None:
    first = post(house.api).json()["id"]
    house.clock.advance(hours=23, minutes=59)
    assert post(house.api).json()["id"] == first
    house.clock.advance(minutes=2)
    second = post(house.api, MAPLE | {"name": "Elm House"})
    assert (second.status_code, replayed(second)) == (201, False)
    assert post(house.api, MAPLE | {"name": "Elm House"}).json() == second.json()


def test_a_refusal_of_the_work_is_stored_and_what_it_had_written_is_undone(house: House) -> None:
    made = furnish(house)
    units = f"/properties/{made.property_id}/units"
    first = post(house.api, {"label": "1"}, path=units)
    assert_refused(first, 409, "CONFLICT")
    house.api.patch(f"/units/{made.units['1']}", {"label": "Attic"})
    again = post(house.api, {"label": "1"}, path=units)
    assert (again.status_code, again.content, replayed(again)) == (409, first.content, True)
    missing = post(house.api, {"label": "1"}, key="another", path="/properties/x/units")
    assert_refused(missing, 404, "PROPERTY_NOT_FOUND")
    assert replayed(post(house.api, {"label": "1"}, key="another", path="/properties/x/units"))
    assert house.api.get(units).json()["pagination"]["total"] == 3


def test_a_body_that_is_not_valid_leaves_the_key_free(api: Api) -> None:
    assert_refused(post(api, {"name": "x"}), 400, "INVALID_REQUEST")
    assert post(api).status_code == 201


def test_weights_that_are_not_valid_leave_the_key_free_too(house: House) -> None:
    made = furnish(house)
    path, body = f"/properties/{made.property_id}/sharerules", {"utilityType": "GAS", "splitMethod": "CUSTOM"}
    assert_refused(post(house.api, body | {"customWeightsJson": '{"99": 1}'}, path=path), 400, "INVALID_REQUEST")
    assert post(house.api, body | {"customWeightsJson": '{"1": 1}'}, path=path).status_code == 201


@pytest.mark.parametrize(
    "failure", [Unavailable("Gone."), RuntimeError("a mistake of ours"), Forbidden("No."), PayloadTooLarge("No.")]
)
def test_what_may_succeed_later_is_not_stored(house: House, failure: Exception) -> None:
    account_id = house.landlord.account_id

    def fail() -> Answer:
        raise failure

    def once(work: Any) -> Answer:
        return house.database.write(lambda tx: answer_once(tx, account_id, "a key", Hashes("hash", "sent"), work))

    with pytest.raises(type(failure)):
        once(fail)
    assert once(lambda: Answer(201, b"{}")) == Answer(201, b"{}", replayed=False)
    assert once(fail) == Answer(201, b"{}", replayed=True)


def test_work_that_is_refused_is_undone_but_its_answer_kept(house: House) -> None:
    made = furnish(house)
    account_id = house.landlord.account_id

    def write_then_refuse(tx: Tx) -> Answer:
        from prorata.actions.properties import properties

        properties.change(tx, house.landlord.caller, made.property_id, {"name": "Changed"})
        raise Conflict("No.")

    answer = house.database.write(
        lambda tx: answer_once(tx, account_id, "key", Hashes("hash", "sent"), lambda: write_then_refuse(tx))
    )
    assert answer.status == 409
    assert house.api.get(f"/properties/{made.property_id}").json()["name"] == "Maple Court"


def test_a_key_that_may_only_read_is_not_shown_a_stored_answer(house: House) -> None:
    post(house.api)
    assert_refused(post(Api(house.client, house.landlord.read)), 403, "INSUFFICIENT_PERMISSIONS")


def test_a_key_belongs_to_its_account(house: House) -> None:
    mine, theirs = post(house.api), post(house.api_of_stranger, MAPLE | {"name": "Elm House"})
    assert (mine.status_code, theirs.status_code) == (201, 201)
    assert not replayed(theirs)
    other_key = Api(house.client, new_key(house.database, house.landlord.account_id, "FULL"))
    assert post(other_key).content == mine.content


def test_eight_clients_at_once_with_one_key_make_one_record(house: House) -> None:
    with ThreadPoolExecutor(8) as clients:
        answers = list(clients.map(lambda _: post(house.api), range(8)))
    assert {(answer.status_code, answer.content) for answer in answers} == {(201, answers[0].content)}
    assert sorted(map(replayed, answers)) == [False] + [True] * 7
    assert count(house.api) == 1


def test_a_repeat_waits_for_the_first_and_gives_up_after_a_while() -> None:
    async def both() -> None:
        waiting = InFlight(patience=0.05)
        async with waiting.alone("acct", "key"):
            async with waiting.alone("acct", "another key"), waiting.alone("other acct", "key"):
                pass
            with pytest.raises(Conflict, match="still in progress") as refused:
                await asyncio.create_task(enter(waiting))
            assert error_headers(refused.value) == [(b"retry-after", b"2")]
        await enter(waiting)

    async def enter(waiting: InFlight) -> None:
        async with waiting.alone("acct", "key"):
            pass

    asyncio.run(both())


@pytest.mark.parametrize("key", ["x", "x" * 255, "7c4f-11 ~!", '"8e03978e-40d5-43e8-bc93-6894a57f9324"'])
def test_a_key_has_up_to_255_printable_characters(api: Api, key: str) -> None:
    assert post(api, key=key).content == post(api, key=key).content


@pytest.mark.parametrize("key", ["", "x" * 256, "a\tb", "a\x7f"])
def test_any_other_key_is_400(api: Api, key: str) -> None:
    answer = post(api, key=key)
    assert_refused(answer, 400, "INVALID_REQUEST")
    assert count(api) == 0


def test_a_key_of_other_letters_is_400(house: House) -> None:
    headers = {"Authorization": f"Bearer {house.landlord.full}", "Idempotency-Key": "k\xe9y",
               "Content-Type": "application/json"}  # fmt: skip
    answer = knock(house.app, "POST", "/api/v1/properties", headers=headers, pieces=[json.dumps(MAPLE).encode()])
    assert_refused(answer, 400, "INVALID_REQUEST")


def test_other_methods_take_no_notice_of_a_key(api: Api) -> None:
    property_id = api.post("/properties", MAPLE).json()["id"]
    unit = new_unit(api, property_id, "1")
    for label in ("2", "3"):
        answer = api.patch(f"/units/{unit['id']}", {"label": label}, headers={"Idempotency-Key": "a key"})
        assert answer.json()["label"] == label
        assert not replayed(answer)
