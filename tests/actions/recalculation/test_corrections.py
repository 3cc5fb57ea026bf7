"""Each household is charged the right amount over all months.

The tests cover late and corrected bills, and moves that become known later.
"""

from datetime import UTC, date, datetime
from decimal import Decimal
from itertools import permutations

import pytest

from prorata.actions.accounts.accounts import Wishes
from prorata.actions.bills import corrections as bill_corrections, late_bills
from prorata.actions.properties import tenants
from prorata.actions.recalculation import correction_decisions
from prorata.actions.splitting import share_rules, split_methods
from prorata.actions.splitting.split_methods import NewBlend
from prorata.errors import Conflict, InvalidRequest
from tests.actions.recalculation.corrected_house import (
    APRIL,
    MARCH,
    ann_left,
    april_bill,
    automatic,
    beside_an_empty_flat,
    corrected_bill,
    eve_came,
    placed_on_april,
    sums,
    waiting,
)


@pytest.mark.parametrize(
    "order",
    list(permutations([corrected_bill, ann_left, eve_came])),
    ids=lambda order: order[0].__name__ + " " + order[1].__name__,
)
def test_the_worked_example_comes_out_in_any_order_of_events(landlord, house, order):
    automatic(landlord)
    april_bill(landlord, house)
    for event in order:
        event(landlord, house)
        landlord.sound()
    assert sums(landlord, house, MARCH) == {"Ann": 192_06, "Bo": 128_04, "owner": 4_65}
    april = landlord.invoices(house, APRIL)
    corrections = {
        (one.summary.tenant_name, one.summary.sequence): [c.amount for c in one.charges if c.corrects_month]
        for one in april.values()
    }
    assert corrections == {("Eve", 0): [74_35], ("Ann", 1): [-127_00], ("Bo", 0): [-32_00]}
    (ann,) = [one for one in april.values() if one.summary.tenant_name == "Ann"]
    (said,) = [charge.description for charge in ann.charges]
    assert said == (
        "Correction of March 2026: Aqua Water Co., bill of 2026-03-20: $192.06 was charged; $65.06 is right: 600 of "
        "1,000 sq ft, 14 of 31 days"
    )


def test_where_a_person_is_asked_nothing_moves_until_it_is_placed(landlord, house):
    april_bill(landlord, house)
    corrected_bill(landlord, house)
    assert waiting(landlord, house) == {("Ann", MARCH): (-48_00, 0, APRIL), ("Bo", MARCH): (-32_00, 0, APRIL)}
    assert all(one.summary.pending for one in landlord.invoices(house, MARCH).values())
    assert landlord.totals(house, APRIL) == {"1": 60_00, "2": 40_00}
    landlord.sound()
    landlord.do(correction_decisions.decide, house.id, [MARCH], "next")
    assert waiting(landlord, house) == {("Ann", MARCH): (0, -48_00, APRIL), ("Bo", MARCH): (0, -32_00, APRIL)}
    assert landlord.totals(house, APRIL) == {"1": 12_00, "2": 8_00}
    assert not any(one.summary.pending for one in landlord.invoices(house, MARCH).values())
    with pytest.raises(Conflict, match="March 2026 has no pending correction\\. Nothing was changed\\."):
        landlord.do(correction_decisions.decide, house.id, [MARCH], "next")


def test_a_later_difference_waits_again_beside_what_was_placed(landlord, house):
    april_bill(landlord, house)
    corrected_bill(landlord, house)
    landlord.do(correction_decisions.decide, house.id, [MARCH], "next")
    water = next(bill for bill in landlord.stored_bills(house) if bill.bill_date == "2026-03-20")
    landlord.do(bill_corrections.correct, water.id, 250_10)
    assert waiting(landlord, house) == {("Ann", MARCH): (6_00, -48_00, APRIL), ("Bo", MARCH): (4_00, -32_00, APRIL)}
    landlord.set_status(house, "1", "SENT", APRIL)
    assert waiting(landlord, house) == {("Ann", MARCH): (6_00, 0, None), ("Bo", MARCH): (4_00, 0, None)}
    landlord.sound()
    landlord.do(correction_decisions.decide, house.id, [MARCH], "next")
    assert landlord.totals(house, "2026-05") == {"1": 6_00, "2": 4_00}, "a month of corrections alone is made"


