"""When an action returns, the invoices of open months already show its effects.

Closed months stay as they are, and say that something waits.
"""

from datetime import date, timedelta
from decimal import Decimal

import pytest

from prorata.actions.bills import bills
from prorata.actions.properties import properties, tenants
from prorata.actions.splitting import share_rules, split_methods
from prorata.actions.splitting.split_methods import NewBlend
from prorata.domain.bills.bills import NewBill
from prorata.errors import Conflict, InvalidRequest, NotFound
from tests.landlord import Landlord


@pytest.fixture
def maple(landlord: Landlord):
    """Two units of 300 and 600 sq ft with tenants.

    The bill for February's water is $90.00.
    """
    maple = landlord.property_()
    for label, sqft in (("1", 300), ("2", 600)):
        landlord.tenant(landlord.unit(maple, label, sqft=sqft, bedrooms=1), f"Tenant {label}")
    landlord.bill(maple, 90_00)
    return maple


def find_unit(landlord, of, label):
    return next(one for one in landlord.stored_units(of) if one.label == label)


# --- whatever changes a month's inputs ---------------------------------------------------------------------------------


def test_the_first_bill_of_a_month_makes_a_draft_for_each_unit(landlord, maple):
    assert landlord.totals(maple) == {"1": 45_00, "2": 45_00}
    assert landlord.statuses(maple) == {"1": "DRAFT", "2": "DRAFT"}
    first = landlord.invoices(maple)["1"].summary
    assert (first.number, first.invoice_date, first.tenant_name) == ("MAPLECOURT-1-2026-02", "2026-03-10", "Tenant 1")


def test_another_bill_adds_its_charges_and_leaves_the_others_as_they_are(landlord, maple):
    before = landlord.invoices(maple)["1"]
    landlord.bill(maple, 30_00, "GAS")
    after = landlord.invoices(maple)["1"]
    assert after.summary.total == 60_00
    assert after.summary.id == before.summary.id
    assert set(before.charges) < set(after.charges)


def test_a_changed_rule_shows_when_the_action_returns(landlord, maple):
    landlord.change_rule(landlord.rules(maple)["WATER"].id, split_method="SQFT")
    assert landlord.totals(maple) == {"1": 30_00, "2": 60_00}


def test_a_replaced_rule_is_gone_and_the_new_one_counts(landlord, maple):
    old = landlord.rules(maple)["WATER"]
    shown = landlord.rule(maple, "WATER", "CUSTOM", weights='{"1": 2, "2": 1}')
    assert landlord.totals(maple) == {"1": 60_00, "2": 30_00}
    assert landlord.rules(maple)["WATER"].id == shown.row.id != old.id
    with pytest.raises(NotFound):
        landlord.change_rule(old.id, is_active=False)


def test_without_an_active_rule_the_line_is_the_owners(landlord, maple):
    rule_id = landlord.rules(maple)["WATER"].id
    landlord.change_rule(rule_id, is_active=False)
    assert landlord.totals(maple) == {"1": 0, "2": 0}
    assert landlord.month(maple).owner_amount == 90_00
    landlord.change_rule(rule_id, is_active=True)
    assert landlord.totals(maple) == {"1": 45_00, "2": 45_00}
    landlord.do(share_rules.remove, rule_id)
    assert landlord.totals(maple) == {"1": 0, "2": 0}


def test_a_put_takes_defaults_for_what_is_not_given_but_keeps_the_owners_percent(landlord, maple):
    rule = landlord.rule(maple, "WATER", "CUSTOM", weights='{"1": 2, "2": 1}', owner=10, active=False).row
    shown = landlord.do(share_rules.replace, rule.id, {"split_method": "EQUAL"})
    assert (shown.row.is_active, shown.terms.custom_weights_json, shown.row.owner_percent) == (True, None, "10")
    assert landlord.totals(maple) == {"1": 40_50, "2": 40_50}


