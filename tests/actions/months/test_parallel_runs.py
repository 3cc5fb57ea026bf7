"""Comparisons of a month's charges with the former program's charges, to the cent.

Each difference has a reason.
"""

import sys
from datetime import date, timedelta

import pytest

from prorata.actions.invoices import invoices
from prorata.actions.months import parallel_runs
from prorata.actions.properties import properties
from prorata.domain.money import apportion
from prorata.domain.months.former_charges import TheirCharge
from prorata.domain.months.parallel_runs import only_reason
from prorata.domain.months.shifted_months import SHIFTED
from prorata.domain.splitting.division import divide
from prorata.domain.splitting.split_methods import UNWEIGHTED
from prorata.errors import InvalidRequest, NotFound
from tests.actions.bills.test_flags_of_files import Counting
from tests.landlord import Landlord

SIZES = {"1": 500, "2": 700, "3": 900, "10": 1100}


@pytest.fixture
def maple(landlord: Landlord):
    maple = landlord.property_()
    for at, (label, sqft) in enumerate(SIZES.items(), start=1):
        unit = landlord.unit(maple, label, sqft=sqft, bedrooms=at)
        if label != "10":
            landlord.tenant(unit, f"Tenant {label}")
    return maple


def compare(landlord, of, amounts, month="2026-02"):
    rows = [TheirCharge(line, unit, amount) for line, (unit, amount) in enumerate(amounts.items(), start=2)]
    return landlord.see(parallel_runs.compare, of.id, month, rows)


def kinds(found):
    return {unit.label: unit.kind for unit in found.comparison.units if unit.kind != "same"}


def test_the_same_amounts_agree_by_label_or_id_and_whatever_the_capitals(landlord, maple):
    landlord.bill(maple, 100_00)
    first = landlord.stored_units(maple)[0]
    found = compare(landlord, maple, {first.id: 25_00, " 2 ": 25_00, "3": 25_00, "10": 25_00})
    assert found.comparison.agrees
    assert (found.comparison.theirs, found.comparison.ours, found.billed, found.owner) == (100_00, 100_00, 100_00, 0)


def test_a_word_before_a_label_is_passed_over_where_one_unit_can_be_meant(landlord, maple):
    landlord.bill(maple, 100_00)
    found = compare(landlord, maple, {"Unit 1": 25_00, "apt. 2": 25_00, "#3": 25_00, "No. 10": 25_00})
    assert found.comparison.agrees
    found = compare(landlord, maple, {"1": 25_00, "Unit 1": 5_00, "2": 25_00, "3": 25_00, "10": 25_00})
    assert kinds(found) == {"Unit 1": "unknownUnit"}, "another row is unit 1"
    landlord.unit(maple, "Flat 2")
    found = compare(landlord, maple, {"1": 20_00, "apt 2": 20_00, "3": 20_00, "10": 20_00})
    assert kinds(found)["apt 2"] == "unknownUnit", "two units could be meant"


def test_the_row_with_the_sum_of_the_others_is_left_out_and_named(landlord, maple):
    landlord.bill(maple, 100_00)
    rows = {"1": 25_00, "2": 25_00, "3": 25_00, "10": 25_00}
    found = compare(landlord, maple, rows | {"Total": 100_00})
    assert (found.sum_row, found.comparison.agrees, found.comparison.theirs) == ("Total", True, 100_00)
    found = compare(landlord, maple, rows | {"Garage": 99_99})
    assert (found.sum_row, kinds(found)) == (None, {"Garage": "unknownUnit"})
    assert compare(landlord, maple, {"1": 25_00, "2": 25_00, "3": 50_00}).sum_row is None


def test_a_unit_that_is_unknown_missing_or_vacant_is_named_so(landlord, maple):
    landlord.bill(maple, 100_00)
    found = compare(landlord, maple, {"1": 25_00, "2": 25_00, "7": 25_00})
    assert kinds(found) == {"7": "unknownUnit", "3": "missing", "10": "vacant"}
    by_label = {unit.label: unit for unit in found.comparison.units}
    assert (by_label["7"].difference, by_label["3"].difference) == (-25_00, 25_00)
    assert all(unit.reason for unit in found.comparison.units if unit.kind != "same")
    assert kinds(compare(landlord, maple, {"1": 25_00, "2": 25_00, "3": 25_00, "10": 0})) == {"10": "vacant"}


