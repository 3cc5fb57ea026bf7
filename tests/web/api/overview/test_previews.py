"""Previews tell the effects of changes on invoices, and change nothing themselves."""

import time
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest

from prorata.domain.audit.verbs import Verb
from prorata.store.database.engine import Deed, Tx, too_busy
from prorata.web.api import OPERATIONS
from prorata.web.api.examples import BILL_CORRECTED
from prorata.web.http.routing import Router
from tests.every_row import Rows, every_row
from tests.web.addresses import assert_refused, unknown_id
from tests.web.api.months.test_corrections import late
from tests.web.conftest import Api, House, beside
from tests.web.forms import assert_invalid
from tests.web.furnished import WATER_SENT, Furnished, add_bill, blend_named, furnish, rule_of

Request = dict[str, Any]


def change(method: str, path: str, body: Any = None) -> Request:
    return {"method": method, "path": path} | ({} if body is None else {"body": body})


def previewed(api: Api, *requests: Request) -> dict[str, Any]:
    answer = api.post("/previews", {"requests": list(requests)})
    assert answer.status_code == 200, answer.text
    return answer.json()


def rows(house: House) -> Rows:
    """Every row of the database, after the last use of the key was recorded."""
    seen: Rows = {}
    while (now := every_row(house.url)) != seen:
        seen = now
        time.sleep(0.05)
    return now


@pytest.fixture
def made(house: House) -> Furnished:
    found = furnish(house)
    assert found.set_status("SENT", month="2026-01").status_code == 200
    return found


def by_area(made: Furnished) -> list[Request]:
    """The changes that give units different floor areas and split by them."""
    areas = {"1": 500, "2": 300, "10": 200}
    return [
        *(change("PATCH", f"/units/{made.units[label]}", {"sqft": area}) for label, area in areas.items()),
        change("PATCH", f"/api/v1/sharerules/{made.rule_id}", {"splitMethod": "SQFT"}),
    ]


def every_kind(made: Furnished) -> list[Request]:
    """One change of each kind that can be previewed."""
    of, bill = f"/properties/{made.property_id}", f"/bills/{made.bills[2]}"
    _, again = made.add_bill(), made.add_bill()
    waits, accepts = made.add_bill(billDate="2026-01-20"), {"reason": "Two.", "mark": again["flags"][0]["mark"]}
    return [
        change("POST", f"{of}/units", {"label": "3", "sqft": 100}),
        change("PATCH", f"/units/{made.units['2']}", {"activeTo": "2026-02-14"}),
        change("DELETE", f"/units/{made.units['10']}"),
        change("POST", f"/units/{made.units['1']}/tenants", {"name": "Bo Lee", "occupants": 3}),
        change("PATCH", f"/tenants/{made.tenant_id}", {"moveOutDate": "2026-03-15", "occupants": 2}),
        change("POST", f"/tenants/{made.tenant_id}/final-invoice"),
        change("DELETE", f"/tenants/{made.tenant_id}"),
        change("POST", f"{of}/sharerules", {"utilityType": "WATER", "splitMethod": "OCCUPANTS"}),
        change("PATCH", f"/sharerules/{made.rule_id}", {"ownerPercent": 10}),
        change("PUT", f"/sharerules/{made.rule_id}", {"splitMethod": "EQUAL", "isActive": True}),
        change("DELETE", f"/sharerules/{made.rule_id}"),
        change("POST", "/split-methods", blend_named("Another")),
        change("PUT", f"/split-methods/{made.split_method_id}", blend_named("Renamed")),
        change("DELETE", f"/split-methods/{made.split_method_id}"),
        change("PATCH", f"/invoices/{made.invoice(month='2026-01')['id']}", {"status": "DRAFT"}),
        change("PATCH", f"/invoices/{made.invoice()['id']}", {"status": "SENT"}),
        change("POST", f"{of}/corrections", {"months": ["2026-01"], "place": "next"}),
        change("POST", f"{of}/bills", WATER_SENT),
        change("POST", f"{of}/bill-moves"),
        change("PATCH", bill, {"totalAmountDue": "60.00"}),
        change("POST", f"{bill}/correct", BILL_CORRECTED),
        change("POST", f"/bills/{waits['id']}/settle", {}),
        change("POST", f"/bills/{again['id']}/flags/1/accept", accepts),
        change("DELETE", bill),
    ]