def test_what_is_left_to_the_owner_counts_as_charged_until_it_is_revoked(landlord, house):
    april_bill(landlord, house)
    corrected_bill(landlord, house)
    landlord.do(correction_decisions.decide, house.id, [MARCH], "owner")
    assert waiting(landlord, house) == {}
    assert sums(landlord, house, MARCH, APRIL)["owner"] == -80_00
    landlord.sound()
    landlord.do(correction_decisions.decide, house.id, [MARCH], "revoke")
    assert set(waiting(landlord, house)) == {("Ann", MARCH), ("Bo", MARCH)}
    assert "owner" not in sums(landlord, house, MARCH, APRIL)


@pytest.mark.parametrize("is_automatic", [True, False])
def test_reopening_charges_in_full_and_takes_back_what_was_issued_elsewhere(landlord, house, is_automatic):
    placed_on_april(landlord, house, is_automatic=is_automatic)
    landlord.set_status(house, "1", "SENT", APRIL)
    assert sums(landlord, house, MARCH, APRIL) == {"Ann": 144_06 + 60_00, "Bo": 96_04 + 40_00}
    for label in ("1", "2"):
        landlord.set_status(house, label, "DRAFT", MARCH)
    landlord.sound()
    march = {
        label: [(c.amount, c.corrects_month) for c in one.charges]
        for label, one in landlord.invoices(house, MARCH).items()
    }
    assert march == {"1": [(144_06, None), (48_00, MARCH)], "2": [(96_04, None), (32_00, MARCH)]}
    assert sums(landlord, house, MARCH, APRIL) == {"Ann": 144_06 + 60_00, "Bo": 96_04 + 40_00}
    landlord.bill(house, 10_00, on=date(2026, 5, 2))
    march = {
        label: [(c.amount, c.corrects_month) for c in one.charges]
        for label, one in landlord.invoices(house, MARCH).items()
    }
    assert march == {"1": [(144_06, None)], "2": [(96_04, None)]}, "May takes it back, now that it is there"
    for label in ("1", "2"):
        landlord.set_status(house, label, "SENT", MARCH)
    landlord.sound()
    assert sums(landlord, house, MARCH, APRIL, "2026-05") == {"Ann": 144_06 + 66_00, "Bo": 96_04 + 44_00}


@pytest.mark.parametrize("is_automatic", [True, False])
def test_corrections_on_a_cancelled_invoice_wait_for_a_person(landlord, house, is_automatic):
    placed_on_april(landlord, house, is_automatic=is_automatic)
    for label in ("1", "2"):
        landlord.set_status(house, label, "SENT", APRIL)
    landlord.set_status(house, "1", "CANCELLED", APRIL)
    assert waiting(landlord, house) == {("Ann", MARCH): (-48_00, 0, None)}
    landlord.sound()
    landlord.bill(house, 10_00, on=date(2026, 5, 2))
    assert waiting(landlord, house) == {("Ann", MARCH): (-48_00, 0, "2026-05")}
    landlord.do(correction_decisions.decide, house.id, [MARCH], "next")
    assert landlord.totals(house, "2026-05") == {"1": -42_00, "2": 4_00}
    landlord.set_status(house, "1", "SENT", APRIL)
    assert landlord.totals(house, "2026-05") == {"1": 6_00, "2": 4_00}, "it stands where it stood again"


