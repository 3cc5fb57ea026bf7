"""A tenant's statement adds up, over all days or over some."""

from decimal import Decimal

import pytest

from tests.web.addresses import assert_refused
from tests.web.conftest import House
from tests.web.forms import assert_invalid
from tests.web.furnished import Furnished, furnish


@pytest.fixture
def made(house: House) -> Furnished:
    """A house with January and February sent, and a payment of $40.00 for January.

    That is $10.00 too much, which is carried to February.
    """
    made = furnish(house)
    for month in ("2026-01", "2026-02"):
        made.set_status("SENT", month=month)
    paid = {"amount": "40.00", "method": "TRANSFER", "date": "2026-03-20"}
    assert made.api.post(f"/invoices/{made.invoice(month='2026-01')['id']}/payments", paid).status_code == 201
    return made


def path(made: Furnished) -> str:
    return f"/tenants/{made.tenant_id}/statement"


def test_it_has_what_was_invoiced_and_what_came_and_sums(made: Furnished) -> None:
    said = made.api.get(path(made)).json()
    assert (said["opening"], said["closing"], said["currency"]) == ("0.00", "20.00", "USD")
    kinds = sorted((one["kind"], one["amount"]) for one in said["entries"])
    assert kinds == [
        ("CARRY", "-10.00"), ("CARRY", "10.00"), ("INVOICE", "30.00"), ("INVOICE", "30.00"), ("PAYMENT", "-40.00"),
    ]  # fmt: skip
    balance = Decimal(said["opening"])
    for one in said["entries"]:
        balance += Decimal(one["amount"])
        assert Decimal(one["balance"]) == balance
    assert balance == Decimal(said["closing"])


def test_some_days_begin_with_what_was_owed_before(made: Furnished) -> None:
    days = [one["date"] for one in made.api.get(path(made)).json()["entries"]]
    later = made.api.get(path(made), params={"from": max(days)}).json()
    assert later["opening"] != "0.00"
    assert later["closing"] == "20.00"
    assert {one["date"] for one in later["entries"]} == {max(days)}
    before = made.api.get(path(made), params={"to": "2025-12-31"}).json()
    assert (before["entries"], before["closing"]) == ([], "0.00")


def test_what_is_marked_as_paid_and_taken_back_leaves_no_trace(made: Furnished) -> None:
    made.set_status("PAID", month="2026-02")
    said = made.api.get(path(made)).json()
    assert [one["amount"] for one in said["entries"] if one["kind"] == "MARKED_PAID"] == ["-20.00"]
    assert said["closing"] == "0.00"
    made.set_status("SENT", month="2026-02")
    assert made.api.get(path(made)).json()["closing"] == "20.00"


def test_days_that_are_none_are_refused(made: Furnished) -> None:
    assert_invalid(made.api.get(path(made), params={"from": "2026-02-30"}), "from")
    assert_invalid(made.api.get(path(made), params={"from": "2026-03-02", "to": "2026-03-01"}), "to")
    unknown = made.api.get("/tenants/tenant_01kkcefq80ekhfeqe3ye3b6zrg/statement")
    assert_refused(unknown, 404, "TENANT_NOT_FOUND")
