"""Messages of payment providers are read by the API.

They wait for a decision, which is made by the API.
"""

from tests.web.addresses import assert_refused
from tests.web.conftest import House
from tests.web.furnished import furnish
from tests.web.ready import told


def test_a_message_says_why_and_is_decided_once(house: House) -> None:
    made = furnish(house)
    assert made.api.get("/payment-messages").json() == []
    event_id, reason = told(made)
    (found,) = made.api.get("/payment-messages").json()
    assert (found["id"], found["reason"], found["happened"], found["amount"], found["counts"]) == (
        event_id, reason, "PAID", "30.00", False,
    )  # fmt: skip
    its = made.api.get(f"/payment-messages?invoiceId={made.invoice()['id']}").json()
    assert its == [found]
    assert made.api.get(f"/payment-messages?invoiceId={made.invoice('2')['id']}").json() == []
    assert {one["kind"] for one in made.api.get("/attention").json()} >= {"paymentsToCheck"}
    decision = {"provider": "stripe", "id": event_id, "reason": reason}
    assert_refused(made.api.post("/payment-messages/decide", decision | {"reason": "paid_twice"}), 409, "CONFLICT")
    assert_refused(made.api.post("/payment-messages/decide", decision | {"isSame": True}), 404, "MESSAGE_NOT_FOUND")
    assert made.api.post("/payment-messages/decide", decision).status_code == 200
    assert made.api.get("/payment-messages").json() == []
    assert_refused(made.api.post("/payment-messages/decide", decision), 404, "MESSAGE_NOT_FOUND")


def test_a_stranger_decides_nothing(house: House) -> None:
    made = furnish(house)
    event_id, reason = told(made)
    decision = {"provider": "stripe", "id": event_id, "reason": reason}
    assert_refused(house.api_of_stranger.post("/payment-messages/decide", decision), 404, "MESSAGE_NOT_FOUND")
    assert len(made.api.get("/payment-messages").json()) == 1
