"""Tests of the review of a property's month.

It shows the month's totals, what a person should look at, and what sending would close.
"""

from datetime import date

import pytest

from prorata.actions.accounts import accounts
from prorata.actions.bills import corrections as bill_corrections, splits, unusual_amounts
from prorata.actions.months import lists as month_lists, reviews as month_reviews, sending
from prorata.actions.overview import overview as overviews
from prorata.actions.properties import tenancy_changes, tenants
from prorata.actions.properties.tenancy_changes import Leaving, NextTenant
from prorata.actions.recalculation import correction_decisions
from prorata.errors import Conflict, InvalidRequest, NotFound
from prorata.store.bills import flags as bill_flags
from tests.landlord import Landlord


@pytest.fixture
def maple(landlord: Landlord):
    maple = landlord.property_()
    one, two, _ = landlord.units(maple, "1", "2", "3")
    landlord.tenant(one, "Ann", email="ann@example.org")
    landlord.tenant(two, "Bo")
    return maple


def review(landlord, of, month="2026-02"):
    return landlord.see(month_reviews.review, of.id, month)


def kinds(found):
    return [finding.kind for finding in found.findings]


def test_a_month_says_what_it_comes_to_and_what_sending_closes(landlord, maple):
    landlord.rule(maple, "WATER", owner=10)
    landlord.bill(maple, 105_00, amounts=(("WATER", 100_00), ("LATE_FEE", 5_00)))
    landlord.bill(maple, 60_00, "GAS")
    landlord.set_status(maple, "3", "CANCELLED")
    found = review(landlord, maple)
    assert [tuple(row) for row in found.sums.utilities] == [
        ("GAS", 60_00, 40_00, 0, 0, 20_00), ("WATER", 100_00, 60_00, 0, 0, 40_00), (None, 5_00, 0, 0, 0, 5_00)
    ]  # fmt: skip
    assert (found.sums.billed, found.sums.vacant, found.sums.owner) == (100_00, 0, 65_00)
    assert [tuple(row) for row in found.statuses] == [("DRAFT", 2, 100_00), ("CANCELLED", 1, 50_00)]
    assert found.to_send == 2
    month = landlord.month(maple)
    assert (month.billed, month.owner_amount) == (found.sums.billed, found.sums.owner)


def test_everything_to_look_at_is_found_at_once(landlord, maple):
    for month in (9, 10, 11, 12):
        landlord.bill(maple, 50_00, "GAS", date(2025, month, 5), issuer="Prairie Gas")
        landlord.bill(maple, 90_00, on=date(2025, month, 5))
    landlord.bill(maple, 190_00)
    landlord.bill(maple, 30_00, "SEWER;INTERNET", issuer="City")
    landlord.rule(maple, "SEWER", "SQFT")
    landlord.rule(maple, "INTERNET", active=False)
    found = review(landlord, maple)
    assert sorted(set(kinds(found))) == sorted(
        ["missingBill", "unusualAmount", "guessed", "missingFacts", "ownerBears", "vacant", "noAddress"]
    )
    assert kinds(found)[-1] == "noAddress", "what is good to know stands last"
    by_kind = {finding.kind: finding for finding in found.findings}
    assert by_kind["noAddress"].message.startswith("Bo (unit 2)")
    assert by_kind["missingFacts"].records == tuple(row.id for row in landlord.stored_units(maple))
    assert all(finding.advice.endswith(".") for finding in found.findings)


def test_a_vacant_unit_is_to_check_until_its_tenant_is_added_also_after_the_month_was_sent(landlord, maple):
    three = landlord.stored_units(maple)[2]
    landlord.bill(maple, 90_00)
    (found,) = [one for one in review(landlord, maple).findings if one.kind == "vacant"]
    assert (found.to_check, found.records) == (True, (three.id,))
    landlord.set_status(maple, "1", "SENT")
    (sent,) = [one for one in review(landlord, maple).findings if one.kind == "vacant"]
    assert sent.to_check is False, "what was sent is corrected, and not checked before"
    landlord.tenant(three, "Cem")
    assert "vacant" not in kinds(review(landlord, maple))


