"""Webhook endpoints are managed by the API, which also lists the events sent to them.

A program can add, change and remove endpoints, and give them new secrets.
"""

import re
import threading

import pytest

from prorata.adapters.sealing import AesVault
from prorata.domain.limits import MOST_WEBHOOKS
from prorata.domain.webhooks.events import EVENT_TYPES
from prorata.domain.webhooks.webhooks import Posted
from prorata.store.database import idempotency
from prorata.store.webhooks import webhooks
from prorata.worker.rounds import Worker
from prorata.worker.webhooks import webhook_kinds
from tests.web.addresses import assert_refused
from tests.web.conftest import MAPLE, Api, House

URL = "https://example.com/hook"
_SECRET = re.compile(r"whsec_[A-Za-z0-9+/]{43}=")


def deliver(house: House, status: int = 204) -> None:
    """Run two rounds of the worker, with receivers that all answer with this status.

    A new receiver gets one message at first, and the other messages after it.
    """
    kinds = webhook_kinds(lambda *_: Posted(status, "so it is", 0.1), lambda: AesVault([b"v" * 32]))
    for _ in range(2):
        Worker(house.database, lambda: 0, kinds).do_round(threading.Event())


def test_an_endpoint_shows_its_secret_once_and_what_it_is_told_of(house: House) -> None:
    made = house.api.post("/webhook-endpoints", {"url": URL, "types": ["invoice.paid", "bill.created"]})
    assert made.status_code == 201
    shown = made.json()
    assert _SECRET.fullmatch(shown.pop("secret"))
    assert shown == {
        "id": shown["id"], "url": URL, "description": "", "types": ["bill.created", "invoice.paid"], "state": "on",
        "whyOff": None, "previousSecretUntil": None, "lastDeliveredAt": None, "lastFailure": None,
        "createdAt": shown["createdAt"], "updatedAt": shown["createdAt"],
    }  # fmt: skip
    assert house.api.get("/webhook-endpoints").json() == [shown]
    assert house.api.get(f"/webhook-endpoints/{shown['id']}").json() == shown
    assert house.api_of_stranger.get("/webhook-endpoints").json() == []


def test_only_a_key_that_manages_has_to_do_with_endpoints(house: House) -> None:
    path = f"/webhook-endpoints/{house.api.post('/webhook-endpoints', {'url': URL}).json()['id']}"
    for key in (house.landlord.full, house.landlord.read):
        api = Api(house.client, key)
        refused = [api.get("/webhook-endpoints"), api.get(path), api.get(f"{path}/deliveries")]
        refused += [api.post("/webhook-endpoints", {"url": f"{URL}/2"}), api.post(f"{path}/rotate-secret")]
        for answer in [*refused, api.patch(path, {"url": f"{URL}/3"}), api.post(f"{path}/test"), api.delete(path)]:
            assert_refused(answer, 403, "INSUFFICIENT_PERMISSIONS")
    assert house.api.get(path).json()["url"] == URL


def test_all_types_are_the_same_as_none(house: House) -> None:
    made = house.api.post("/webhook-endpoints", {"url": URL, "types": list(EVENT_TYPES)}).json()
    assert made["types"] is None
    assert house.api.post("/webhook-endpoints", {"url": f"{URL}/2"}).json()["types"] is None
    assert house.api.post("/webhook-endpoints", {"url": f"{URL}/3", "types": None}).json()["types"] is None


def test_an_empty_list_of_types_is_refused_and_null_has_an_endpoint_told_of_all(house: House) -> None:
    made = house.api.post("/webhook-endpoints", {"url": URL, "types": ["invoice.paid"]}).json()
    path = f"/webhook-endpoints/{made['id']}"
    answers = (
        house.api.post("/webhook-endpoints", {"url": f"{URL}/2", "types": []}),
        house.api.patch(path, {"types": []}),
    )
    for answer in answers:
        refused = assert_refused(answer, 400, "INVALID_REQUEST")
        assert [detail["field"] for detail in refused["details"]] == ["types"]
        assert "all of them are meant where it is left out of a new endpoint, or null." in refused["error"]
    assert [one["types"] for one in house.api.get("/webhook-endpoints").json()] == [["invoice.paid"]]
    assert house.api.patch(path, {"description": "Books"}).json()["types"] == ["invoice.paid"]
    changed = house.api.patch(path, {"types": None}).json()
    assert changed["types"] is None
    sent_back = {name: changed[name] for name in ("url", "types", "description", "state")}
    assert house.api.patch(path, sent_back).json() == changed


