"""A person's decisions on corrections take effect, even if facts change later."""

from datetime import UTC, date, datetime

import pytest

from prorata.actions.accounts.accounts import Wishes
from prorata.actions.audit import activity
from prorata.actions.bills import corrections as bill_corrections, entries as bill_entries
from prorata.actions.properties import properties, tenants
from prorata.actions.recalculation import correction_decisions
from prorata.actions.splitting import share_rules
from prorata.errors import Conflict
from prorata.store.recalculation.waiting_corrections import WaitingSum
from tests.actions.recalculation.corrected_house import (
    APRIL,
    MARCH,
    april_bill,
    automatic,
    corrected_bill,
    placed_on_april,
    sums,
    the_tenant,
    waiting,
)


def right_again(landlord, of, cents=320_10):
    water = next(bill for bill in landlord.stored_bills(of) if bill.bill_date == "2026-03-20")
    landlord.do(bill_corrections.correct, water.id, cents)


def cancelled_credit(landlord, house):
    """A state in which Ann's cancelled credit of $48.00 waits for a person's decision.

    It had been placed automatically, and was sent with April's invoice, which was then cancelled.
    """
    placed_on_april(landlord, house, is_automatic=True)
    landlord.set_status(house, "1", "SENT", APRIL)
    landlord.set_status(house, "2", "SENT", APRIL)
    landlord.set_status(house, "1", "CANCELLED", APRIL)
    assert waiting(landlord, house) == {("Ann", MARCH): (-48_00, 0, None)}


def test_what_waits_after_a_cancellation_is_gone_when_nothing_is_to_be_corrected_any_more(landlord, house):
    cancelled_credit(landlord, house)
    right_again(landlord, house)
    assert waiting(landlord, house) == {("Bo", MARCH): (32_00, 0, None)}, "what Bo was sent is taken back"
    landlord.sound()
    right_again(landlord, house, 240_10)
    assert waiting(landlord, house) == {("Ann", MARCH): (-48_00, 0, None)}


def test_where_no_month_could_carry_them_automatic_corrections_wait_and_a_person_decides(landlord, house):
    automatic(landlord)
    corrected_bill(landlord, house)
    late = landlord.bill(house, 50_00, on=date(2026, 3, 25))
    assert landlord.waits(late), "it charges nobody yet"
    landlord.do(correction_decisions.decide, house.id, [MARCH], "next")
    assert landlord.totals(house, APRIL) == {"1": -18_00, "2": -12_00}
    assert not landlord.waits(late)
    for label in ("1", "2"):
        landlord.set_status(house, label, "SENT", APRIL)
    right_again(landlord, house, 250_10)
    assert waiting(landlord, house) == {("Ann", MARCH): (6_00, 0, None), ("Bo", MARCH): (4_00, 0, None)}
    landlord.do(correction_decisions.decide, house.id, [MARCH], "owner")
    landlord.bill(house, 10_00, on=date(2026, 5, 2))
    assert landlord.totals(house, "2026-05") == {"1": 6_00, "2": 4_00}, "that of May alone"


def test_what_waits_after_a_cancellation_can_be_left_to_the_owner_once(landlord, house):
    cancelled_credit(landlord, house)
    landlord.do(correction_decisions.decide, house.id, [MARCH], "owner")
    assert waiting(landlord, house) == {}
    landlord.sound()
    with pytest.raises(Conflict, match="March 2026 has no pending correction"):
        landlord.do(correction_decisions.decide, house.id, [MARCH], "owner")
    landlord.do(correction_decisions.decide, house.id, [MARCH], "revoke")
    assert waiting(landlord, house) == {("Ann", MARCH): (-48_00, 0, None)}
    with pytest.raises(Conflict, match="Corrections are placed on invoices automatically here"):
        landlord.do(correction_decisions.decide, house.id, [MARCH], "revoke")