def test_a_late_bill_is_of_those_who_lived_there(landlord, clock):
    clock.moment = datetime(2026, 4, 10, 9, tzinfo=UTC)
    of = landlord.property_()
    one, two = landlord.units(of, "1", "2")
    landlord.tenant(one, "Ann", move_in="2026-01-01", move_out="2026-03-31")
    landlord.tenant(one, "Eve", move_in="2026-04-01")
    landlord.tenant(two, "Bo", move_in="2026-01-01")
    landlord.rule(of, "WATER")
    landlord.bill(of, 60_00, on=date(2026, 3, 20))
    landlord.set_status(of, "1", "SENT", MARCH)
    landlord.set_status(of, "2", "SENT", MARCH)
    late = landlord.bill(of, 80_00, on=date(2026, 3, 25))
    assert landlord.waits(late)
    landlord.bill(of, 20_00, on=date(2026, 4, 9))
    landlord.do(correction_decisions.decide, of.id, [MARCH], "next")
    assert not landlord.waits(late)
    april = {one.summary.tenant_name: one.summary.total for one in landlord.invoices(of, APRIL).values()}
    assert april == {"Ann": 40_00, "Eve": 10_00, "Bo": 50_00}


def test_without_a_month_it_waits_and_is_placed_once_there_is_one(landlord, house):
    automatic(landlord)
    corrected_bill(landlord, house)
    assert waiting(landlord, house) == {("Ann", MARCH): (-48_00, 0, None), ("Bo", MARCH): (-32_00, 0, None)}
    assert all(one.summary.pending for one in landlord.invoices(house, MARCH).values())
    landlord.sound()
    landlord.bill(house, 10_00, on=date(2026, 5, 2))
    assert landlord.totals(house, "2026-05") == {"1": -42_00, "2": -28_00}
    april_bill(landlord, house)
    assert landlord.totals(house, "2026-05") == {"1": 6_00, "2": 4_00}
    assert landlord.totals(house, APRIL) == {"1": 12_00, "2": 8_00}, "the first open month has it"


def test_the_right_amounts_sum_to_the_total(landlord, house):
    (water,) = landlord.stored_bills(house)
    with pytest.raises(InvalidRequest, match="must add up to the total"):
        landlord.do(bill_corrections.correct, water.id, 240_10, {"WATER": 200_00, "SEWER": 40_00})
    landlord.do(bill_corrections.correct, water.id, 240_10, {"WATER": 200_10, "SEWER": 40_00})
    assert [(line.utility_type, line.amount) for line in landlord.lines(water)] == [("WATER", 200_10), ("SEWER", 40_00)]
    landlord.sound()
    landlord.do(bill_corrections.remove, water.id)
    assert {line.amount for line in landlord.lines(water)} == {0}
    assert waiting(landlord, house) == {("Ann", MARCH): (-192_06, 0, None), ("Bo", MARCH): (-128_04, 0, None)}


def test_a_further_invoice_that_is_cancelled_is_the_owners(landlord, clock):
    clock.moment = datetime(2026, 4, 10, 9, tzinfo=UTC)
    of = landlord.property_()
    one, _ = landlord.units(of, "1", "2")
    landlord.tenant(one, "Ann", move_in="2026-01-01", move_out="2026-03-14")
    landlord.tenant(one, "Eve", move_in="2026-03-15")
    landlord.rule(of, "WATER")
    landlord.bill(of, 310_00, on=date(2026, 3, 20))
    landlord.set_status(of, "1.1", "SENT", MARCH)
    landlord.bill(of, 62_00, on=date(2026, 3, 25))
    assert landlord.totals(of, MARCH)["1.2"] == 14_00
    landlord.set_status(of, "1.2", "CANCELLED", MARCH)
    assert set(landlord.totals(of, MARCH)) == {"1", "1.1", "1.2", "2"}
    assert sum(sums(landlord, of, MARCH).values()) == 372_00
    assert sums(landlord, of, MARCH)["owner"] == 14_00