def test_it_is_changed_paused_and_turned_on_again(house: House) -> None:
    path = f"/webhook-endpoints/{house.api.post('/webhook-endpoints', {'url': URL}).json()['id']}"
    changes = {
        "url": "https://example.com/other",
        "types": ["unit.created"],
        "description": " Books ",
        "state": "paused",
    }
    changed = house.api.patch(path, changes).json()
    assert changed.items() >= (changes | {"description": "Books"}).items()
    assert house.api.patch(path, {}).json() == changed
    assert house.api.patch(path, {"state": "on"}).json()["state"] == "on"
    assert_refused(house.api.patch(path, {"state": "off"}), 400, "INVALID_REQUEST")
    tag = house.api.get(path).headers["etag"]
    assert house.api.patch(path, {"description": "x"}, headers={"If-Match": tag}).status_code == 200
    stale = house.api.patch(path, {"description": "y"}, headers={"If-Match": tag})
    assert_refused(stale, 412, "PRECONDITION_FAILED")
    assert house.api.delete(path).json() == {"message": "The webhook endpoint has been deleted."}
    assert_refused(house.api.get(path), 404, "WEBHOOK_ENDPOINT_NOT_FOUND")


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("http://example.com/", "https://"),
        ("ftp://example.com/", "begins with https://"),
        ("example.com/hook", "begins with https://"),
        ("https://example.com/caf\u00e9", "such as https://example.com/prorata"),
        ("https://127.0.0.1/", "private or reserved"),
        ("https://localhost/", "private or reserved"),
        ("https://2130706433/", "in its usual form"),
        ("https://0x7f.1/", "in its usual form"),
        ("https://[::ffff:169.254.169.254]/", "private or reserved"),
        ("https://inside.example.com/", "private or reserved"),
        ("https://user:secret@example.com/", "without a user name"),
    ],
)
def test_addresses_that_lead_inside_are_refused_wherever_they_are_named(house: House, url: str, said: str) -> None:
    path = f"/webhook-endpoints/{house.api.post('/webhook-endpoints', {'url': URL}).json()['id']}"
    for answer in (house.api.post("/webhook-endpoints", {"url": url}), house.api.patch(path, {"url": url})):
        refused = assert_refused(answer, 400, "INVALID_REQUEST")
        assert [detail["field"] for detail in refused["details"]] == ["url"]
        assert said in refused["error"]
        assert "secret@" not in answer.text
    assert house.api.get(path).json()["url"] == URL


def test_an_address_is_taken_once_and_so_many_at_most(house: House) -> None:
    for number in range(MOST_WEBHOOKS):
        assert house.api.post("/webhook-endpoints", {"url": f"{URL}/{number}"}).status_code == 201
    assert (
        "already" in assert_refused(house.api.post("/webhook-endpoints", {"url": f"{URL}/1"}), 409, "CONFLICT")["error"]
    )
    assert (
        "which is the maximum"
        in assert_refused(house.api.post("/webhook-endpoints", {"url": URL}), 409, "CONFLICT")["error"]
    )


def test_an_address_that_another_endpoint_has_is_not_taken_by_a_change_either(house: House) -> None:
    house.api.post("/webhook-endpoints", {"url": f"{URL}/1"})
    path = f"/webhook-endpoints/{house.api.post('/webhook-endpoints', {'url': f'{URL}/2'}).json()['id']}"
    refused = assert_refused(house.api.patch(path, {"url": f"{URL}/1"}), 409, "CONFLICT")
    assert [detail["field"] for detail in refused["details"]] == ["url"]
    assert house.api.patch(path, {"url": f"{URL}/2", "state": "paused"}).json()["state"] == "paused"
    assert house.api.patch(path, {"url": f"{URL}/3"}).json()["url"] == f"{URL}/3"


def test_a_new_secret_is_shown_once_and_says_how_long_the_one_before_signs(house: House) -> None:
    before = house.api.post("/webhook-endpoints", {"url": URL}).json()
    after = house.api.post(f"/webhook-endpoints/{before['id']}/rotate-secret")
    assert after.status_code == 201
    assert _SECRET.fullmatch(after.json()["secret"])
    assert after.json()["secret"] != before["secret"]
    assert after.json()["previousSecretUntil"][:10] == "2026-04-03"