def test_what_was_placed_again_and_taken_back_is_not_charged_when_the_cancelled_invoice_comes_back(landlord, house):
    placed_on_april(landlord, house, is_automatic=False)
    for label in ("1", "2"):
        landlord.set_status(house, label, "SENT", APRIL)
    landlord.set_status(house, "1", "CANCELLED", APRIL)
    landlord.bill(house, 10_00, on=date(2026, 5, 2))
    landlord.do(correction_decisions.decide, house.id, [MARCH], "next")
    landlord.do(correction_decisions.decide, house.id, [MARCH], "revoke")
    assert waiting(landlord, house) == {("Ann", MARCH): (-48_00, 0, "2026-05")}
    landlord.set_status(house, "1", "SENT", APRIL)
    assert waiting(landlord, house) == {}
    assert landlord.totals(house, "2026-05") == {"1": 6_00, "2": 4_00}
    landlord.sound()


def test_the_difference_of_one_bill_can_be_placed_alone(landlord, house):
    april_bill(landlord, house)
    landlord.bill(house, 50_00, on=date(2026, 3, 25))
    corrected_bill(landlord, house)
    water = next(bill for bill in landlord.stored_bills(house) if bill.bill_date == "2026-03-20")
    landlord.do(bill_corrections.place, water.id)
    assert landlord.totals(house, APRIL) == {"1": 12_00, "2": 8_00}
    placed = {
        (one.row.bill_id == water.id, one.tenant_name): (one.row.waiting_amount, one.goes_to)
        for one in landlord.see(correction_decisions.of_property, house.id)
        if one.row.unit_id
    }
    assert placed == {
        (True, "Ann"): (0, APRIL),
        (True, "Bo"): (0, APRIL),
        (False, "Ann"): (30_00, APRIL),
        (False, "Bo"): (20_00, APRIL),
    }


def test_a_decision_is_taken_again_where_one_household_is_two_by_now(landlord, clock):
    """Ann left on March 14 and Eve moved in on March 16.

    For a while, Ann's last day is wrongly set to March 31.
    """
    clock.moment = datetime(2026, 4, 2, 9, tzinfo=UTC)
    of = landlord.property_()
    one, two = landlord.unit(of, "1"), landlord.unit(of, "2")
    ann = landlord.tenant(one, "Ann", move_in="2026-01-01", move_out="2026-03-14")
    landlord.tenant(one, "Eve", move_in="2026-03-16")
    landlord.tenant(two, "Bo", move_in="2026-01-01")
    water = landlord.bill(of, 310_00, on=date(2026, 3, 20))
    for label in ("1", "1.1", "2"):
        landlord.set_status(of, label, "SENT", MARCH)
    april_bill(landlord, of)
    landlord.do(bill_corrections.correct, water.id, 248_00)
    apart = {("Ann", MARCH): -14_00, ("Eve", MARCH): -16_00, ("Bo", MARCH): -31_00}
    assert {key: sums[0] for key, sums in waiting(landlord, of).items()} == apart
    landlord.do(correction_decisions.decide, of.id, [MARCH], "next")
    landlord.do(tenants.change, ann.id, {"move_out": "2026-03-31"})
    landlord.do(tenants.change, ann.id, {"move_out": "2026-03-14"})
    landlord.sound()
    found = {key: sums[:2] for key, sums in waiting(landlord, of).items()}
    assert found == {("Ann", MARCH): (-14_00, 0), ("Eve", MARCH): (-16_00, 0), ("Bo", MARCH): (0, -31_00)}
    landlord.do(correction_decisions.decide, of.id, [MARCH], "next")
    april = {one.summary.tenant_name: one.summary.total for one in landlord.invoices(of, APRIL).values()}
    assert april == {"Ann": -14_00, "Eve": 34_00, "Bo": 19_00}