def test_a_new_unit_takes_its_part_of_open_months(landlord, maple):
    landlord.unit(maple, "3")
    assert landlord.totals(maple) == {"1": 30_00, "2": 30_00, "3": 30_00}


def test_a_changed_measure_shows_at_once(landlord, maple):
    landlord.rule(maple, "WATER", "SQFT")
    landlord.change_unit(find_unit(landlord, maple, "1"), sqft=Decimal(150))
    assert landlord.totals(maple) == {"1": 18_00, "2": 72_00}
    landlord.change_unit(find_unit(landlord, maple, "1"), sqft=None)
    assert landlord.totals(maple) == {"1": 0, "2": 90_00}
    assert landlord.month(maple).missing_count == 1


def test_tenants_who_come_and_go_move_the_person_days(landlord, maple):
    landlord.rule(maple, "WATER", "OCCUPANTS")
    new = landlord.tenant(find_unit(landlord, maple, "2"), "Bo")
    assert landlord.totals(maple) == {"1": 30_00, "2": 60_00}
    landlord.do(tenants.change, new.id, {"move_in": "2026-02-15"})
    assert landlord.totals(maple) == {"1": 36_00, "2": 54_00}
    landlord.remove_tenant(new)
    assert landlord.totals(maple) == {"1": 45_00, "2": 45_00}


def test_a_renamed_unit_keeps_its_weight_and_its_number(landlord, maple):
    landlord.rule(maple, "WATER", "CUSTOM", weights='{"1": 2, "2": 1}')
    landlord.change_unit(find_unit(landlord, maple, "1"), label="Garden flat")
    assert landlord.totals(maple) == {"Garden flat": 60_00, "2": 30_00}
    assert landlord.invoices(maple)["Garden flat"].summary.number == "MAPLECOURT-1-2026-02"
    (shown,) = [one for one in landlord.see(share_rules.of_property, maple.id) if one.row.utility_type == "WATER"]
    assert shown.terms.custom_weights_json == '{"Garden flat": 2, "2": 1}'


def test_a_changed_blend_recalculates_every_property_that_uses_it(landlord, maple):
    blend = landlord.blend("Half and half", EQUAL=50, SQFT=50)
    assert landlord.rule(maple, "WATER", blend=blend).row.split_method == "CUSTOM"
    assert landlord.totals(maple) == {"1": 37_50, "2": 52_50}
    landlord.do(split_methods.replace, blend, NewBlend("By area", [("SQFT", Decimal(100))]))
    assert landlord.totals(maple) == {"1": 30_00, "2": 60_00}
    with pytest.raises(Conflict):
        landlord.do(split_methods.remove, blend)
    landlord.change_rule(landlord.rules(maple)["WATER"].id, split_method="EQUAL")
    landlord.do(split_methods.remove, blend)
    assert landlord.totals(maple) == {"1": 45_00, "2": 45_00}


def test_billing_that_starts_later_makes_a_month_history(landlord, maple):
    landlord.do(properties.change, maple.id, {"billing_starts_month": "2026-03"})
    assert landlord.invoices(maple) == {}
    assert landlord.month(maple) is None
    landlord.do(properties.change, maple.id, {"billing_starts_month": None})
    assert landlord.totals(maple) == {"1": 45_00, "2": 45_00}


def test_a_bill_that_goes_takes_its_drafts_along(landlord, maple):
    gas = landlord.bill(maple, 30_00, "GAS")
    (water,) = [row for row in landlord.stored_bills(maple) if row.id != gas.id]
    landlord.remove_bill(water)
    assert landlord.totals(maple) == {"1": 15_00, "2": 15_00}
    landlord.remove_bill(gas)
    assert landlord.invoices(maple) == {}
    assert landlord.month(maple) is None


