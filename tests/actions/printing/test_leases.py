"""A lease states the rules and units as of a day.

It also states the bills of the twelve months up to that day.
"""

from datetime import date

import pytest

from prorata.actions.printing import leases
from prorata.domain.splitting.lease_terms import Average, LeaseTerms, UtilityTerms
from prorata.errors import NotFound
from tests.landlord import Landlord


def test_the_rules_of_the_day_and_the_bills_of_twelve_months_are_told(landlord: Landlord):
    maple = landlord.property_()
    one = landlord.unit(maple, "1", sqft=400)
    landlord.unit(maple, "2", sqft=600)
    landlord.tenant(one, "Ann", email="ann@example.org")
    landlord.rule(maple, "WATER", "SQFT")
    landlord.bill(maple, 90_00)
    said = landlord.see(leases.find, maple.id)
    water = of_water(said.terms)
    assert (said.place.name, said.locale, water.average) == (maple.name, "en-US", Average(90_00, 1))
    assert water.example is not None
    assert (water.example.label, water.example.explanation.share) == ("1", 36_00)
    a_year_on = of_water(landlord.see(leases.find, maple.id, date(2030, 1, 1)).terms)
    assert (a_year_on.average, a_year_on.example) == (None, None)


def test_bills_that_are_spread_beyond_the_twelve_months_are_averaged_whole(landlord: Landlord):
    maple = landlord.property_()
    landlord.tenant(landlord.unit(maple, "1"), "Ann", email="ann@example.org")
    landlord.rule(maple, "WATER", "EQUAL")
    for total, first, last in [
        (90_00, date(2025, 1, 1), date(2025, 3, 31)),
        (92_00, date(2025, 11, 1), date(2026, 1, 31)),
    ]:
        landlord.bill(maple, total, on=last, service_start=first, service_end=last, spread=True)
    for day in (date(2025, 12, 1), date(2026, 1, 15), date(2026, 2, 1)):
        water = of_water(landlord.see(leases.find, maple.id, day).terms)
        assert water.average == Average(91_00, 2)
        assert water.example is not None
        assert water.example.explanation.share == 91_00


def test_of_a_stranger_s_property_nothing_is_said(landlord: Landlord):
    maple, stranger = landlord.property_(), Landlord(landlord.database, landlord.clock, name="stranger")
    with pytest.raises(NotFound):
        stranger.see(leases.find, maple.id)


def of_water(terms: LeaseTerms) -> UtilityTerms:
    return next(one for one in terms.utilities if one.utility_type == "WATER")
