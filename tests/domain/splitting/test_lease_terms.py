"""A lease describes utilities as of a day.

It states the current rule, earlier and future rules, and the average bill divided by the current rule.
"""

from datetime import date
from fractions import Fraction

import pytest

from prorata.domain.splitting.lease_terms import Average, Dated, DividedBill, lease_terms, standing_on
from prorata.domain.splitting.rule_versions import ALWAYS
from prorata.domain.splitting.share_rules import Component, Rule
from prorata.domain.splitting.split_methods import METHODS
from prorata.domain.splitting.stays import Stay, UnitFacts
from tests.domain.splitting.houses import MARCH, divide

DAY = date(2026, 3, 15)
ANN, BO = Stay("ann", None, date(2026, 3, 14), 2), Stay("bo", date(2026, 3, 16), None)


def flat(unit_id, sqft, *stays, since=None, until=None):
    return UnitFacts(unit_id, unit_id.removeprefix("u"), Fraction(sqft), 1, since, until, stays)


HOUSE = (flat("u1", 850, Stay("cy", None, None, 2)), flat("u2", 620, Stay("di", None, None)))
EQUAL = Rule("WATER", "EQUAL", {}, Fraction(), Fraction())
BY_AREA = EQUAL._replace(split_method="SQFT")
BILLS = [("WATER", "b1", 300_10), ("WATER", "b2", 340_10)]


def water(versions, *, day=DAY, units=HOUSE, bills=BILLS):
    """Return the lease's terms for water."""
    terms = lease_terms(day, "USD", {"WATER": versions}, units, bills)
    return next(one for one in terms.utilities if one.utility_type == "WATER")


def test_the_average_bill_is_divided_as_a_charge_is():
    said = water({ALWAYS: BY_AREA})
    assert said.average == Average(320_10, 2)
    assert said.example is not None
    assert (said.example.label, said.example.people) == ("1", 2)
    (step,) = said.example.explanation.steps
    assert (step.amount, step.part, step.whole, step.share) == (320_10, 850, 1470, 185_09)


def test_without_a_choice_the_utilities_with_a_bill_or_a_rule_of_a_person_are_listed():
    gas = EQUAL._replace(utility_type="GAS")
    rules = {
        "WATER": {ALWAYS: EQUAL},
        "GAS": {ALWAYS: gas},
        "SEWER": {ALWAYS: BY_AREA._replace(utility_type="SEWER")},
        "GARBAGE": {ALWAYS: None},
        "INTERNET": {ALWAYS: None, "2026-05": EQUAL._replace(utility_type="INTERNET")},
        "OTHER": {ALWAYS: EQUAL._replace(utility_type="OTHER"), "2026-02": None},
    }
    terms = lease_terms(DAY, "USD", rules, HOUSE, BILLS)
    assert kinds(terms.only([])) == ["WATER", "INTERNET", "SEWER", "OTHER"]
    assert kinds(terms.only(["GAS", "WATER"])) == ["WATER", "GAS"]
    unused = lease_terms(DAY, "USD", {"GAS": {ALWAYS: gas}}, HOUSE, [])
    assert unused.only([]) == unused


def kinds(terms):
    return [one.utility_type for one in terms.utilities]


def test_a_rule_is_named_with_the_one_before_and_those_that_come():
    versions = {ALWAYS: EQUAL, "2026-02": BY_AREA, "2026-05": None}
    said = water(versions)
    assert (said.now, said.before) == (Dated("2026-02", BY_AREA), Dated(ALWAYS, EQUAL))
    assert said.later == (Dated("2026-05", None),)
    on_another_day = water(versions, day=date(2026, 1, 31))
    assert (on_another_day.now, on_another_day.before) == (Dated(ALWAYS, EQUAL), None)
    assert [one.since for one in on_another_day.later] == ["2026-02", "2026-05"]


def test_a_version_that_divides_like_the_one_before_is_left_out():
    people_counted_by_no_part = BY_AREA._replace(vacant_occupants=Fraction(1))
    said = water({ALWAYS: EQUAL, "2026-01": BY_AREA, "2026-02": people_counted_by_no_part, "2026-04": BY_AREA})
    assert (said.now, said.before, said.later) == (Dated("2026-01", BY_AREA), Dated(ALWAYS, EQUAL), ())


def test_without_a_bill_there_is_neither_an_average_nor_an_example():
    said = water({ALWAYS: EQUAL}, bills=[("GAS", "b1", 50_00)])
    assert (said.average, said.example) == (None, None)


def test_what_no_rule_divides_has_no_example():
    for versions in ({}, {ALWAYS: None}):
        said = water(versions)
        assert (said.now.rule, said.average, said.example) == (None, Average(320_10, 2), None)


def test_who_lives_there_on_the_day_is_taken_to_be_there_all_month():
    moved = flat("u1", 850, ANN, BO)
    living = {day: [one.tenant_id for one in standing_on(date(2026, 3, day), [moved])[0].stays] for day in (14, 15, 16)}
    assert living == {14: ["ann"], 15: [], 16: ["bo"]}
    (stay,) = standing_on(date(2026, 3, 14), [moved])[0].stays
    assert (stay.first, stay.last, stay.occupants) == (None, None, 2)


def test_on_a_day_of_moving_the_household_that_comes_is_there():
    moved = flat("u1", 850, ANN._replace(last=DAY), BO._replace(first=DAY))
    assert [stay.tenant_id for stay in standing_on(DAY, [moved])[0].stays] == ["bo"]


def test_units_that_are_not_in_use_on_the_day_take_no_part():
    gone, to_come = flat("u1", 850, until=date(2026, 3, 14)), flat("u3", 100, since=date(2026, 3, 16))
    assert [unit.unit_id for unit in standing_on(DAY, [gone, HOUSE[1], to_come])] == ["u2"]


def test_a_household_is_the_example_before_an_empty_unit():
    house = (flat("u1", 850), HOUSE[1])
    example = water({ALWAYS: BY_AREA}, units=house).example
    assert example is not None
    assert (example.label, example.people) == ("2", 1)
    empty = water({ALWAYS: BY_AREA}, units=house[:1]).example
    assert empty is not None
    assert (empty.label, empty.people, empty.explanation.share) == ("1", 0, 320_10)
    assert water({ALWAYS: BY_AREA}, units=()).example is None


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("owner", [0, 10])
def test_the_examples_of_all_units_and_the_owner_s_part_are_the_bill_to_the_cent(method, owner):
    weights = {"u1": Fraction(40), "u2": Fraction(25)}
    rule = Rule("WATER", method, weights, Fraction(owner), Fraction())
    bill = DividedBill(320_11, rule, MARCH, "USD", HOUSE)
    examples = [found for unit in HOUSE if (found := bill.of(unit.unit_id))]
    parts = [one.explanation.share for one in examples]
    assert tuple(parts) == divide(320_11, rule, HOUSE).parts
    assert sum(parts) + examples[0].explanation.owner == 320_11


def test_each_unit_s_part_of_a_blend_is_explained_method_by_method():
    rule = Rule("WATER", "CUSTOM", {}, Fraction(), Fraction(), (
        Component("SQFT", Fraction(50)), Component("OCCUPANTS", Fraction(50)),
    ))  # fmt: skip
    example = DividedBill(320_10, rule, MARCH, "USD", HOUSE).of("u2")
    assert example is not None
    assert [step.split_method for step in example.explanation.steps] == ["SQFT", "OCCUPANTS"]
    assert DividedBill(320_10, rule, MARCH, "USD", HOUSE).of("u9") is None
