"""Tests of bills by the API: adding, reading, changing, correcting, removing, and accepting flags."""

from typing import Any

import httpx
import pytest

from prorata.actions.accounts import accounts
from prorata.actions.accounts.accounts import Wishes
from prorata.web.api.examples import BILL_SENT
from tests.web.addresses import assert_refused
from tests.web.conftest import House
from tests.web.forms import assert_invalid
from tests.web.furnished import LABELS, WATER_SENT, Furnished, furnish


@pytest.fixture
def made(house: House) -> Furnished:
    return furnish(house)


def add(made: Furnished, **body: Any) -> httpx.Response:
    return made.api.post(f"/properties/{made.property_id}/bills", WATER_SENT | body)


def charges(made: Furnished, month: str) -> list[str]:
    return [one["totalAmount"] for one in made.invoices(month=month)]


def test_a_bill_is_added_with_its_lines_and_charges_every_unit(made: Furnished) -> None:
    added = add(made, **BILL_SENT)
    assert added.status_code == 201, added.text
    one = added.json()
    assert added.headers["location"] == f"/api/v1/bills/{one['id']}"
    assert made.api.get(f"/bills/{one['id']}").json() == one
    for name in ("issuerName", "totalAmountDue", "billDate", "servicePeriodStart", "servicePeriodEnd", "accountNumber"):
        assert one[name] == BILL_SENT[name]
    assert [(line["utilityType"], line["notBilled"], line["amount"], line["month"]) for line in one["lines"]] == [
        ("WATER", None, "200.10", "2026-02"), ("SEWER", None, "110.00", "2026-02"),
        (None, "LATE_FEE", "10.00", "2026-02"),
    ]  # fmt: skip
    assert one["lines"][0]["usage"] == {"used": "41.5", "unit": "m³", "price": "2.4"}
    assert made.api.get(f"/utility-bills/{one['id']}").json()["totalAmountDue"] == 320.1


def test_a_bill_is_changed_before_it_is_sent_and_corrected_after(made: Furnished) -> None:
    bill = add(made).json()["id"]
    assert charges(made, "2026-04") == ["20.00"] * 3
    changed = made.api.patch(f"/bills/{bill}", {"totalAmountDue": "90.00", "notes": "Read twice.", "dueDate": None})
    assert (changed.json()["totalAmountDue"], changed.json()["notes"]) == ("90.00", "Read twice.")
    assert charges(made, "2026-04") == ["30.00"] * 3
    for label in LABELS:
        made.set_status("SENT", label, "2026-04")
    for refused in (
        made.api.patch(f"/bills/{bill}", {"totalAmountDue": "60.00"}), made.api.delete(f"/bills/{bill}"),
    ):  # fmt: skip
        assert_refused(refused, 409, "CONFLICT")
    noted = made.api.patch(f"/bills/{bill}", {"paymentStatus": "PAID"})
    assert noted.json()["paymentStatus"] == "PAID"
    right = {"totalAmountDue": "60.00", "lines": [{"utilityType": "WATER", "amount": "60.00"}]}
    corrected = made.api.post(f"/bills/{bill}/correct", right).json()
    assert (corrected["corrected"], corrected["lines"][0]["amount"]) == (True, "60.00")
    shown = made.api.get(f"/properties/{made.property_id}/corrections").json()["data"]
    assert {one["difference"] for one in shown} == {"-10.00"}
    made.api.post(
        f"/bills/{bill}/correct", {"totalAmountDue": "0.00", "lines": [{"utilityType": "WATER", "amount": "0"}]}
    )
    assert made.api.get(f"/bills/{bill}").json()["totalAmountDue"] == "0.00"


def test_a_correction_says_what_was_used_too(made: Furnished) -> None:
    used = {"used": "41.5", "unit": "m3", "price": "2.4"}
    bill = add(made, lines=[{"utilityType": "WATER", "usage": used}]).json()["id"]
    for label in LABELS:
        made.set_status("SENT", label, "2026-04")

    def corrected(amount: str, **line: Any) -> Any:
        lines = [{"utilityType": "WATER", "amount": amount} | line]
        answer = made.api.post(f"/bills/{bill}/correct", {"totalAmountDue": amount, "lines": lines})
        return answer.json()["lines"][0]["usage"] if answer.status_code == 200 else answer

    assert corrected("60.00", usage=used | {"used": "40.5"}) == {"used": "40.5", "unit": "m³", "price": "2.4"}
    assert corrected("45.00") == {"used": "40.5", "unit": "m³", "price": None}, "its price is not known any more"
    assert corrected("60.00", usage={"used": "41", "unit": "m³", "price": "2"})["price"] == "2"
    assert_invalid(corrected("60.00", usage={"used": "41", "unit": "12;x"}), "usage")
    fee = [{"utilityType": "WATER", "amount": "50.00"}, {"notBilled": "LATE_FEE", "amount": "10.00", "usage": used}]
    assert_invalid(made.api.post(f"/bills/{bill}/correct", {"totalAmountDue": "60.00", "lines": fee}), "usage")


