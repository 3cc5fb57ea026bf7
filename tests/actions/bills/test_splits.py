"""Every cent of every line of a bill is assigned to somebody.

If the bill's month is closed, the split is shown as it was sent.
"""

from datetime import date
from fractions import Fraction

import pytest

from prorata.actions.bills import bills, corrections as bill_corrections, removal_preview, splits as bill_splits
from prorata.actions.bills.line_splits import is_of
from prorata.actions.invoices import final_invoices
from prorata.actions.properties import properties, tenants
from prorata.actions.recalculation import correction_decisions
from prorata.domain.splitting.division_layout import Share
from prorata.errors import NotFound
from prorata.store.recalculation.corrections import CorrectionRow
from tests.landlord import Landlord


@pytest.fixture
def maple(landlord: Landlord):
    maple = landlord.property_()
    one, two = landlord.unit(maple, "1", sqft=500), landlord.unit(maple, "2", sqft=1500)
    landlord.tenant(one, "Ann")
    landlord.tenant(two, "Bo")
    return maple


def split(landlord, bill):
    found = landlord.see(bill_splits.of_bill, bill.id)
    assert found.charged + found.owner + found.unbilled == found.bill.total
    stored = [line.owner_amount for line in landlord.lines(bill)]
    for line, owner in zip(found.lines, stored, strict=True):
        if line.state == "charged":
            assert line.charged + line.owner == line.line.amount
            assert line.owner == owner
            assert line.charged == sum(one.charged for one in line.shares)
            assert line.sent == sum(one.sent for one in line.shares if not one.share.is_vacant)
    return found


def sent_and_corrected(landlord, of):
    """Correct a bill of 90.00, which February's invoices charge, to 60.00 on March's."""
    bill = landlord.bill(of, 90_00)
    for label in ("1", "2"):
        landlord.set_status(of, label, "SENT")
    landlord.do(bill_corrections.correct, bill.id, 60_00)
    landlord.bill(of, 30_00, on=date(2026, 3, 5))
    landlord.do(correction_decisions.decide, of.id, ["2026-02"], "next")
    for label in ("1", "2"):
        landlord.set_status(of, label, "SENT", "2026-03")
    return bill


def amounts(line):
    """The unit, the right amount, and the amounts on the invoices, of each share."""
    return [(one.share.label, one.charged, [charge.amount for charge in one.charges]) for one in line.shares]


def shown(line):
    return [(one.share.label, one.share.weight, one.charged) for one in line.shares]


def test_a_bill_is_shown_line_by_line_with_the_owners_part_and_why(landlord, maple):
    landlord.rule(maple, "WATER", "SQFT", owner=10)
    amounts = (("WATER", 100_00), ("SEWER", 50_00), ("LATE_FEE", 5_00))
    found = split(landlord, landlord.bill(maple, 155_00, "WATER;SEWER", amounts=amounts))
    water, sewer, fee = found.lines
    after = ", after the owner's 10%"
    assert shown(water) == [
        ("1", f"500 of 2,000 sq ft{after}", 22_50), ("2", f"1,500 of 2,000 sq ft{after}", 67_50)
    ]  # fmt: skip
    assert (water.state, water.owner) == ("charged", 10_00)
    assert shown(sewer) == [("1", "1 of 2 units", 25_00), ("2", "1 of 2 units", 25_00)]
    assert (fee.state, fee.owner, fee.shares) == ("owner", 5_00, ())
    assert "late fee" in fee.why_owner[0]
    assert (found.charged, found.owner, found.guessed, found.closed) == (140_00, 15_00, False, ())
    assert (found.charged_in, found.sent_with, found.may_be_spread) == (["2026-02"], [], False)
    assert [one.invoice.number for one in water.shares] == ["MAPLECOURT-1-2026-02", "MAPLECOURT-2-2026-02"]


def test_a_bill_divided_by_guess_says_so(landlord, maple):
    found = split(landlord, landlord.bill(maple, 100_01, "WATER;SEWER"))
    assert found.guessed
    assert [line.line.amount for line in found.lines] == [50_01, 50_00]