def test_days_of_another_tenant_of_nobody_or_out_of_use_are_said_and_keep_nothing_from_being_sent(landlord, maple):
    one, two, three = landlord.stored_units(maple)
    (ann,) = landlord.see(tenants.of_unit, one.id)
    landlord.do(tenancy_changes.leave, ann.id, Leaving(date(2026, 2, 10)), NextTenant("Bea", move_in=date(2026, 2, 16)))
    landlord.bill(maple, 90_00)
    shown = review(landlord, maple)
    (found,) = [one for one in shown.findings if one.kind == "tenantChange"]
    assert (found.to_check, found.records, shown.is_to_wait) == (False, (one.id,), False)
    assert found.message == (
        "1 unit had changes during February 2026. Unit 1: Ann until 2026-02-10, nobody from 2026-02-11 to "
        "2026-02-15, Bea from 2026-02-16."
    )
    assert landlord.invoices(maple)["1"].summary.tenant_name == "Bea"
    for stay in landlord.see(tenants.of_unit, two.id):
        landlord.do(tenants.change, stay.id, {"move_in": "2026-02-28"})
    landlord.change_unit(three, active_from="2026-02-02")
    (found,) = [one for one in review(landlord, maple).findings if one.kind == "tenantChange"]
    assert found.message.endswith(
        "Unit 2: nobody until 2026-02-27, Bo from 2026-02-28. Unit 3: out of use until 2026-02-01, nobody from 2026-02-02."
    )
    assert "tenantChange" not in kinds(review(landlord, maple, "2026-03"))


def test_two_days_of_overlap_are_to_be_checked_as_they_make_one_household(landlord, maple):
    one, *_ = landlord.stored_units(maple)
    (ann,) = landlord.see(tenants.of_unit, one.id)
    landlord.do(tenants.change, ann.id, {"move_out": "2026-02-16"})
    landlord.tenant(one, "Bea", move_in="2026-02-15")
    landlord.bill(maple, 90_00)
    (found,) = [one for one in review(landlord, maple).findings if one.kind == "shortOverlap"]
    assert (found.to_check, found.records) == (True, (one.id,))
    assert found.message == "Ann and Bea (unit 1) overlap by 2 days, so they share one invoice, addressed to Bea."
    assert found.advice.startswith("If Ann left before Bea came, correct the date")
    (change,) = [one for one in review(landlord, maple).findings if one.kind == "tenantChange"]
    assert "Everybody pays for their own days" not in change.advice
    landlord.do(tenants.change, ann.id, {"move_out": "2026-02-15"})
    assert "shortOverlap" not in kinds(review(landlord, maple))
    landlord.do(tenants.change, ann.id, {"move_out": "2026-03-15"})
    assert "shortOverlap" not in kinds(review(landlord, maple)), "roommates for a month"


def test_a_couple_of_whom_one_counts_as_two_is_asked_about_where_a_rule_divides_by_people(landlord, maple):
    one, *_ = landlord.stored_units(maple)
    (ann,) = landlord.see(tenants.of_unit, one.id)
    landlord.do(tenants.change, ann.id, {"occupants": 2})
    landlord.tenant(one, "Bob", move_in="2026-01-01")
    landlord.bill(maple, 90_00)
    assert "countedTogether" not in kinds(review(landlord, maple)), "no rule of the month divides by people"
    landlord.rule(maple, "GAS", "OCCUPANTS")
    assert "countedTogether" not in kinds(review(landlord, maple)), "no bill of the month is divided by that rule"
    landlord.rule(maple, "WATER", "OCCUPANTS")
    (found,) = [one for one in review(landlord, maple).findings if one.kind == "countedTogether"]
    assert found.message == ("In unit 1, Ann counts as 2 people, and Bob lives there too: that makes 3. Is that right?")
    assert (found.records, found.to_check) == ((one.id,), False)
    landlord.do(tenants.change, ann.id, {"move_out": "2026-01-01"})
    assert "countedTogether" not in kinds(review(landlord, maple)), "Bob came when Ann left"
    landlord.do(tenants.change, ann.id, {"move_out": None, "occupants": 1})
    assert "countedTogether" not in kinds(review(landlord, maple)), "each counts as one"