def test_a_preview_tells_what_a_rule_would_do_by_month_charge_unit_household_and_owner(made: Furnished) -> None:
    ten_percent = change("PATCH", f"/sharerules/{made.rule_id}", {"ownerPercent": 10})
    shown = previewed(made.api, *by_area(made), ten_percent)
    assert [(one["month"], one["total"], one["owner"]) for one in shown["months"] if one["total"]["difference"] != "0.00"] == [
        (month, {"before": "90.00", "after": "81.00", "difference": "-9.00"},
         {"before": "0.00", "after": "9.00", "difference": "9.00"})
        for month in ("2026-02", "2026-03")
    ]  # fmt: skip
    first = shown["months"][-1]["invoices"][0]
    assert (first["id"], first["unitLabel"], first["sequence"]) == (made.invoice()["id"], "1", 0)
    assert [first[at]["totalAmount"] for at in ("before", "after")] == ["30.00", "40.50"]
    assert first["after"]["tenantName"] == "Ann Smith"
    (charge,) = first["charges"]
    assert (charge["utilityBillId"], charge["line"], charge["utilityType"]) == (made.bills[2], 1, "WATER")
    assert (charge["before"]["amount"], charge["after"]["amount"], charge["difference"]) == ("30.00", "40.50", "10.50")
    assert "500 of 1,000 sq ft" in charge["after"]["description"]
    units = {one["unitLabel"]: one["total"] for one in shown["units"]}
    assert units["10"] == {"before": "90.00", "after": "62.40", "difference": "-27.60"}  # as January asked 30.00 too
    ann = next(one for one in shown["households"] if one["tenantName"] == "Ann Smith")
    assert (ann["tenantId"], ann["total"]["difference"]) == (made.tenant_id, "21.00")
    assert [one["total"]["difference"] for one in shown["owners"]] == ["27.00"]  # 9.00 of the sent January too


def test_sums_are_of_all_invoices_of_the_months_that_change_for_tenants_and_owner_alike(made: Furnished) -> None:
    """A carrier month in which nothing changes for anybody does not count as changing."""
    owners = change("PATCH", f"/sharerules/{made.rule_id}", {"ownerPercent": 10})
    shown = previewed(made.api, *by_area(made), owners)
    assert [one["month"] for one in shown["months"]] == ["2026-01", "2026-02", "2026-03"]
    assert [one["total"]["before"] for one in (*shown["units"], *shown["owners"])] == [*["90.00"] * 3, "0.00"]
    everything = sum(float(one["difference"]) for name in ("units", "owners") for one in map(_total, shown[name]))
    waits = sum(float(one["pending"]["difference"]) for one in shown["units"])
    assert everything + waits == 0
    made.api.patch(f"/units/{made.units['1']}", {"sqft": 500})
    made.api.patch(f"/sharerules/{made.rule_id}", {"splitMethod": "SQFT"})
    sent = previewed(made.api, change("PATCH", f"/invoices/{made.invoice(month='2026-02')['id']}", {"status": "SENT"}))
    assert {(one["before"]["carrierMonth"], one["after"]["carrierMonth"]) for one in sent["corrections"]} == {
        ("2026-02", "2026-03")
    }
    assert [one["month"] for one in sent["months"]] == ["2026-02"]


def _total(one: Request) -> Request:
    return one["total"]


def test_a_sent_month_stays_and_what_it_comes_to_is_told_as_corrections(made: Furnished) -> None:
    shown = previewed(made.api, *by_area(made))
    january = shown["months"][0]
    assert (january["month"], january["closedBefore"], january["invoices"]) == ("2026-01", True, [])
    assert {one["month"] for one in shown["corrections"]} == {"2026-01"}
    ann = next(one for one in shown["corrections"] if one["tenantName"] == "Ann Smith")
    assert ann["before"] is None
    assert (ann["after"]["right"], ann["after"]["issued"], ann["after"]["pending"]) == ("45.00", "30.00", "15.00")
    household = next(one for one in shown["households"] if one["tenantName"] == "Ann Smith")
    assert household["pending"] == {"before": "0.00", "after": "15.00", "difference": "15.00"}