def test_a_closed_month_is_shown_as_it_was_sent_and_as_is_right(landlord, maple):
    bill = landlord.bill(maple, 100_00)
    landlord.set_status(maple, "1", "SENT")
    before = split(landlord, bill)
    landlord.rule(maple, "WATER", "SQFT")
    landlord.unit(maple, "3")
    landlord.change_unit(landlord.stored_units(maple)[0], label="1 renamed")
    after = split(landlord, bill)
    assert after.closed == ("2026-02",)
    (line,) = after.lines
    assert [one.sent for one in line.shares] == [one.charged for one in before.lines[0].shares] == [50_00, 50_00]
    assert shown(line) == [("1", "500 of 2,000 sq ft", 25_00), ("2", "1,500 of 2,000 sq ft", 75_00)]


def test_a_cancelled_invoice_leaves_its_part_to_the_owner(landlord, maple):
    bill = landlord.bill(maple, 100_00)
    landlord.set_status(maple, "2", "CANCELLED")
    (line,) = split(landlord, bill).lines
    assert (line.charged, line.owner) == (50_00, 50_00)
    assert [(one.share.cents, one.charged) for one in line.shares] == [(50_00, 50_00), (50_00, 0)]
    assert line.why_owner == ("The invoice for unit 2 is cancelled, so the owner pays its share.",)


def test_a_bill_that_waits_or_is_history_is_shown_without_shares(landlord, maple):
    landlord.bill(maple, 100_00)
    landlord.set_status(maple, "1", "SENT")
    late = split(landlord, landlord.bill(maple, 10_00, "GAS"))
    assert (late.bill.waiting, late.unbilled, [line.state for line in late.lines]) == (True, 10_00, ["waiting"])
    landlord.set_status(maple, "1", "DRAFT")
    landlord.do(properties.change, maple.id, {"billing_starts_month": "2026-03"})
    assert landlord.month(maple) is not None, "its invoice was sent once"
    assert [line.state for line in split(landlord, late.bill).lines] == ["history"]
    oak = landlord.property_("Oak", billing_starts_month="2026-03")
    landlord.unit(oak, "1")
    old = split(landlord, landlord.bill(oak, 10_00))
    assert (old.unbilled, [line.state for line in old.lines]) == (10_00, ["history"])


def test_what_became_of_a_bill_is_said_from_what_is_charged(landlord, maple):
    def outcome(bill):
        return landlord.see(lambda tx, caller: bill_splits.outcome(tx, caller, bills.find(tx, caller, bill.id)))

    landlord.unit(maple, "3")
    bill = landlord.bill(maple, 100_00)
    fee = landlord.bill(maple, 5_00, "GAS", amounts=(("LATE_FEE", 5_00),))
    found = split(landlord, bill)
    assert (found.charged, found.vacant) == (100_00, 33_33)
    assert outcome(bill) == "Divided among 2 units. You pay the share of 1 vacant unit."
    assert outcome(fee) == "No unit is charged: you bear the whole amount."
    landlord.set_status(maple, "2", "CANCELLED")
    assert outcome(bill).startswith("Divided among 1 unit.")
    landlord.set_status(maple, "1", "SENT")
    assert outcome(landlord.bill(maple, 1_00)).startswith("It’s waiting")
    landlord.do(properties.change, maple.id, {"billing_starts_month": "2026-02"})
    assert outcome(landlord.bill(maple, 1_00, on=date(2026, 1, 2))) == "It’s kept as history: nobody is charged."


def test_what_is_shown_is_what_is_charged_and_stored(landlord, maple):
    half = landlord.blend("Half", EQUAL=50, SQFT=50)
    landlord.rule(maple, "WATER", blend=half, owner=7)
    bill = landlord.bill(maple, 333_33)
    found = split(landlord, bill)
    assert {one.share.label: one.charged for one in found.lines[0].shares} == landlord.totals(maple)
    assert [line.owner_amount for line in landlord.lines(bill)] == [found.owner]


def test_anothers_bill_is_not_found_and_shows_nothing(landlord, maple, clock):
    bill = landlord.bill(maple, 1_00)
    stranger = Landlord(landlord.database, clock, name="stranger")
    with pytest.raises(NotFound):
        stranger.see(bill_splits.of_bill, bill.id)