def test_a_correction_leaves_out_no_amount(made: Furnished) -> None:
    bill = add(made, lines=[{"utilityType": "WATER", "amount": "60.00"}]).json()["id"]
    for label in LABELS:
        made.set_status("SENT", label, "2026-04")
    twice = [{"utilityType": "WATER", "amount": "60.00"}, {"utilityType": "WATER", "amount": "30.00"}]

    for lines, total in ((twice, "30.00"), (twice, "90.00"), (twice[:1], "50.00")):
        assert_invalid(made.api.post(f"/bills/{bill}/correct", {"totalAmountDue": total, "lines": lines}), "lines")
    nothing = {"totalAmountDue": "90.00", "lines": [{"amount": "1.00"}, *twice, {"notBilled": "LATE_FEE"}]}
    assert_invalid(made.api.post(f"/bills/{bill}/correct", nothing), "lines[0]", "lines", "lines[3].amount")
    assert_invalid(add(made, lines=twice, dueDate="1900-01-01"), "lines", "dueDate", "totalAmountDue")
    assert made.api.get(f"/bills/{bill}").json()["corrected"] is False


def test_a_line_has_a_name_for_tenants_that_a_correction_leaves_and_other_lines_replace(made: Furnished) -> None:
    of_other = {"lines": [{"utilityType": "OTHER", "name": "Heating"}]}
    bill = add(made, **of_other).json()
    path = f"/bills/{bill['id']}"

    def names() -> list[str | None]:
        return [line["name"] for line in made.api.get(path).json()["lines"]]

    assert names() == ["Heating"]
    too_much = {"lines": [{"utilityType": "OTHER", "name": "Heating; lift"}]}
    assert_refused(made.api.patch(path, too_much), 400, "INVALID_REQUEST")
    assert_refused(made.api.post(f"{path}/correct", too_much | {"totalAmountDue": "20.00"}), 400, "INVALID_REQUEST")
    made.api.patch(path, {"notes": "Read twice."})
    assert names() == ["Heating"]
    made.api.post(f"{path}/correct", {"totalAmountDue": "30.00", "lines": [{"utilityType": "OTHER", "amount": "30"}]})
    assert names() == ["Heating"]
    made.api.patch(path, {"lines": [{"utilityType": "WATER"}]})
    assert names() == [None]


def test_a_bill_is_removed_with_what_it_charged(made: Furnished) -> None:
    bill = add(made).json()["id"]
    assert made.api.delete(f"/bills/{bill}").status_code == 200
    assert_refused(made.api.get(f"/bills/{bill}"), 404, "UTILITY_BILL_NOT_FOUND")
    assert set(charges(made, "2026-04")) <= {"0.00"}


def test_what_is_flagged_is_told_and_accepted_with_a_reason(made: Furnished) -> None:
    made.house.database.write(lambda tx: accounts.change_settings(tx, made.landlord.caller, Wishes(hold_flagged=True)))
    first = add(made).json()
    again = add(made).json()
    assert (first["held"], again["held"]) == (False, True)
    (flag,) = again["flags"]
    assert flag["kind"] == "duplicate"
    path = f"/bills/{again['id']}/flags"
    assert_refused(made.api.post(f"{path}/9/accept", {"reason": "x", "mark": flag["mark"]}), 404, "FLAG_NOT_FOUND")
    assert_refused(made.api.post(f"{path}/x/accept", {"reason": "x", "mark": flag["mark"]}), 404, "FLAG_NOT_FOUND")
    stale = made.api.post(f"{path}/1/accept", {"reason": "x", "mark": "other"})
    assert_refused(stale, 409, "CONFLICT")
    assert "send the new `mark` of the flag" in stale.json()["error"]
    assert charges(made, "2026-04") == ["20.00"] * 3
    accepted = made.api.post(f"{path}/1/accept", {"reason": "Two meters.", "mark": flag["mark"]}).json()
    assert (accepted["held"], accepted["flags"][0]["reason"]) == (False, "Two meters.")
    assert charges(made, "2026-04") == ["40.00"] * 3