def test_nothing_changed_is_nothing_written(landlord, maple, clock):
    before = landlord.invoices(maple)
    clock.forward(hours=1)
    landlord.change_rule(landlord.rules(maple)["WATER"].id)
    landlord.rule(maple, "GAS", "SQFT")
    landlord.change_unit(find_unit(landlord, maple, "1"), monthly_rent=1000_00)
    landlord.rule(maple, "WATER", "EQUAL")
    assert landlord.invoices(maple) == before


def test_a_combined_bill_with_a_late_fee_charges_what_is_billed(landlord, maple):
    amounts = (("SEWER", 40_10), ("GARBAGE", 20_00), ("LATE_FEE", 5_00), ("OTHER", 3_00))
    bill = landlord.bill(maple, 68_10, "SEWER;GARBAGE;OTHER", amounts=amounts)
    shown = landlord.invoices(maple)["2"]
    assert sorted((str(charge.utility_type), charge.amount) for charge in shown.charges) == [
        ("None", 1_50),
        ("SEWER", 20_05),
        ("TRASH", 10_00),
        ("WATER", 45_00),
    ]
    assert [line.owner_amount for line in landlord.lines(bill)] == [0, 0, 5_00, 0]


def test_a_credit_larger_than_the_charges_makes_a_negative_total(landlord, maple):
    landlord.bill(maple, -100_00, "WATER", issuer="Aqua credit")
    assert landlord.totals(maple) == {"1": -5_00, "2": -5_00}


# --- closed months -----------------------------------------------------------------------------------------------------


def test_a_closed_month_stays_as_it_is_and_says_that_something_waits(landlord, maple, clock):
    landlord.set_status(maple, "1", "SENT")
    before = landlord.invoices(maple)
    clock.forward(hours=1)
    landlord.rule(maple, "WATER", "SQFT")
    after = landlord.invoices(maple)
    assert all(one.summary.pending for one in after.values())
    assert {key: one.charges for key, one in after.items()} == {key: one.charges for key, one in before.items()}
    landlord.rule(maple, "WATER", "EQUAL")
    assert landlord.invoices(maple) == before, "and when it no longer would change anything, nothing waits"


def test_facts_that_change_nobodys_charges_leave_nothing_waiting_in_a_closed_month(landlord, maple):
    landlord.set_status(maple, "1", "SENT")
    landlord.change_unit(find_unit(landlord, maple, "1"), sqft=Decimal(400), bedrooms=3)
    landlord.rule(maple, "GAS", "SQFT")
    landlord.tenant(find_unit(landlord, maple, "2"), "Cy", move_in="2026-04-01")
    assert not landlord.month(maple).pending
    landlord.rule(maple, "WATER", "SQFT")
    assert landlord.month(maple).pending


def test_a_closed_month_that_is_computed_as_it_was_closed_has_nothing_waiting(landlord, maple):
    landlord.set_status(maple, "1", "SENT")
    landlord.set_status(maple, "2", "CANCELLED")
    month = landlord.month(maple)
    assert (month.is_closed, bool(month.pending), month.owner_amount) == (True, False, 45_00)


def test_an_invoice_says_when_its_charges_came_out_otherwise(landlord, maple, clock):
    made = landlord.invoices(maple)["1"].summary.generated_at
    clock.forward(hours=1)
    landlord.bill(maple, 30_00, "GAS")
    later = {key: one.summary.generated_at for key, one in landlord.invoices(maple).items()}
    assert set(later.values()) == {made.replace("T18:", "T19:")} != {made}
    clock.forward(hours=1)
    landlord.do(tenants.change, landlord.invoices(maple)["2"].summary.tenant_id, {"name": "Bo"})
    renamed = landlord.invoices(maple)["2"].summary
    assert (renamed.tenant_name, renamed.generated_at) == ("Bo", later["2"]), "it charges what it did"
    assert renamed.updated_at == made.replace("T18:", "T20:")


