import re

import pytest
from hypothesis import given, settings, strategies as st

from prorata.domain.invoices.numbers import invoice_number
from prorata.domain.labels import natural_order, same, short_form, unused_code
from prorata.domain.limits import LONGEST_CODE
from tests.conftest import SOAK

THOUSANDS = settings(max_examples=20_000 if SOAK else 200)
names = st.text(max_size=50)


@pytest.mark.parametrize(
    "names",
    [
        ["1", "2", "10"],
        ["Flat 1", "flat 2", "Flat 10", "flat 11"],
        ["2", "2A", "2b", "2C", "10"],
        ["A-1", "A-2", "A-10", "B-1"],
        ["Unit 9", "Unit 10", "Unit 99", "Unit 100", "Unit 1000"],
        ["MAPLE-2-2026-03", "MAPLE-10-2026-03"],
        ["1.2", "1.10", "2.1"],
        ["0", "1", "007", "8"],
    ],
)
def test_names_sort_as_a_person_would_sort_them(names):
    backwards = names[::-1]
    assert sorted(backwards, key=natural_order) == names


@THOUSANDS
@given(st.integers(0, 10**60), st.integers(0, 10**60), st.sampled_from(["", "Flat ", "a-"]))
def test_numbers_in_names_sort_by_their_value(one, other, before):
    order = natural_order(f"{before}{one}") < natural_order(f"{before}{other}")
    assert order == (one < other)


@THOUSANDS
@given(names)
def test_order_and_comparison_have_no_regard_to_case_and_blanks_around(name):
    assert natural_order(f" {name.strip()}\t") == natural_order(name.strip())
    assert natural_order(same(name)) == natural_order(name)
    assert same(f"  {name}") == same(name)


@pytest.mark.parametrize(("one", "other"), [("Unit 2B", " unit 2b "), ("STRASSE", "straße"), ("é", "e\u0301")])
def test_names_that_differ_by_case_blanks_or_spelling_of_accents_are_the_same(one, other):
    assert same(one) == same(other)


@THOUSANDS
@given(names)
def test_a_short_form_is_capitals_and_digits_and_never_empty(name):
    assert re.fullmatch(rf"[A-Z0-9]{{1,{LONGEST_CODE}}}", short_form(name, "P"))


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("Maple Court", "MAPLECOURT"),
        ("12 Rue de l'Élysée", "12RUEDELELYS"),
        ("½", "1X2"),
        ("東京", "P"),
        ("ß", "SS"),
        ("Mühlenweg 15", "MUEHLENWEG15"),
        ("Lindenstraße 6", "LINDENSTR6"),
        ("Lindenstraße 62", "LINDENSTR62"),
        ("Ringstr. 4/6", "RINGSTR4X6"),
        ("2-14", "2X14"),
    ],
)
def test_short_forms_of_real_names_read_like_them(name, code):
    assert short_form(name, "P") == code


@given(st.lists(st.sampled_from(["Maple", "maple!", "Oak", "東", "Maple 2", "MAPLE2"]), max_size=30))
def test_short_forms_are_never_given_twice(names):
    taken: set[str] = set()
    for name in names:
        code = unused_code(name, "P", taken)
        assert code not in taken
        assert re.fullmatch("[A-Z0-9]+", code)
        taken.add(code)


def test_an_invoice_number_says_property_unit_year_and_month():
    assert invoice_number("MAPLE", "2B", "2026-03") == "MAPLE-2B-2026-03"
