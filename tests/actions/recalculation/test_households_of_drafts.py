"""Whom drafts are for that are held without a line, and what was sent of a month that is open."""

from prorata.actions.invoices import invoices
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
