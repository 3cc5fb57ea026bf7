"""Tests of e-mails about invoices, as a client of the API sees them."""

import pytest

from tests.web.addresses import assert_refused
from tests.web.conftest import Api, House
from tests.web.furnished import Furnished, furnish


@pytest.fixture
def made(house: House) -> Furnished:
    return furnish(house)


def messages(made: Furnished, label: str = "1") -> list[dict[str, object]]:
    answer = made.api.get(f"/invoices/{made.invoice(label)['id']}/messages")
    assert answer.status_code == 200
    found: list[dict[str, object]] = answer.json()
    return found


def test_an_invoice_that_is_sent_shows_its_message(made: Furnished) -> None:
    invoice_id = made.invoice("1")["id"]
    assert messages(made) == []
    answer = made.api.patch(f"/invoices/{invoice_id}", {"status": "SENT"})
    assert (answer.json()["delivery"], answer.json()["emailStatus"]) == ("queued", None)

    (message,) = messages(made)
    assert {name: message[name] for name in ("kind", "state", "to", "said", "sentAt")} == {
        "kind": "invoice",
        "state": "queued",
        "to": "ann@example.com",
        "said": None,
        "sentAt": None,
    }
    made.api.patch(f"/invoices/{invoice_id}", {"status": "DRAFT"})
    assert [one["state"] for one in messages(made)] == ["withdrawn"]


def test_what_waits_or_was_never_sent_is_not_sent_again(made: Furnished) -> None:
    invoice_id = made.invoice("1")["id"]
    path = f"/invoices/{invoice_id}/send-again"
    assert "Send it first" in assert_refused(made.api.post(path), 409, "CONFLICT")["error"]
    made.api.patch(f"/invoices/{invoice_id}", {"status": "SENT"})
    assert "is already waiting to be e-mailed" in assert_refused(made.api.post(path), 409, "CONFLICT")["error"]
    assert_refused(Api(made.house.client, made.landlord.read).post(path), 403, "INSUFFICIENT_PERMISSIONS")


def test_an_invoice_that_went_to_nobody_can_be_sent_once_there_is_an_address(made: Furnished) -> None:
    unit = made.units["2"]
    tenant = made.api.post(f"/units/{unit}/tenants", {"name": "Ann"}).json()
    invoice_id = made.invoice("2")["id"]
    sent = made.api.patch(f"/invoices/{invoice_id}", {"status": "SENT"}).json()
    assert sent["delivery"] == "handOver"
    refused = assert_refused(made.api.post(f"/invoices/{invoice_id}/send-again"), 409, "CONFLICT")
    assert "no e-mail address" in refused["error"]

    made.api.patch(f"/tenants/{tenant['id']}", {"email": "ann@example.org"})
    answer = made.api.post(f"/invoices/{invoice_id}/send-again")
    assert (answer.status_code, answer.json()["delivery"], answer.json()["tenantEmail"]) == (
        201,
        "queued",
        "ann@example.org",
    )
    assert [(one["kind"], one["to"]) for one in messages(made, "2")] == [("invoice", "ann@example.org")]
