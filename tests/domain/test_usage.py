"""The usage on a bill is read and written as one text.

Usages are added up if their sum is certain.
"""

from decimal import Decimal

import pytest
from hypothesis import given, strategies as st

from prorata.domain.countries import COUNTRIES
from prorata.domain.files.cells import Unclear
from prorata.domain.files.usage_cells import read_number, read_unit, read_usages
from prorata.domain.limits import LARGEST_USAGE, LONGEST_UNIT, MOST_USAGE_DECIMALS
from prorata.domain.usage import UNITS, Usage, added, as_text, from_text, unit_named
from prorata.domain.utility_names import UTILITY_TYPES

US, DE = COUNTRIES["US"], COUNTRIES["DE"]
numbers = st.decimals(0, LARGEST_USAGE, places=MOST_USAGE_DECIMALS)
usages = st.builds(Usage, numbers, st.sampled_from([*UNITS, "bins", "m. cubes"]), st.none() | numbers)


def kwh(used, price=None):
    return Usage(Decimal(used), "kWh", None if price is None else Decimal(price))


@given(st.dictionaries(st.sampled_from(UTILITY_TYPES), usages))
def test_what_was_used_reads_back_from_its_text_exactly(drawn):
    text = as_text(drawn.items())
    assert dict(from_text(text)) == drawn
    assert (text is None) == (not drawn)


@pytest.mark.parametrize("unit", UNITS)
def test_a_usual_unit_is_spelled_in_one_way_however_it_is_typed(unit):
    assert {unit_named(unit.upper()), unit_named(f" {unit.lower()} "), unit_named(unit)} == {unit}


@pytest.mark.parametrize(
    ("items", "whole"),
    [
        ([], None),
        ([kwh(412, "0.284")], kwh(412, "0.284")),
        ([kwh(300, "0.30"), kwh(112, "0.30")], kwh(412, "0.30")),
        ([kwh(300, "0.30"), kwh(112, "0.20")], kwh(412)),
        ([kwh(300, "0.30"), kwh(112)], kwh(412)),
        ([kwh(500, "0.30"), kwh(-88, "0.30")], kwh(412, "0.30")),
        ([kwh(412), Usage(Decimal(40), "m³")], None),
        ([kwh(412, "0.10"), kwh(412, "0.02")], None),  # energy and its tax, perhaps
        ([kwh(300), kwh(112), kwh(412)], None),
        ([kwh(-412)], None),
        ([kwh(0)], None),
    ],
)
def test_items_add_up_in_one_unit_with_a_price_that_all_have_unless_one_may_stand_there_twice(items, whole):
    assert added(items) == whole


@pytest.mark.parametrize(
    ("cell", "country", "currency", "said"),
    [
        ("WATER=12.5 m3 @ 3.20;ELECTRICITY=412 kWh", US, "USD", "WATER=12.5 m³ @ 3.2;ELECTRICITY=412 kWh"),
        ("gas = 1,204.5 Therms@$1.10", US, "USD", "GAS=1204.5 therm @ 1.1"),
        ("WATER=12,5 cbm @ 3,20 €", DE, "EUR", "WATER=12.5 m³ @ 3.2"),
        ("TRASH=2 bins", US, "USD", "GARBAGE=2 bins"),
    ],
)
def test_a_cell_says_what_was_used_of_each_utility(cell, country, currency, said):
    assert as_text(read_usages(cell, country, currency)) == said


@pytest.mark.parametrize(
    ("cell", "why"),
    [
        ("", "Enter the usage"),
        ("12.5 m3", "Enter the usage"),
        ("WATER=12.5", "Enter the usage"),
        ("LATE_FEE=2 kWh", "Enter the usage"),
        ("WATER=12.5 m3;WATER=3 m3", "WATER appears twice here"),
        ("WATER=1.234 m3", "This number is ambiguous"),
        ("WATER=12.5 m3 @ €3.20", "This is not a valid number"),
        ("WATER=12.5 m3 @ soon", "This is not a valid number"),
        ("WATER=1000000000000 gal", "A number here can be at most"),
        (f"WATER=5 {'x' * (LONGEST_UNIT + 1)}", f"A unit of measure can have at most {LONGEST_UNIT} characters"),
    ],
)
def test_a_cell_that_does_not_say_it_is_refused_with_the_reason(cell, why):
    with pytest.raises(Unclear, match=why):
        read_usages(cell, US, "USD")


@given(st.dictionaries(st.sampled_from(UTILITY_TYPES), usages, min_size=1))
def test_what_is_written_into_a_file_reads_back_in_every_country(drawn):
    for country in (US, DE, COUNTRIES["CA"], COUNTRIES["CH"], COUNTRIES["IN"]):
        assert dict(read_usages(as_text(drawn.items()), country, country.currency)) == drawn


def test_the_mark_of_a_file_decides_a_number_that_reads_two_ways():
    assert read_number("1.234", US, decimal=".") == Decimal("1.234")
    assert read_number("1.234", US, decimal=",") == 1234


def test_what_is_no_unit_is_refused():
    for typed in ("3", "kWh;x", "a=b", "@"):
        with pytest.raises(Unclear, match="Enter the unit of measure as it appears on the bill"):
            read_unit(typed)
