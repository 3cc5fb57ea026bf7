from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import assume, given, settings, strategies as st

from prorata.domain.money import (
    apportion,
    beyond_rounding,
    in_figures,
    in_words,
    quantity,
    rounded_quantity,
    whole_numbers,
)
from tests.conftest import SOAK

THOUSANDS = settings(max_examples=20_000 if SOAK else 300)
"""Ten amounts, either sign, in each example."""
amounts = st.integers(-999_999_999_999, 999_999_999_999) | st.integers(-300, 300)
weights = st.lists(st.integers(0, 12) | st.integers(0, 10**15), min_size=1, max_size=12)


@THOUSANDS
@given(st.lists(amounts, min_size=10, max_size=10), weights)
def test_parts_keep_every_promise_for_any_weights_and_any_sign(ten_amounts, weights):
    assume(any(weights))
    for amount in ten_amounts:
        parts = apportion(amount, weights)
        assert sum(parts) == amount, "no cent is lost or made"
        for part, weight in zip(parts, weights, strict=True):
            exact = Fraction(amount * weight, sum(weights))
            assert abs(part - exact) < 1, "within one cent of exact"
            assert part * amount >= 0, "of the amount's sign"
            assert weight or not part, "a zero weight pays zero"
        assert parts == apportion(amount, weights), "twice the same input, the same output"
        assert [-part for part in parts] == apportion(-amount, weights), "a credit is the mirror image"


@given(amounts, weights, st.integers(2, 1000))
def test_only_the_proportions_of_weights_count(amount, weights, factor):
    assume(any(weights))
    assert apportion(amount, weights) == apportion(amount, [weight * factor for weight in weights])


@given(amounts, weights)
def test_a_heavier_weight_never_gets_the_smaller_part(amount, weights):
    assume(any(weights))
    pairs = sorted(zip(weights, map(abs, apportion(amount, weights)), strict=True))
    assert all(one[1] <= other[1] for one, other in pairwise(pairs) if one[0] < other[0])


@pytest.mark.parametrize(
    ("amount", "weights", "parts"),
    [
        (100_00, [1, 1, 1], [33_34, 33_33, 33_33]),
        (-100_00, [1, 1, 1], [-33_34, -33_33, -33_33]),
        (2, [1, 1, 1], [1, 1, 0]),
        (-2, [1, 1, 1], [-1, -1, 0]),
        (0, [1, 0], [0, 0]),
        (1, [0, 5, 0], [0, 1, 0]),
        (10, [3, 7], [3, 7]),
        (5, [1, 2, 3], [1, 2, 2]),  # exact 0.83, 1.67, 2.5: the cents that are missing go to .83 and .67
        (999_999_999_999, [1, 1], [500_000_000_000, 499_999_999_999]),
    ],
)
def test_missing_cents_go_to_the_largest_fractions_then_to_the_first(amount, weights, parts):
    assert apportion(amount, weights) == parts


@pytest.mark.parametrize("weights", [[], [0, 0], [1, -1, 5]])
def test_nobody_to_divide_among_is_the_callers_mistake(weights):
    with pytest.raises((AssertionError, ValueError)):
        apportion(100, weights)


@given(st.lists(st.fractions(0, 1000, max_denominator=1000), min_size=1, max_size=6))
def test_whole_numbers_keep_the_proportions_exactly(ratios):
    whole = whole_numbers(ratios)
    assert all(one * other_whole == other * one_whole
               for one, one_whole in zip(ratios, whole, strict=True)
               for other, other_whole in zip(ratios, whole, strict=True))  # fmt: skip


@given(amounts)
def test_figures_have_two_places_and_read_back(cents):
    figures = in_figures(cents)
    assert figures[-3] == "."
    assert Fraction(figures) * 100 == cents


@pytest.mark.parametrize(
    ("cents", "figures"),
    [(0, "0.00"), (1, "0.01"), (-1, "-0.01"), (-99, "-0.99"), (100, "1.00"), (-100, "-1.00"), (123456, "1234.56")],
)
def test_figures_have_one_digit_before_the_point_at_least_and_no_more_than_they_need(cents, figures):
    assert in_figures(cents) == figures


@pytest.mark.parametrize(
    ("part", "numerator", "denominator", "beyond"),
    [
        (0, 0, 7, 0),
        (1, 1, 1, 0),
        (-1, -1, 1, 0),
        (1, 1, 2, 0),
        (-1, -1, 2, 0),
        (0, -1, 3, 0),
        (0, -2, 3, 1),
        (2, 4, 3, 1),
    ],
)
def test_a_part_is_beyond_its_exact_share_by_whole_cents(part, numerator, denominator, beyond):
    assert beyond_rounding(part, numerator, denominator) == beyond


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("0", "0"),
        ("1234", "1,234"),
        ("100.004", "100"),
        ("0.005", "0.01"),
        ("1234567.5", "1,234,567.5"),
        ("10.1", "10.1"),
    ],
)
def test_a_quantity_was_said_with_two_decimals_before(value, said):
    assert rounded_quantity(Fraction(value)) == said


@pytest.mark.parametrize(
    ("cents", "currency", "words"),
    [
        (320_10, "USD", "$320.10"),
        (-5, "EUR", "-€0.05"),
        (-1, "USD", "-$0.01"),
        (0, "USD", "$0.00"),
        (1, "USD", "$0.01"),
        (1_234_567_89, "GBP", "£1,234,567.89"),
        (100, "CHF", "CHF 1.00"),
    ],
)
def test_an_amount_in_words_names_its_currency(cents, currency, words):
    assert in_words(cents, currency) == words


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("12400", "12,400"),
        ("850.5", "850.5"),
        ("0", "0"),
        ("-0.5", "-0.5"),
        ("0.125", "0.125"),
        ("61.335", "61.335"),
        ("-1234.0625", "-1,234.0625"),
        ("0.00000000000001", "0.00000000000001"),
        ("1/3", "1/3"),
        ("999.999", "999.999"),
    ],
)
def test_a_quantity_is_said_with_all_its_digits(value, said):
    assert quantity(Fraction(value)) == said