def test_a_bill_of_a_reopened_month_whose_correction_was_sent_is_corrected_and_not_moved_or_removed(landlord, house):
    placed_on_april(landlord, house, is_automatic=False)
    landlord.set_status(house, "1", "SENT", APRIL)
    for label in ("1", "2"):
        landlord.set_status(house, label, "DRAFT", MARCH)
    water = next(bill for bill in landlord.stored_bills(house) if bill.bill_date == "2026-03-20")
    said = "Invoice \\S+ includes a correction of this bill\\. Use “Correct this bill”"
    with pytest.raises(Conflict, match=said):
        landlord.remove_bill(water)
    with pytest.raises(Conflict, match=said):
        landlord.move_bill(water, "2026-05")
    landlord.do(bill_corrections.remove, water.id)
    assert sums(landlord, house, MARCH, APRIL) == {"Ann": 60_00, "Bo": 40_00}
    landlord.sound()


def test_switching_to_automatic_says_what_it_would_place_and_places_it(landlord, house):
    april_bill(landlord, house)
    corrected_bill(landlord, house)
    landlord.bill(house, 50_00, on=date(2026, 3, 25))
    wishes = Wishes(corrections="automatic")
    sums_of_all = landlord.see(correction_decisions.placed_by, wishes)
    assert sums_of_all == [WaitingSum("USD", 4, 50_00, -80_00)]
    assert correction_decisions.waiting_in_words(sums_of_all) == (
        "4 corrections: $50.00 to be charged, $80.00 to be given back"
    )
    assert landlord.see(correction_decisions.placed_by, Wishes(payment_terms=9)) == []
    landlord.do(correction_decisions.change_settings, Wishes(payment_terms=9))
    assert landlord.totals(house, APRIL) == {"1": 60_00, "2": 40_00}
    after = landlord.do(correction_decisions.change_settings, wishes)
    assert (after.corrections, after.payment_terms) == ("automatic", 9)
    assert landlord.totals(house, APRIL) == {"1": 42_00, "2": 28_00}
    assert landlord.see(correction_decisions.placed_by, wishes) == []
    assert landlord.do(correction_decisions.change_settings, Wishes(payment_terms=8)).payment_terms == 8


def test_what_was_decided_is_noted_with_what_it_comes_to(landlord, house):
    april_bill(landlord, house)
    corrected_bill(landlord, house)
    for place in ("next", "revoke", "owner"):
        landlord.do(correction_decisions.decide, house.id, [MARCH], place)
    noted = [
        (row.verb, row.after["amount"])
        for row in landlord.see(activity.page, record=house.id, limit=50)
        if "corrections" in row.verb
    ]
    assert noted == [("leave corrections", -80_00), ("revoke corrections", 80_00), ("place corrections", -80_00)]


def test_what_can_be_taken_back_is_said_of_each(landlord, house):
    april_bill(landlord, house)
    corrected_bill(landlord, house)

    def shown():
        found = landlord.see(correction_decisions.of_property, house.id, [MARCH])
        return {(one.tenant_name, one.goes_to, one.is_revocable) for one in found}

    assert shown() == {("Ann", APRIL, False), ("Bo", APRIL, False)}
    with pytest.raises(Conflict, match="that the owner bears, or that was placed on an invoice but not yet sent"):
        landlord.do(correction_decisions.decide, house.id, [MARCH], "revoke")
    placed = landlord.do(correction_decisions.decide, house.id, [MARCH], "next")
    assert {(one.tenant_name, one.row.to_charge_amount) for one in placed} == {("Ann", -48_00), ("Bo", -32_00)}
    assert shown() == {("Ann", APRIL, True), ("Bo", APRIL, True)}
    landlord.set_status(house, "1", "SENT", APRIL)
    assert shown() == {("Ann", None, False), ("Bo", None, False)}


def test_what_is_placed_twice_needs_one_month(landlord, house):
    corrected_bill(landlord, house)
    landlord.do(correction_decisions.decide, house.id, [MARCH], "next")
    landlord.bill(house, 50_00, on=date(2026, 3, 25))
    landlord.do(correction_decisions.decide, house.id, [MARCH], "next")
    assert landlord.totals(house, APRIL) == {"1": -18_00, "2": -12_00}
    assert landlord.month(house, "2026-05") is None


