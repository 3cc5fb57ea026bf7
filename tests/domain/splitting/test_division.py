"""Tests of dividing one line among units, by every method, blend and owner's part.

The result is compared with the simplest division in `simple_books`.
"""

import random
from fractions import Fraction

import pytest
from hypothesis import given, settings, strategies as st

from prorata.domain.splitting.division import Shares, divide as divide_line
from prorata.domain.splitting.month_facts import in_tie_order
from prorata.domain.splitting.share_rules import Component, Rule
from prorata.domain.splitting.split_methods import METHODS
from prorata.domain.splitting.stays import units_on
from tests.conftest import SOAK
from tests.domain.splitting import simple_books as books
from tests.domain.splitting.houses import DAYS, Divided, divide, unit_with

THOUSANDS = settings(max_examples=10_000 if SOAK else 120)
"""Ten amounts, either sign, in each example."""

TEN_AMOUNTS = st.lists(
    st.integers(-999_999_999_999, 999_999_999_999) | st.integers(-200, 200), min_size=10, max_size=10, unique=True
)
measures = st.none() | st.integers(0, 50_000).map(lambda tenth: Fraction(tenth, 10))
labels = st.sampled_from(["1", "2", "2b", "3", "10", "11", "20"])
units_of_a_house = st.lists(
    st.tuples(labels, measures, st.none() | st.integers(0, 5), st.integers(0, 124), st.integers(1, 31)),
    max_size=6,
).map(lambda drawn: in_tie_order([unit_with(f"unit_{at}", *measured) for at, measured in enumerate(drawn)]))
percents = st.sampled_from([Fraction(0)] * 3 + [Fraction(100), Fraction(25, 2)]) | st.fractions(
    0, 100, max_denominator=9
)
blends = st.sampled_from(
    [
        (),
        (),
        (("EQUAL", 50), ("SQFT", 50)),
        (("OCCUPANTS", Fraction("33.3")), ("BEDROOMS", Fraction("66.7"))),
        (("SQFT", 25), ("EQUAL", 20), ("BEDROOMS", 30), ("OCCUPANTS", 25)),
    ]
).map(lambda parts: tuple(Component(method, Fraction(percent)) for method, percent in parts))
custom = st.dictionaries(
    st.sampled_from([f"unit_{at}" for at in range(6)]), st.integers(0, 160).map(lambda tenth: Fraction(tenth, 10))
)  # six of them: never more than 96 percent
rules = st.builds(
    Rule, st.just("WATER"), st.sampled_from(METHODS), custom, percents,
    st.sampled_from([Fraction(0), Fraction(0), Fraction(1), Fraction(1, 2)]), blends,
)  # fmt: skip


def unit(label, *, sqft=None, bedrooms=None, days=0, active=31):
    return unit_with(f"unit_{label}", label, None if sqft is None else Fraction(sqft), bedrooms, days, active)


def in_books_too(one):
    person_days, active_days = one.former or (31 * len(one.stays), 31)
    return {"id": one.unit_id, "sqft": one.sqft, "bedrooms": one.bedrooms, "person_days": person_days,
            "active_days": active_days}  # fmt: skip


def rule(method, *, weights=None, owner=0, vacant=0, blend=()):
    given_weights = {f"unit_{label}": Fraction(weight) for label, weight in (weights or {}).items()}
    components = tuple(Component(name, Fraction(percent)) for name, percent in blend)
    return Rule("WATER", method, given_weights, Fraction(owner), Fraction(vacant), components)


# --- what holds for every division -----------------------------------------------------------------------------------


@THOUSANDS
@given(TEN_AMOUNTS, rules, units_of_a_house)
def test_a_division_keeps_every_promise_for_any_rule_and_any_units(amounts, the_rule, units):
    shuffled = in_tie_order(random.Random(len(units)).sample(units, len(units)))
    for amount in amounts:
        division = divide(amount, the_rule, units)
        assert sum(division.parts) + division.owner == amount, "no cent is lost or made"
        assert len(division.parts) == len(division.reasons) in (0, len(units))
        assert all(part * amount >= 0 for part in (*division.parts, division.owner)), "nobody gets the other sign"
        mirrored = divide(-amount, the_rule, units)
        assert mirrored.parts == tuple(-part for part in division.parts), "a credit is the mirror image"
        assert divide(amount, the_rule, shuffled) == division, "the order given makes no difference"


