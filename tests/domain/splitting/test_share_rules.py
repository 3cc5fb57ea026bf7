import json
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings, strategies as st

from prorata.domain.labels import same
from prorata.domain.limits import LARGEST_WEIGHT
from prorata.domain.splitting.share_rules import (
    Component,
    problems_of_blend,
    problems_of_rule,
    read_weights,
    write_weights,
)
from prorata.domain.splitting.split_methods import METHODS
from tests.conftest import SOAK

LABELS = {"1a": "unit_1", "1b": "unit_2", "strasse 3": "unit_3"}
numbers = (
    st.integers(0, LARGEST_WEIGHT)
    | st.decimals(0, 1000, places=6)
    | st.floats(1e-9, 1e9).map(lambda number: Decimal(repr(number)))
)


@settings(max_examples=5_000 if SOAK else 200)
@given(st.dictionaries(st.sampled_from(["1a", "1b", "straße 3"]), numbers))
def test_weights_read_back_as_they_were_written(weights):
    written = "{" + ", ".join(f"{json.dumps(label)}: {weight}" for label, weight in weights.items()) + "}"
    read, problems = read_weights(written, LABELS)
    assert not problems
    assert {unit: Fraction(weight) for unit, weight in read.items()} == {
        LABELS[same(label)]: Fraction(weight) for label, weight in weights.items()
    }, "no digit is lost"
    labels = {unit: label for label, unit in LABELS.items()}
    assert read_weights(write_weights(read, labels), LABELS) == (read, [])


@pytest.mark.parametrize("label", ["1A", " 1a ", "1a\t", "\u00a01A", "1a\n"])
def test_labels_match_trimmed_and_without_regard_to_case(label):
    assert read_weights(json.dumps({label: 1}), LABELS) == ({"unit_1": "1"}, [])


@pytest.mark.parametrize(
    "text", ["", "null", "3", "[]", '"1a"', "{", '{"1a": 1', "{1a: 1}", '{"1a": NaN}', "[" * 100_000, '{"1a": 1} x']
)
def test_what_is_no_json_object_is_one_problem(text):
    weights, (problem,) = read_weights(text, LABELS)
    assert weights == {}
    assert problem.field == "customWeightsJson"
    assert "JSON object" in problem.message


@pytest.mark.parametrize(
    "value", ["-1", "-0.1", "1000000001", "true", "null", '"3"', "[]", "{}", "1e400", "1e-31", "-1e-9"]
)
def test_a_weight_that_is_no_number_from_zero_to_the_largest_is_a_problem_that_names_the_label(value):
    weights, (problem,) = read_weights(f'{{"1A": {value}}}', LABELS)
    assert weights == {}
    assert "“1A”" in problem.message
    assert value not in problem.message.replace("1,000,000,000", "") or value in ("{}", "[]")


def test_every_problem_is_said_at_once():
    _, problems = read_weights('{"9": 1, "1a": -1, "1b": 1, " 1B": 2, "y": 0}', LABELS)
    assert [problem.message for problem in problems] == [
        "customWeightsJson names “9”, which is not a unit of this property.",
        "customWeightsJson must give “1a” a number from 0 to 1,000,000,000.",
        "customWeightsJson names “ 1B” twice.",
        "customWeightsJson names “y”, which is not a unit of this property.",
    ]


def test_a_label_in_a_problem_is_cut_to_64_characters():
    _, (problem,) = read_weights(json.dumps({"x" * 500: 1}), LABELS)
    assert "“" + "x" * 63 + "…”" in problem.message


@pytest.mark.parametrize(
    ("method", "weights", "problem"),
    [
        ("PERCENTAGE", None, "is required"),
        ("CUSTOM", None, "is required"),
        ("PERCENTAGE", {"unit_1": "60", "unit_2": "40.01"}, "100 percent"),
        ("CUSTOM", {"unit_1": "0"}, "above 0"),
        ("CUSTOM", {}, "above 0"),
    ],
)
def test_weights_that_do_not_fit_their_method_are_a_problem(method, weights, problem):
    (found,) = problems_of_rule(method, weights, blended=False)
    assert found.field == "customWeightsJson"
    assert problem in found.message


@pytest.mark.parametrize(
    ("method", "weights"),
    [
        ("PERCENTAGE", {}),
        ("PERCENTAGE", {"unit_1": "33.3", "unit_2": "33.3", "unit_3": "33.4"}),
        ("CUSTOM", {"unit_1": "0.3", "unit_2": "0"}),
        ("EQUAL", {"unit_1": "0"}),
        ("SQFT", None),
        ("OCCUPANTS", {"unit_1": "900"}),
    ],
)
def test_weights_that_fit_or_are_not_used_are_no_problem(method, weights):
    assert problems_of_rule(method, weights, blended=False) == []


@pytest.mark.parametrize("method", METHODS)
def test_a_rule_with_a_blend_needs_no_weights(method):
    assert problems_of_rule(method, None, blended=True) == []


def test_the_percents_of_a_blend_sum_to_exactly_100():
    def blend(*percents):
        return [Component(method, Fraction(percent)) for method, percent in zip(METHODS, percents, strict=False)]

    assert problems_of_blend(blend("33.3", "33.3", "33.4")) == []
    assert [problem.field for problem in problems_of_blend(blend("33.3", "33.3", "33.3"))] == ["components"]
    assert len(problems_of_blend([Component("EQUAL", Fraction(60)), Component("EQUAL", Fraction(60))])) == 2
    assert problems_of_blend([]) != []
