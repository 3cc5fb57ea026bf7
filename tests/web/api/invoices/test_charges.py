"""Custom charges can be added by the API to drafts only.

They are previewed like every change of invoices.
"""

import pytest

from tests.web.addresses import assert_refused
from tests.web.conftest import House
from tests.web.forms import assert_invalid
from tests.web.furnished import Furnished, furnish

KEY = {"description": "Key replaced", "amount": "25.00"}


@pytest.fixture
def made(house: House) -> Furnished:
    return furnish(house)


def path_of(made: Furnished) -> str:
    return f"/invoices/{made.invoice()['id']}/charges"


def total(made: Furnished) -> str:
    return str(made.invoice()["totalAmount"])


def test_a_charge_and_a_credit_stand_on_the_draft_and_are_taken_off(made: Furnished) -> None:
    answer = made.api.post(path_of(made), KEY)
    assert answer.status_code == 201
    charge = answer.json()
    assert (charge["description"], charge["amount"], charge["billId"]) == ("Key replaced", "25.00", None)
    credit = made.api.post(path_of(made), {"description": "Late repair", "amount": "-5.5"}).json()
    assert (credit["amount"], total(made)) == ("-5.50", "49.50")
    assert made.invoice(details="true")["customCharges"] == [charge, credit]
    made.api.patch(f"/sharerules/{made.rule_id}", {"splitMethod": "OCCUPANTS"})
    assert made.invoice(details="true")["customCharges"] == [charge, credit]
    for one in (charge, credit):
        assert made.api.delete(f"{path_of(made)}/{one['id']}").status_code == 200
    assert made.invoice(details="true")["customCharges"] == []
    assert_refused(made.api.delete(f"{path_of(made)}/{charge['id']}"), 404, "CUSTOM_CHARGE_NOT_FOUND")


def test_a_charge_of_a_bill_is_none_of_ones_own(made: Furnished) -> None:
    (charge,) = made.invoice(details="true")["charges"]
    assert_refused(made.api.delete(f"{path_of(made)}/{charge['id']}"), 404, "CUSTOM_CHARGE_NOT_FOUND")
    assert total(made) == "30.00"


def test_what_was_sent_takes_no_charge(made: Furnished) -> None:
    charge = made.api.post(path_of(made), KEY).json()
    made.set_status("SENT")
    assert_refused(made.api.post(path_of(made), KEY), 409, "CONFLICT")
    assert_refused(made.api.delete(f"{path_of(made)}/{charge['id']}"), 409, "CONFLICT")
    assert total(made) == "55.00"


@pytest.mark.parametrize("amount", ["", "1.234", "one", "1,00", 5])
def test_an_amount_that_is_none_is_refused(made: Furnished, amount: object) -> None:
    assert_invalid(made.api.post(path_of(made), KEY | {"amount": amount}), "amount")


def test_a_charge_is_removed_only_from_the_invoice_that_was_read(made: Furnished) -> None:
    charge = made.api.post(path_of(made), KEY).json()
    tag = made.api.get(f"/invoices/{made.invoice()['id']}").headers["etag"]
    made.api.post(path_of(made), KEY)
    refused = made.api.delete(f"{path_of(made)}/{charge['id']}", headers={"If-Match": tag})
    assert_refused(refused, 412, "PRECONDITION_FAILED")
    assert total(made) == "80.00"


def test_a_charge_is_previewed(made: Furnished) -> None:
    sent = {"requests": [{"method": "POST", "path": path_of(made), "body": KEY}]}
    assert made.api.post("/previews", sent).status_code == 200
    assert total(made) == "30.00"