def test_a_month_that_is_open_again_is_shown_as_its_invoices_charge_it(landlord, maple):
    """March's −15.00 for each tenant are taken back, and no part of the split."""
    bill = sent_and_corrected(landlord, maple)
    found = split(landlord, bill)
    assert (found.charged_in, found.sent_later) == (["2026-02", "2026-03"], -30_00)
    (line,) = found.lines
    assert amounts(line) == [("1", 30_00, [45_00, -15_00]), ("2", 30_00, [45_00, -15_00])]
    for label in ("1", "2"):
        landlord.set_status(maple, label, "DRAFT")
    found = split(landlord, bill)
    assert (found.to_tenants, found.sent, found.owner, found.corrected) == (60_00, 60_00, 0, [])
    assert amounts(found.lines[0]) == [("1", 30_00, [30_00]), ("2", 30_00, [30_00])]


def test_a_cancelled_invoice_of_a_corrected_bill_leaves_the_right_share_to_the_owner(landlord, maple):
    bill = sent_and_corrected(landlord, maple)
    landlord.set_status(maple, "2", "CANCELLED")
    found = split(landlord, bill)
    assert (found.owner, found.sent, found.sent_later) == (30_00, 15_00, -30_00)
    assert amounts(found.lines[0]) == [("1", 30_00, [45_00, -15_00]), ("2", 0, [0, -15_00])]
    assert [one.share.cents for one in found.lines[0].shares] == [30_00, 30_00]


def test_a_share_on_a_cancelled_invoice_is_the_owners_though_another_invoice_corrects_an_earlier_month(landlord, maple):
    """It was sent again under another number, which comes after the other invoice's."""
    january = landlord.bill(maple, 90_00, on=date(2026, 1, 20))
    bill = landlord.bill(maple, 60_00)
    for status in ("SENT", "DRAFT"):
        landlord.set_status(maple, "1", status)
    landlord.bill(maple, 10_00, "GAS")
    for status in ("SENT", "CANCELLED"):
        landlord.set_status(maple, "1", status)
    landlord.set_status(maple, "1", "SENT", "2026-01")
    landlord.do(bill_corrections.correct, january.id, 70_00)
    landlord.do(correction_decisions.decide, maple.id, ["2026-01"], "next")
    assert landlord.totals(maple) == {"1": 35_00, "1.1": -10_00, "2": 25_00}
    (line,) = split(landlord, bill).lines
    assert amounts(line) == [("1", 0, [0]), ("2", 30_00, [30_00])]
    assert [one.owner_amount for one in landlord.lines(bill)] == [line.owner] == [30_00]


def test_each_invoice_of_the_month_that_charges_a_share_is_named_with_its_own_amount(landlord, maple):
    """Di's final invoice was sent before the bill was corrected."""

    def of_unit_three():
        (line,) = split(landlord, bill).lines
        assert line.charged == line.line.amount
        numbers = [[charge.invoice.number.split("-")[1] for charge in one.charges] for one in line.shares[2:]]
        return [(*of_share[1:], its) for of_share, its in zip(amounts(line)[2:], numbers, strict=True)]

    three = landlord.unit(maple, "3")
    di = landlord.tenant(three, "Di", move_out="2026-02-14")
    landlord.tenant(three, "Eve", move_in="2026-02-15")
    bill = landlord.bill(maple, 84_00)
    landlord.do(final_invoices.send, di.id)
    landlord.do(bill_corrections.correct, bill.id, 126_00)
    assert of_unit_three() == [(21_00, [14_00, 7_00], ["3.1", "3.2"]), (21_00, [21_00], ["3"])]
    loss = landlord.see(lambda tx, by: removal_preview.of_split(tx, by, bill_splits.of_bill(tx, by, bill.id)))
    assert "from 4 drafts" in loss.says[1]
    landlord.set_status(maple, "1", "SENT")
    landlord.do(bill_corrections.correct, bill.id, 60_00)
    assert of_unit_three() == [(10_00, [14_00, 7_00], ["3.1", "3.2"]), (10_00, [21_00], ["3"])]
    landlord.set_status(maple, "1", "DRAFT")
    landlord.set_status(maple, "3.1", "CANCELLED")
    assert of_unit_three() == [(10_00, [10_00], ["3.2"]), (10_00, [10_00], ["3"])]