def test_a_row_with_a_name_of_nobody_or_of_several_says_so_with_its_line(landlord, maple):
    landlord.bill(maple, 100_00)
    landlord.tenant(landlord.stored_units(maple)[0], "Twin")
    landlord.tenant(landlord.stored_units(maple)[1], "TWIN")
    rows = [
        TheirCharge(line, "", 10_00, tenant=name)
        for line, name in ((2, "Tenant 3"), (3, "Zoe"), (4, "twin"), (5, "zoe"))
    ]
    found = landlord.see(parallel_runs.compare, maple.id, "2026-02", rows).comparison
    unknown = {finding.labels: (finding.lines, finding.reason[:20]) for finding in found.findings if finding.lines}
    assert unknown == {
        ("Zoe", "zoe"): ((3, 5), "Nobody with this nam"), ("twin",): ((4,), "Several units have a")
    }  # fmt: skip


def test_a_cent_is_rounding_and_a_charge_added_by_hand_is_told(landlord, maple):
    landlord.bill(maple, 100_02)
    landlord.do(invoices.add_custom_charge, landlord.invoices(maple)["3"].summary.id, "Key", 15_00)
    found = compare(landlord, maple, {"1": 25_00, "2": 25_01, "3": 25_00, "10": 25_01})
    assert kinds(found) == {"1": "rounding", "3": "byHand", "10": "rounding"}
    assert [one.kind for one in found.comparison.findings] == ["byHand", "rounding"], "what is to look at comes first"


def test_the_figures_of_a_month_with_a_late_fee_and_a_charge_by_hand_add_up(landlord, maple):
    landlord.rule(maple, "WATER", owner=10)
    landlord.bill(maple, 105_00, amounts=(("WATER", 100_00), ("LATE_FEE", 5_00)))
    landlord.do(invoices.add_custom_charge, landlord.invoices(maple)["3"].summary.id, "Key", 15_00)
    found = compare(landlord, maple, {})
    assert (found.billed, found.owner, found.by_hand, found.comparison.ours) == (100_00, 10_00, 15_00, 105_00)
    assert found.billed == found.comparison.ours - found.by_hand + found.owner


@pytest.mark.parametrize("method", ["SQFT", "OCCUPANTS", "BEDROOMS"])
def test_another_way_to_divide_that_gives_their_amounts_is_named(landlord, maple, method):
    landlord.bill(maple, 100_00)
    weights = {"SQFT": [500, 700, 900, 1100], "OCCUPANTS": [28, 28, 28, 0], "BEDROOMS": [1, 2, 3, 4]}[method]
    found = compare(landlord, maple, dict(zip(SIZES, apportion(100_00, weights), strict=True)))
    other = found.comparison.other_way
    assert (other.utility_type, other.is_exact) == ("WATER", True)
    assert other.split_method == method or (method == "OCCUPANTS" and other.occupied)
    assert set(kinds(found).values()) <= {"rule", "vacant"}


def test_one_utility_divided_otherwise_is_told_from_all_of_them(landlord, maple):
    landlord.bill(maple, 100_00)
    landlord.bill(maple, 80_00, "GAS")
    by_size = apportion(80_00, list(SIZES.values()))
    found = compare(landlord, maple, {label: 25_00 + part for label, part in zip(SIZES, by_size, strict=True)})
    assert found.comparison.other_way[:3] == ("SQFT", "GAS", False)
    both = [one + other for one, other in zip(by_size, apportion(100_00, list(SIZES.values())), strict=True)]
    found = compare(landlord, maple, dict(zip(SIZES, both, strict=True)))
    assert found.comparison.other_way[:3] == ("SQFT", None, False)
    assert found.comparison.other_way.sentence.startswith("Their amounts come from dividing everything by floor area.")


def test_dividing_over_the_units_that_were_lived_in_is_recognised_also_when_it_was_rounded(landlord, maple):
    landlord.bill(maple, 100_00)
    landlord.tenant(landlord.stored_units(maple)[0], "Second")
    found = compare(landlord, maple, {"1": 33_33, "2": 33_33, "3": 33_33})
    assert found.comparison.other_way == ("EQUAL", "WATER", True, False)
    assert "apart from rounding" in found.comparison.units[0].reason