def test_a_month_that_opens_beside_a_further_invoice_keeps_the_corrections_it_carries(landlord, clock):
    """Sending a further invoice closes no month.

    So setting the month's other invoice back to draft opens the month, and its drafts carry the corrections again.
    """
    clock.moment = datetime(2026, 4, 10, 9, tzinfo=UTC)
    automatic(landlord)
    of = landlord.property_()
    one, two = landlord.units(of, "1", "2")
    ann = landlord.tenant(one, "Ann", move_in="2026-01-01")
    landlord.tenant(two, "Bo", move_in="2026-01-01")
    wrong = landlord.bill(of, 40_00, on=date(2026, 2, 20))
    landlord.bill(of, 40_00, on=date(2026, 3, 20))
    for label in ("1", "2"):
        landlord.set_status(of, label, "SENT", "2026-02")
    landlord.do(bill_corrections.remove, wrong.id)
    landlord.do(tenants.change, ann.id, {"move_out": "2026-01-01"})
    assert landlord.totals(of, MARCH) == {"1": 20_00, "1.1": -20_00, "2": 0}
    landlord.set_status(of, "1", "CANCELLED", MARCH)
    landlord.set_status(of, "1.1", "SENT", MARCH)
    landlord.set_status(of, "1", "SENT", MARCH)
    landlord.set_status(of, "1", "DRAFT", MARCH)
    assert landlord.totals(of, MARCH) == {"1": 20_00, "1.1": -20_00, "2": 0}
    landlord.sound()


def test_a_late_bill_that_a_person_moves_stays_for_the_days_of_its_own_month(landlord, clock):
    clock.moment = datetime(2026, 4, 10, 9, tzinfo=UTC)
    of = landlord.property_()
    one, two = landlord.units(of, "1", "2")
    landlord.tenant(one, "Ann", move_in="2026-01-01", move_out="2026-03-31")
    landlord.tenant(one, "Eve", move_in="2026-04-01")
    landlord.tenant(two, "Bo", move_in="2026-01-01")
    landlord.bill(of, 60_00, on=date(2026, 3, 20))
    landlord.set_status(of, "1", "SENT", MARCH)
    late = landlord.bill(of, 80_00, on=date(2026, 3, 25))
    landlord.do(late_bills.settle, late.id, APRIL)
    april = {one.summary.tenant_name: one.summary.total for one in landlord.invoices(of, APRIL).values()}
    assert april == {"Ann": 40_00, "Eve": 0, "Bo": 40_00}


def test_an_undated_change_of_a_rule_begins_after_the_last_closed_month_where_corrections_are_automatic(
    landlord, house
):
    automatic(landlord)
    april_bill(landlord, house)
    water = landlord.rules(house)["WATER"]
    landlord.change_rule(water.id, split_method="EQUAL")
    assert waiting(landlord, house) == {}
    assert sums(landlord, house, MARCH, APRIL) == {"Ann": 192_06 + 50_00, "Bo": 128_04 + 50_00}
    landlord.do(share_rules.remove, landlord.rules(house)["WATER"].id)
    assert waiting(landlord, house) == {}
    assert sums(landlord, house, MARCH, APRIL) == {"Ann": 192_06, "Bo": 128_04, "owner": 100_00}


def test_a_blend_that_changes_keeps_its_parts_in_closed_months_where_corrections_are_automatic(landlord, house):
    automatic(landlord)
    blend = landlord.blend("Half", SQFT=50, EQUAL=50)
    landlord.bill(house, 100_00, on=date(2026, 4, 1))
    landlord.change_rule(landlord.rules(house)["WATER"].id, split_method="CUSTOM", split_method_id=blend)
    assert landlord.totals(house, APRIL) == {"1": 55_00, "2": 45_00}
    landlord.set_status(house, "1", "SENT", APRIL)
    landlord.bill(house, 100_00, on=date(2026, 5, 1))
    landlord.do(split_methods.replace, blend, NewBlend("Half", [("SQFT", Decimal(100))]))
    assert waiting(landlord, house) == {}
    assert landlord.totals(house, "2026-05") == {"1": 60_00, "2": 40_00}


def test_a_household_whose_invoice_was_cancelled_bears_nothing_that_the_month_was_closed_with(landlord, clock):
    of, two, _water = beside_an_empty_flat(landlord, clock)
    landlord.set_status(of, "1", "CANCELLED", MARCH)
    landlord.bill(of, 60_00, on=date(2026, 3, 21))
    landlord.set_status(of, "2", "SENT", MARCH)
    landlord.tenant(two, "Bo", move_in="2026-06-01")
    assert waiting(landlord, of) == {}
    landlord.bill(of, 20_00, on=date(2026, 3, 25))
    assert waiting(landlord, of)["Ann", MARCH] == (10_00, 0, None)