def test_who_came_after_the_days_of_the_bills_is_not_denied(landlord, maple):
    one, *_ = landlord.stored_units(maple)
    (ann,) = landlord.see(tenants.of_unit, one.id)
    landlord.do(tenants.change, ann.id, {"move_out": "2026-02-14"})
    landlord.tenant(one, "Bea", move_in="2026-02-17")
    landlord.bill(maple, 90_00, service_start=date(2026, 1, 17), service_end=date(2026, 2, 16))
    (found,) = [one for one in review(landlord, maple).findings if one.kind == "tenantChange"]
    assert "Ann until 2026-02-14, nobody from 2026-02-15 to 2026-02-16." in found.message


def test_a_closed_month_shows_what_waits_and_what_changed_since(landlord, maple):
    landlord.bill(maple, 90_00)
    landlord.set_status(maple, "1", "SENT")
    late = landlord.bill(maple, 10_00, "GAS")
    found = review(landlord, maple)
    assert kinds(found)[:2] == ["waiting", "pending"]
    assert found.findings[0].records == (late.id,)
    assert "1 bill totaling $10.00" in found.findings[0].message
    assert (found.is_closed, found.to_send) == (True, 1), "nobody is sent the invoice of a vacant unit"
    assert [(one.label, one.row.status) for one in found.invoices] == [("1", "SENT"), ("2", "DRAFT"), ("3", "DRAFT")]
    assert (found.sums.billed, found.sums.vacant) == (60_00, 30_00)


@pytest.mark.parametrize(
    ("setting", "does"),
    [
        ("ask", "waits until you decide which invoices charge it"),
        ("next open month", "goes onto the invoices of the next open month"),
    ],
)
def test_what_is_said_of_a_bill_that_comes_later_follows_the_setting(landlord, maple, setting, does):
    landlord.do(accounts.change_settings, accounts.Wishes(late_bills=setting))
    for month in (10, 11, 12):
        landlord.bill(maple, 50_00, "GAS", date(2025, month, 5), issuer="Prairie Gas")
    landlord.bill(maple, 90_00)
    found = review(landlord, maple)
    (missing,) = [one for one in found.findings if one.kind == "missingBill"]
    assert missing.advice.endswith(f"a bill that arrives later {does}.")
    assert found.late == does
    landlord.set_status(maple, "1", "SENT")
    (missing,) = [one for one in review(landlord, maple).findings if one.kind == "missingBill"]
    assert (
        missing.advice == f"This month has been sent. If the bill still comes, add it: a bill that arrives now {does}."
    )
    assert not missing.to_check


def test_a_month_without_bills_is_reviewed_too(landlord, maple):
    for month in (11, 12, 1):
        landlord.bill(maple, 50_00, "GAS", date(2026 if month == 1 else 2025, month, 5))
    found = review(landlord, maple)
    assert kinds(found) == ["missingBill"]
    assert (found.sums.billed, found.sums.utilities, found.statuses, found.is_history) == (0, (), (), False)
    assert found.to_send == 0


def test_a_month_of_before_billing_starts_is_history(landlord):
    oak = landlord.property_("Oak", billing_starts_month="2026-03")
    landlord.unit(oak, "1")
    landlord.bill(oak, 10_00, amounts=(("WATER", 9_00), ("LATE_FEE", 1_00)))
    found = review(landlord, oak)
    assert found.is_history
    assert [tuple(row) for row in found.sums.utilities] == [("WATER", 9_00, 0, 0, 0, 0), (None, 1_00, 0, 0, 0, 0)]
    (listed,) = landlord.see(month_lists.of_property, oak.id, limit=9).rows
    assert (listed.row.month, listed.is_history, listed.bills, listed.amount) == ("2026-02", True, 1, 10_00)
    assert landlord.see(month_lists.of_property, oak.id, only="open", limit=9).rows == []
    assert landlord.see(month_lists.of_property, oak.id, only="history", limit=9).total == 1