def test_what_waits_of_a_late_bill_and_no_unit_bears_is_the_owners(house: House) -> None:
    made = furnish(house)
    made.api.patch(f"/sharerules/{made.rule_id}", {"ownerPercent": 10})
    made.set_status("SENT", month="2026-01")
    add_bill(house, house.landlord, made.property_id, "2026-01", 9_00)
    shown = previewed(made.api, *by_area(made), change("PATCH", f"/sharerules/{made.rule_id}", {"ownerPercent": 20}))
    (owner,) = shown["owners"]
    assert (owner["pending"]["before"], owner["pending"]["after"]) == ("0.90", "1.80")
    told = [one[name]["difference"] for one in (*shown["units"], *shown["owners"]) for name in ("total", "pending")]
    assert sum(map(float, told)) == pytest.approx(0)


def test_placing_a_correction_is_previewed_on_the_invoice_that_would_carry_it(house: House) -> None:
    made = late(house)
    placing = change("POST", f"/properties/{made.property_id}/corrections", {"months": ["2026-01"], "place": "next"})
    shown = previewed(made.api, placing)
    february = next(one for one in shown["months"] if one["month"] == "2026-02")
    added = [one for invoice in february["invoices"] for one in invoice["charges"] if one["correctsMonth"] == "2026-01"]
    assert {(one["before"], one["after"]["amount"]) for one in added} == {(None, "3.00")}


def test_ids_and_numbers_that_would_be_new_are_null(made: Furnished) -> None:
    of = made.property_id
    unit = change("POST", f"/properties/{of}/units", {"label": "3"})
    tenant = change("POST", f"/units/{made.units['2']}/tenants", {"name": "Bo Lee", "moveInDate": "2026-03-16"})
    shown = previewed(made.api, unit, tenant)
    new = [one for month in shown["months"] for one in month["invoices"] if one["unitLabel"] == "3"]
    assert len(new) == 2
    for one in new:
        assert (one["id"], one["unitId"], one["before"], one["after"]["invoiceNumber"]) == (None, None, None, None)
    bo = [one for one in shown["households"] if one["tenantName"] == "Bo Lee"]
    assert [(one["tenantId"], one["unitId"]) for one in bo] == [(None, made.units["2"])]
    text = str(shown)
    known = {made.property_id, *made.units.values(), made.tenant_id, *made.bills}
    known |= {one["id"] for one in made.invoices()} | {one["invoiceNumber"] for one in made.invoices()}
    for prefix in ("unit_", "tenant_", "inv_", "charge_"):
        assert {word.strip("',}]") for word in text.split() if word.strip("'").startswith(prefix)} <= known


def test_the_id_of_a_bill_is_told_where_there_is_one_already_and_null_where_it_would_be_new(made: Furnished) -> None:
    of = f"/properties/{made.property_id}"
    dated = [change("POST", f"{of}/bills", WATER_SENT | {"billDate": day}) for day in ("2026-04-20", "2026-01-20")]
    shown = previewed(made.api, *dated)
    assert ({one["month"] for one in shown["corrections"]}, bills_of(shown)) == ({"2026-01"}, {None})
    uncharged = made.add_bill(lines=[{"utilityType": "GAS"}], billDate="2026-03-20")["id"]
    gas = f"/sharerules/{rule_of(made.api, made.property_id, 'GAS')['id']}"
    made.api.patch(gas, {"isActive": False})
    right = {"totalAmountDue": "60.00", "lines": [{"utilityType": "WATER", "amount": "60.00"}]}
    shown = previewed(
        made.api, change("PATCH", gas, {"isActive": True}), change("POST", f"/bills/{made.bills[0]}/correct", right)
    )
    assert bills_of(shown) == {uncharged, made.bills[0], made.bills[2]}


