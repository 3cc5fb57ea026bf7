"""Tests of the households that drafts without lines are for.

They also cover invoices that were sent in a month that is still open.
"""

from datetime import date

import pytest

from prorata.actions.invoices import invoices
from prorata.actions.payments import payments
from prorata.actions.payments.payments import Received
from prorata.actions.properties import properties, tenants
from prorata.actions.recalculation import correction_decisions
from prorata.store.properties import units
from tests.landlord import Landlord


def named(landlord, maple):
    return landlord.invoices(maple)["1"].summary.tenant_name


def test_a_draft_without_lines_is_for_whom_the_unit_follows_once_its_tenant_is_removed(landlord: Landlord):
    maple = landlord.property_()
    flat = landlord.unit(maple, "1")
    bill = landlord.bill(maple, 100_00)
    ann = landlord.tenant(flat, "Ann")
    landlord.do(invoices.add_custom_charge, landlord.invoices(maple)["1"].summary.id, "Key lost", 500)
    landlord.remove_bill(bill)
    landlord.tenant(flat, "Bo")
    assert named(landlord, maple) == "Ann"
    landlord.remove_tenant(ann)
    assert named(landlord, maple) == "Bo"


def test_a_draft_without_lines_that_is_for_nobody_is_for_whoever_comes(landlord: Landlord):
    maple = landlord.property_()
    flat = landlord.unit(maple, "1")
    bill = landlord.bill(maple, 100_00)
    landlord.do(invoices.add_custom_charge, landlord.invoices(maple)["1"].summary.id, "Key lost", 500)
    landlord.remove_bill(bill)
    landlord.tenant(flat, "Bo")
    assert named(landlord, maple) == "Bo"


def test_what_was_sent_of_an_open_month_keeps_its_words_when_its_household_grows(landlord: Landlord):
    maple = landlord.property_()
    flat = landlord.unit(maple, "1")
    landlord.rule(maple, "WATER", "OCCUPANTS")
    landlord.bill(maple, 100_00)
    landlord.set_status(maple, "1", "PAID")
    landlord.set_status(maple, "1", "DRAFT")
    landlord.tenant(flat, "Ann", move_in="2026-02-05")
    sent = landlord.set_status(maple, "1.1", "SENT")
    landlord.tenant(flat, "Bo", move_in="2026-02-05")
    assert landlord.invoices(maple)["1.1"].charges == sent.charges
    landlord.sound()


@pytest.fixture
def moved(landlord: Landlord):
    """Two units, and $100.00 that is split equally.

    Ann leaves the first unit on the 14th, and Bo moves in on the 16th. Ann's invoice of $25.00 was sent.
    """
    maple = landlord.property_()
    one, two = landlord.units(maple, "1", "2")
    landlord.tenant(one, "Ann", move_out="2026-02-14")
    landlord.tenant(one, "Bo", move_in="2026-02-16")
    landlord.tenant(two, "Cy")
    landlord.bill(maple, 100_00)
    landlord.set_status(maple, "1.1", "SENT")
    assert landlord.totals(maple) == {"1": 23_21, "1.1": 25_00, "2": 50_00}
    return maple


def test_a_unit_that_takes_no_part_any_more_gives_back_what_was_sent(landlord, moved):
    landlord.change_unit(landlord.stored_units(moved)[0], active_from="2026-04-01")
    landlord.sound()
    shown = landlord.invoices(moved)
    assert {label: one.summary.total for label, one in shown.items()} == {"1.1": 25_00, "1.2": -25_00, "2": 100_00}
    assert shown["1.2"].summary.tenant_name == "Ann"
    assert shown["1.2"].charges[0].description.endswith("the unit takes no part, less $25.00 that was invoiced before")


def test_without_a_rule_what_was_sent_is_given_back(landlord, moved):
    landlord.change_rule(landlord.rules(moved)["WATER"].id, is_active=False)
    landlord.sound()
    assert landlord.totals(moved) == {"1": 0, "1.1": 25_00, "1.2": -25_00, "2": 0}
    landlord.change_rule(landlord.rules(moved)["WATER"].id, is_active=True)
    assert landlord.totals(moved) == {"1": 23_21, "1.1": 25_00, "2": 50_00}


def test_a_month_in_which_something_was_sent_is_billed_though_it_lies_before_the_first_to_bill(landlord, moved):
    landlord.do(properties.change, moved.id, {"billing_starts_month": "2026-04"})
    landlord.sound()
    assert landlord.totals(moved) == {"1": 23_21, "1.1": 25_00, "2": 50_00}
    landlord.set_status(moved, "1.1", "DRAFT")
    landlord.sound()
    assert landlord.totals(moved) == {"1.1": 0}, "it was sent once, and stays; the others go"


def test_what_is_taken_back_to_draft_is_what_its_household_bears_by_now(landlord, moved):
    ann = next(one for one in landlord.read(units.tenants_of_properties, [moved.id]) if one.name == "Ann")
    landlord.do(tenants.change, ann.id, {"move_out": "2026-02-10"})
    assert landlord.totals(moved) == {"1": 23_21, "1.1": 25_00, "1.2": -7_14, "2": 50_00}
    landlord.set_status(moved, "1.1", "DRAFT")
    landlord.sound()
    assert landlord.totals(moved) == {"1": 23_21, "1.1": 17_86, "2": 50_00}


