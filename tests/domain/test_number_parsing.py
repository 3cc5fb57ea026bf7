"""A written number has one meaning, two, or none, and is never misread."""

from decimal import Decimal

import pytest
from hypothesis import given, strategies as st

from prorata.domain.limits import LONGEST_TYPED_NUMBER
from prorata.domain.number_parsing import in_one_form, readings, written_plainly


@pytest.mark.parametrize(
    ("written", "in_germany", "in_the_us"),
    [
        ("1250", ["1250"], ["1250"]),
        ("12,5", ["12.5"], []),
        ("12.5", ["12.5"], ["12.5"]),
        ("1.250", ["1250", "1.250"], ["1250", "1.250"]),
        ("1,250", ["1250", "1.250"], ["1250"]),
        ("0,250", ["0.250"], []),
        ("0.250", ["0.250"], ["0.250"]),
        ("1.250,5", ["1250.5"], ["1250.5"]),
        ("1,250.5", ["1250.5"], ["1250.5"]),
        ("1.250.000", ["1250000"], ["1250000"]),
        ("1 250,5", ["1250.5"], ["1250.5"]),
        ("1’250.5", ["1250.5"], ["1250.5"]),
        ("1250,500", ["1250.500"], []),
        ("0,019992345678", ["0.019992345678"], []),
        ("12,", [], []),
        (",5", [], []),
        ("1,25,000", [], []),
        ("1.2.3", [], []),
        ("12e3", [], []),
        ("٣", [], []),
        ("", [], []),
        ("9" * (LONGEST_TYPED_NUMBER + 1), [], []),
    ],
)
def test_marks_are_read_where_they_mean_something(written: str, in_germany: list[str], in_the_us: list[str]) -> None:
    said = in_one_form(written)
    assert [str(one) for one in readings(said, has_decimal_comma=True)] == in_germany
    assert [str(one) for one in readings(said, has_decimal_comma=False)] == in_the_us


def test_lakhs_are_counted_only_where_they_are() -> None:
    assert readings("1,25,000.50", has_decimal_comma=False, by_lakh=True) == (Decimal("125000.50"),)


@given(st.decimals(0, 10_000_000, places=12), st.sampled_from(".,"), st.sampled_from([0, 2]))
def test_what_stands_in_a_field_is_read_back_as_the_same(value: Decimal, mark: str, places: int) -> None:
    shown = written_plainly(value, mark, places=places)
    assert readings(shown, has_decimal_comma=mark == ",") == (value,)


@given(st.integers(0, 99_999_999), st.sampled_from(".,"))
def test_numbers_of_few_decimals_are_never_ambiguous_in_a_field(thousandths: int, mark: str) -> None:
    value = Decimal(thousandths) / 1000
    assert readings(written_plainly(value, mark), has_decimal_comma=True) == (value,)
    assert in_one_form(written_plainly(-value, mark)).lstrip("-") == written_plainly(value, mark)