def test_amounts_without_a_reason_say_so(landlord, maple):
    landlord.bill(maple, 100_00)
    found = compare(landlord, maple, {"1": 10_00, "2": 40_00, "3": 25_00, "10": 25_00})
    assert kinds(found) == {"1": "unexplained", "2": "unexplained"}
    assert found.comparison.other_way is None
    (finding,) = found.comparison.findings
    assert (finding.labels, finding.theirs, finding.ours, finding.is_shared) == (("1", "2"), 50_00, 50_00, True)
    assert finding.reason.startswith("No reason was found. Both charge the same total, so the bills are the same")
    (other,) = compare(landlord, maple, {"1": 10_00, "2": 25_00, "3": 25_00, "10": 25_00}).comparison.findings
    assert (other.labels, other.is_shared) == (("1",), False)
    assert other.reason.startswith("No reason was found. The two sums differ, so check first whether this month has")


def test_many_months_take_no_statement_for_each_and_divide_each_line_once_in_each_way(landlord, maple):
    landlord.bill(maple, 80_00, "GAS", on=date(2026, 2, 20))
    houses = [maple, landlord.property_("Oak"), landlord.property_("Elm")]
    for house in houses[1:]:
        for label in "123":
            landlord.tenant(landlord.unit(house, label, sqft=100 * int(label)), f"{house.name} {label}")
    for house in houses:
        for month in (1, 2):
            landlord.bill(house, 90_00, on=date(2026, month, 20))

    def cost(of):
        seen, divided = [], []

        def note(frame, event, _argument):
            if event == "call" and frame.f_code is divide.__code__:
                divided.append(frame)

        rows = [
            TheirCharge(at, label, 10_00 + 3_00 * at * at, house.id, f"2026-{month:02}")
            for house in of for month in (1, 2) for at, label in enumerate("123")
        ]  # fmt: skip
        sys.setprofile(note)
        try:
            found = landlord.database.read(
                lambda tx: parallel_runs.compare_many(Counting(tx, seen), landlord.caller, rows)
            )
        finally:
            sys.setprofile(None)
        assert [only_reason(one.findings)[:20] for one in found] == ["No reason was found."] * len(found)
        return len(seen), len(divided)

    few, many = cost(houses[1:2]), cost(houses)
    assert few[0] == many[0] < 15
    of_a_line = 3 * len(UNWEIGHTED) + len(["by the rules", "on the invoices"])
    assert few[1] <= 2 * of_a_line
    assert many[1] <= 7 * of_a_line


def test_a_month_of_before_billing_starts_is_compared_as_it_would_have_come_out(landlord):
    oak = landlord.property_("Oak", billing_starts_month="2026-03")
    landlord.tenant(landlord.unit(oak, "1"), "Ann")
    landlord.bill(oak, 10_00)
    found = compare(landlord, oak, {"1": 10_00})
    assert (found.is_history, found.comparison.agrees) == (True, True)
    assert landlord.invoices(oak) == {}


def test_in_a_month_that_became_history_what_was_added_by_hand_stays_beside_what_it_would_have_come_to(landlord, maple):
    landlord.bill(maple, 100_00)
    landlord.do(invoices.add_custom_charge, landlord.invoices(maple)["3"].summary.id, "Key", 15_00)
    landlord.set_status(maple, "1", "SENT")
    landlord.set_status(maple, "1", "DRAFT")
    landlord.do(properties.change, maple.id, {"billing_starts_month": "2026-03"})
    assert landlord.totals(maple) == {"1": 0, "3": 15_00}
    found = compare(landlord, maple, {"1": 25_00, "2": 25_00, "3": 25_00, "10": 25_00})
    assert (found.is_history, found.by_hand, found.comparison.ours) == (True, 15_00, 115_00)
    assert kinds(found) == {"3": "byHand"}
    assert {unit.label: unit.ours for unit in found.comparison.units} == {
        "1": 25_00, "2": 25_00, "3": 40_00, "10": 25_00
    }  # fmt: skip