def test_a_propertys_months_are_listed_newest_first(landlord, maple):
    for month in (1, 2, 3):
        landlord.bill(maple, 90_00, on=date(2026, month, 5))
    landlord.set_status(maple, "1", "SENT", "2026-01")
    landlord.bill(maple, 10_00, "GAS", date(2026, 1, 6))
    landlord.bill(maple, 10_00, "SEWER;GAS", date(2026, 3, 6))
    landlord.rule(maple, "SEWER", "SQFT")
    listed = landlord.see(month_lists.of_property, maple.id, limit=9).rows
    assert [(one.row.month, bool(one.row.is_closed)) for one in listed] == [
        ("2026-03", False), ("2026-02", False), ("2026-01", True)
    ]  # fmt: skip
    assert listed[0].row.billed == 95_00
    next_page = landlord.see(month_lists.of_property, maple.id, limit=1, offset=1)
    assert ([one.row.month for one in next_page.rows], next_page.total) == (["2026-02"], 3)
    for asked, months in (
        ({"sort": "month"}, ["2026-01", "2026-02", "2026-03"]),
        ({"sort": "-billed"}, ["2026-03", "2026-02", "2026-01"]),
        ({"only": "closed"}, ["2026-01"]),
        ({"only": "open", "sort": "billed"}, ["2026-02", "2026-03"]),
        ({"only": "history"}, []),
    ):
        found = landlord.see(month_lists.of_property, maple.id, limit=9, **asked)
        assert [one.row.month for one in found.rows] == months, asked


def test_a_month_that_is_none_and_a_property_that_is_anothers_are_refused(landlord, maple, clock):
    with pytest.raises(InvalidRequest):
        review(landlord, maple, "March")
    stranger = Landlord(landlord.database, clock, name="stranger")
    with pytest.raises(NotFound):
        review(stranger, maple)
    with pytest.raises(NotFound):
        stranger.see(month_lists.of_property, maple.id, limit=9)


def account(sums):
    """Return the total of the bills, and the sum of its parts."""
    return sums.bills, sums.billed - sums.further + sums.corrections + sums.vacant + sums.owner


@pytest.mark.parametrize("place", ["", "next", "owner"])
def test_a_month_adds_up_after_its_bill_was_corrected(landlord, maple, place):
    landlord.rule(maple, "GAS", owner=10)
    gas = landlord.bill(maple, 155_00, "GAS")
    landlord.bill(maple, 90_00)
    landlord.set_status(maple, "1", "SENT")
    landlord.set_status(maple, "2", "SENT")
    landlord.do(bill_corrections.correct, gas.id, 124_00)
    if place:
        landlord.do(correction_decisions.decide, maple.id, ["2026-02"], place)
    sums = review(landlord, maple).sums
    assert account(sums) == (214_00, 214_00)
    by_kind = {one.utility_type: one for one in sums.utilities}
    assert all(one.amount == sum(one[2:]) for one in sums.utilities)
    split = landlord.see(splits.of_bill, gas.id)
    now = by_kind["GAS"]
    assert (now.tenants, now.vacant) == (93_00, 37_20), "two of three units were sent 46.50 of it"
    assert (now.vacant, now.owner) == (split.vacant, split.owner + split.left)
    assert split.sent + now.corrections + now.vacant + now.owner == 124_00
    left = -18_60 if place == "owner" else 0
    assert (now.corrections, now.owner) == (-18_60 - left, 12_40 + left)
    assert sums.waiting == (0 if place else -18_60)
    assert sums.has_corrections
    landlord.bill(maple, 30_00, on=date(2026, 3, 5))
    march = review(landlord, maple, "2026-03").sums
    assert account(march) == (30_00, 30_00)
    assert march.further == (-18_60 if place == "next" else 0)


