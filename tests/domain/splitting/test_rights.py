"""Tests of which household bears which part of a month's lines, and why."""

from datetime import date

from prorata.domain.splitting.rights import Bearers, regrouped, rights
from prorata.domain.splitting.stays import Stay
from tests.domain.splitting.test_corrections import ANN, EVE, WATER, facts, unit

ZOE_THEN_ANN = (Stay("zoe", None, None), Stay("ann", date(2026, 3, 10), None))


def test_roommates_are_one_household_that_whoever_came_first_stands_for():
    bearers = Bearers(facts(units=(unit("1", *ZOE_THEN_ANN), unit("2", ANN, EVE))))
    assert bearers.household_of("unit_1", "zoe") == bearers.household_of("unit_1", "ann") == ("ann", "zoe")
    assert bearers.first_of("unit_1", ("ann", "zoe")) == "zoe"
    assert bearers.household_of("unit_2", "ann") == ("ann",)
    assert bearers.household_of("unit_3", "ann") == ("ann",), "alone, where there is no stay"
    assert bearers.first_of("unit_3", ("ann", "zoe")) == "ann"


def test_every_part_has_its_reason():
    now = facts(units=(unit("1", ANN, EVE), unit("2", *ZOE_THEN_ANN)))
    bearers = Bearers(now)
    assert bearers.reason("unit_1", ("ann",), WATER) == "1 of 2 units, 14 of 31 days"
    assert bearers.reason("unit_2", ("ann", "zoe"), WATER) == "1 of 2 units"
    assert bearers.reason("unit_1", ("bo",), WATER) == "no stay in the unit"
    assert bearers.reason("unit_3", ("ann",), WATER) == "the unit takes no part"
    assert bearers.reason("unit_1", ("ann",), ("bill_1", 2)) == "the unit takes no part"
    assert Bearers(now._replace(rules={})).reason("unit_1", ("ann",), WATER) == "no rule divides it"
    assert (bearers.kind(WATER), bearers.kind(("bill_1", 2))) == ("WATER", None)


def test_roommates_who_came_later_make_no_other_household():
    before = rights(facts(units=(unit("1", ANN), unit("2", Stay("bo", None, None)))))
    after = rights(
        facts(units=(unit("1", ANN, Stay("cy", date(2026, 3, 5), None)), unit("2", Stay("dan", None, None))))
    )
    found = regrouped(before, after).of_households
    assert found == {("unit_1", ("ann", "cy")): {WATER: 21_00}, ("unit_2", ("bo",)): {WATER: 46_50}}
    assert regrouped(before, before) == before
