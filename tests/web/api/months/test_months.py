"""Months are listed and read by the API as on the dashboard.

They are sent only if they have not changed since they were read.
"""

from typing import Any

import pytest

from prorata.domain.money import in_figures
from tests.web.addresses import assert_refused
from tests.web.conftest import House
from tests.web.forms import assert_invalid
from tests.web.furnished import Furnished, add_bill, furnish

SUMMED = ("billed", "corrections", "vacantUnits", "ownPart")


@pytest.fixture
def made(house: House) -> Furnished:
    """A house with three units, one tenant, and water as the only utility."""
    return furnish(house)


def month_of(made: Furnished, month: str = "2026-03") -> dict[str, Any]:
    return dict(made.api.get(f"/properties/{made.property_id}/months/{month}").json())


def send(made: Furnished, month: str = "2026-03", **body: Any) -> Any:
    return made.api.post(f"/properties/{made.property_id}/months/{month}/send", body)


def cents(figures: str) -> int:
    return int(figures.replace(".", ""))


def test_a_month_says_what_it_comes_to_and_its_boxes_add_up(made: Furnished) -> None:
    bill = made.api.get(f"/bills/{made.bills[2]}").json()
    found = month_of(made)
    assert (found["state"], found["propertyName"], found["month"]) == ("OPEN", "Maple Court", "2026-03")
    assert found["invoices"] == {"draft": 3, "sent": 0, "paid": 0, "overdue": 0, "cancelled": 0}
    totals = found["totals"]
    assert totals["bills"] == bill["totalAmountDue"] == "90.00"
    assert (totals["billed"], totals["vacantUnits"], totals["ownPart"]) == ("30.00", "60.00", "0.00")
    assert cents(totals["bills"]) == sum(cents(totals[name]) for name in SUMMED) - cents(totals["further"])
    assert [one["utilityType"] for one in totals["utilities"]] == ["WATER"]
    assert found["toSend"] == 1
    made.api.post(f"/units/{made.units['2']}/tenants", {"name": "Bo Chen", "moveInDate": "2026-03-17"})
    totals = month_of(made)["totals"]
    assert (totals["billed"], totals["vacantUnits"], totals["ownPart"]) == ("44.52", "30.00", "15.48"), "16 empty days"
    assert [(one["vacantUnits"], one["ownPart"]) for one in totals["utilities"]] == [("30.00", "15.48")]


def test_after_a_correction_the_boxes_still_add_up(made: Furnished) -> None:
    assert send(made, mark=month_of(made)["mark"], confirm=True).status_code == 200
    corrected = {"totalAmountDue": "120.00", "lines": [{"utilityType": "WATER", "amount": "120.00"}]}
    assert made.api.post(f"/bills/{made.bills[2]}/correct", corrected).status_code == 200
    found = month_of(made)
    totals = found["totals"]
    assert (found["state"], totals["bills"], totals["corrections"]) == ("CLOSED", "120.00", "10.00")
    assert cents(totals["bills"]) == sum(cents(totals[name]) for name in SUMMED) - cents(totals["further"])


def test_a_check_names_its_records_and_where_they_are_read(made: Furnished) -> None:
    checks = {one["kind"]: one for one in month_of(made)["checks"]}
    vacant = checks["vacant"]
    assert vacant["toCheck"]
    assert vacant["number"] == 2
    assert set(vacant["recordIds"]) == {made.units["2"], made.units["10"]}
    for one in checks.values():
        assert one["path"] is None or made.api.get(one["path"]).status_code == 200, one


def test_a_month_is_sent_as_it_was_read_and_taken_back(made: Furnished) -> None:
    read = month_of(made)
    sent = send(made, mark=read["mark"], confirm=True).json()
    assert (sent["invoices"], sent["byMail"], sent["onPaper"], sent["state"]) == (1, 1, 0, "DONE")
    assert (sent["verb"], sent["changed"], sent["canUndo"], sent["month"]) == ("SEND", 1, True, "2026-03")
    assert sent["mailLeavesAt"]
    invoice = made.invoice()
    assert (invoice["status"], invoice["delivery"]) == ("SENT", "queued")
    assert month_of(made)["state"] == "CLOSED"
    undone = made.api.post(f"/invoice-changes/{sent['id']}/undo")
    assert (undone.status_code, undone.json()["verb"]) == (201, "UNDO")
    assert (made.invoice()["status"], made.invoice()["delivery"]) == ("DRAFT", None)
    assert made.api.get(f"/invoice-changes/{sent['id']}").json()["isUndone"]
    assert_refused(made.api.post(f"/invoice-changes/{sent['id']}/undo"), 409, "CONFLICT")


