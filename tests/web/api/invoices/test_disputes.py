"""Disputes can be opened, answered and ended by the API.

Programs are told of each step. If something can't be disputed, a sentence says why.
"""

from typing import Any

import httpx
import pytest

from prorata.actions.bills import corrections
from prorata.actions.invoices import invoices
from prorata.actions.recalculation import correction_decisions
from prorata.store.invoices.disputed_amounts import disputed
from tests.web.addresses import assert_refused
from tests.web.api.webhooks.test_events import events
from tests.web.conftest import House
from tests.web.forms import assert_invalid
from tests.web.furnished import Furnished, add_bill, furnish, rule_of

FIELDS = {"id", "invoiceId", "invoiceNumber", "propertyId", "unitId", "tenantId", "chargeId", "charged", "amount", "text",
          "status", "openedAt", "openedBy", "answerBy", "answer", "answeredAt", "endedAt", "reason", "correction",
          "carrierMonth", "files"}  # fmt: skip
WHY = "The meter was read twice."
NOBODY = "ask_01kkcefq80ekhfeqe3ye3b6zrg"


@pytest.fixture
def made(house: House) -> Furnished:
    made = furnish(house)
    made.set_status("SENT")
    return made


def charge_of(made: Furnished, label: str = "1", month: str = "2026-03") -> dict[str, Any]:
    (charge,) = made.invoice(label, month, details="true")["charges"]
    return dict(charge)


def dispute(made: Furnished, amount: str = "12.30", **body: Any) -> httpx.Response:
    sent = {"chargeId": charge_of(made)["id"], "amount": amount, "text": WHY} | body
    return made.api.post(f"/invoices/{made.invoice()['id']}/disputes", sent)


def end(made: Furnished, dispute_id: str, how: str = "resolve", **body: Any) -> httpx.Response:
    return made.api.post(f"/disputes/{dispute_id}/{how}", body or None)


def correct(made: Furnished, total: int) -> None:
    """Correct the total of March's bill."""
    made.house.database.write(lambda tx: corrections.correct(tx, made.landlord.caller, made.bills[2], total))


def place(made: Furnished, where: correction_decisions.Place = "next") -> None:
    """Decide what happens to the corrections of March."""
    made.house.database.write(
        lambda tx: correction_decisions.decide(tx, made.landlord.caller, made.property_id, ["2026-03"], where)
    )


def told(made: Furnished, kind: str) -> list[dict[str, Any]]:
    return [one["data"] for one in events(made.house, type=f"dispute.{kind}")]


def test_a_dispute_is_opened_answered_and_resolved_and_programs_are_told_each(made: Furnished) -> None:
    opened = dispute(made)
    assert opened.status_code == 201
    one = opened.json()
    assert set(one) == FIELDS
    said = ("status", "charged", "amount", "text", "answer", "tenantId", "chargeId", "files")
    assert [one[name] for name in said] == [
        "OPEN", "30.00", "12.30", WHY, None, made.tenant_id, charge_of(made)["id"], []
    ]  # fmt: skip
    assert one["openedBy"], "the key that opened it has a name"
    assert made.api.get(f"/disputes/{one['id']}").json() == one
    answered = end(made, one["id"], "answer", text="We are looking into it.").json()
    assert (answered["status"], answered["answer"]) == ("OPEN", "We are looking into it.")
    resolved = end(made, one["id"], by="REASON", reason="It was read once.").json()
    assert (resolved["status"], resolved["reason"], resolved["correction"]) == ("RESOLVED", "It was read once.", None)
    assert [told(made, kind) for kind in ("opened", "answered", "resolved")] == [[one], [answered], [resolved]]


def test_disputes_are_listed_by_invoice_by_property_and_open_ones(made: Furnished) -> None:
    first = dispute(made).json()
    end(made, first["id"], "withdraw")
    second = dispute(made, "30.00").json()

    def listed(**query: str) -> list[str]:
        page = made.api.get("/disputes", params=query).json()
        assert page["pagination"]["total"] == len(page["data"])
        return [one["id"] for one in page["data"]]

    assert listed() == [second["id"], first["id"]]
    assert listed(status="OPEN") == [second["id"]]
    assert listed(invoiceId=made.invoice()["id"], status="WITHDRAWN") == [first["id"]]
    assert listed(propertyId=made.property_id) == [second["id"], first["id"]]
    assert listed(invoiceId=made.invoice("2")["id"]) == []


