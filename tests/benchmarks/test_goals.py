"""Each goal of the benchmarks can be missed.

The tests also state the goals that must be reached.
"""

import pytest

from benchmarks import goals
from benchmarks.goals import Goal
from benchmarks.processes import Memory
from benchmarks.results import Run, spread
from tests.benchmarks.runs import rounds, whole_run


def missed(run: Run) -> list[Goal]:
    return [goal for goal in goals.all_of(run) if not goal.is_reached]


def test_a_run_that_reaches_everything_misses_nothing():
    assert len(list(goals.all_of(whole_run()))) == 110
    assert missed(whole_run()) == []


@pytest.mark.parametrize(
    ("name", "figure", "what"),
    [
        (
            ["rounds", "sqlite", "page", 1, "prorata"],
            rounds(395.0),
            ["requests/s of conventional", "requests/s of floor"],
        ),
        (["rounds", "sqlite", "page", 2, "conventional"], rounds(101.0), ["requests/s of conventional"]),
        (["rounds", "postgresql", "deep", 1, "floor"], rounds(670.0), ["requests/s of floor"]),
        (["rounds", "sqlite", "patch", 1, "conventional"], rounds(134.0), ["requests/s of conventional"]),
        (["rounds", "sqlite", "details", 1, "prorata"], rounds(400.0, p99=10.0), ["p99 at half load"]),
        (["rounds", "growth", "sqlite", "deep", "10"], rounds(330.0, cpu=1.3), ["in time", "in CPU"]),
        (["memory", "sqlite", 2, "prorata"], Memory(20.0, 20.0, 120.0), ["worker: reads and changes of status"]),
        (["memory after", "sqlite", "60 PDFs"], [99.0, 90.0, 121.0, 40.0, 30.0, 40.0], ["worker: 60 PDFs"]),
        (["import", "sqlite", 1, "seconds"], spread([10.0]), ["import of 15,000", "4× the bills"]),
        (["import", "postgresql", 1, "megabytes"], spread([500.0]), ["most memory"]),
        (["rule", "postgresql", 1_000], spread([1_000.0]), ["a rule of 1,000 units"]),
        (["lists", "sqlite", "bills", "a letter"], spread([50.0]), ["list of bills: p50 of its slowest page"]),
        (["start", "sqlite", "prorata"], spread([1.0]), ["start, files in memory"]),
    ],
)
def test_a_figure_that_is_not_enough_is_missed_and_no_other(name: list[object], figure: object, what: list[str]):
    run = whole_run()
    run.note(name, figure)
    found = missed(run)
    assert len(found) == len(what)
    assert all(part in goal.what for part, goal in zip(what, found, strict=True))


def test_a_status_patch_needs_three_times_conventional_and_no_part_of_the_floor():
    run = whole_run()
    run.note(["rounds", "sqlite", "patch", 1, "floor"], rounds(10_000.0))
    assert missed(run) == []


def test_the_median_counts_and_not_one_bad_round():
    run = whole_run()
    slow = rounds(400.0)
    run.note(["rounds", "sqlite", "page", 1, "prorata"], slow._replace(rounds=[*slow.rounds[:2], slow.rounds[0]]))
    assert missed(run) == []


def test_a_figure_that_single_rounds_contradict_is_called_close():
    run = whole_run()
    run.note(["start", "sqlite", "prorata"], spread([0.9, 0.95, 1.2]))
    run.note(["rule", "sqlite", 1_000], spread([990.0, 1_010.0, 1_020.0]))
    run.note(["import", "sqlite", 1, "seconds"], spread([11.0, 12.0, 13.0]))
    said = {goal.what: (goal.is_reached, goal.is_close) for goal in goals.all_of(run) if goal.where == "SQLite"}
    assert said["start, files in memory"] == (True, True)
    assert said["a rule of 1,000 units, six open months"] == (False, True)
    assert said["import of 15,000 bills"] == (False, False)


@pytest.mark.parametrize(("disturbed", "is_close"), [(0, True), (1, False)])
def test_what_was_missed_before_it_was_measured_again_is_close_unless_it_was_disturbed(disturbed: int, is_close: bool):
    run, again = whole_run(), Run(3, 1.0, 1.0, {"when": "2026-11-22", "commit": "abc"})
    run.note(["start", "sqlite", "prorata"], spread([1.4], disturbed))
    again.note(["start", "sqlite", "prorata"], spread([0.9]))
    run.replace(again, "start")
    (goal,) = [goal for goal in goals.all_of(run) if goal.before]
    assert (goal.measured, goal.before, goal.is_reached) == ("0.90 s", ("1.40 s",), True)
    assert goal.is_close is is_close


@pytest.mark.parametrize("rate", [400.0, 100.0])
def test_what_was_measured_while_others_worked_is_neither_reached_nor_missed(rate: float):
    run = whole_run()
    disturbed = rounds(rate)
    one = disturbed.rounds[0]._replace(others=0.3)
    run.note(["rounds", "sqlite", "page", 1, "prorata"], disturbed._replace(rounds=[one, *disturbed.rounds[1:]]))
    run.note(["start", "sqlite", "prorata"], spread([0.5], disturbed=1))
    found = [goal for goal in goals.all_of(run) if goal.disturbed]
    assert [goal.what for goal in found] == [
        "a page of 20 invoices, with total: requests/s of conventional",
        "a page of 20 invoices, with total: requests/s of floor",
        "start, files in memory",
    ]
    assert not any(goal.is_reached for goal in found)
    assert {goal.said for goal in found} == {"not sure: a round was disturbed"}


def test_the_ratio_by_cpu_stands_beside_that_of_rates():
    run = whole_run()
    run.note(["rounds", "sqlite", "page", 1, "prorata"], rounds(400.0, cpu=0.25))
    goal = next(goal for goal in goals.all_of(run) if "page of 20" in goal.what)
    assert (goal.measured, goal.by_cpu) == ("4.04×", "2.50×")


def test_the_process_that_typesets_stands_beside_the_worker():
    said = [goal.measured for goal in goals.all_of(whole_run()) if "60 PDFs" in goal.what]
    assert said == ["119 MB, 110 MB afterwards, beside 50 MB of the process that typesets"] * 2


def test_what_was_not_measured_is_neither_reached_nor_missed():
    assert list(goals.all_of(Run(1, 1.0, 1.0, {}))) == []