def bills_of(shown: Request) -> set[str | None]:
    """The bills that a preview names."""
    charges = [one for month in shown["months"] for invoice in month["invoices"] for one in invoice["charges"]]
    return {one["utilityBillId"] for one in (*charges, *shown["corrections"])}


def test_an_invoice_in_whose_place_another_would_come_is_told_by_its_own_id(made: Furnished) -> None:
    bill = change("POST", f"/properties/{made.property_id}/bills", WATER_SENT | {"billDate": "2026-03-20"})
    shown = previewed(made.api, change("DELETE", f"/bills/{made.bills[2]}"), bill)
    of_one = next(one for one in shown["months"][-1]["invoices"] if one["unitLabel"] == "1")
    assert (of_one["id"], of_one["difference"]) == (made.invoice()["id"], "-10.00")


def test_an_invoice_that_would_be_sent_again_shows_no_new_number(made: Furnished) -> None:
    invoice = made.invoice(month="2026-01")
    again = [change("PATCH", f"/invoices/{invoice['id']}", {"status": status}) for status in ("DRAFT", "SENT")]
    shown = previewed(made.api, again[0], *by_area(made), again[1])
    (sent,) = [one for one in shown["months"][0]["invoices"] if one["id"] == invoice["id"]]
    assert sent["before"]["invoiceNumber"] == invoice["invoiceNumber"]
    assert (sent["after"]["invoiceNumber"], sent["after"]["replacesNumber"]) == (None, invoice["invoiceNumber"])
    assert sent["after"]["totalAmount"] == "45.00"


@pytest.mark.parametrize("at", range(24))
def test_a_change_of_each_kind_is_previewed_and_leaves_every_row_of_the_database_as_it_was(
    house: House, at: int
) -> None:
    made = late(house)
    asked = every_kind(made)[at]
    before = rows(house)
    answer = made.api.post("/previews", {"requests": [asked]})
    assert (answer.status_code, rows(house)) == (409 if "final-invoice" in asked["path"] else 200, before)
    assert house.shelf.kept == {}


def test_whatever_can_be_previewed_is_tried_here_and_what_it_may_find_missing_is_told(house: House) -> None:
    router = Router(movers := [one for one in OPERATIONS if one.moves is not None])
    tried = [router.find(one["method"], one["path"].removeprefix("/api/v1"))[0] for one in every_kind(late(house))]
    elsewhere = {"add_charge", "remove_charge", "accept_flags_of_bill", "accept_unusual_amount", "confirm_document"}
    assert {one.name for one in tried} | elsewhere == {one.name for one in movers}
    (preview,) = [one for one in OPERATIONS if one.path == "/previews"]
    assert set(preview.missing) == {name for one in movers for name in one.missing}


def test_changes_are_previewed_one_after_the_other(made: Furnished) -> None:
    before = rows(made.house)
    leaves = change("PATCH", f"/tenants/{made.tenant_id}", {"moveOutDate": "2026-03-15"})
    final = change("POST", f"/tenants/{made.tenant_id}/final-invoice")
    march = previewed(made.api, leaves, final)["months"][-1]
    sent = [one for one in march["invoices"] if one["after"] and one["after"]["status"] == "SENT"]
    assert [(one["id"], one["sequence"], one["after"]["totalAmount"]) for one in sent] == [(None, 1, "14.52")]
    assert rows(made.house) == before


def test_each_change_has_a_moment_of_its_own_so_what_is_added_after_a_month_was_sent_is_no_part_of_it(
    made: Furnished,
) -> None:
    sends = change("PATCH", f"/invoices/{made.invoice(month='2026-02')['id']}", {"status": "SENT"})
    adds = change("POST", f"/properties/{made.property_id}/units", {"label": "3"})
    sent_first, added_first = previewed(made.api, sends, adds), previewed(made.api, adds, sends)
    assert sent_first["corrections"] == []
    in_february = [
        [one["unitLabel"] for month in shown["months"] if month["month"] == "2026-02" for one in month["invoices"]]
        for shown in (sent_first, added_first)
    ]
    assert ["3" in labels for labels in in_february] == [False, True]


