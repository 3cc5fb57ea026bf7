"""The API reads messages of payment providers that wait for a decision.

A program can make the decision by the API too.
"""

from tests.web.addresses import assert_refused
from tests.web.conftest import House
from tests.web.furnished import furnish
from tests.web.ready import told


def test_a_message_says_why_and_is_decided_once(house: House) -> None:
    made = furnish(house)
    assert made.api.get("/payment-messages").json()["data"] == []
    event_id, reason = told(made)
    listed = made.api.get("/payment-messages").json()
    (found,) = listed["data"]
    assert listed["pagination"] == {"total": 1, "page": 1, "limit": 20, "totalPages": 1}
    assert made.api.get("/payment-messages?page=2").json()["data"] == []
    assert (found["id"], found["reason"], found["happened"], found["amount"], found["counts"]) == (
        event_id, reason, "PAID", "30.00", False,
    )  # fmt: skip
    its = made.api.get(f"/payment-messages?invoiceId={made.invoice()['id']}").json()
    assert its == listed
    none = made.api.get(f"/payment-messages?invoiceId={made.invoice('2')['id']}").json()
    assert (none["data"], none["pagination"]["total"]) == ([], 0)
    assert {one["kind"] for one in made.api.get("/attention").json()} >= {"paymentsToCheck"}
    decision = {"provider": "stripe", "id": event_id, "reason": reason}
    assert_refused(made.api.post("/payment-messages/decide", decision | {"reason": "paid_twice"}), 409, "CONFLICT")
    assert_refused(made.api.post("/payment-messages/decide", decision | {"isSame": True}), 404, "MESSAGE_NOT_FOUND")
    assert made.api.post("/payment-messages/decide", decision).status_code == 200
    assert made.api.get("/payment-messages").json()["data"] == []
    assert_refused(made.api.post("/payment-messages/decide", decision), 404, "MESSAGE_NOT_FOUND")


def test_a_stranger_decides_nothing(house: House) -> None:
    made = furnish(house)
    event_id, reason = told(made)
    decision = {"provider": "stripe", "id": event_id, "reason": reason}
    assert_refused(house.api_of_stranger.post("/payment-messages/decide", decision), 404, "MESSAGE_NOT_FOUND")
    assert len(made.api.get("/payment-messages").json()["data"]) == 1