def test_a_closed_month_is_compared_as_it_was_sent(landlord, maple):
    landlord.bill(maple, 100_00)
    landlord.set_status(maple, "1", "SENT")
    landlord.set_status(maple, "2", "CANCELLED")
    landlord.rule(maple, "WATER", "SQFT")
    found = compare(landlord, maple, {"1": 25_00, "2": 25_00, "3": 25_00, "10": 25_00})
    assert kinds(found) == {"2": "notBilled"}
    assert found.owner == 25_00


def test_a_month_without_bills_and_anothers_property_are_refused(landlord, maple, clock):
    with pytest.raises(InvalidRequest, match="no bill for February 2026"):
        compare(landlord, maple, {})
    with pytest.raises(InvalidRequest, match="YYYY-MM"):
        compare(landlord, maple, {}, "soon")
    landlord.bill(maple, 1_00, on=date(2026, 2, 1))
    with pytest.raises(NotFound):
        compare(Landlord(landlord.database, clock, name="stranger"), maple, {})


# --- where no other way to divide gives their amounts -----------------------------------------------------------------


def charged(*parts):
    return dict(zip(SIZES, (sum(cents) for cents in zip(*parts, strict=True)), strict=True))


def cause(landlord, maple, amounts):
    found = compare(landlord, maple, amounts)
    assert found.comparison.other_way is None
    of_units = {unit.reason for unit in found.comparison.units if unit.kind == "cause"}
    assert of_units == {found.comparison.cause}
    return found.comparison.cause


@pytest.fixture
def two_bills(landlord, maple):
    landlord.rule(maple, "GAS", "SQFT")
    landlord.bill(maple, 100_00)
    landlord.bill(maple, 80_00, "GAS", issuer="Gas Co.")
    return maple


BY_SIZE = apportion(80_00, list(SIZES.values()))
EQUALLY = [25_00] * 4


def test_a_utility_that_the_old_way_did_not_charge_is_named(landlord, two_bills):
    said = cause(landlord, two_bills, charged(EQUALLY))
    assert said.startswith(
        "Their amounts leave out gas: each difference is the unit’s share of it here, $80.00 in total."
    )


def test_a_bill_that_the_old_way_did_not_charge_is_named(landlord, two_bills):
    landlord.bill(two_bills, 30_00, "GAS", issuer="Propane Ltd.")
    said = cause(landlord, two_bills, charged(EQUALLY, BY_SIZE))
    assert said.startswith("Their amounts leave out the bill of Propane Ltd.")
    assert "$30.00" in said


def test_a_fee_that_we_lack_is_named_with_how_it_was_divided(landlord, two_bills):
    said = cause(landlord, two_bills, charged(EQUALLY, BY_SIZE, [5_00] * 4))
    assert said.startswith("Their amounts include $20.00 on top of our bills, divided equally")
    said = cause(landlord, two_bills, charged(EQUALLY, BY_SIZE, apportion(64_00, list(SIZES.values()))))
    assert said.startswith("Their amounts include $64.00 on top of our bills, divided by floor area")