@THOUSANDS
@given(TEN_AMOUNTS, rules, units_of_a_house)
def test_the_simplest_books_divide_the_same_way(amounts, the_rule, units):
    kept = [in_books_too(one) for one in units]
    in_books = {"method": the_rule.split_method, "weights": the_rule.weights, "owner": the_rule.owner_percent,
                "vacant": the_rule.vacant_occupants, "blend": the_rule.blend}  # fmt: skip
    for amount in amounts:
        division = divide(amount, the_rule, units)
        parts, owner = books.split(in_books, amount, kept)
        assert (division.parts, division.owner) == (tuple(part for part, _ in parts.values()), owner)


@THOUSANDS
@given(TEN_AMOUNTS, rules, units_of_a_house)
def test_each_part_of_a_single_method_is_within_a_cent_of_exact(amounts, the_rule, units):
    the_rule = the_rule._replace(blend=(), vacant_occupants=Fraction(0))
    in_books = {"weights": the_rule.weights, "vacant": 0}
    weights = [books.weigh(the_rule.split_method, in_books, in_books_too(one)) for one in units]
    whole = Fraction(100) if the_rule.split_method == "PERCENTAGE" else sum(weights)
    for amount in amounts:
        for part, weight in zip(divide(amount, the_rule, units).parts, weights, strict=False):
            assert abs(part - amount * (1 - the_rule.owner_percent / 100) * weight / whole) < 1
            assert weight or not part, "a zero weight pays zero"


# --- the methods, one by one -------------------------------------------------------------------------------------------


def test_equal_gives_the_first_label_in_natural_order_the_cent():
    flats = in_tie_order([unit("10"), unit("2"), unit("1")])
    assert [flat.label for flat in flats] == ["1", "2", "10"]
    assert divide(100_00, rule("EQUAL"), flats).parts == (33_34, 33_33, 33_33)


def test_units_of_one_label_are_ordered_by_id():
    one, other = unit_with("b", "1", None, None, 0, 31), unit_with("a", "1", None, None, 0, 31)
    assert in_tie_order([one, other]) == (other, one)


def test_the_owner_is_last_in_line_for_a_cent():
    division = divide(1, rule("EQUAL", owner=50), [unit("1")])
    assert (division.parts, division.owner) == ((1,), 0)


def test_sqft_counts_an_unknown_area_as_none_and_says_so():
    division = divide(300_00, rule("SQFT"), [unit("1", sqft=850), unit("2"), unit("3", sqft="650.5")])
    assert division.parts == (169_94, 0, 130_06)
    assert division.missing == ("unit_2",)
    assert division.reasons[0] == "850 of 1,500.5 sq ft"


def test_occupants_count_the_days_each_person_was_there():
    division = divide(93_00, rule("OCCUPANTS"), [unit("1", days=31), unit("2", days=62), unit("3")])
    assert division.parts == (31_00, 62_00, 0)
    assert division.reasons[1] == "62 of 93 person-days"
    assert division.missing == (), "an empty flat is known to be empty"


def test_occupants_may_assume_people_in_a_unit_nobody_lived_in():
    flats = [unit("1", days=31), unit("2"), unit("3", active=10)]
    division = divide(72_00, rule("OCCUPANTS", vacant=1), flats)
    assert division.parts == (31_00, 31_00, 10_00)


def test_assumed_people_do_not_come_to_a_unit_that_was_lived_in_for_a_day():
    assert divide(32_00, rule("OCCUPANTS", vacant=1), [unit("1", days=1), unit("2")]).parts == (1_00, 31_00)


def test_bedrooms_count_a_studio_and_an_unknown_as_none():
    division = divide(50_00, rule("BEDROOMS"), [unit("1", bedrooms=2), unit("2", bedrooms=0), unit("3")])
    assert division.parts == (50_00, 0, 0)
    assert division.missing == ("unit_3",), "a studio is known"


def test_what_is_missing_to_a_hundred_percent_is_the_owners():
    division = divide(200_00, rule("PERCENTAGE", weights={"1": 30, "2": "45.5"}), [unit("1"), unit("2"), unit("3")])
    assert (division.parts, division.owner) == ((60_00, 91_00, 0), 49_00)
    assert division.reasons[1] == "45.5% of this amount"
    assert division.missing == ("unit_3",)


def test_the_percentage_of_a_unit_that_takes_no_part_is_the_owners():
    division = divide(100_00, rule("PERCENTAGE", weights={"1": 60, "2": 40}), [unit("1")])
    assert (division.parts, division.owner) == ((60_00,), 40_00)