def test_what_can_not_be_disputed_is_refused_with_a_sentence_and_changes_nothing(made: Furnished) -> None:
    above = dispute(made, "30.01")
    assert_invalid(above, "amount")
    assert "no more than the amount of the charge" in above.json()["error"]
    other = dispute(made, chargeId=charge_of(made, "2")["id"])
    assert_invalid(other, "chargeId")
    assert "not on this invoice" in other.json()["error"]
    for wrong in ("0.00", "-1.00", "1.234"):
        assert_invalid(dispute(made, wrong), "amount")
    assert_invalid(dispute(made, text=" "), "text")
    made.set_status("DRAFT")
    draft = dispute(made)
    assert_refused(draft, 409, "CONFLICT")
    assert "draft or cancelled" in draft.json()["error"]
    made.set_status("CANCELLED")
    assert_refused(dispute(made, chargeId=NOBODY), 409, "CONFLICT")
    assert made.api.get("/disputes").json()["data"] == []
    assert told(made, "opened") == []


def test_a_charge_has_one_open_dispute(made: Furnished) -> None:
    first = dispute(made).json()
    again = dispute(made)
    assert_refused(again, 409, "CONFLICT")
    assert "open dispute" in again.json()["error"]
    end(made, first["id"], by="REASON", reason="No.")
    assert dispute(made).status_code == 201


def test_the_disputes_of_others_are_not_found(made: Furnished, house: House) -> None:
    one = dispute(made).json()
    other = furnish(house, house.stranger)
    for path in ("", "/answer", "/resolve", "/withdraw"):
        address = f"/disputes/{one['id']}{path}"
        bodies = {"/answer": {"text": "x"}, "/resolve": {"by": "REASON", "reason": "x"}}
        found = other.api.post(address, bodies.get(path)) if path else other.api.get(address)
        assert_refused(found, 404, "DISPUTE_NOT_FOUND")
    body = {"chargeId": one["chargeId"], "amount": "1.00", "text": WHY}
    assert_refused(other.api.post(f"/invoices/{one['invoiceId']}/disputes", body), 404, "INVOICE_NOT_FOUND")
    assert made.api.get(f"/disputes/{one['id']}").json() == one


def test_a_dispute_ends_with_the_correction_of_its_bill_once_that_is_placed(made: Furnished) -> None:
    one = dispute(made).json()
    assert_refused(end(made, one["id"], by="CORRECTION"), 409, "CONFLICT")
    correct(made, 60_00)
    waits = end(made, one["id"], by="CORRECTION")
    assert_refused(waits, 409, "CONFLICT")
    assert "is still pending" in waits.json()["error"]
    place(made)
    ended = end(made, one["id"], by="CORRECTION", reason="You were right.").json()
    said = [ended[name] for name in ("status", "correction", "carrierMonth", "reason")]
    assert said == ["CORRECTED", "-10.00", "2026-04", "You were right."]
    assert_refused(end(made, one["id"], by="REASON", reason="No."), 409, "CONFLICT")
    assert_refused(end(made, one["id"], "answer", text="No."), 409, "CONFLICT")
    assert_refused(end(made, one["id"], "withdraw"), 409, "CONFLICT")


def test_a_correction_that_the_owner_bears_ends_no_dispute(made: Furnished) -> None:
    one = dispute(made).json()
    correct(made, 120_00)
    place(made, "owner")
    refused = end(made, one["id"], by="CORRECTION")
    assert_refused(refused, 409, "CONFLICT")
    assert "The owner bears the difference" in refused.json()["error"]


def test_a_dispute_is_open_again_once_its_correction_is_taken_back(made: Furnished) -> None:
    one = dispute(made).json()
    correct(made, 60_00)
    place(made)
    end(made, one["id"], by="CORRECTION", reason="You were right.")
    place(made, "revoke")
    again = made.api.get(f"/disputes/{one['id']}").json()
    assert again == one, "as it was before it ended"
    assert told(made, "opened")[-1] == one
    place(made, "owner")
    assert_refused(end(made, one["id"], by="CORRECTION"), 409, "CONFLICT")


def test_a_dispute_is_open_again_once_its_bill_is_as_it_was(made: Furnished) -> None:
    one = dispute(made).json()
    correct(made, 60_00)
    place(made)
    end(made, one["id"], by="CORRECTION")
    correct(made, 75_00)
    place(made)
    changed = made.api.get(f"/disputes/{one['id']}").json()
    assert [changed[name] for name in ("status", "correction")] == ["CORRECTED", "-5.00"]
    assert told(made, "resolved")[-1] == changed
    correct(made, 90_00)
    place(made)
    assert made.api.get(f"/disputes/{one['id']}").json()["status"] == "OPEN"