def test_a_month_that_is_closed_beside_a_held_draft_of_another_household_does_not_wait(landlord):
    maple = landlord.property_()
    one, two = landlord.units(maple, "1", "2")
    landlord.tenant(one, "Ann", move_out="2026-02-14")
    bo = landlord.tenant(one, "Bo", move_in="2026-02-16")
    landlord.tenant(two, "Cy")
    landlord.bill(maple, 100_00)
    landlord.do(invoices.add_custom_charge, landlord.invoices(maple)["1.1"].summary.id, "Key lost", 500)
    landlord.remove_tenant(bo)
    assert landlord.invoices(maple)["1"].summary.tenant_name is None
    landlord.set_status(maple, "2", "SENT")
    landlord.sound()
    landlord.change_unit(two, monthly_rent=90000)
    assert not landlord.month(maple).pending


def paid_in_part(landlord):
    """A property, its first unit, and its tenant Ann, on whose draft $10.00 was paid."""
    maple = landlord.property_()
    one, two = landlord.units(maple, "1", "2")
    ann = landlord.tenant(one, "Ann")
    landlord.tenant(two, "Cy")
    landlord.bill(maple, 100_00)
    landlord.do(payments.receive, landlord.invoices(maple)["1"].summary.id, Received(10_00, date(2026, 3, 10)))
    return maple, one, ann


def test_a_draft_with_a_payment_keeps_its_household_when_its_dates_change(landlord: Landlord):
    maple, one, ann = paid_in_part(landlord)
    landlord.do(tenants.change, ann.id, {"move_out": "2026-02-14"})
    landlord.tenant(one, "Bo", move_in="2026-02-16")
    assert landlord.totals(maple) == {"1": 25_00, "1.1": 23_21, "2": 50_00}
    assert named(landlord, maple) == "Ann"


def test_a_late_bill_falls_to_the_owner_where_a_paid_draft_is_for_who_left_before(landlord: Landlord):
    maple, _, ann = paid_in_part(landlord)
    landlord.set_status(maple, "2", "SENT")
    landlord.do(tenants.change, ann.id, {"move_out": "2026-01-31"})
    late = landlord.bill(maple, 20_00)
    of_late = {
        (shown.unit_label, shown.row.waiting_amount)
        for shown in landlord.see(correction_decisions.of_property, maple.id)
        if shown.row.bill_id == late.id
    }
    assert of_late == {("2", 10_00), ("", 10_00)}, "the owner's part, and not the unit's"
    landlord.sound()


def test_a_draft_is_addressed_to_the_roommate_who_has_an_e_mail_address(landlord: Landlord):
    maple = landlord.property_()
    flat = landlord.unit(maple, "1")
    landlord.tenant(flat, "Ann")
    bo = landlord.tenant(flat, "Bo", email="bo@example.org")
    landlord.tenant(flat, "Cy", email="cy@example.org")
    landlord.bill(maple, 60_00)
    assert named(landlord, maple) == "Bo"
    landlord.do(tenants.change, bo.id, {"email": None})
    assert named(landlord, maple) == "Cy"


def test_who_is_entered_without_a_date_once_a_month_is_closed_is_nobody_that_its_drafts_wait_for(
    landlord: Landlord, clock
):
    maple = landlord.property_()
    landlord.tenant(landlord.unit(maple, "1"), "Ann")
    empty = landlord.unit(maple, "2")
    landlord.bill(maple, 60_00)
    landlord.set_status(maple, "1", "SENT")
    clock.forward(minutes=1)
    landlord.tenant(empty, "Bo")
    assert not landlord.month(maple).pending
    landlord.tenant(empty, "Cy", move_in="2026-02-10")
    assert landlord.month(maple).pending


def test_a_draft_that_was_sent_before_keeps_its_name_and_no_month_waits_for_another(landlord, moved):
    ann = next(one for one in landlord.read(units.tenants_of_properties, [moved.id]) if one.name == "Ann")
    landlord.set_status(moved, "2", "SENT")
    landlord.set_status(moved, "1.1", "DRAFT")
    landlord.do(tenants.change, ann.id, {"name": "Ann Lee"})
    assert not landlord.month(moved).pending
    bo = next(one for one in landlord.read(units.tenants_of_properties, [moved.id]) if one.name == "Bo")
    landlord.do(tenants.change, bo.id, {"name": "Bo Lee"})
    assert landlord.month(moved).pending, "whose was never sent"


def test_a_closed_month_that_is_computed_without_a_roommate_who_was_removed_is_for_who_is_left(landlord: Landlord):
    maple = landlord.property_()
    one, two = landlord.units(maple, "1", "2")
    ann = landlord.tenant(one, "Ann")
    landlord.tenant(one, "Bo")
    landlord.tenant(two, "Cy")
    landlord.bill(maple, 60_00)
    landlord.set_status(maple, "2", "SENT")
    landlord.remove_tenant(ann)
    landlord.set_status(maple, "1", "CANCELLED")
    landlord.set_status(maple, "1", "DRAFT")
    assert landlord.totals(maple) == {"1": 30_00, "2": 30_00}
