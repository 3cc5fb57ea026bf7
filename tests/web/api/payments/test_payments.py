"""Tests of an invoice's ledger in the API.

The API lists entries and adds new ones, which the invoice then reflects.
"""

from typing import Any

import pytest

from prorata.actions.online_payments import providers as payment_providers
from prorata.domain.online_payments.providers import PROVIDERS
from tests.stripe_server import KEY, Stripe
from tests.web.conftest import Api, House
from tests.web.furnished import Furnished, furnish
from tests.web.http.test_errors import assert_refused
from tests.worker.trade import VAULT


@pytest.fixture
def made(house: House) -> Furnished:
    return furnish(house)


def pay(made: Furnished, amount: str = "30.00", **more: Any) -> Any:
    return made.api.post(f"/invoices/{made.invoice()['id']}/payments", {"amount": amount, "method": "TRANSFER", **more})


def test_a_payment_is_entered_listed_and_followed_by_the_invoice(made: Furnished) -> None:
    made.set_status("SENT")
    answer = pay(made, "12.5", date="2026-01-05", reference="SEPA 7", note="the first half")
    assert answer.status_code == 201
    entry = answer.json()
    assert entry | {"id": "", "createdAt": ""} == {
        "id": "", "invoiceId": made.invoice()["id"], "kind": "PAYMENT", "amount": "12.50", "date": "2026-01-05",
        "method": "TRANSFER", "provider": None, "reference": "SEPA 7", "note": "the first half", "reverses": None,
        "isReversed": False, "createdAt": "",
    }  # fmt: skip
    assert (made.invoice()["status"], made.invoice()["paidAmount"]) == ("SENT", "12.50")
    pay(made, "17.50", date="2026-01-06")
    paid = made.invoice()
    assert (paid["status"], paid["paidAmount"], paid["paymentStatus"]) == ("PAID", "30.00", "paid")
    assert paid["paidAt"].startswith("2026-01-06T")
    pay(made, "0.01", kind="REFUND")
    assert made.invoice()["status"] in {"SENT", "OVERDUE"}
    listed = made.api.get(f"/invoices/{paid['id']}/payments").json()
    assert [(one["kind"], one["amount"]) for one in listed] == [
        ("PAYMENT", "12.50"), ("PAYMENT", "17.50"), ("REFUND", "0.01"),
    ]  # fmt: skip
    assert listed[0] == entry


def test_a_receipt_goes_out_where_it_is_asked_for(made: Furnished) -> None:
    made.set_status("SENT")
    path = f"/invoices/{made.invoice()['id']}/messages"

    def kinds() -> list[str]:
        return [one["kind"] for one in made.api.get(path).json()]

    pay(made, "5.00")
    assert kinds() == ["invoice"]
    pay(made, "5.00", receipt=True)
    assert sorted(kinds()) == ["invoice", "receipt"]
    pay(made, "1.00", kind="REFUND", receipt=True)
    assert sorted(kinds()) == ["invoice", "receipt"]
    sent = {"verb": "MARK_PAID", "invoiceIds": [made.invoice()["id"]], "receipts": True}
    assert made.api.post("/invoice-changes", sent).json()["verb"] == "MARK_PAID"
    assert sorted(kinds()) == ["invoice", "receipt", "receipt"]


@pytest.mark.parametrize(("said", "paid"), [({"inPlaceOfNoted": True}, "30.00"), ({}, "60.00")])
def test_a_program_that_marks_an_invoice_as_paid_says_that_the_money_it_then_records_is_that(
    made: Furnished, said: dict[str, Any], paid: str
) -> None:
    made.set_status("SENT")
    made.set_status("PAID")
    assert pay(made, date="2026-01-06", **said).status_code == 201
    assert (made.invoice()["status"], made.invoice()["paidAmount"]) == ("PAID", paid)


def test_a_payment_with_an_idempotency_key_is_entered_once(made: Furnished) -> None:
    path, body = f"/invoices/{made.invoice()['id']}/payments", {"amount": "10.00", "method": "CASH"}
    answers = [made.api.post(path, body, headers={"Idempotency-Key": "rent-march"}) for _ in range(2)]
    assert [one.status_code for one in answers] == [201, 201]
    assert answers[0].json() == answers[1].json()
    assert made.invoice()["paidAmount"] == "10.00"