def test_what_was_invoiced_stays_what_ended_a_dispute(made: Furnished) -> None:
    one = dispute(made).json()
    correct(made, 60_00)
    place(made)
    made.set_status("SENT", month="2026-04")
    ended = end(made, one["id"], by="CORRECTION").json()
    correct(made, 90_00)
    assert made.api.get(f"/disputes/{one['id']}").json() == ended


def test_a_dispute_is_open_again_once_its_invoice_is_sent_as_it_was(made: Furnished) -> None:
    one = dispute(made).json()
    made.set_status("CANCELLED")
    assert end(made, one["id"], by="CORRECTION").json()["correction"] == "-30.00"
    made.set_status("DRAFT")
    assert made.api.get(f"/disputes/{one['id']}").json()["status"] == "CORRECTED"
    made.set_status("SENT")
    assert made.api.get(f"/disputes/{one['id']}").json()["status"] == "OPEN"


def test_a_charge_that_is_in_dispute_again_has_one_open_dispute(made: Furnished) -> None:
    first = dispute(made).json()
    correct(made, 60_00)
    place(made)
    end(made, first["id"], by="CORRECTION")
    second = dispute(made).json()
    place(made, "revoke")
    assert [made.api.get(f"/disputes/{one['id']}").json()["status"] for one in (first, second)] == ["CORRECTED", "OPEN"]
    assert made.api.get(f"/disputes/{first['id']}").json()["correction"] == "0.00"


def test_a_dispute_ends_with_a_credit_that_was_added_to_its_invoice(made: Furnished) -> None:
    one = dispute(made).json()
    made.set_status("DRAFT")
    invoice_id, caller = made.invoice()["id"], made.landlord.caller
    made.house.database.write(lambda tx: invoices.add_custom_charge(tx, caller, invoice_id, "Credit", -12_30))
    made.set_status("SENT")
    ended = end(made, one["id"], by="CORRECTION").json()
    assert [ended[name] for name in ("correction", "carrierMonth")] == ["-12.30", "2026-03"]


def test_a_dispute_ends_with_its_invoice_that_was_changed_and_sent_again(made: Furnished) -> None:
    one = dispute(made).json()
    made.set_status("DRAFT")
    correct(made, 60_00)
    assert_refused(end(made, one["id"], by="CORRECTION"), 409, "CONFLICT")
    made.set_status("SENT")
    ended = end(made, one["id"], by="CORRECTION").json()
    assert [ended[name] for name in ("status", "correction", "carrierMonth")] == ["CORRECTED", "-10.00", "2026-03"]


def test_a_correction_that_was_invoiced_already_says_in_which_month(made: Furnished) -> None:
    one = dispute(made).json()
    correct(made, 60_00)
    place(made)
    april = made.invoice(month="2026-04")
    made.api.patch(f"/invoices/{april['id']}", {"status": "SENT"})
    ended = end(made, one["id"], by="CORRECTION").json()
    assert [ended[name] for name in ("correction", "carrierMonth")] == ["-10.00", "2026-04"]


def test_a_part_of_a_correction_that_is_taken_back_is_promised_no_more(made: Furnished) -> None:
    one = dispute(made).json()
    correct(made, 60_00)
    place(made)
    made.set_status("SENT", month="2026-04")
    add_bill(made.house, made.landlord, made.property_id, "2026-05")
    correct(made, 45_00)
    place(made)
    ended = end(made, one["id"], by="CORRECTION").json()
    assert [ended[name] for name in ("correction", "carrierMonth")] == ["-15.00", "2026-05"]
    place(made, "revoke")
    after = made.api.get(f"/disputes/{one['id']}").json()
    assert [after[name] for name in ("status", "correction", "carrierMonth")] == ["CORRECTED", "-10.00", "2026-04"]
    assert [event["correction"] for event in told(made, "resolved")] == ["-15.00", "-10.00"]


def test_a_correction_that_was_invoiced_stays_as_it_was_told(made: Furnished) -> None:
    one = dispute(made).json()
    correct(made, 60_00)
    place(made)
    end(made, one["id"], by="CORRECTION")
    made.set_status("SENT", month="2026-04")
    add_bill(made.house, made.landlord, made.property_id, "2026-05")
    correct(made, 45_00)
    place(made)
    assert made.api.get(f"/disputes/{one['id']}").json()["correction"] == "-10.00"