def test_what_waited_for_a_month_is_gone_when_the_bill_was_right(landlord, house):
    automatic(landlord)
    corrected_bill(landlord, house)
    right_again(landlord, house)
    assert waiting(landlord, house) == {}
    assert not landlord.month(house, MARCH).pending


def test_a_month_that_carries_corrections_is_corrected_itself(landlord, house):
    placed_on_april(landlord, house, is_automatic=False)
    landlord.set_status(house, "1", "SENT", APRIL)
    april = next(bill for bill in landlord.stored_bills(house) if bill.bill_date == "2026-04-01")
    assert waiting(landlord, house) == {}
    landlord.do(bill_corrections.correct, april.id, 90_00)
    assert waiting(landlord, house) == {("Ann", APRIL): (-6_00, 0, None), ("Bo", APRIL): (-4_00, 0, None)}


def test_a_unit_that_leaves_a_month_that_carries_its_corrections_is_corrected(landlord, house):
    placed_on_april(landlord, house, is_automatic=False)
    landlord.set_status(house, "1", "SENT", APRIL)
    two = next(unit for unit in landlord.stored_units(house) if unit.label == "2")
    landlord.change_unit(two, active_to="2026-03-31")
    assert waiting(landlord, house) == {("Ann", APRIL): (40_00, 0, None), ("Bo", APRIL): (-40_00, 0, None)}


def test_months_that_are_history_are_not_corrected(landlord, house):
    april_bill(landlord, house)
    corrected_bill(landlord, house)
    landlord.do(correction_decisions.decide, house.id, [MARCH], "next")
    landlord.set_status(house, "1", "SENT", APRIL)
    landlord.do(properties.change, house.id, {"billing_starts_month": APRIL})
    right_again(landlord, house)
    assert waiting(landlord, house) == {}
    landlord.do(properties.change, house.id, {"billing_starts_month": None})
    assert waiting(landlord, house) == {("Ann", MARCH): (48_00, 0, None), ("Bo", MARCH): (32_00, 0, None)}


def test_of_a_corrected_part_that_nobody_is_charged_the_owner_bears_all(landlord, house):
    kept = landlord.bill(house, 30_00, "GAS", on=date(2026, 4, 1))
    landlord.bill(house, 10_00, on=date(2026, 4, 1))
    landlord.do(share_rules.remove, landlord.rules(house)["GAS"].id)
    landlord.set_status(house, "1", "SENT", APRIL)
    landlord.do(bill_corrections.correct, kept.id, 50_00)
    assert [line.owner_amount for line in landlord.lines(kept)] == [50_00]
    assert landlord.month(house, APRIL).owner_amount == 50_00


def test_a_late_bill_of_which_something_was_left_to_the_owner_is_late_no_more(landlord, house):
    late = landlord.bill(house, 50_00, on=date(2026, 3, 25))
    assert landlord.waits(late)
    landlord.do(correction_decisions.decide, house.id, [MARCH], "owner")
    assert not landlord.waits(late)
    landlord.do(bill_corrections.correct, late.id, 60_00)
    assert not landlord.waits(late), "its difference waits, as a correction of a bill that has charged"
    assert waiting(landlord, house) == {("Ann", MARCH): (6_00, 0, None), ("Bo", MARCH): (4_00, 0, None)}


@pytest.mark.parametrize("since", [None, "2026-04-01"])
def test_what_went_out_on_a_roommates_invoice_is_charged_to_whom_it_corrects(landlord, house, clock, since):
    """Cy moved in with Bo after March was sent; April's invoice is addressed to Cy."""
    automatic(landlord)
    clock.forward(hours=1)
    two = next(unit for unit in landlord.stored_units(house) if unit.label == "2")
    landlord.tenant(two, "Cy", move_in=since, email="cy@example.org")
    bo = the_tenant(landlord, house, "Bo")
    landlord.do(tenants.change, bo.id, {"move_out": "2026-04-20"})
    april_bill(landlord, house)
    corrected_bill(landlord, house)
    sent = landlord.set_status(house, "2", "SENT", APRIL).summary
    assert (sent.tenant_name, sent.total) == ("Cy", 8_00)
    assert waiting(landlord, house) == {}
    landlord.bill(house, 10_00, on=date(2026, 5, 2))
    assert landlord.totals(house, "2026-05")["2"] == 4_00