def test_nothing_that_changes_nothing_is_shown(made: Furnished) -> None:
    shown = previewed(made.api, change("PATCH", f"/units/{made.units['1']}", {"label": "1"}))
    assert shown == {"months": [], "units": [], "households": [], "owners": [], "corrections": []}


def test_a_preview_takes_one_to_twenty_requests(made: Furnished) -> None:
    before = rows(made.house)
    one = change("PATCH", f"/units/{made.units['1']}", {"sqft": 100})
    assert len(previewed(made.api, *[one] * 20)["units"]) == 0
    for number in (0, 21):
        refused = made.api.post("/previews", {"requests": [one] * number})
        assert_invalid(refused, "requests")
        assert "1 to 20" in refused.json()["error"]
    assert rows(made.house) == before


def test_what_can_not_be_previewed_is_refused_with_its_place(made: Furnished) -> None:
    before = rows(made.house)
    fine = change("PATCH", f"/units/{made.units['1']}", {"sqft": 100})
    for method, path in (
        ("POST", "/previews"), ("POST", "/webhook-endpoints"), ("POST", "/properties"), ("PATCH", "/nothing"),
        ("DELETE", f"/properties/{made.property_id}"), ("PATCH", f"/units/{made.units['1']}?x=1"), ("PATCH", "units"),
        ("POST", f"/invoices/{made.invoice()['id']}/send-again"), ("PATCH", "https://example.com/units/1"),
    ):  # fmt: skip
        refused = made.api.post("/previews", {"requests": [fine, change(method, path, {})]})
        assert_invalid(refused, "requests[1]")
        assert refused.json()["error"].startswith("Request 2 can't be previewed")
    assert_invalid(made.api.post("/previews", {"requests": [change("GET", "/units")]}), "requests[0].method")
    assert rows(made.house) == before


def test_the_first_request_that_would_be_refused_is_the_answer_with_its_place(made: Furnished) -> None:
    before = rows(made.house)
    fine = change("PATCH", f"/units/{made.units['1']}", {"sqft": 100})
    taken = change("PATCH", f"/units/{made.units['1']}", {"label": "2"})
    gone = change("DELETE", f"/tenants/{unknown_id('tenant')}")
    answer = made.api.post("/previews", {"requests": [fine, fine, taken, gone]})
    said = assert_refused(answer, 409, "CONFLICT")
    assert said["error"].startswith("Request 3 of 4 would be refused: ")
    assert [one["field"] for one in said["details"]] == ["requests[2].body.label"]
    answer = made.api.post("/previews", {"requests": [fine, gone, taken]})
    said = assert_refused(answer, 404, "TENANT_NOT_FOUND")
    assert [one["field"] for one in said["details"]] == ["requests[1]"]
    assert rows(made.house) == before


def test_changes_that_take_longer_than_a_preview_may_are_refused_and_undone(made: Furnished) -> None:
    before = rows(made.house)
    asked = [change("PATCH", f"/sharerules/{made.rule_id}", {"ownerPercent": 10 + at}) for at in range(20)]
    made.house.clock.step = timedelta(seconds=1)
    refused = assert_refused(made.api.post("/previews", {"requests": asked}), 409, "CONFLICT")
    assert refused["error"].startswith("These changes take too long to preview")
    assert "details" not in refused, "none of them is to blame"
    few = made.api.post("/previews", {"requests": asked[:1]})
    made.house.clock.step = timedelta(milliseconds=1)
    assert few.status_code == 200, few.text
    assert previewed(made.api, *asked)["months"]
    assert {key: some for key, some in rows(made.house).items() if key != "api_key"} == {
        key: some for key, some in before.items() if key != "api_key"
    }


