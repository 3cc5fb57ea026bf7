"""An explanation of a charge contains each step of its arithmetic, to the cent."""

from datetime import date
from fractions import Fraction

from hypothesis import given, strategies as st

from prorata.domain.locale_forms import PLAIN
from prorata.domain.splitting import planned_invoices
from prorata.domain.splitting.explanations import explain
from prorata.domain.splitting.month_facts import in_tie_order
from prorata.domain.splitting.share_rules import Component, Rule
from prorata.domain.splitting.split_methods import METHODS
from prorata.domain.splitting.stays import Stay
from tests.domain.splitting.houses import plan_month, unit_with
from tests.domain.splitting.test_planned_charges import drawn_lines, facts, line

HOUSE = in_tie_order(
    [
        unit_with("u1", "1", Fraction(850), 2, 62, 31),
        unit_with("u2", "2", Fraction(620), 1, 31, 31),
        unit_with("u3", "3", Fraction(410), 0, 0, 31),
        unit_with("u4", "Shop", Fraction(1120), None, 31, 31),
    ]
)
HALVES = (Component("SQFT", Fraction(50)), Component("OCCUPANTS", Fraction(50)))
WEIGHTS = {"u1": Fraction(40), "u2": Fraction(25), "u3": Fraction(10)}


def water(method, owner=0, blend=(), weights=WEIGHTS, vacant=0):
    return Rule("WATER", method, weights, Fraction(owner), Fraction(vacant), blend)


def explained(amount, rule, unit="u1", **about):
    month = facts(line(amount, **about), rules=[rule], units=HOUSE)
    (charge,) = plan_month(month).charges[unit]
    return explain(month, unit, charge), charge


def test_a_part_by_square_feet_is_the_line_times_its_feet_over_all_feet():
    why, charge = explained(320_10, water("SQFT"))
    (step,) = why.steps
    assert (step.amount, step.part, step.whole, step.share, step.cents) == (320_10, 850, 3000, charge.amount, 0)
    assert (why.owner, why.owner_percent) == (0, 0)


def test_the_owner_s_percent_and_the_percentage_that_nobody_has_are_the_owner_s_part():
    why, _ = explained(320_10, water("PERCENTAGE", owner=10))
    (step,) = why.steps
    assert (step.part, step.whole, step.share) == (40, 100, 115_24)
    assert why.owner == 320_10 - 115_24 - 72_02 - 28_81 - 0


def test_a_cent_that_plain_rounding_would_not_give_is_said():
    assert [explained(100_00, water("EQUAL"), unit)[0].steps[0].unit_cents for unit in ("u1", "u4")] == [0, 0]
    assert [explained(90_01, water("EQUAL"), unit)[0].steps[0].unit_cents for unit in ("u1", "u2")] == [1, 0]
    assert [explained(-90_01, water("EQUAL"), unit)[0].steps[0].unit_cents for unit in ("u1", "u2")] == [-1, 0]
    assert [explained(320_10, water("EQUAL"), unit)[0].steps[0].unit_cents for unit in ("u1", "u4")] == [0, -1]


def test_each_part_of_a_blend_has_its_own_sum():
    why, charge = explained(320_10, water("CUSTOM", blend=HALVES))
    feet, people = why.steps
    assert (feet.percent, feet.amount, feet.part, feet.whole, feet.share) == (50, 160_05, 850, 3000, 45_35)
    assert (people.percent, people.amount, people.part, people.whole, people.share) == (50, 160_05, 62, 124, 80_03)
    assert why.share == charge.amount == 125_38


def test_a_part_of_a_blend_that_nobody_has_is_the_owner_s():
    empty = tuple(unit._replace(sqft=Fraction(0)) for unit in HOUSE)
    month = facts(line(100_00), rules=[water("CUSTOM", blend=HALVES)], units=empty)
    (charge,) = plan_month(month).charges["u1"]
    why = explain(month, "u1", charge)
    assert [(step.whole, step.share) for step in why.steps] == [(0, 0), (124, 25_00)]
    assert why.owner == 50_00


