"""Flags of bills can be accepted together by the API.

A request can accept all flags of a bill, flags of many bills, or an unusual amount of a month.
"""

from datetime import date
from typing import Any

import httpx
import pytest

from prorata.actions.accounts import accounts
from prorata.actions.accounts.accounts import Wishes
from prorata.actions.bills import bills
from prorata.domain.bills.bills import NewBill
from tests.web.addresses import assert_refused, unknown_id
from tests.web.api.webhooks.test_events import events
from tests.web.conftest import House
from tests.web.furnished import Furnished, furnish


@pytest.fixture
def made(house: House) -> Furnished:
    made = furnish(house)
    house.database.write(lambda tx: accounts.change_settings(tx, made.landlord.caller, Wishes(hold_flagged=True)))
    return made


def flagged(made: Furnished, **body: Any) -> dict[str, Any]:
    """A held bill that is a duplicate and is due before its date."""
    made.add_bill(**body)
    return made.add_bill(dueDate="2026-01-01", **body)


def kinds(bill: dict[str, Any]) -> list[str]:
    return [one["kind"] for one in bill["flags"] if one["acceptedAt"] is None]


def read(made: Furnished, bill: dict[str, Any]) -> dict[str, Any]:
    return made.api.get(f"/bills/{bill['id']}").json()


def accept(
    made: Furnished, bill: dict[str, Any], mark: str | None = None, reason: str = "Two meters."
) -> httpx.Response:
    return made.api.post(f"/bills/{bill['id']}/flags/accept", {"reason": reason, "mark": mark or bill["flagsMark"]})


def test_all_flags_of_a_bill_are_accepted_at_once(made: Furnished) -> None:
    bill = flagged(made)
    assert (kinds(bill), bill["held"]) == (["duplicate", "dueBeforeBilled"], True)
    assert [len(one["billIds"]) for one in bill["flags"]] == [1, 0]
    assert made.api.get(f"/bills/{bill['flags'][0]['billIds'][0]}").json()["billDate"] == bill["billDate"]
    stale = accept(made, bill, mark=bill["flags"][0]["mark"])
    assert_refused(stale, 409, "CONFLICT")
    assert "send the new `flagsMark`" in stale.json()["error"]
    assert_refused(accept(made, bill, reason=" "), 400, "INVALID_REQUEST")
    assert read(made, bill) == bill
    accepted = accept(made, bill).json()
    assert (kinds(accepted), accepted["held"], accepted["flagsMark"]) == ([], False, None)
    assert {one["reason"] for one in accepted["flags"]} == {"Two meters."}
    assert [one["totalAmount"] for one in made.invoices(month="2026-04")] == ["40.00"] * 3
    assert_refused(accept(made, bill), 409, "CONFLICT")
    assert_refused(accept(made, bill | {"id": unknown_id("utility bill")}), 404, "UTILITY_BILL_NOT_FOUND")


def test_what_accepting_all_flags_of_a_bill_would_do_is_previewed(made: Furnished) -> None:
    bill = flagged(made)
    body = {"reason": "Two meters.", "mark": bill["flagsMark"]}
    preview = {"requests": [{"method": "POST", "path": f"/bills/{bill['id']}/flags/accept", "body": body}]}
    assert made.api.post("/previews", preview).status_code == 200
    assert read(made, bill)["held"]


def test_flags_of_many_bills_are_accepted_but_for_those_that_nobody_saw(made: Furnished) -> None:
    first, second = flagged(made), flagged(made, billDate="2026-05-14")
    theirs = furnish(made.house, made.house.stranger).add_bill()
    changed = made.api.patch(f"/bills/{second['id']}", {"dueDate": "2026-01-02"}).json()
    assert changed["flagsMark"] != second["flagsMark"]
    nobodys = [unknown_id("utility bill"), theirs["id"]]
    sent = [(first["id"], first["flagsMark"]), (second["id"], second["flagsMark"]), *((one, "x") for one in nobodys)]
    body = {"reason": "Checked.", "bills": [{"billId": bill, "mark": mark} for bill, mark in sent]}
    done = made.api.post("/bills/flags/accept", body)
    assert done.status_code == 200, done.text
    assert done.json() == {"bills": 1, "counting": 1, "left": sorted([second["id"], *nobodys])}
    assert (read(made, first)["held"], read(made, second)["held"]) == (False, True)
    many = {"reason": "x", "bills": [{"billId": first["id"], "mark": "x"}] * 101}
    assert_refused(made.api.post("/bills/flags/accept", many), 400, "INVALID_REQUEST")
    assert_refused(made.api.post("/bills/flags/accept", {"reason": "x", "bills": []}), 400, "INVALID_REQUEST")