@pytest.mark.parametrize(
    ("sent", "fields"),
    [
        ({"amount": "0.00", "method": "CASH"}, {"amount"}),
        ({"amount": "1.234", "method": "SHELLS"}, {"amount", "method"}),
        ({"amount": 12.5, "method": "CASH"}, {"amount"}),
        ({"method": "CASH"}, {"amount"}),
        ({"amount": "1.00", "method": "CASH", "date": "2999-01-01"}, {"date"}),
        ({"amount": "1.00", "method": "CASH", "kind": "REFUND"}, {"amount"}),
        ({"amount": "1.00", "method": "CASH", "kind": "REFUND", "inPlaceOfNoted": True}, {"inPlaceOfNoted"}),
        ({"amount": "1.00", "method": "CASH", "kind": "REVERSAL"}, {"kind"}),
        ({"amount": "1.00", "method": "CASH", "note": "x" * 501}, {"note"}),
    ],
)
def test_what_is_wrong_is_said_by_its_field(made: Furnished, sent: dict[str, Any], fields: set[str]) -> None:
    answer = made.api.post(f"/invoices/{made.invoice()['id']}/payments", sent)
    body = assert_refused(answer, 400, "INVALID_REQUEST")
    assert {detail["field"] for detail in body["details"]} == fields


def test_only_a_key_that_may_change_things_enters_a_payment(made: Furnished, house: House) -> None:
    path = f"/invoices/{made.invoice()['id']}/payments"
    reads = Api(house.client, house.landlord.read)
    assert_refused(reads.post(path, {"amount": "1.00", "method": "CASH"}), 403, "INSUFFICIENT_PERMISSIONS")
    assert reads.get(path).json() == []


def test_a_link_is_read_and_where_there_is_none_why(made: Furnished, stripe: Stripe) -> None:
    path = f"/invoices/{made.invoice('1')['id']}/payment-link"
    assert made.api.get(path).json() == {"url": None, "whyNone": None}
    made.house.database.write(
        lambda tx: payment_providers.use(tx, made.landlord.caller, PROVIDERS[0], KEY, "whsec_1", VAULT)
    )
    made.set_status("SENT")
    assert made.api.get(path).json() == {
        "url": None,
        "whyNone": "The payment link is being created. Reload the page in a moment.",
    }
    stripe.answers = [(400, {"error": {"message": "Received unknown parameter: line_items[0][price_data]"}})]
    stripe.serve(made.house.database)
    assert (
        made.api.get(path)
        .json()["whyNone"]
        .endswith("Stripe refused the request: Received unknown parameter: line_items[0][price_data]")
    )
    made.set_status("DRAFT")
    made.set_status("SENT")
    stripe.serve(made.house.database)
    assert made.api.get(path).json() == {"url": "https://buy.stripe.com/test_plink_1", "whyNone": None}
    assert_refused(made.house.api_of_stranger.get(path), 404, "INVOICE_NOT_FOUND")


def test_a_payment_is_taken_back_once_and_the_status_follows(house: House) -> None:
    made = furnish(house)
    made.set_status("SENT")
    path = f"/invoices/{made.invoice()['id']}/payments"
    paid = made.api.post(path, {"amount": "30.00", "method": "CASH"}).json()
    assert made.invoice()["status"] == "PAID"
    answer = made.api.post(f"{path}/{paid['id']}/reverse")
    assert answer.status_code == 201
    assert (answer.json()["kind"], answer.json()["reverses"], answer.json()["amount"]) == (
        "REVERSAL",
        paid["id"],
        "30.00",
    )
    assert (made.invoice()["status"], made.invoice()["paidAmount"]) == ("SENT", "0.00")
    assert [one["isReversed"] for one in made.api.get(path).json()] == [True, False]
    assert_refused(made.api.post(f"{path}/{paid['id']}/reverse"), 409, "CONFLICT")
    assert_refused(made.api.post(f"{path}/{answer.json()['id']}/reverse"), 409, "CONFLICT")
    other = f"/invoices/{made.invoice('2')['id']}/payments/{paid['id']}/reverse"
    assert_refused(made.api.post(other), 404, "PAYMENT_NOT_FOUND")
