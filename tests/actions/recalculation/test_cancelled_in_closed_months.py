"""The owner bears a household's part if its invoice for a closed month is cancelled.

Facts that are learned later don't change this. The rules are the same as in an open month, which the month would be if
it were reopened.
"""

from datetime import date

import pytest

from tests.actions.recalculation.corrected_house import MARCH, beside_an_empty_flat, sums, waiting
from tests.landlord import Landlord

FIRST_TEN = {"service_start": date(2026, 3, 1), "service_end": date(2026, 3, 10)}
LATER = {"service_start": date(2026, 3, 10), "service_end": date(2026, 3, 31)}


@pytest.fixture
def flats(landlord: Landlord, clock):
    """A property with two units and $100.00 of water in March.

    Ann rents the first unit. The fixture returns the property and the second unit.
    """
    of, two, _water = beside_an_empty_flat(landlord, clock)
    return of, two


def something_else_is_learned(landlord, unit):
    """Record a fact that is unrelated to March."""
    landlord.tenant(unit, "Cy", move_in="2026-06-01")


def test_an_invoice_that_was_cancelled_while_no_rule_charged_it_keeps_its_household_free(landlord, flats):
    of, two = flats
    rule = landlord.rule(of, "WATER", active=False).row.id
    landlord.set_status(of, "1", "CANCELLED", MARCH)
    landlord.change_rule(rule, is_active=True)
    landlord.set_status(of, "2", "SENT", MARCH)
    assert (waiting(landlord, of), sums(landlord, of, MARCH)) == ({}, {None: 50_00, "owner": 50_00})
    something_else_is_learned(landlord, two)
    assert (waiting(landlord, of), sums(landlord, of, MARCH)) == ({}, {None: 50_00, "owner": 50_00})
    landlord.sound()
    landlord.bill(of, 20_00, on=date(2026, 3, 25))
    assert waiting(landlord, of)["Ann", MARCH] == (10_00, 0, None), "a late bill is of who lived there all the same"


def test_a_cancelled_invoice_of_who_never_stayed_there_stands_for_whoever_did(landlord, flats):
    of, two = flats
    landlord.tenant(two, "Bo", move_out="2026-03-05")
    landlord.set_status(of, "2", "CANCELLED", MARCH)
    landlord.change_unit(two, active_from="2026-03-08")
    landlord.tenant(two, "Dee", move_in="2026-03-08")
    landlord.set_status(of, "1", "SENT", MARCH)
    before = sums(landlord, of, MARCH)
    something_else_is_learned(landlord, two)
    assert (waiting(landlord, of), sums(landlord, of, MARCH)) == ({}, before)
    landlord.sound()


def test_of_two_who_are_learned_of_it_stands_for_whose_the_units_month_is(landlord, flats):
    of, two = flats
    landlord.set_status(of, "2", "CANCELLED", MARCH)
    landlord.set_status(of, "1", "SENT", MARCH)
    landlord.tenant(two, "Bo", move_in="2026-03-01", move_out="2026-03-10")
    landlord.tenant(two, "Dee", move_in="2026-03-11")
    assert waiting(landlord, of) == {("Bo", MARCH): (16_13, 0, None)}
    landlord.set_status(of, "1", "DRAFT", MARCH)
    assert landlord.totals(of, MARCH) == {"1": 50_00, "2": 50_00, "2.1": 16_13}, "as in an open month"


@pytest.mark.parametrize("status", ["SENT", "CANCELLED"])
def test_what_falls_on_days_without_anybody_is_the_owners_where_the_units_invoice_names_somebody(
    landlord, flats, status
):
    of, two = flats
    landlord.remove_bill(landlord.stored_bills(of)[0])
    landlord.tenant(two, "Bo", move_out="2026-03-05")
    rule = landlord.rule(of, "GAS", active=False).row.id
    landlord.bill(of, 100_00, "GAS", date(2026, 3, 21), **LATER)
    for label, becomes in (("1", "SENT"), ("2", status)):
        landlord.set_status(of, label, becomes, MARCH)
    landlord.change_rule(rule, is_active=True)
    assert waiting(landlord, of) == {("Ann", MARCH): (50_00, 0, None)}
    landlord.sound()


def test_a_cancelled_invoice_of_nobody_is_nobodys_when_somebody_came_after_the_days_of_its_lines(landlord, flats):
    of, two = flats
    landlord.bill(of, 100_00, "GAS", date(2026, 3, 21), **FIRST_TEN)
    landlord.set_status(of, "2", "CANCELLED", MARCH)
    landlord.set_status(of, "1", "SENT", MARCH)
    landlord.tenant(two, "Dee", move_in="2026-03-15")
    assert waiting(landlord, of) == {}
    landlord.sound()