def test_a_late_bill_is_billed_in_the_next_open_month(made: Furnished) -> None:
    for label in LABELS:
        made.set_status("SENT", label)
    late = add(made, billDate="2026-03-28").json()
    assert (late["waiting"], late["lines"][0]["month"]) == (True, "2026-03")
    settled = made.api.post(f"/bills/{late['id']}/settle", {}).json()
    assert (settled["waiting"], settled["lines"][0]["month"]) == (False, "2026-04")
    assert settled["servicePeriodStart"] == "2026-03-01", "it stays for the days that it was for"
    assert_refused(made.api.post(f"/bills/{late['id']}/settle", {}), 409, "CONFLICT")


def test_what_a_bill_can_not_be_is_refused_by_field_and_nothing_is_added(made: Furnished) -> None:
    before = made.api.get("/utility-bills").json()["pagination"]["total"]
    two = [{"utilityType": "WATER", "amount": "40.00"}, {"utilityType": "SEWER", "amount": "19.99"}]
    for field, body in (
        ("totalAmountDue", {"lines": two}),
        ("totalAmountDue", {"totalAmountDue": "1.234"}),
        ("lines[0]", {"lines": [{"amount": "60.00"}]}),
        ("lines[0]", {"lines": [{"utilityType": "WATER", "notBilled": "DEPOSIT"}]}),
        ("lines.1.amount", {"lines": [two[0], {"utilityType": "SEWER"}]}),
        ("servicePeriodEnd", {"servicePeriodStart": "2026-03-01"}),
        ("spread", {"spread": True}),
        ("billDate", {"billDate": "2026-02-30"}),
    ):
        assert_invalid(add(made, **body), field)
    assert made.api.get("/utility-bills").json()["pagination"]["total"] == before
    assert_refused(made.api.post(f"/bills/{made.bills[0]}/correct", {
        "totalAmountDue": "10.00", "lines": [{"utilityType": "WATER", "amount": "9.00"}],
    }), 400, "INVALID_REQUEST")  # fmt: skip


def test_what_a_bill_would_do_is_previewed(made: Furnished) -> None:
    requests = [
        {"method": "POST", "path": f"/properties/{made.property_id}/bills", "body": WATER_SENT},
        {"method": "PATCH", "path": f"/bills/{made.bills[2]}", "body": {"totalAmountDue": "60.00"}},
    ]
    shown = made.api.post("/previews", {"requests": requests}).json()
    assert [(one["month"], one["total"]["difference"]) for one in shown["months"]] == [
        ("2026-03", "-30.00"), ("2026-04", "60.00"),
    ]  # fmt: skip
    assert made.api.get("/utility-bills").json()["pagination"]["total"] == len(made.bills)


def test_amounts_are_read_where_the_comma_is_the_mark(house: House) -> None:
    made = furnish(house)
    made.api.patch(f"/properties/{made.property_id}", {"country": "DE", "currency": "USD"})
    one = add(made, totalAmountDue="1234.50").json()
    assert one["totalAmountDue"] == "1234.50"


def test_bills_move_to_the_months_of_a_new_rule(made: Furnished) -> None:
    moves = f"/properties/{made.property_id}/bill-moves"
    days = {"servicePeriodStart": "2026-04-16", "servicePeriodEnd": "2026-05-15", "billDate": "2026-06-01"}
    bill_id = made.add_bill(**days)["id"]
    assert made.api.get(moves).json() == {"bills": [], "more": 0}
    made.api.patch(f"/properties/{made.property_id}", {"billingMonthRule": "BILL_DATE"})
    (move,) = [its for its in made.api.get(moves).json()["bills"] if its["billId"] == bill_id]
    assert move == {"billId": bill_id, "fromMonth": "2026-05", "toMonth": "2026-06", "whyLeft": None}
    preview = made.api.post("/previews", {"requests": [{"method": "POST", "path": moves}]}).json()
    assert {its["month"] for its in preview["months"]} >= {"2026-05", "2026-06"}
    assert move in made.api.post(moves).json()["bills"]
    assert {line["month"] for line in made.api.get(f"/bills/{bill_id}").json()["lines"]} == {"2026-06"}
    assert made.api.get(moves).json() == {"bills": [], "more": 0}
