"""Tests of changes to rules that have not begun yet.

They check which version is a change, and how changes are told apart.
"""

from fractions import Fraction

from prorata.domain.billing_calendar import Month
from prorata.domain.splitting.rule_changes import changes_to_come
from prorata.domain.splitting.rule_versions import ALWAYS
from prorata.domain.splitting.share_rules import Component, Rule
from prorata.domain.splitting.stays import UnitFacts

MARCH = Month("2026-03")
EQUAL = Rule("WATER", "EQUAL", {}, Fraction(), Fraction())
BY_AREA = EQUAL._replace(split_method="SQFT")
BY_PEOPLE = EQUAL._replace(split_method="OCCUPANTS")
WEIGHED = EQUAL._replace(split_method="CUSTOM", weights={"u1": Fraction(1), "u2": Fraction(2)})


def to_come(before, after):
    return changes_to_come({"WATER": {ALWAYS: before, "2026-06": after}}, MARCH)


def test_a_version_of_a_later_month_is_a_change_and_one_that_has_begun_is_none():
    (change,) = changes_to_come({"WATER": {ALWAYS: EQUAL, "2026-03": BY_AREA, "2026-04": EQUAL}}, MARCH)
    assert (change.since, change.before, change.after) == ("2026-04", BY_AREA, EQUAL)


def test_the_changes_of_all_utilities_stand_by_their_months():
    rules = {"WATER": {ALWAYS: EQUAL, "2026-06": BY_AREA}, "GAS": {ALWAYS: None, "2026-05": BY_AREA}}
    found = [(one.utility_type, one.since) for one in changes_to_come(rules, MARCH)]
    assert found == [("GAS", "2026-05"), ("WATER", "2026-06")]


def test_what_is_entered_and_not_used_is_no_change():
    assert to_come(EQUAL, EQUAL._replace(weights={"u1": Fraction(1)}, vacant_occupants=Fraction(2))) == ()
    assert to_come(WEIGHED, WEIGHED._replace(weights={"u2": Fraction(2), "u1": Fraction(1)})) == ()


def test_what_is_used_is_one():
    assert to_come(EQUAL, None)
    assert to_come(None, EQUAL)
    assert to_come(EQUAL, EQUAL._replace(owner_percent=Fraction(10)))
    assert to_come(BY_PEOPLE, BY_PEOPLE._replace(vacant_occupants=Fraction(1)))
    assert to_come(WEIGHED, WEIGHED._replace(weights={"u1": Fraction(2), "u2": Fraction(2)}))


def test_units_without_the_measure_of_the_new_rule_are_counted():
    known, unknown = UnitFacts("u1", "1", Fraction(400), 2, None, None), UnitFacts("u2", "2", None, 2, None, None)
    halves = EQUAL._replace(blend=(Component("SQFT", Fraction(50)), Component("EQUAL", Fraction(50))))
    for before, after, lacking in (
        (EQUAL, BY_AREA, 1),
        (BY_AREA, EQUAL, 0),
        (EQUAL, halves, 1),
        (EQUAL, WEIGHED, 0),
        (EQUAL, None, 0),
    ):
        (change,) = to_come(before, after)
        assert change.lacking([known, unknown]) == lacking, after


def test_the_same_change_has_the_same_mark_and_any_other_another():
    marks = [
        change.mark
        for before, after, since in (
            (EQUAL, BY_AREA, "2026-06"),
            (EQUAL, BY_AREA, "2026-07"),
            (EQUAL, BY_PEOPLE, "2026-06"),
            (BY_PEOPLE, BY_AREA, "2026-06"),
            (None, BY_AREA, "2026-06"),
        )
        for change in changes_to_come({"WATER": {ALWAYS: before, since: after}}, MARCH)
    ]
    assert len(set(marks)) == len(marks) == 5
    assert to_come(EQUAL, BY_AREA)[0].mark == marks[0]