def test_what_was_invoiced_before_a_dispute_is_no_correction_of_it(made: Furnished) -> None:
    correct(made, 60_00)
    place(made)
    made.set_status("SENT", month="2026-04")
    of_march = dispute(made).json()
    assert_refused(end(made, of_march["id"], by="CORRECTION"), 409, "CONFLICT")
    april = made.invoice(month="2026-04", details="true")
    (corrected,) = [one for one in april["charges"] if one["correctsMonth"] == "2026-03"]
    body = {"chargeId": corrected["id"], "amount": "10.00", "text": WHY}
    of_april = made.api.post(f"/invoices/{april['id']}/disputes", body).json()
    assert_refused(end(made, of_april["id"], by="CORRECTION"), 409, "CONFLICT")
    add_bill(made.house, made.landlord, made.property_id, "2026-05")
    correct(made, 45_00)
    place(made)
    for one in (of_march, of_april):
        ended = end(made, one["id"], by="CORRECTION").json()
        assert [ended[name] for name in ("correction", "carrierMonth")] == ["-5.00", "2026-05"]


def test_a_dispute_follows_its_line_where_the_charge_is_computed_anew(made: Furnished) -> None:
    one, charge = dispute(made, amount="30.00").json(), charge_of(made)
    made.set_status("DRAFT")
    rule = rule_of(made.api, made.property_id, "WATER")["id"]
    made.api.patch(f"/sharerules/{rule}", {"isActive": False})
    made.api.patch(f"/sharerules/{rule}", {"isActive": True})
    made.set_status("SENT")
    assert charge_of(made)["id"] != charge["id"]
    assert made.api.get(f"/disputes/{one['id']}").json()["chargeId"] == charge_of(made)["id"]
    invoice_id, account_id = made.invoice()["id"], made.landlord.caller.account_id
    assert made.house.database.read(lambda tx: disputed(tx, account_id, [invoice_id])) == {invoice_id: 30_00}
    assert_refused(dispute(made), 409, "CONFLICT")
    assert_refused(end(made, one["id"], by="CORRECTION"), 409, "CONFLICT")


def by_hand(made: Furnished, amount: int) -> None:
    """Set the invoice to draft, add a custom charge, and send it again."""
    made.set_status("DRAFT")
    caller, invoice_id = made.landlord.caller, made.invoice()["id"]
    made.house.database.write(lambda tx: invoices.add_custom_charge(tx, caller, invoice_id, "By hand", amount))
    made.set_status("SENT")


def test_a_charge_that_is_added_by_hand_corrects_nothing(made: Furnished) -> None:
    one = dispute(made).json()
    by_hand(made, 7_00)
    assert_refused(end(made, one["id"], by="CORRECTION"), 409, "CONFLICT")


def test_a_credit_by_hand_ends_one_dispute_of_its_invoice(made: Furnished) -> None:
    by_hand(made, 40_00)
    whole = made.invoice(details="true")
    charges = [*whole["charges"], *whole["customCharges"]]
    at = f"/invoices/{made.invoice()['id']}/disputes"
    first, second = [
        made.api.post(at, {"chargeId": charge["id"], "amount": "5.00", "text": WHY}).json() for charge in charges
    ]
    by_hand(made, -5_00)
    assert end(made, first["id"], by="CORRECTION").json()["correction"] == "-5.00"
    assert_refused(end(made, second["id"], by="CORRECTION"), 409, "CONFLICT")
    by_hand(made, -3_00)
    assert end(made, second["id"], by="CORRECTION").json()["correction"] == "-3.00"
    assert made.api.get(f"/disputes/{first['id']}").json()["correction"] == "-5.00"


def test_a_dispute_that_is_open_again_is_answered_again_and_has_its_days_again(made: Furnished) -> None:
    one = dispute(made).json()
    answer(made, one, "We are looking into it.")
    correct(made, 60_00)
    place(made)
    end(made, one["id"], by="CORRECTION")
    made.house.clock.advance(days=3)
    place(made, "revoke")
    again = made.api.get(f"/disputes/{one['id']}").json()
    assert again["status"] == "OPEN"
    assert again["answerBy"] > one["answerBy"]
    answer(made, one, "The entry was reversed.")
    answer(made, one, "The entry was reversed.")
    said = made.api.get(f"/disputes/{one['id']}").json()
    assert said["answer"] == "We are looking into it.\n\nThe entry was reversed."


def answer(made: Furnished, one: dict[str, Any], text: str) -> None:
    assert made.api.post(f"/disputes/{one['id']}/answer", {"text": text}).status_code == 200
