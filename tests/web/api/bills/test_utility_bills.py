from datetime import date

import pytest

from prorata.actions.bills import bills, flags as bill_flags
from prorata.actions.bills.flags import Noted
from prorata.domain.bills.bills import NewBill
from prorata.domain.bills.flags import Flag
from tests.web.addresses import assert_refused
from tests.web.conftest import House
from tests.web.forms import assert_invalid, has_prefix, is_timestamp
from tests.web.furnished import Furnished, add_bill, furnish

LISTED = {"id", "propertyId", "issuerName", "utilityType", "totalAmountDue", "billDate", "dueDate", "paymentStatus",
          "createdAt", "billingMonth", "waiting", "held"}  # fmt: skip


@pytest.fixture
def made(house: House) -> Furnished:
    return furnish(house)


def test_a_bill_is_read_with_its_notes_and_property(made: Furnished) -> None:
    bill_id = add_bill(made.house, made.landlord, made.property_id, "2026-03", 320_10, issuer="City of Reno",
                       kinds=("WATER", "SEWER", "OTHER"), due_date=date(2026, 4, 1), payment_status="PENDING",
                       notes="Meter read by us.", bill_number="77")  # fmt: skip
    answer = made.api.get(f"/utility-bills/{bill_id}")
    said = answer.json()
    assert (answer.status_code, set(said)) == (200, LISTED | {"notes", "property"})
    expected = {
        "id": bill_id, "propertyId": made.property_id, "issuerName": "City of Reno",
        "utilityType": ["WATER", "SEWER", "OTHER"], "totalAmountDue": 320.1, "billDate": "2026-03-14",
        "dueDate": "2026-04-01", "paymentStatus": "PENDING", "billingMonth": "2026-03", "waiting": False, "held": False,
        "notes": "Meter read by us.", "property": {"id": made.property_id, "name": "Maple Court"},
    }  # fmt: skip
    assert said | expected == said
    assert has_prefix(said["id"], "bill")
    assert is_timestamp(said["createdAt"])
    assert '"totalAmountDue":320.1,' in answer.text


def test_what_a_bill_does_not_say_is_null(made: Furnished) -> None:
    said = made.api.get(f"/utility-bills/{made.bills[0]}").json()
    assert (said["dueDate"], said["notes"], said["paymentStatus"], said["utilityType"]) == (
        None,
        None,
        "UNPAID",
        ["WATER"],
    )


@pytest.mark.parametrize(
    ("cents", "written"), [(0, "0"), (5, "0.05"), (10_00, "10"), (-12_30, "-12.3"), (999_999_999_999, "9999999999.99")]
)
def test_an_amount_is_a_json_number_to_the_cent(made: Furnished, cents: int, written: str) -> None:
    bill_id = add_bill(made.house, made.landlord, made.property_id, "2026-03", cents)
    assert f'"totalAmountDue":{written},' in made.api.get(f"/utility-bills/{bill_id}").text


def test_bills_are_listed_newest_bill_date_first_then_in_the_order_they_came(made: Furnished) -> None:
    same_day = [add_bill(made.house, made.landlord, made.property_id, "2026-02", amount) for amount in (1, 2)]
    oldest = add_bill(made.house, made.landlord, made.property_id, "2026-02", bill_date=date(2025, 12, 31))
    january, february, march = made.bills
    said = made.api.get("/utility-bills").json()
    assert [bill["id"] for bill in said["data"]] == [march, february, *same_day, january, oldest]
    assert {frozenset(bill) for bill in said["data"]} == {frozenset(LISTED)}
    assert said["pagination"]["total"] == 6


def test_a_late_bill_for_a_closed_month_is_waiting_until_it_opens(made: Furnished) -> None:
    made.set_status("SENT")
    path = f"/utility-bills/{add_bill(made.house, made.landlord, made.property_id, '2026-03', 9_00)}"
    assert made.api.get(path).json()["waiting"] is True
    assert [bill["waiting"] for bill in made.api.get("/utility-bills").json()["data"]].count(True) == 1
    assert made.set_status("DRAFT").json()["totalAmount"] == "33.00"
    assert made.api.get(path).json()["waiting"] is False


def test_a_held_bill_is_listed_as_held_with_the_month_it_is_meant_for_and_is_on_no_invoice(made: Furnished) -> None:
    new = [NewBill(made.property_id, "City", ("WATER",), total, date(2026, 3, 14)) for total in (1_00, 900_00)]
    added = made.house.database.write(lambda tx: bills.add(tx, made.landlord.caller, new, held=[1])).bills
    flag = Flag("dueBeforeBilled", "It is due before the day of the bill itself.")
    made.house.database.write(lambda tx: bill_flags.note(tx, made.landlord.caller, [Noted(added[1], [flag])]))
    listed = {bill["id"]: bill for bill in made.api.get("/utility-bills").json()["data"]}
    said = [(listed[row.id]["held"], listed[row.id]["billingMonth"], listed[row.id]["waiting"]) for row in added]
    assert said == [(False, "2026-03", False), (True, "2026-03", False)]
    assert made.api.get(f"/utility-bills/{added[1].id}").json()["held"] is True
    before = made.invoice("1")["totalAmount"]
    (flagged,) = made.house.database.read(lambda tx: bill_flags.of_bill(tx, made.landlord.caller, added[1].id))
    made.house.database.write(
        lambda tx: bill_flags.accept(tx, made.landlord.caller, added[1].id, 1, "so it says", flagged.mark)
    )
    assert made.api.get(f"/utility-bills/{added[1].id}").json()["held"] is False
    assert made.invoice("1")["totalAmount"] != before


def test_a_bill_s_month_is_that_of_its_service_period(made: Furnished) -> None:
    bill_id = add_bill(made.house, made.landlord, made.property_id, "2026-04", bill_date=date(2026, 4, 1),
                       service_start=date(2026, 3, 1), service_end=date(2026, 3, 31))  # fmt: skip
    assert made.api.get(f"/utility-bills/{bill_id}").json()["billingMonth"] == "2026-03"


def test_bills_can_only_be_read(made: Furnished) -> None:
    for path in ("/utility-bills", f"/utility-bills/{made.bills[0]}"):
        for method in ("POST", "PUT", "PATCH", "DELETE"):
            answer = made.api.request(method, path, {})
            assert_refused(answer, 405, "METHOD_NOT_ALLOWED")
            assert answer.headers["allow"] == "GET, HEAD"


def test_the_list_takes_no_filters(made: Furnished) -> None:
    for name in ("propertyId", "month", "utilityType", "paymentStatus", "status"):
        assert_invalid(made.api.get(f"/utility-bills?{name}=x"), name)


def test_an_unknown_bill_is_404(made: Furnished) -> None:
    assert_refused(made.api.get("/utility-bills/x"), 404, "UTILITY_BILL_NOT_FOUND")