@pytest.mark.parametrize("place", ["", "next", "owner"])
def test_a_forgotten_tenant_is_no_vacancy_on_any_page(landlord, maple, place):
    """Includes garbage, whose charges are of type TRASH, and charges of type OTHER."""
    for kind in ("GARBAGE", "OTHER", "WATER"):
        landlord.rule(maple, kind, "OCCUPANTS", owner=10)
    garbage, *_ = (landlord.bill(maple, 84_00, kind) for kind in ("GARBAGE", "OTHER", "WATER"))
    assert {one.vacant for one in review(landlord, maple).sums.utilities} == {0}, "nobody is counted there"
    for number in ("1", "2"):
        landlord.set_status(maple, number, "SENT")
    flat = next(one for one in landlord.stored_units(maple) if one.label == "3")
    landlord.tenant(flat, "Li", move_in="2026-02-15", occupants=2)
    if place:
        landlord.do(correction_decisions.decide, maple.id, ["2026-02"], place)
    sums = review(landlord, maple).sums
    assert account(sums) == (252_00, 252_00)
    assert {one.utility_type for one in sums.utilities} == {"GARBAGE", "OTHER", "WATER"}
    assert all(one.amount == sum(one[2:]) for one in sums.utilities)
    assert sums.vacant == 0
    (figures,) = landlord.see(overviews.of_month, "2026-02").figures
    assert (figures.vacant, figures.owner) == (sums.vacant, sums.owner)
    split = landlord.see(splits.of_bill, garbage.id)
    assert (split.to_tenants, split.vacant, split.owner) == (75_60, 0, 8_40)
    (line,) = split.lines
    assert [(one.share.label, one.sent, one.charged) for one in line.shares if one.charged] == [
        ("1", 37_80, 25_20), ("2", 37_80, 25_20), ("3", 0, 25_20),
    ]  # fmt: skip


@pytest.mark.parametrize("place", ["", "next", "owner"])
def test_what_was_vacant_and_is_not_leaves_the_owner_s_cost_on_every_page(landlord, maple, place):
    for kind in ("GARBAGE", "WATER"):
        landlord.rule(maple, kind, owner=10)
    garbage, _ = (landlord.bill(maple, 100_00, kind) for kind in ("GARBAGE", "WATER"))
    assert [one.vacant for one in review(landlord, maple).sums.utilities] == [30_00, 30_00]
    for number in ("1", "2"):
        landlord.set_status(maple, number, "SENT")
    flat = next(one for one in landlord.stored_units(maple) if one.label == "3")
    landlord.tenant(flat, "Li", move_in="2026-02-15")
    if place:
        landlord.do(correction_decisions.decide, maple.id, ["2026-02"], place)
    sums = review(landlord, maple).sums
    assert account(sums) == (200_00, 200_00)
    assert (sums.vacant, sums.corrections) == (0, 0 if place == "owner" else 30_00), "empty days are the owner's part"
    (figures,) = landlord.see(overviews.of_month, "2026-02").figures
    left = 30_00 if place == "owner" else 0
    assert (figures.vacant, figures.owner) == (0, 50_00 + left) == (sums.vacant, sums.owner)
    split = landlord.see(splits.of_bill, garbage.id)
    assert (split.sent, split.to_tenants, split.vacant, split.owner) == (60_00, 75_00, 0, 25_00)
    (line,) = split.lines
    assert [(one.share.label, one.share.is_vacant, one.sent, one.charged) for one in line.shares] == [
        ("1", False, 30_00, 30_00), ("2", False, 30_00, 30_00), ("3", False, 0, 15_00),
    ]  # fmt: skip


