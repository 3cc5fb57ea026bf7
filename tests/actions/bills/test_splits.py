"""Every cent of every line of a bill is assigned to somebody.

If the bill's month is closed, the split is shown as it was sent.
"""

from datetime import date

import pytest

from prorata.actions.bills import bills, splits as bill_splits
from prorata.actions.properties import properties
from prorata.errors import NotFound
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
    return found


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