def test_a_part_that_one_side_keeps_is_named(landlord, two_bills):
    kept = [part * 9 // 10 for part in BY_SIZE]
    said = cause(landlord, two_bills, charged(EQUALLY, kept))
    assert said.startswith("Their amounts are 90% of ours for gas in every unit. There, the owner bears the rest.")
    rule = landlord.rules(two_bills)["WATER"]
    landlord.change_rule(rule.id, owner_percent=20)
    assert cause(landlord, two_bills, charged(EQUALLY, BY_SIZE)).startswith(
        "Their amounts also include your own part of water."
    )


def test_two_utilities_divided_otherwise_at_once_are_named(landlord, two_bills):
    by_bedrooms = apportion(100_00, [1, 2, 3, 4])
    said = cause(landlord, two_bills, charged(by_bedrooms, [20_00] * 4))
    assert said.startswith("Their amounts come from dividing water by bedrooms and gas equally.")


def test_two_utilities_divided_otherwise_over_the_units_that_were_lived_in_are_named(landlord, two_bills):
    water, gas = apportion(100_00, [1, 2, 3]), apportion(80_00, [1, 1, 1])
    theirs = {label: one + other for label, one, other in zip("123", water, gas, strict=True)}
    found = compare(landlord, two_bills, theirs)
    assert found.comparison.cause.startswith(
        "Their amounts come from dividing water by bedrooms and gas equally, both among occupied units only."
    )


def test_a_vacant_unit_that_is_not_in_the_file_stands_apart(landlord, two_bills):
    theirs = {label: amount for label, amount in charged(EQUALLY, BY_SIZE).items() if label != "10"}
    found = compare(landlord, two_bills, theirs).comparison
    assert (found.agrees, found.ours - found.vacant) == (True, found.theirs)
    assert found.vacant == 180_00 - found.theirs
    rows = [TheirCharge(2, label, amount, house=two_bills.id, month="2026-02") for label, amount in theirs.items()]
    (month,) = landlord.see(parallel_runs.compare_many, rows)
    assert (month.outcome, month.differing, month.vacant) == ("same", 0, found.vacant)


def test_a_blend_is_named_with_its_parts(landlord, two_bills):
    (second,) = [unit for unit in landlord.stored_units(two_bills) if unit.label == "2"]
    landlord.change_unit(second, sqft="1300")
    by_size, by_bedrooms = apportion(80_00, [500, 1300, 900, 1100]), apportion(80_00, [1, 2, 3, 4])
    blend = [(2 * one + 3 * other) // 5 for one, other in zip(by_size, by_bedrooms, strict=True)]
    said = cause(landlord, two_bills, charged(EQUALLY, blend))
    assert said.startswith("Their amounts come from dividing gas 40% by floor area and 60% by bedrooms.")


def test_a_method_without_measures_is_no_part_of_a_blend(landlord, two_bills):
    for unit in landlord.stored_units(two_bills):
        landlord.change_unit(unit, bedrooms=None)
    found = compare(landlord, two_bills, charged(EQUALLY, [9_60] * 4))
    assert "bedrooms" not in (found.comparison.cause or "")


def test_a_unit_that_is_named_by_label_and_by_id_is_one(landlord, two_bills):
    first = next(unit for unit in landlord.stored_units(two_bills) if unit.label == "1")
    amounts = charged(EQUALLY, BY_SIZE)
    parted = amounts | {"1": amounts["1"] - 5_00, first.id: 5_00}
    found = compare(landlord, two_bills, parted)
    assert found.comparison.agrees
    assert len(found.comparison.units) == len(SIZES)


def test_bills_that_are_billed_in_the_month_beside_are_told_with_both_months(landlord):
    elm = landlord.property_("Elm")
    for unit in landlord.units(elm, "1", "2"):
        landlord.tenant(unit, f"Tenant {unit.label}")
    days = [date(2025, 12, 16), date(2026, 1, 16), date(2026, 2, 16), date(2026, 3, 16)]
    for start, after, total in zip(days, days[1:], (90_00, 100_00, 110_00), strict=False):
        landlord.bill(elm, total, on=after, service_start=start, service_end=after - timedelta(days=1))
    for month in (12, 1, 2, 3):
        landlord.bill(elm, 30_00, "GAS", date(2025 if month == 12 else 2026, month, 5))
    theirs = {"2025-12": 0, "2026-01": 90_00, "2026-02": 100_00, "2026-03": 110_00}

    def compared(gas: int):
        rows = [
            TheirCharge(2, unit, amount // 2, house=elm.id, month=month, utility=utility)
            for month, water in theirs.items() for unit in "12" for utility, amount in (("WATER", water), ("GAS", gas))
        ]  # fmt: skip
        return landlord.see(parallel_runs.compare_many, rows)

    *shifted, march = compared(30_00)
    assert {month.month: only_reason(month.findings) for month in shifted} == dict.fromkeys(list(theirs)[:3], SHIFTED)
    assert [finding.shifts for month in shifted for finding in month.findings] == [
        (("2025-12", "2026-01"),),
        (("2025-12", "2026-01"), ("2026-01", "2026-02")),
        (("2026-01", "2026-02"),),
    ]
    assert march.outcome == "same"
    assert all(not finding.shifts for month in compared(20_00) for finding in month.findings), "gas differs, too"
