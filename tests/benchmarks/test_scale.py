"""Each goal of `make scale` can be missed.

Limits are called exact only if they are.
"""

from dataclasses import replace

import pytest

from benchmarks import scale_report
from benchmarks.load import Outcome
from benchmarks.others import Look
from benchmarks.scale_limits import INVALID_QUOTA, QUOTA, Limited
from benchmarks.scale_load import LOAD, OTHERS, STOLEN, Turn
from benchmarks.scale_loading import Furnished, Imported
from benchmarks.scale_pages import BEFORE, BESIDE, COPY, FAR, FARTHER, LARGE, TWENTY, Measured
from benchmarks.scale_report import Figures, goals
from benchmarks.scale_throughput import PROPERTY, Rate

EXACT = Limited(1024, 0.6, {200: QUOTA, 429: 1024 - QUOTA}, (40, 60), 400, [{401: INVALID_QUOTA, 429: 100}] * 2)
CORES = {"API 1": 0.8, "API 2": 0.0, "PostgreSQL": 0.3, "Redis": 0.1, "nginx": 0.1, LOAD: 0.1, OTHERS: 0.0, STOLEN: 0.0}


def page(rate: float, disturbed: int = 0) -> Measured:
    return Measured(rate, rate, rate, 1.0, 1.0, disturbed)


def rate(of: float, disturbed: int = 0) -> Rate:
    return Rate(of, of, of, 1.0, CORES, CORES, disturbed)


def figures() -> Figures:
    """The figures of a run that reaches every goal by a little."""
    places = {BEFORE: page(100.0), COPY: page(120.0), BESIDE: page(100.0), LARGE: page(100.0)}
    return Figures(
        units=1_000_000, small_units=4_000, seconds=2.0, minutes=29.9,
        furnished=Furnished(400.0, 1_000_000, 3_500.0),
        imported=Imported(150.0, [25.0, 30.0], 70.0, 499.0, 150_000, 1_000_000, 3_000_000, 6_800.0),
        pages={TWENTY: places, FAR: places, FARTHER: {LARGE: page(100.0)}},
        page_names={TWENTY: "the first page of 20", FAR: "page 40 of 100", FARTHER: "page 500 of 100"},
        throughput={PROPERTY: [rate(1_000.0), rate(1_500.0)]},
        limited=EXACT, wrong=[],
    )  # fmt: skip


def missed(of: Figures) -> list[str]:
    return [goal.what for goal in goals(of) if not goal.is_reached]


def test_a_run_that_reaches_everything_misses_nothing():
    assert len(list(goals(figures()))) == 11
    assert missed(figures()) == []


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"minutes": 30.0}, ["the whole run"]),
        ({"wrong": ["An invoice is not the sum of its charges."]}, ["records of a large account that are wrong"]),
        ({"imported": figures().imported._replace(most_megabytes=500.0)}, ["most memory of an import"]),
        ({"throughput": {PROPERTY: [rate(1_000.0), rate(1_499.0)]}}, ["one property: two processes"]),
        ({"throughput": {PROPERTY: [rate(1_000.0, 1), rate(2_000.0)]}}, ["one property: two processes"]),
        (
            {"pages": {TWENTY: {COPY: page(120.0), BESIDE: page(99.0), LARGE: page(100.0)}}},
            ["the first page of 20: time in the same account"],
        ),
        (
            {"pages": {FAR: {COPY: page(120.0)}, FARTHER: {LARGE: page(99.0)}}},
            ["page 500 of 100: time in a large account"],
        ),
        (
            {"pages": {TWENTY: {COPY: page(120.0, 2), LARGE: page(119.0)}}},
            ["the first page of 20: time in a large account"],
        ),
        ({"limited": EXACT._replace(answers={200: 101, 429: 923})}, ["requests of one key admitted in a minute"]),
        (
            {"limited": EXACT._replace(invalid_answers=[{401: 300, 429: 100}, {401: 301, 429: 99}])},
            ["attempts with an invalid key, by client address"],
        ),
    ],
)
def test_a_figure_that_is_not_enough_is_missed_and_no_other(change: dict[str, object], what: list[str]):
    assert missed(replace(figures(), **change)) == what


def test_a_disturbed_round_is_said_beside_its_figures():
    disturbed = replace(figures(), throughput={PROPERTY: [rate(1_000.0, 2), rate(1_100.0)]})
    said = scale_report.text(disturbed)
    assert "| one property: 1 | 1,000 (1,000–1,000), 2 disturbed |" in said
    assert "| not sure: 2 rounds were disturbed |" in said


@pytest.mark.parametrize(
    "answers", [{200: 99, 429: 925}, {200: 100, 429: 923}, {200: 100, 429: 923, 503: 1}, {200: 1024}]
)
def test_limits_are_exact_only_where_all_others_were_told_that_they_were_too_many(answers: dict[int, int]):
    assert EXACT.is_exact
    assert not EXACT._replace(answers=answers).is_exact


@pytest.mark.parametrize("second", [{401: 299, 429: 101}, {401: 300, 429: 99, 500: 1}, {401: 400}])
def test_each_client_address_must_have_exactly_its_attempts(second: dict[int, int]):
    assert EXACT.is_exact_by_address
    assert not EXACT._replace(invalid_answers=[EXACT.invalid_answers[0], second]).is_exact_by_address


class FakeRequests:
    """A fake load of 1,000 requests per second, which cost half a core."""

    def __init__(self) -> None:
        self.used = 0.0
        self.sent = 0

    def send(self, _url: str, _seconds: float, _connections: int) -> Outcome:
        self.used += 0.5
        self.sent += 1
        return Outcome(1_000, 1.0, 2.0, 3.0, 4.0, 0)


def turn_beside(*others: float) -> tuple[Turn, FakeRequests]:
    """A turn and its requests, measured while others use the machine.

    `others` lists the cores that others use in each round.
    """
    requests, looked = FakeRequests(), iter(range(100))

    def look() -> Look:
        number = next(looked)
        return Look(float(number), sum(others[: (number + 1) // 2]), 0.0, 0.0)

    return Turn("one", "url", requests, {"API": lambda: requests.used}, looks=look), requests


def test_a_round_notes_on_how_many_cores_each_part_was_busy_and_others():
    turn, _ = turn_beside(0.05)
    turn.measure(1)
    (found,) = turn.rounds
    assert (found.rate, found.p50, found.busy["API"]) == (1_000.0, 2.0, 0.5)
    assert (found.busy[OTHERS], found.busy[STOLEN], turn.disturbed) == (pytest.approx(0.05), 0.0, 0)


def test_a_disturbed_round_is_measured_again_and_marked_if_it_never_is_quiet():
    turn, requests = turn_beside(0.5, 0.01)
    turn.measure(1)
    assert (requests.sent, turn.disturbed) == (2, 0)
    turn, requests = turn_beside(0.5, 0.3, 0.4)
    turn.measure(1)
    assert (requests.sent, turn.disturbed, turn.cores(OTHERS)) == (3, 1, pytest.approx(0.3))
