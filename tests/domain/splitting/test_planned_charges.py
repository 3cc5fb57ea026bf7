import random
from datetime import date
from fractions import Fraction

from hypothesis import given, settings, strategies as st

from prorata.domain.billing_calendar import Month
from prorata.domain.splitting.month_facts import Line, MonthFacts, in_tie_order
from prorata.domain.splitting.planned_charges import PlannedCharge, compare
from prorata.domain.splitting.share_rules import Rule
from prorata.domain.splitting.split_methods import METHODS
from prorata.domain.utility_names import UTILITY_TYPES
from tests.conftest import SOAK
from tests.domain.splitting.houses import plan_month, unit_with

MARCH = Month("2026-03")
UNITS = in_tie_order([unit_with(f"unit_{label}", label, Fraction(500), 1, 31, 31) for label in ("1", "2", "10")])


def line(amount, kind="WATER", *, number=1, bill="bill_1", total=None, guessed=False):
    whole = amount if total is None else total
    return Line(bill, number, amount, kind, "Aqua Water Co.", date(2026, 3, 14), whole, guessed)


def rule(kind, method="EQUAL", owner=0):
    return Rule(kind, method, {}, Fraction(owner), Fraction(0))


def facts(*lines, rules=None, units=UNITS):
    given_rules = [rule(kind) for kind in UTILITY_TYPES] if rules is None else rules
    return MonthFacts(MARCH, "USD", lines, {one.utility_type: one for one in given_rules}, units)


drawn_lines = st.lists(
    st.tuples(st.integers(-500_00, 5_000_00), st.none() | st.sampled_from(UTILITY_TYPES)), max_size=5
).map(lambda drawn: tuple(line(amount, kind, number=at) for at, (amount, kind) in enumerate(drawn, 1)))
drawn_rules = st.lists(
    st.builds(rule, st.sampled_from(UTILITY_TYPES), st.sampled_from(METHODS), st.sampled_from([0, 0, 10, 100])),
    max_size=7,
)
drawn_units = st.lists(
    st.tuples(st.sampled_from(["1", "2", "10"]), st.none() | st.integers(0, 900).map(Fraction), st.integers(0, 62)),
    max_size=5,
).map(lambda drawn: in_tie_order([unit_with(f"unit_{at}", label, sqft, at, days, 31)
                                  for at, (label, sqft, days) in enumerate(drawn)]))  # fmt: skip


@settings(max_examples=10_000 if SOAK else 200)
@given(drawn_lines, drawn_rules, drawn_units, st.sets(st.integers(0, 4)))
def test_charges_and_the_owners_part_sum_to_every_line_whoever_is_cancelled(lines, rules, units, cancelled):
    of_month = facts(*lines, rules=rules, units=units)
    gone = {f"unit_{at}" for at in cancelled}
    planned = plan_month(of_month, gone)
    for one in lines:
        charged = [charge.amount for mine in planned.charges.values() for charge in mine if charge.line == one.number]
        assert sum(charged) + planned.owner[one.bill_id, one.number] == one.amount
    billed = any(one.utility_type for one in lines)
    assert planned.charges.keys() == ({unit.unit_id for unit in units} - gone if billed else set())
    whole = plan_month(of_month)
    assert all(whole.charges[unit] == mine for unit, mine in planned.charges.items()), "no neighbour pays for it"
    assert plan_month(of_month, gone) == planned
    mixed = in_tie_order(random.Random(len(lines)).sample(units, len(units)))
    assert plan_month(of_month._replace(units=mixed), gone) == planned


def test_every_participating_unit_has_an_invoice_when_there_is_a_line_to_bill():
    planned = plan_month(facts(line(100_00)))
    assert {unit: [charge.amount for charge in mine] for unit, mine in planned.charges.items()} == {
        "unit_1": [33_34],
        "unit_2": [33_33],
        "unit_10": [33_33],
    }
    assert planned.owner == {("bill_1", 1): 0}


def test_lines_that_are_not_billed_make_no_invoices_and_are_the_owners():
    planned = plan_month(facts(line(5_00, None)))
    assert planned.charges == {}
    assert planned.owner == {("bill_1", 1): 5_00}