def test_a_reason_and_a_unit_of_measure_may_be_as_long_as_the_document_says(made: Furnished) -> None:
    schemas = made.house.client.get("/api/v1/openapi.json").json()["components"]["schemas"]
    longest = {
        schemas[name]["properties"]["reason"]["maxLength"]
        for name in ("FlagAcceptance", "FlagsAcceptance", "ManyFlagsAcceptance", "UnusualAmountAcceptance")
    }
    reason = "x" * longest.pop()
    assert not longest
    bill = flagged(made)
    assert_refused(accept(made, bill, reason=f"{reason}x"), 400, "INVALID_REQUEST")
    assert accept(made, bill, reason=reason).status_code == 200
    unit = "u" * schemas["UsageSent"]["properties"]["unit"]["maxLength"]
    lines = [{"utilityType": "WATER", "amount": "60.00", "usage": {"used": "3", "unit": unit}}]
    assert made.add_bill(lines=lines)["lines"][0]["usage"]["unit"] == unit


def test_an_unusual_amount_of_a_month_is_accepted_with_its_reason(made: Furnished) -> None:
    new = [
        NewBill(made.property_id, "Aqua Water Co.", ("WATER",), total, date(year, month, 20))
        for year, month, total in ((2025, 10, 90_00), (2025, 11, 90_00), (2025, 12, 90_00), (2026, 4, 290_00))
    ]
    made.house.database.write(lambda tx: bills.add(tx, made.landlord.caller, new))
    here = f"/properties/{made.property_id}/months/2026-04"

    def unusual() -> list[list[str]]:
        return [one["recordIds"] for one in made.api.get(here).json()["checks"] if one["kind"] == "unusualAmount"]

    (ids,) = unusual()
    body = {"billIds": ids, "reason": "A burst pipe"}
    assert_refused(made.api.post(f"{here}/unusual-amounts/accept", body | {"billIds": made.bills}), 409, "CONFLICT")
    assert_refused(made.api.post(f"{here}x/unusual-amounts/accept", body), 404, "MONTH_NOT_FOUND")
    preview = {"requests": [{"method": "POST", "path": f"{here}/unusual-amounts/accept", "body": body}]}
    assert (made.api.post("/previews", preview).status_code, unusual()) == (200, [ids])
    assert made.api.post(f"{here}/unusual-amounts/accept", body).status_code == 200
    assert unusual() == []
    assert [one["reason"] for one in made.api.get(f"/bills/{ids[0]}").json()["flags"]] == ["A burst pipe"]
    assert_refused(made.api.post(f"{here}/unusual-amounts/accept", body), 409, "CONFLICT")


def changed_since(made: Furnished, moment: str) -> set[str]:
    """The ids of the bills that a client gets when it asks for changes."""
    return {one["id"] for one in made.api.get("/bills", params={"updatedAfter": moment}).json()["data"]}


def test_a_copy_hears_of_what_is_flagged_and_accepted(house: House, made: Furnished) -> None:
    first, again = made.add_bill(), made.add_bill()
    bill = flagged(made, billDate="2026-05-14")
    house.clock.advance(days=1)
    later = read(made, bill)["updatedAt"]
    number = len(events(house, type="bill.updated"))
    accepted = accept(made, bill).json()
    assert accepted["updatedAt"] > later
    assert changed_since(made, accepted["updatedAt"]) == {bill["id"]}
    told = events(house, type="bill.updated")[number:]
    assert [one["data"]["id"] for one in told] == [bill["id"]]
    assert told[0]["data"] == made.api.get(f"/utility-bills/{bill['id']}").json()
    house.clock.advance(days=1)
    assert kinds(read(made, again)) == ["duplicate"]
    made.api.delete(f"/bills/{first['id']}")
    changed = read(made, again)
    assert kinds(changed) == []
    assert changed_since(made, changed["updatedAt"]) == {again["id"]}
    assert events(house, type="bill.updated")[-1]["data"]["id"] == again["id"]