def test_a_measure_that_nobody_has_entered_is_said():
    assert not explained(100_00, water("BEDROOMS"), "u4")[0].steps[0].known
    assert explained(100_00, water("BEDROOMS"), "u3")[0].steps[0].known


def test_people_who_are_assumed_in_a_vacant_unit_are_told_from_those_who_lived_there():
    for rule in (water("OCCUPANTS", vacant=2), water("CUSTOM", blend=HALVES[::-1], vacant=2)):
        for unit, part, here in (("u1", 62, False), ("u3", 62, True)):
            step = explained(320_10, rule, unit)[0].steps[0]
            assert (step.part, step.whole, step.assumed, step.assumed_here) == (part, 186, 62, here)
    for rule in (water("OCCUPANTS"), water("SQFT", vacant=2)):
        step = explained(320_10, rule, "u3")[0].steps[0]
        assert (step.assumed, step.assumed_here) == (0, False)


def test_a_charge_that_its_facts_do_not_give_back_is_not_explained():
    month = facts(line(320_10), rules=[water("SQFT")], units=HOUSE)
    (charge,) = plan_month(month).charges["u1"]
    assert explain(month, "u1", charge) is not None
    for other in (
        charge._replace(amount=charge.amount + 1),
        charge._replace(description="another sentence"),
        charge._replace(line=2),
        charge._replace(bill_id="bill_2"),
    ):
        assert explain(month, "u1", other) is None
    assert explain(month, "u9", charge) is None
    assert explain(month._replace(rules={}), "u1", charge) is None
    assert explain(month._replace(rules={"WATER": water("EQUAL")}), "u1", charge) is None
    by_the_owner = facts(line(320_10, None), rules=[], units=HOUSE)
    assert explain(by_the_owner, "u1", charge) is None


blends = st.sampled_from([(), (), HALVES, (*HALVES[:1], Component("EQUAL", Fraction(50)))])
rules = st.builds(
    Rule,
    st.just("WATER"),
    st.sampled_from(METHODS),
    st.just(WEIGHTS),
    st.sampled_from([Fraction(0), Fraction(10), Fraction("33.3")]),
    st.sampled_from([Fraction(0), Fraction(2)]),
    blends,
)


@given(drawn_lines, rules)
def test_every_charge_of_a_month_is_explained_and_its_steps_sum_to_it(lines, rule):
    month = facts(*lines, rules=[rule], units=HOUSE)
    for unit, charges in plan_month(month).charges.items():
        for charge in charges:
            why = explain(month, unit, charge)
            assert why is not None
            assert why.share == charge.amount
            for step in why.steps:
                if step.whole:
                    left = 100 - (why.owner_percent if step.percent is None else 0)
                    exact = Fraction(step.amount * left * step.part, 100 * step.whole)
                    assert abs(step.share - exact) < 1
                    assert step.percent is not None or (step.unit_cents == 0) == (
                        -Fraction(1, 2) < abs(step.share) - abs(exact) <= Fraction(1, 2)
                    )


def test_of_two_households_with_the_same_charge_each_reads_its_own_days():
    pam, pete = Stay("pam", None, date(2026, 3, 10)), Stay("pete", date(2026, 3, 22), None)
    units = in_tie_order([HOUSE[0]._replace(stays=(pam, pete)), HOUSE[1]])
    month = facts(line(620_00), rules=[water("EQUAL")], units=units)
    drafts = planned_invoices.plan_month(month, {}, (), PLAIN).drafts
    charges = {charge for (unit, _), draft in drafts.items() if unit == "u1" for charge in draft.charges}
    (charge,) = charges
    yours = [explain(month, "u1", charge, tenant).yours for tenant in ("pam", "pete")]
    assert [(days.first.day, days.last.day) for days in yours] == [(1, 10), (22, 31)]