def test_a_share_of_removed_tenants_is_vacant_once_it_is_corrected(landlord, maple):
    """Their invoices are drafts of a closed month, and stay."""
    three, four = landlord.unit(maple, "3"), landlord.unit(maple, "4")
    di = landlord.tenant(three, "Di", move_out="2026-02-14")
    eve = landlord.tenant(three, "Eve", move_in="2026-02-15")
    fay = landlord.tenant(four, "Fay")
    bill = landlord.bill(maple, 112_00)
    landlord.set_status(maple, "1", "SENT")
    landlord.remove_tenant(di)
    (line,) = split(landlord, bill).lines
    assert amounts(line)[2:] == [("3", 0, [14_00]), ("3", 14_00, [14_00]), ("4", 28_00, [28_00])]
    assert (line.owner, [one.share.is_vacant for one in line.shares]) == (14_00, [False, False, True, False, False])
    for tenant in (eve, fay):
        landlord.remove_tenant(tenant)
    landlord.do(bill_corrections.correct, bill.id, 80_00)
    found = split(landlord, bill)
    assert amounts(found.lines[0])[2:] == [("3", 20_00, [14_00]), ("3", 0, [14_00]), ("4", 20_00, [28_00])]
    assert (found.to_tenants, found.sent, found.vacant, found.owner) == (40_00, 56_00, 40_00, 0)


def test_a_share_whose_charge_is_right_by_chance_needs_no_correction(landlord, maple):
    """Another rule gives unit 1 half as much, of a bill of twice the amount."""
    bill = landlord.bill(maple, 100_00)
    landlord.set_status(maple, "1", "SENT")
    landlord.rule(maple, "WATER", "SQFT")
    landlord.do(bill_corrections.correct, bill.id, 200_00)
    found = split(landlord, bill)
    assert amounts(found.lines[0]) == [("1", 50_00, [50_00]), ("2", 150_00, [50_00])]
    assert (found.sent, found.owner) == (100_00, 0)


def test_who_did_not_live_there_after_all_is_shown_with_what_was_sent(landlord, maple):
    three = landlord.unit(maple, "3")
    cy = landlord.tenant(three, "Cy", move_out="2026-02-10")
    bill = landlord.bill(maple, 84_00)
    landlord.set_status(maple, "1", "SENT")
    landlord.bill(maple, 30_00, on=date(2026, 3, 5))
    di = landlord.tenant(three, "Di", move_in="2026-02-15")
    landlord.do(correction_decisions.decide, maple.id, ["2026-02"], "next")
    landlord.set_status(maple, "3", "SENT", "2026-03")
    (line,) = split(landlord, bill).lines
    assert amounts(line)[2:] == [("3", 10_00, [10_00]), ("3", 14_00, [14_00])]
    assert (line.owner, [one.tenant_name for one in line.shares]) == (4_00, ["", "", "", "Di"])
    landlord.do(tenants.change, cy.id, {"move_out": "2026-01-31"})
    landlord.do(tenants.change, di.id, {"move_in": "2026-03-01"})
    (line,) = split(landlord, bill).lines
    assert amounts(line)[2:] == [("3", 0, [10_00]), ("3", 0, [14_00])]
    assert (line.to_tenants, line.sent, line.owner) == (56_00, 80_00, 28_00)


def test_a_share_of_a_household_that_was_regrouped_is_counted_once(landlord):
    maple = landlord.property_()
    one, two = landlord.unit(maple, "1"), landlord.unit(maple, "2")
    landlord.tenant(one, "Ann")
    landlord.tenant(two, "Bo", move_in="2026-02-15")
    bill = landlord.bill(maple, 56_00)
    for label in ("1", "2"):
        landlord.set_status(maple, label, "SENT")
    landlord.tenant(two, "Cy", move_in="2026-02-10")
    (line,) = split(landlord, bill).lines
    assert amounts(line) == [("1", 28_00, [28_00]), ("2", 19_00, [14_00])]
    assert (line.owner, line.sent) == (9_00, 42_00)