def test_a_database_that_is_busy_in_the_midst_of_a_preview_is_no_refusal_of_a_change(made: Furnished) -> None:
    def busy(_tx: Tx, _account_id: str, _verb: Verb, _changed: Sequence[Deed]) -> None:
        raise too_busy()

    asked = change("PATCH", f"/sharerules/{made.rule_id}", {"ownerPercent": 10})
    with beside(made.house, listener=busy) as client:
        answer = Api(client, made.house.landlord.full).post("/previews", {"requests": [asked]})
    said = assert_refused(answer, 503, "SERVICE_UNAVAILABLE")
    assert said["error"] == too_busy().message
    assert "details" not in said


def test_the_body_of_each_request_is_read_as_strictly_as_if_it_came_alone(made: Furnished) -> None:
    before = rows(made.house)
    unit = f"/units/{made.units['1']}"
    wrong = change("PATCH", unit, {"sqft": -1, "colour": "red"})
    fields = ("requests[0].body.sqft", "requests[0].body.colour")
    assert_invalid(made.api.post("/previews", {"requests": [wrong]}), *fields)
    assert_invalid(made.api.post("/previews", {"requests": [change("DELETE", unit, {"x": 1})]}), "requests[0].body.x")
    missing = made.api.post("/previews", {"requests": [change("POST", f"{unit}/tenants")]})
    assert_invalid(missing, "requests[0].body.name")
    for odd in ({"method": "PATCH", "path": unit, "body": []}, {"method": "PATCH", "path": unit, "body": "{}"}):
        assert_invalid(made.api.post("/previews", {"requests": [odd]}), "requests[0].body")
    extra = change("PATCH", unit, {}) | {"headers": {}}
    assert_invalid(made.api.post("/previews", {"requests": [extra]}), "requests[0].headers")
    assert rows(made.house) == before


def test_a_key_that_may_only_read_previews_nothing(made: Furnished) -> None:
    asked = change("PATCH", f"/units/{made.units['1']}", {"sqft": 100})
    reader = Api(made.house.client, made.landlord.read)
    assert_refused(reader.post("/previews", {"requests": [asked]}), 403, "INSUFFICIENT_PERMISSIONS")


def test_what_is_another_accounts_is_not_there(made: Furnished) -> None:
    changes, codes = every_kind(made), ["PROPERTY", "UNIT", "UNIT", "UNIT", "TENANT", *["UTILITY_BILL"] * 5]
    before = rows(made.house)
    for asked, code in zip(changes[:5] + changes[-5:], codes, strict=True):
        answer = made.house.api_of_stranger.post("/previews", {"requests": [asked]})
        assert_refused(answer, 404, f"{code}_NOT_FOUND")
    assert {key: some for key, some in rows(made.house).items() if key != "api_key"} == {
        key: some for key, some in before.items() if key != "api_key"
    }


def test_an_idempotency_key_is_not_kept_for_a_preview(made: Furnished) -> None:
    asked = change("PATCH", f"/sharerules/{made.rule_id}", {"ownerPercent": 10})
    headers = {"Idempotency-Key": "once"}
    before = rows(made.house)
    for _ in range(2):
        answer = made.api.post("/previews", {"requests": [asked]}, headers=headers)
        assert (answer.status_code, "idempotency-replayed" in answer.headers) == (200, False)
    assert rows(made.house) == before


def test_a_blend_is_previewed_in_every_property_that_uses_it(made: Furnished) -> None:
    other = furnish(made.house, name="Oak Court")
    for one in (made, other):
        rule = rule_of(one.api, one.property_id, "WATER")["id"]
        assert one.api.patch(f"/sharerules/{rule}", {"splitMethodId": made.split_method_id}).status_code == 200
        for label, area in (("1", 500), ("2", 300), ("10", 200)):
            one.api.patch(f"/units/{one.units[label]}", {"sqft": area})
    parts = [{"splitMethod": "SQFT", "percent": 90}, {"splitMethod": "EQUAL", "percent": 10}]
    shown = previewed(
        made.api, change("PUT", f"/split-methods/{made.split_method_id}", {"name": "B", "components": parts})
    )
    assert {one["propertyId"] for one in shown["months"]} == {made.property_id, other.property_id}