def corrected_beside_what_was_cancelled(landlord, house):
    """Correct Ann's part of March to $240.00 after a credit was cancelled.

    The credit of $48.00 was on a further invoice for April. Return the descriptions on Ann's two invoices for April.
    """
    automatic(landlord)
    april_bill(landlord, house)
    one = next(unit for unit in landlord.stored_units(house) if unit.label == "1")
    landlord.change_unit(one, active_to="2026-03-31")
    corrected_bill(landlord, house)
    landlord.set_status(house, "1.1", "CANCELLED", APRIL)
    right_again(landlord, house, 400_00)
    found = said(landlord, house)
    assert {label: text.partition("; ")[2][:16] for label, text in found.items()} == {
        "1.1": "$144.06 is right",
        "1.2": "$240.00 is right",
    }
    for label in ("1.2", "2"):
        landlord.set_status(house, label, "SENT", APRIL)
    landlord.sound()
    return found


def said(landlord, house):
    """Return the descriptions of the charges on Ann's April invoices, by label."""
    of_april = landlord.invoices(house, APRIL).items()
    return {label: charge.description for label, one in of_april if label[0] == "1" for charge in one.charges}


def test_what_corrects_again_beside_what_was_cancelled_keeps_its_own_words(landlord, house):
    found = corrected_beside_what_was_cancelled(landlord, house)
    for label, status in (("1.2", "DRAFT"), ("1.2", "SENT"), ("1.1", "SENT")):
        landlord.set_status(house, label, status, APRIL)
        assert said(landlord, house) == found
        landlord.sound()


def test_what_comes_back_with_what_corrects_again_says_what_is_right_by_then(landlord, house):
    found = corrected_beside_what_was_cancelled(landlord, house)
    for label in ("1.2", "1.1"):
        landlord.set_status(house, label, "DRAFT", APRIL)
    assert said(landlord, house) == {"1.2": found["1.2"]}, "both on one draft"
    landlord.sound()


def test_drafts_lose_a_correction_that_is_none_any_more(landlord, house):
    placed_on_april(landlord, house, is_automatic=True)
    assert landlord.totals(house, APRIL) == {"1": 12_00, "2": 8_00}
    right_again(landlord, house)
    assert landlord.totals(house, APRIL) == {"1": 60_00, "2": 40_00}


def test_a_month_that_is_reopened_after_a_unit_left_it_is_sound(landlord, house, clock):
    automatic(landlord)
    clock.forward(hours=1)
    april_bill(landlord, house)
    two = next(unit for unit in landlord.stored_units(house) if unit.label == "2")
    landlord.tenant(two, "Cy", move_in="2026-04-14")
    landlord.change_unit(two, active_from="2026-04-21")
    landlord.set_status(house, "1", "SENT", APRIL)
    for label in ("2", "1"):
        landlord.set_status(house, label, "DRAFT", MARCH)
    landlord.sound()


def test_the_form_of_a_corrected_bill_that_is_saved_as_it_was_changes_nothing(landlord, house):
    corrected_bill(landlord, house)
    (water,) = landlord.stored_bills(house)
    landlord.do(bill_entries.change, water.id, landlord.see(bill_entries.form_of, water.id))
    assert landlord.stored_bills(house) == [water]
    landlord.sound()


def test_corrections_go_to_the_month_after_the_last_one_if_all_are_closed(landlord):
    maple = landlord.property_()
    landlord.tenant(landlord.unit(maple, "1"), "Ann")
    for month in (1, 2):
        landlord.bill(maple, 30_00, on=date(2026, month, 20))
        landlord.set_status(maple, "1", "SENT", f"2026-0{month}")
    assert landlord.see(correction_decisions.next_months, maple.id, ["2026-01"]) == ["2026-03"]