def test_of_custom_weights_only_the_proportions_count():
    flats = [unit("1"), unit("2")]
    tenths = divide(100_00, rule("CUSTOM", weights={"1": "0.3", "2": "0.7"}), flats)
    assert tenths.parts == divide(100_00, rule("CUSTOM", weights={"1": 3, "2": 7}), flats).parts == (30_00, 70_00)


def test_the_custom_weight_of_a_unit_that_takes_no_part_falls_on_the_others():
    assert divide(100_00, rule("CUSTOM", weights={"1": 3, "2": 7}), [unit("1")]).parts == (100_00,)


@pytest.mark.parametrize("method", ["SQFT", "OCCUPANTS", "BEDROOMS", "PERCENTAGE", "CUSTOM"])
def test_when_every_weight_is_zero_the_line_is_the_owners(method):
    division = divide(100_00, rule(method), [unit("1"), unit("2")])
    assert (division.parts, division.owner) == ((), 100_00)


def test_without_units_or_without_a_rule_the_line_is_the_owners():
    assert divide(-5_00, rule("EQUAL"), []).owner == -5_00
    assert divide(100_00, None, [unit("1")]).owner == 100_00


# --- the owner's percent, and blends -----------------------------------------------------------------------------------


def test_the_owners_percent_is_taken_before_the_rest_is_split():
    division = divide(200_00, rule("SQFT", owner=10), [unit("1", sqft=300), unit("2", sqft=600)])
    assert (division.parts, division.owner) == ((60_00, 120_00), 20_00)
    assert division.reasons[0] == "300 of 900 sq ft, after the owner's 10%"


def test_an_owner_of_everything_leaves_charges_of_nothing():
    division = divide(99_99, rule("EQUAL", owner=100), [unit("1"), unit("2")])
    assert (division.parts, division.owner) == ((0, 0), 99_99)


def test_the_owners_percent_and_what_nobody_has_add_up():
    division = divide(100_00, rule("PERCENTAGE", weights={"1": 50}, owner=20), [unit("1")])
    assert (division.parts, division.owner) == ((40_00,), 60_00)


def test_a_blend_divides_by_its_percents_first_then_each_part_by_its_method():
    flats = [unit("1", sqft=100, days=31), unit("2", sqft=300, days=31)]
    division = divide(100_00, rule("CUSTOM", blend=[("SQFT", 40), ("OCCUPANTS", 60)]), flats)
    assert division.parts == (10_00 + 30_00, 30_00 + 30_00)
    assert division.reasons[0] == "40% by 100 of 400 sq ft; 60% by 31 of 62 person-days"


def test_the_cent_of_a_blend_goes_to_its_largest_fraction():
    flats = [unit("1", sqft=100), unit("2", bedrooms=1)]
    blend = [("SQFT", Fraction("33.3")), ("BEDROOMS", Fraction("66.7"))]
    assert divide(1, rule("CUSTOM", blend=blend), flats).parts == (0, 1)


def test_a_part_of_a_blend_that_nobody_weighs_anything_in_is_the_owners():
    division = divide(100_00, rule("CUSTOM", blend=[("SQFT", 25), ("EQUAL", 75)]), [unit("1"), unit("2")])
    assert (division.parts, division.owner) == ((37_50, 37_50), 25_00)
    assert division.missing == ("unit_1", "unit_2")


def test_the_owners_percent_comes_off_a_blend_as_off_any_rule():
    blend = [("EQUAL", 50), ("SQFT", 50)]
    division = divide(100_00, rule("CUSTOM", owner=10, blend=blend), [unit("1", sqft=9), unit("2", sqft=1)])
    assert (division.parts, division.owner) == ((22_50 + 40_50, 22_50 + 4_50), 10_00)
    assert division.reasons[0].endswith(", after the owner's 10%")


def test_a_blend_of_which_nothing_can_be_weighed_is_the_owners():
    assert divide(100_00, rule("CUSTOM", blend=[("SQFT", 100)]), [unit("1")]).owner == 100_00
    blend = [("SQFT", 40), ("BEDROOMS", 60)]
    units = [unit("1"), unit("2", bedrooms=0)]
    division = divide(100_01, rule("CUSTOM", owner=10, blend=blend), units)
    assert division == Divided((), (), 100_01, ("unit_1", "unit_2")), "no unit has a part, nor a reason"
    shares = divide_line(100_01, rule("CUSTOM", owner=10, blend=blend), DAYS, units_on(DAYS, units))
    assert shares == Shares(100_01, 100_01, missing=("unit_1", "unit_2")), "as where no rule divides it"