@pytest.mark.parametrize(
    ("path", "change"),
    [
        ("/bills/{bill}", {"totalAmountDue": "120.00", "lines": [{"utilityType": "WATER"}]}),
        (
            "/bills/{bill}",
            {"lines": [{"utilityType": "WATER", "amount": "30"}, {"utilityType": "GAS", "amount": "60"}]},
        ),
        ("/bills/{bill}", {"issuerName": "Sunset Gas"}),
        ("/tenants/{tenant}", {"name": "Bo Chen"}),
        ("/tenants/{tenant}", {"email": "bo@example.com"}),
        ("/tenants/{tenant}", {"forwardingEmail": "bo@example.com"}),
        ("/account", {"sendsMail": False}),
    ],
)
def test_nothing_is_sent_where_what_was_read_has_changed(made: Furnished, path: str, change: dict[str, Any]) -> None:
    lines = [{"utilityType": "WATER", "amount": "60.00"}, {"utilityType": "GAS", "amount": "30.00"}]
    assert made.api.patch(f"/bills/{made.bills[2]}", {"lines": lines}).status_code == 200
    mark = month_of(made)["mark"]
    assert month_of(made)["mark"] == mark
    assert made.api.patch(path.format(bill=made.bills[2], tenant=made.tenant_id), change).status_code == 200
    assert_refused(send(made, mark=mark, confirm=True), 409, "CONFLICT")
    assert made.invoice()["status"] == "DRAFT"
    assert send(made, mark=month_of(made)["mark"], confirm=True).status_code == 200


def test_open_checks_are_confirmed_before_anything_is_sent(made: Furnished) -> None:
    read = month_of(made)
    said = assert_refused(send(made, mark=read["mark"]), 409, "CONFLICT")
    assert next(one["message"] for one in read["checks"] if one["toCheck"]) in said["error"]
    assert made.invoice()["status"] == "DRAFT"


def test_only_chosen_drafts_of_the_month_are_sent(made: Furnished) -> None:
    made.api.post(f"/units/{made.units['2']}/tenants", {"name": "Bo Chen"})
    read = month_of(made)
    assert read["toSend"] == 2
    others = [made.invoice("1", "2026-02")["id"], made.invoice("10")["id"], "x"]
    refused = send(made, mark=read["mark"], confirm=True, invoiceIds=[made.invoice()["id"], *others])
    assert_invalid(refused, "invoiceIds[1]", "invoiceIds[2]", "invoiceIds[3]")
    sent = send(made, mark=read["mark"], confirm=True, invoiceIds=[made.invoice("2")["id"]]).json()
    assert (sent["invoices"], sent["byMail"], sent["onPaper"], sent["mailLeavesAt"]) == (1, 0, 1, None)
    assert [made.invoice(label)["status"] for label in ("1", "2", "10")] == ["DRAFT", "SENT", "DRAFT"]


def test_a_month_without_a_draft_for_somebody_has_nothing_to_send(made: Furnished) -> None:
    assert send(made, mark=month_of(made)["mark"], confirm=True).status_code == 200
    read = month_of(made)
    assert (read["toSend"], read["invoices"]["draft"]) == (0, 2)
    assert_refused(send(made, mark=read["mark"], confirm=True), 409, "CONFLICT")


def test_months_are_listed_by_property_by_month_and_by_what_waits(made: Furnished) -> None:
    other = furnish(made.house, name="Elm House")
    listed = made.api.get("/months?details=true").json()
    assert listed["pagination"]["total"] == 6
    assert [one["month"] for one in listed["data"]] == ["2026-03"] * 2 + ["2026-02"] * 2 + ["2026-01"] * 2
    assert send(made, mark=month_of(made)["mark"], confirm=True).status_code == 200

    def found(query: str) -> list[tuple[str, str]]:
        return [(one["propertyName"], one["month"]) for one in made.api.get(f"/months?{query}").json()["data"]]

    assert found("state=CLOSED") == [("Maple Court", "2026-03")]
    assert found(f"state=DRAFTS&propertyId={other.property_id}&month=2026-03") == [("Elm House", "2026-03")]
    assert found("q=elm&limit=1") == [("Elm House", "2026-03")]
    assert found(f"q=elm&propertyId={made.property_id}") == []
    assert found("propertyId=prop_x") == []
    assert_invalid(made.api.get("/months?state=SENT"), "state")


def test_a_list_with_details_says_what_the_month_says(made: Furnished) -> None:
    for one in made.api.get("/months?details=true").json()["data"]:
        read = month_of(made, one["month"])
        assert one["totals"] == read["totals"]
        assert {check["kind"] for check in one["checks"]} == {
            check["kind"] for check in read["checks"] if check["toCheck"]
        }
    plain = made.api.get("/months").json()["data"][0]
    assert not {"totals", "checks"} & plain.keys()


@pytest.mark.parametrize("month", ["2026-13", "march", "2031-01", "9999-01"])
def test_a_month_that_is_none_or_has_nothing_is_unknown(made: Furnished, month: str) -> None:
    assert_refused(made.api.get(f"/properties/{made.property_id}/months/{month}"), 404, "MONTH_NOT_FOUND")


def test_a_sent_month_that_is_late_keeps_its_checks(made: Furnished) -> None:
    assert send(made, mark=month_of(made)["mark"], confirm=True).status_code == 200
    add_bill(made.house, made.landlord, made.property_id, "2026-03", 10_00, kinds=("GAS",))
    found = month_of(made)
    (waits,) = [one for one in found["checks"] if one["kind"] == "waiting"]
    assert in_figures(10_00) in waits["message"]