def test_what_was_the_owners_by_itself_stays_the_owners_when_a_person_is_asked_again(landlord, clock):
    of, _, water = beside_an_empty_flat(landlord, clock)
    landlord.set_status(of, "1", "SENT", MARCH)
    landlord.do(correction_decisions.change_settings, Wishes(corrections="automatic"))
    landlord.do(bill_corrections.correct, water.id, 72_03)
    landlord.do(correction_decisions.change_settings, Wishes(corrections="ask"))
    landlord.sound()
    assert waiting(landlord, of) == {("Ann", MARCH): (-13_98, 0, None)}


def test_what_was_charged_to_a_person_removed_for_good_is_nobodys(landlord, clock):
    clock.moment = datetime(2026, 4, 10, 9, tzinfo=UTC)
    of = landlord.property_()
    one, two = landlord.units(of, "1", "2")
    landlord.tenant(one, "Ann")
    cy = landlord.tenant(two, "Cy")
    landlord.bill(of, 100_00, on=date(2026, 3, 20))
    landlord.set_status(of, "1", "SENT", MARCH)
    automatic(landlord)
    landlord.remove_tenant(cy)
    landlord.set_status(of, "2", "SENT", MARCH)
    landlord.bill(of, 40_00, on=date(2026, 4, 2))
    assert landlord.totals(of, APRIL) == {"1": 20_00, "2": 20_00}
    for label in ("1", "2"):
        landlord.set_status(of, label, "SENT", APRIL)


def test_what_is_placed_again_in_the_month_it_stood_in_is_charged_there(landlord, house):
    automatic(landlord)
    april_bill(landlord, house)
    corrected_bill(landlord, house)
    landlord.set_status(house, "1", "CANCELLED", APRIL)
    assert waiting(landlord, house)["Ann", MARCH] == (-48_00, 0, APRIL)
    landlord.do(correction_decisions.decide, house.id, [MARCH], "next")
    landlord.sound()
    (again,) = [one for label, one in landlord.invoices(house, APRIL).items() if label == "1.1"]
    assert [(charge.amount, charge.corrects_month) for charge in again.charges] == [(-48_00, MARCH)]


def test_what_was_left_to_the_owner_of_nobodys_stays_sound_when_corrections_become_automatic(landlord, clock):
    of, _, water = beside_an_empty_flat(landlord, clock)
    landlord.set_status(of, "1", "SENT", MARCH)
    landlord.do(bill_corrections.correct, water.id, 60_00)
    landlord.do(correction_decisions.decide, of.id, [MARCH], "owner")
    landlord.do(correction_decisions.change_settings, Wishes(corrections="automatic"))
    landlord.sound()


def test_what_a_cancelled_invoice_corrected_is_reckoned_again_when_it_comes_back_without(landlord, house):
    april_bill(landlord, house)
    corrected_bill(landlord, house)
    landlord.do(correction_decisions.decide, house.id, [MARCH], "next")
    for label in ("1", "2"):
        landlord.set_status(house, label, "SENT", APRIL)
    for label in ("1", "2"):
        landlord.set_status(house, label, "CANCELLED", APRIL)
    landlord.bill(house, 10_00, on=date(2026, 5, 2))
    landlord.do(correction_decisions.decide, house.id, [MARCH], "next")
    landlord.set_status(house, "1", "SENT", APRIL)
    landlord.sound()


def test_a_cancelled_invoice_of_nobody_stands_for_whoever_lives_there(landlord, clock):
    of, two, _water = beside_an_empty_flat(landlord, clock)
    landlord.set_status(of, "2", "CANCELLED", MARCH)
    landlord.tenant(two, "Bo", move_in="2026-03-11")
    landlord.set_status(of, "1", "SENT", MARCH)
    assert landlord.totals(of, MARCH) == {"1": 50_00, "2": 50_00}
    landlord.tenant(two, "Cy", move_in="2026-06-01")
    assert waiting(landlord, of) == {}