def test_the_drafts_of_a_closed_month_are_frozen_with_it(landlord, maple):
    landlord.set_status(maple, "1", "SENT")
    landlord.bill(maple, 10_00, "GAS")
    landlord.unit(maple, "3")
    landlord.tenant(find_unit(landlord, maple, "2"), "Bo", move_in="2026-02-01", email="b@example.org")
    assert landlord.totals(maple) == {"1": 45_00, "2": 45_00}
    assert landlord.invoices(maple)["2"].summary.tenant_name == "Tenant 2"


@pytest.mark.parametrize("status", ["DRAFT", "CANCELLED"])
def test_what_waits_takes_effect_when_the_last_invoice_leaves(landlord, maple, status):
    landlord.set_status(maple, "1", "SENT")
    landlord.set_status(maple, "2", "PAID")
    landlord.rule(maple, "WATER", "SQFT")
    landlord.set_status(maple, "2", "DRAFT")
    assert landlord.totals(maple) == {"1": 45_00, "2": 45_00}, "one is still out"
    landlord.set_status(maple, "1", status)
    assert landlord.totals(maple)["2"] == 60_00
    assert not any(one.summary.pending for one in landlord.invoices(maple).values())
    assert landlord.month(maple).owner_amount == (30_00 if status == "CANCELLED" else 0)


def test_a_unit_added_after_the_month_was_closed_takes_part_only_if_it_says_so(landlord, maple, clock):
    landlord.set_status(maple, "1", "SENT")
    clock.forward(minutes=1)
    landlord.unit(maple, "3")
    landlord.unit(maple, "4", active_from="2026-02-28")
    landlord.set_status(maple, "1", "DRAFT")
    assert landlord.totals(maple) == {"1": 44_21, "2": 44_21, "4": 1_58}, "28, 28 and one day"


def test_cancelling_gives_the_part_to_the_owner_and_to_no_neighbour(landlord, maple):
    landlord.set_status(maple, "2", "CANCELLED")
    assert landlord.totals(maple) == {"1": 45_00, "2": 45_00}, "a cancelled invoice stays as it is"
    assert landlord.month(maple).owner_amount == 45_00
    landlord.bill(maple, 10_00, "GAS")
    assert landlord.totals(maple) == {"1": 50_00, "2": 45_00}
    landlord.set_status(maple, "2", "DRAFT")
    assert landlord.totals(maple) == {"1": 50_00, "2": 50_00}
    assert landlord.month(maple).owner_amount == 0


def test_an_invoice_cancelled_in_a_closed_month_comes_back_as_the_month_was_closed(landlord, maple):
    landlord.set_status(maple, "1", "SENT")
    landlord.set_status(maple, "2", "CANCELLED")
    landlord.rule(maple, "WATER", "SQFT")
    landlord.set_status(maple, "2", "SENT")
    assert landlord.totals(maple) == {"1": 45_00, "2": 45_00}
    assert landlord.month(maple).owner_amount == 0


def test_more_open_months_than_the_limit_are_refused_and_nothing_is_written(landlord):
    oak = landlord.property_("Oak")
    landlord.unit(oak, "1")
    first = date(2010, 1, 15)
    new = [NewBill(oak.id, f"{at}", ("GAS",), 100, first + timedelta(days=31 * at)) for at in range(121)]
    with pytest.raises(Conflict, match="the maximum is 120"):
        landlord.do(bills.add, new)
    assert landlord.stored_bills(oak) == []
    landlord.do(bills.add, new[:120])


def test_weights_whose_units_were_removed_do_not_keep_a_rule_from_being_switched_off(landlord):
    oak = landlord.property_("Oak")
    one = landlord.unit(oak, "1")
    rule_id = landlord.rule(oak, "WATER", "CUSTOM", weights='{"1": 1}').row.id
    landlord.remove_unit(one)
    assert landlord.change_rule(rule_id).terms.custom_weights_json == "{}"
    assert not landlord.change_rule(rule_id, is_active=False).row.is_active
    with pytest.raises(InvalidRequest):
        landlord.change_rule(rule_id, split_method="CUSTOM")