def test_a_unit_where_nobody_lived_on_the_days_of_a_bill_has_no_invoice_for_it(landlord, maple):
    """Its invoice of the month is for a tenant who came later."""
    three = landlord.unit(maple, "3")
    landlord.tenant(three, "Cy", move_in="2026-02-15")
    landlord.bill(maple, 30_00)
    days = {"service_start": date(2026, 1, 20), "service_end": date(2026, 2, 10)}
    (line,) = split(landlord, landlord.bill(maple, 90_00, "GAS", **days, billing_month="2026-02")).lines
    assert amounts(line) == [("1", 30_00, [30_00]), ("2", 30_00, [30_00]), ("3", 0, [])]
    assert line.why_owner == ("Nobody lived in unit 3 on these days, so the owner pays its share.",)
    assert (line.owner, line.shares[2].tenant_name) == (30_00, "")


def test_roommates_whom_no_invoice_charges_are_named_by_who_came_first(landlord, maple):
    landlord.rule(maple, "WATER", "OCCUPANTS")
    three = landlord.unit(maple, "3")
    landlord.tenant(three, "Cy", move_out="2026-02-14", occupants=0)
    landlord.tenant(three, "Di", move_in="2026-02-02", move_out="2026-02-14", occupants=0)
    landlord.tenant(three, "Eve", move_in="2026-02-15")
    (line,) = split(landlord, landlord.bill(maple, 70_00)).lines
    assert amounts(line) == [("1", 28_00, [28_00]), ("2", 28_00, [28_00]), ("3", 0, []), ("3", 14_00, [14_00])]
    assert [one.tenant_name for one in line.shares] == ["", "", "Cy", ""]
    assert line.why_owner == (), "nobody bears a share of nothing"


@pytest.mark.parametrize(
    ("tenant_ids", "is_vacant", "takes"),
    [
        (("ann", "bo"), False, ["ann", "bo"]),
        ((), False, [""]),
        (None, True, [""]),
        (None, False, ["", "ann", "bo", "cy"]),
    ],
)
def test_a_share_takes_the_corrections_of_its_household(tenant_ids, is_vacant, takes):
    """A month closed by an older version has shares of occupied units without tenants."""
    share = Share("u1", "1", tenant_ids, "", Fraction(), 0, is_vacant, is_unknown=False)
    blank = CorrectionRow(*(["a", "p", "2026-02", "u1", "", "b", 1, "WATER"] + [0] * 9), "", None, "", given_up=False)
    rows = [blank._replace(tenant_id=who) for who in ("", "ann", "bo", "cy")]
    assert [row.tenant_id for row in rows if is_of(share, row)] == takes


def test_what_tenants_are_not_charged_of_a_late_bill_is_left_to_the_owner(landlord, maple):
    landlord.unit(maple, "3")
    landlord.rule(maple, "GAS", owner=10)
    landlord.bill(maple, 30_00)
    landlord.set_status(maple, "1", "SENT")
    late = landlord.bill(maple, 60_00, "GAS")
    landlord.do(correction_decisions.decide, maple.id, ["2026-02"], "owner")
    found = split(landlord, late)
    assert (found.to_tenants, found.left, found.sent, found.vacant, found.owner) == (36_00, 36_00, 0, 18_00, 6_00)
    assert [(line.state, line.charged) for line in found.lines] == [("corrected", 54_00)]


def test_households_with_corrections_of_several_lines_are_counted_once(landlord, maple):
    parts = (("WATER", 60_00), ("SEWER", 20_00))
    bill = landlord.bill(maple, 80_00, "WATER;SEWER", amounts=parts)
    landlord.set_status(maple, "1", "SENT")
    landlord.do(bill_corrections.correct, bill.id, 50_00, amounts={"WATER": 40_00, "SEWER": 10_00})
    assert split(landlord, bill).corrected == [("2026-02", -30_00, 2, 0, 0)]
    landlord.do(correction_decisions.decide, maple.id, ["2026-02"], "next")
    assert split(landlord, bill).corrected == [("2026-02", 0, 0, -30_00, 2)]
