"""Tests of medians and ratios, and of storing and loading figures."""

import pytest

from benchmarks.processes import Memory
from benchmarks.results import Latency, Measured, Rounds, Run, Spread, load_run, ratio, ratio_by_cpu, spread


def rounds(*rates: float) -> Rounds:
    return Rounds([Measured(rate, 1000 / rate, 0.5, 1.0) for rate in rates], [Latency(1.0, 4.0, 9.0)])


def test_a_rate_is_the_median_of_its_rounds_and_not_their_mean():
    found = rounds(100.0, 120.0, 1000.0)
    assert (found.rate, found.least, found.most) == (120.0, 100.0, 1000.0)


def test_a_ratio_is_that_of_the_medians_and_its_spread_that_of_rounds_that_ran_one_after_the_other():
    found = ratio(rounds(100.0, 200.0, 300.0), rounds(50.0, 50.0, 100.0))
    assert found == (4.0, 2.0, 4.0)


def test_by_cpu_all_counts_that_works_for_a_request():
    ours = Rounds([Measured(9.0, 0.25, 0.5, 1.0, 0.25)])
    theirs = Rounds([Measured(9.0, 1.0, 2.0, 1.0)])
    assert ratio_by_cpu(ours, theirs) == (3.0, 3.0, 3.0)


def test_rounds_that_are_not_of_one_run_have_no_ratio():
    with pytest.raises(ValueError, match="zip"):
        ratio(rounds(100.0, 200.0), rounds(50.0))


def test_the_tail_is_the_median_of_rounds_with_its_spread():
    found = Rounds([], [Latency(1.0, 90.0, 5.0), Latency(2.0, 9.0, 5.0), Latency(4.0, 8.0, 5.0)])
    assert (found.p50, found.p99) == (Spread(2.0, 1.0, 4.0), Spread(9.0, 8.0, 90.0))


def test_figures_are_found_again_by_the_name_they_were_kept_under(tmp_path):
    run = Run(3, 1.0, 0.5, {"Python": "3.11"})
    run.note(["rounds", "sqlite", "page", 1, "prorata"], rounds(100.0, 120.0))
    run.note(["rounds", "sqlite", "page", 2, "prorata"], rounds(7.0))
    run.note(["memory", "sqlite", 1, "prorata"], Memory(90.0, 80.0))
    run.note(["start", "sqlite", "prorata"], spread([0.9, 0.8, 1.0]))
    run.save(tmp_path / "kept" / "figures.json")
    kept = load_run(tmp_path / "kept" / "figures.json")
    assert (kept.rounds, kept.seconds, kept.scale, kept.machine) == (3, 1.0, 0.5, {"Python": "3.11"})
    assert kept.rounds_of("sqlite", "page", 1) == {"prorata": rounds(100.0, 120.0)}
    assert kept.memory_of("sqlite", 1, "prorata") == Memory(90.0, 80.0)
    assert kept.spread_of("start", "sqlite", "prorata") == Spread(0.9, 0.8, 1.0)
    assert kept.spread_of("start", "postgresql", "prorata") is None


def test_a_part_that_is_measured_again_takes_the_place_of_what_was_found_first_and_both_are_kept(tmp_path):
    whole = Run(3, 1.0, 1.0, {"commit": "first"})
    again = Run(3, 1.0, 1.0, {"when": "2026-11-22", "commit": "abc"})
    whole.note(["start", "sqlite", "prorata"], spread([1.0]))
    whole.note(["start", "postgresql", "prorata"], spread([2.0]))
    again.note(["start", "postgresql", "prorata"], spread([1.5]))
    whole.replace(again, "postgresql start")
    assert whole.spread_of("start", "postgresql", "prorata") == spread([1.5])
    assert whole.spread_of("start", "sqlite", "prorata") == spread([1.0])
    assert whole.commits == ["first", "abc"]
    whole.save(tmp_path / "figures.json")
    (before,) = load_run(tmp_path / "figures.json").before()
    assert before.spread_of("start", "postgresql", "prorata") == spread([2.0])
    assert before.spread_of("start", "sqlite", "prorata") == spread([1.0])


def test_a_part_that_is_measured_twice_again_is_known_as_it_was_each_time():
    whole = Run(3, 1.0, 1.0, {})
    whole.note(["start", "sqlite", "prorata"], spread([1.0]))
    for seconds in (2.0, 3.0):
        again = Run(3, 1.0, 1.0, {"when": "2026-11-22", "commit": "abc"})
        again.note(["start", "sqlite", "prorata"], spread([seconds]))
        whole.replace(again, "start")
    found = [each.spread_of("start", "sqlite", "prorata") for each in whole.before()]
    assert found == [spread([1.0]), spread([2.0])]


def test_figures_that_an_earlier_program_kept_are_not_taken_for_quiet_ones(tmp_path):
    (tmp_path / "figures.json").write_text('{"rounds": 3, "seconds": 1.0, "scale": 1.0, "machine": {}, "figures": {}}')
    with pytest.raises(SystemExit, match="measure all of it again"):
        load_run(tmp_path / "figures.json")


def test_a_shorter_run_is_not_put_beside_another():
    assert not Run(3, 1.0, 1.0, {}).is_made_like(Run(3, 1.0, 0.1, {}))
