"""Each split method is one complete record.

It has words in every language, and the program derives everything else about the method from it.
"""

import string
from typing import get_args

import pytest

from prorata.domain.audit.diffs import differences
from prorata.domain.printing.languages import LANGUAGES
from prorata.domain.splitting.division_layout import why_owner
from prorata.domain.splitting.share_rules import lacks
from prorata.domain.splitting.split_methods import (
    BLENDABLE,
    METHODS,
    SPLIT_METHODS,
    UNWEIGHTED,
    WEIGHTED,
    Blendable,
    Method,
    SplitMethod,
)
from prorata.domain.splitting.stays import UnitDays, units_on
from tests.domain.splitting.houses import DAYS, divide, unit_with
from tests.domain.splitting.test_explanations import water

EVERY_METHOD = pytest.mark.parametrize("method", SPLIT_METHODS.values(), ids=SPLIT_METHODS)
PUT_IN = {"part", "whole", "area"}


def test_the_codes_that_types_and_the_api_know_are_those_of_the_records():
    assert get_args(Method) == METHODS
    assert get_args(Blendable) == BLENDABLE


@EVERY_METHOD
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_method_has_its_words_in_every_language(method: SplitMethod, language: str):
    said = method.printed.get(language)
    assert said, f"{method.code} has no words in {language!r}: add them to its `printed`"
    named = {name for _, name, _, _ in string.Formatter().parse(said.how) if name}
    assert "part" in named <= PUT_IN, f"{method.code} in {language!r}"
    assert bool(said.unknown) == (method.measured is not None), f"{method.code} in {language!r}: unknown"
    assert method.printed.keys() <= LANGUAGES.keys()


@EVERY_METHOD
def test_a_method_speaks_where_pages_put_its_words(method: SplitMethod):
    assert method.name[0].isupper()
    assert method.description.endswith(".")
    assert method.by == method.by.lower()
    assert method.by in ("equally", method.name.lower()), "one wording: its name is how it is called in a sentence"
    assert bool(method.unknown) == (method.measured is not None)
    assert method.lacked[0].islower()
    assert method.lacked[-1] != "."


@EVERY_METHOD
def test_a_weight_is_unknown_only_where_somebody_can_enter_it(method: SplitMethod):
    (bare,) = units_on(DAYS, [unit_with("u1", "1", None, None, 0)])
    unknown = method.measure(bare, water(method.code)._replace(weights={})) is None
    assert unknown == (method.measured is not None)
    assert method.measured is None or not method.measured.field or method.measured.field in UnitDays._fields


def test_what_a_rule_or_a_blend_may_use_follows_from_the_records():
    assert WEIGHTED == ("PERCENTAGE", "CUSTOM")
    assert METHODS == UNWEIGHTED + WEIGHTED
    assert not set(BLENDABLE) & set(WEIGHTED), "a blend of two methods with weights would need two weights of a unit"


def test_dividing_by_occupants_is_called_the_same_everywhere():
    (change,) = differences({"split_method": "EQUAL"}, {"split_method": "OCCUPANTS"})
    assert (change.was, change.became) == ("equally", "by occupants")
    empty = [unit_with("u1", "1", None, None, 0)]
    (why,) = why_owner(water("OCCUPANTS"), DAYS, units_on(DAYS, empty), "water")
    assert why.startswith("It is divided by occupants, and nobody lived in any unit")
    assert divide(100, water("OCCUPANTS"), empty).owner == 100


def test_a_unit_lacks_each_measure_once():
    class Bare:
        id, sqft, bedrooms = "u9", None, None

    rules = [water(method)._replace(weights={}) for method in (*METHODS, *METHODS)]
    assert lacks(rules, Bare()) == ("floor area", "bedrooms", "percentage", "weight")