def test_a_line_without_an_active_rule_makes_invoices_without_charges():
    planned = plan_month(facts(line(100_00), rules=[rule("GAS")]))
    assert planned.charges == {"unit_1": (), "unit_2": (), "unit_10": ()}
    assert planned.owner == {("bill_1", 1): 100_00}


def test_the_part_of_a_cancelled_invoice_is_the_owners():
    planned = plan_month(facts(line(100_00)), {"unit_1"})
    assert planned.charges.keys() == {"unit_2", "unit_10"}
    assert planned.owner == {("bill_1", 1): 33_34}


def test_garbage_becomes_trash_and_other_has_no_type():
    planned = plan_month(facts(line(3_00, "GARBAGE"), line(6_00, "OTHER", number=2)))
    assert [(charge.utility_type, charge.amount) for charge in planned.charges["unit_1"]] == [
        ("TRASH", 1_00),
        (None, 2_00),
    ]


def test_two_lines_of_one_type_are_two_charges():
    planned = plan_month(facts(line(3_00), line(6_00, bill="bill_2")))
    assert [(charge.bill_id, charge.amount) for charge in planned.charges["unit_2"]] == [
        ("bill_1", 1_00),
        ("bill_2", 2_00),
    ]


def test_a_charge_says_in_one_sentence_how_it_came_about():
    (charge,) = plan_month(facts(line(320_10), rules=[rule("WATER", "SQFT")])).charges["unit_1"]
    assert charge.description == "Aqua Water Co., bill of 2026-03-14, $320.10: 500 of 1,500 sq ft"


def test_the_charge_of_a_combined_bill_says_which_part_of_it():
    (charge,) = plan_month(facts(line(120_00, total=320_10))).charges["unit_1"]
    assert charge.description == "Aqua Water Co., bill of 2026-03-14, $320.10, of which water $120.00: 1 of 3 units"
    (charge,) = plan_month(facts(line(160_05, total=320_10, guessed=True))).charges["unit_1"]
    assert "(divided equally, as the bill gives no amounts)" in charge.description


def test_what_is_missing_names_the_unit_and_the_utility():
    units = [UNITS[0]._replace(sqft=None), *UNITS[1:]]
    planned = plan_month(facts(line(1_00), rules=[rule("WATER", "SQFT")], units=in_tie_order(units)))
    assert planned.missing == {("unit_1", "WATER")}


# --- what changed ------------------------------------------------------------------------------------------------------

OLD = PlannedCharge("bill_1", 1, "WATER", 5_00, "as it was")


def test_charges_that_did_not_change_keep_their_ids():
    changes = compare([("chg_1", OLD), ("chg_2", OLD._replace(line=2))], [OLD, OLD._replace(line=3)])
    assert changes.add == (OLD._replace(line=3),)
    assert changes.change == ()
    assert changes.remove == ("chg_2",)


def test_a_charge_with_another_amount_or_reason_keeps_its_id_and_changes():
    for new in (OLD._replace(amount=6_00), OLD._replace(description="as it is")):
        assert compare([("chg_1", OLD)], [new]) == ((), (("chg_1", new),), ())


@given(st.lists(st.tuples(st.integers(1, 5), st.integers(0, 3)), unique_by=lambda one: one[0]),
       st.lists(st.tuples(st.integers(1, 5), st.integers(0, 3)), unique_by=lambda one: one[0]))  # fmt: skip
def test_changes_make_of_what_was_exactly_what_is_planned(before, after):
    was = {f"chg_{number}": OLD._replace(line=number, amount=amount) for number, amount in before}
    planned = [OLD._replace(line=number, amount=amount) for number, amount in after]
    changes = compare(was.items(), planned)
    made = {charge_id: charge for charge_id, charge in was.items() if charge_id not in changes.remove}
    made |= dict(changes.change)
    assert sorted([*made.values(), *changes.add]) == sorted(planned)
    assert bool(changes) == (sorted(was.values()) != sorted(planned))