def test_a_bill_that_came_late_adds_up_with_its_month(landlord, maple):
    landlord.bill(maple, 90_00)
    landlord.set_status(maple, "1", "SENT")
    landlord.set_status(maple, "2", "SENT")
    late = landlord.bill(maple, 60_00, "GAS")
    landlord.bill(maple, 30_00, on=date(2026, 3, 5))
    assert account(review(landlord, maple).sums) == (90_00, 90_00), "what waits is not charged to anyone yet"
    landlord.do(correction_decisions.decide, maple.id, ["2026-02"], "next")
    sums = review(landlord, maple).sums
    assert account(sums) == (150_00, 150_00)
    split = landlord.see(splits.of_bill, late.id)
    assert (split.to_tenants, split.vacant, split.owner) == (40_00, 20_00, 0)
    assert (sums.corrections, sums.vacant, sums.owner) == (40_00, 50_00, 0)


def test_corrections_that_wait_are_said_where_the_month_that_would_carry_them_is_sent(landlord, maple):
    water = landlord.bill(maple, 90_00)
    landlord.set_status(maple, "1", "SENT")
    landlord.set_status(maple, "2", "SENT")
    landlord.do(bill_corrections.correct, water.id, 60_00)
    for month in (3, 4):
        landlord.bill(maple, 30_00, on=date(2026, month, 5))
    (said,) = [one for one in review(landlord, maple, "2026-03").findings if one.kind == "earlierCorrections"]
    assert said.message == "Corrections for February 2026 are waiting for your decision (-$20.00)."
    assert said.advice == "Decide first, and they will be added to these invoices."
    assert (said.number, said.records, said.to_check) == (2, ("2026-02",), True)
    for month in ("2026-02", "2026-04"):
        assert "earlierCorrections" not in kinds(review(landlord, maple, month))
    march = [one.summary.id for one in landlord.invoices(maple, "2026-03").values()]
    (look,) = landlord.see(sending.look_first, [(maple.id, "2026-03", one) for one in march]).months
    assert ("earlierCorrections", "2 corrections to decide") in look.kinds
    landlord.do(correction_decisions.decide, maple.id, ["2026-02"], "next")
    assert "earlierCorrections" not in kinds(review(landlord, maple, "2026-03"))


def test_an_unusual_amount_that_somebody_says_is_right_is_no_check_any_more(landlord, maple):
    for month in (9, 10, 11, 12):
        landlord.bill(maple, 90_00, on=date(2025, month, 5))
    bill = landlord.bill(maple, 190_00)
    before = landlord.read(bill_flags.of_bill, bill.id)
    assert "unusualAmount" in kinds(review(landlord, maple))
    with pytest.raises(InvalidRequest, match="Explain briefly"):
        landlord.do(unusual_amounts.accept, maple.id, "2026-02", [bill.id], " ")
    landlord.do(unusual_amounts.accept, maple.id, "2026-02", [bill.id], "A burst pipe")
    assert {"unusualAmount", "flagged"}.isdisjoint(kinds(review(landlord, maple)))
    kept = landlord.read(bill_flags.of_bill, bill.id)
    assert len(kept) == len(before) + 1
    assert {(one.kind, one.reason) for one in kept} == {("unusualAmount", "A burst pipe")}
    with pytest.raises(Conflict, match="no longer anything unusual"):
        landlord.do(unusual_amounts.accept, maple.id, "2026-02", [bill.id], "Again")
    landlord.do(bill_corrections.correct, bill.id, 290_00)
    assert "unusualAmount" in kinds(review(landlord, maple)), "another amount is asked about again"


def test_a_bill_that_waits_makes_no_amount_of_a_closed_month_unusual(landlord, maple):
    for month in (9, 10, 11, 12):
        landlord.bill(maple, 90_00, on=date(2025, month, 5))
    landlord.bill(maple, 90_00)
    landlord.set_status(maple, "1", "SENT")
    landlord.bill(maple, 150_00)
    found = kinds(review(landlord, maple))
    assert "waiting" in found
    assert "unusualAmount" not in found