def test_a_secret_is_sealed_where_it_is_stored_with_the_answer_to_an_idempotency_key(house: House) -> None:
    headers = {"Idempotency-Key": "once"}
    first = house.api.post("/webhook-endpoints", {"url": URL}, headers=headers)
    again = house.api.post("/webhook-endpoints", {"url": URL}, headers=headers)
    assert again.headers["idempotency-replayed"] == "true"
    assert again.content == first.content
    assert len(house.api.get("/webhook-endpoints").json()) == 1
    stored = house.database.read(lambda tx: idempotency.find(tx, house.landlord.account_id, "once"))
    assert stored is not None
    assert "whsec_" not in stored.body
    assert "secret" not in stored.body
    (row,) = house.database.read(lambda tx: webhooks.of_account(tx, house.landlord.account_id))
    assert first.json()["secret"] not in str(row)


def test_the_log_says_what_became_of_each_event_and_sends_one_again(house: House) -> None:
    path = f"/webhook-endpoints/{house.api.post('/webhook-endpoints', {'url': URL}).json()['id']}"
    for number in range(3):
        house.api.post("/properties", MAPLE | {"name": f"House {number}"})
    deliver(house, 503)
    house.clock.advance(minutes=2)
    deliver(house)
    first = house.api.get(f"{path}/deliveries", params={"limit": 2}).json()
    assert [one["sequence"] for one in first["data"]] == [3, 2]
    assert first["hasMore"]
    rest = house.api.get(f"{path}/deliveries", params={"limit": 2, "before": 2}).json()
    assert ([one["sequence"] for one in rest["data"]], rest["hasMore"]) == ([1], False)
    events = {one["sequence"]: one for one in house.api.get("/events").json()["data"]}
    for one in first["data"] + rest["data"]:
        assert (one["state"], one["attempts"], one["status"], one["said"]) == ("delivered", 2, 204, "so it is")
        assert (one["eventId"], one["type"]) == (events[one["sequence"]]["id"], "property.created")
    shown = house.api.get(path).json()
    assert (shown["lastFailure"]["said"], shown["lastDeliveredAt"] > shown["createdAt"]) == ("so it is", True)
    again = house.api.post(f"{path}/deliveries/{rest['data'][0]['id']}/replay")
    assert (again.status_code, again.json()["state"]) == (201, "waiting")
    deliver(house)
    assert house.api.get(f"{path}/deliveries").json()["data"][-1]["state"] == "delivered"
    missing = house.api.post(f"{path}/deliveries/whd_{'0' * 26}/replay")
    assert_refused(missing, 404, "WEBHOOK_DELIVERY_NOT_FOUND")
    theirs = house.api_of_stranger.post("/webhook-endpoints", {"url": URL}).json()["id"]
    other = house.api.post(f"/webhook-endpoints/{theirs}/deliveries/{rest['data'][0]['id']}/replay")
    assert_refused(other, 404, "WEBHOOK_ENDPOINT_NOT_FOUND")


@pytest.mark.parametrize("state", ["paused", "off"])
def test_no_next_try_is_told_while_an_endpoint_is_paused_or_off(house: House, state: str) -> None:
    path = f"/webhook-endpoints/{house.api.post('/webhook-endpoints', {'url': URL}).json()['id']}"
    house.api.post("/properties", MAPLE)
    deliver(house, 410 if state == "off" else 503)
    if state == "paused":
        (tried,) = house.api.get(f"{path}/deliveries").json()["data"]
        assert tried["nextAttemptAt"] > tried["lastAttemptAt"]
        house.api.patch(path, {"state": "paused"})
    house.clock.advance(minutes=9)
    assert house.api.get(path).json()["state"] == state
    (waits,) = house.api.get(f"{path}/deliveries").json()["data"]
    assert (waits["state"], waits["attempts"], waits["nextAttemptAt"]) == ("waiting", 1, None)
    house.api.patch(path, {"state": "on"})
    assert house.api.get(f"{path}/deliveries").json()["data"][0]["nextAttemptAt"] is not None
    deliver(house)
    (taken,) = house.api.get(f"{path}/deliveries").json()["data"]
    assert (taken["state"], taken["attempts"], taken["nextAttemptAt"]) == ("delivered", 2, None)
