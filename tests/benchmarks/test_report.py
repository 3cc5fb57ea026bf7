"""RESULTS.md contains every figure, in well-formed tables."""

from pathlib import Path

import pytest

from benchmarks import report
from benchmarks.processes import Memory
from benchmarks.results import Latency, Run, load_run, spread
from tests.benchmarks.runs import rounds, whole_run


@pytest.fixture
def written(tmp_path: Path):
    def write(run: Run) -> str:
        run.save(tmp_path / "figures.json")
        return report.text(load_run(tmp_path / "figures.json"))

    return write


def test_each_table_has_as_many_cells_in_every_row(written):
    for block in written(whole_run()).split("\n\n"):
        if block.startswith("|"):
            assert len({line.count("|") for line in block.splitlines()}) == 1, block


def test_it_says_how_many_figures_are_reached_and_which_are_not(written):
    assert "80 of 80 figures are reached, and 30 of 30 lists of the dashboard." in written(whole_run())
    run = whole_run()
    run.note(["rounds", "sqlite", "page", 2, "conventional"], rounds(200.0))
    said = written(run)
    assert "79 of 80 figures are reached" in said
    assert "| SQLite, 2 workers | ≥ 4× | 2.00× | 0.95× | **no** |" in said


def test_a_rate_and_a_ratio_come_with_their_spread(written):
    assert "| conventional | 99 (50–148) | 4.04× (4.04–4.04) | 1.00× (1.00–1.00) | 1.00 | 1.000 |" in written(
        whole_run()
    )


def test_a_disturbed_round_is_said_beside_its_figures_and_in_the_head(written):
    run = whole_run()
    of = rounds(99.0)
    first, *others = of.rounds
    disturbed = of._replace(rounds=[first._replace(others=0.2, stolen=0.1), *others])
    run.note(["rounds", "sqlite", "page", 1, "conventional"], disturbed)
    said = written(run)
    assert "| conventional | 99 (50–148), 1 disturbed | 4.04×" in said
    assert "79 of 80 figures are reached" in said
    assert "1 are not sure" in said


def test_what_is_measured_again_stands_there_with_what_it_was(written):
    run, again = whole_run(), Run(3, 1.0, 1.0, {"when": "2026-11-23", "commit": "abc"})
    again.note(["start", "sqlite", "prorata"], spread([1.5]))
    again.note(["rounds", "sqlite", "page", 1, "conventional"], rounds(98.0))
    again.note(["memory", "sqlite", 1, "prorata"], Memory(90.0, 80.0, 118.0))
    run.replace(again, "sqlite one")
    said = written(run)
    assert '`make bench ONLY="sqlite one" AGAIN=1`, 2026-11-23, commit abc:' in said
    assert "| start, sqlite, prorata | 0.90 (0.90–0.90) | 1.50 (1.50–1.50) |" in said
    assert "| rounds, sqlite, page, 1, conventional | 99 (50–148) requests/s | 98 (49–147) requests/s |" in said
    assert "| memory, sqlite, 1, prorata | 119 MB at most | 118 MB at most |" in said
    assert "| start, files in memory | SQLite | < 1 s | 1.50 s (before 0.90 s) |  | **no**, close |" in said


def test_the_rate_that_was_really_sent_stands_beside_the_times_at_half_load(written):
    run = whole_run()
    of = rounds(400.0)
    run.note(["rounds", "sqlite", "page", 1, "prorata"], of._replace(at_half=[Latency(1.0, 4.0, 160.0)] * 3))
    assert "| 160 (40%) | 1.00 (1.00–1.00) | 4.00 (4.00–4.00) |" in written(run)


def test_redis_has_a_column_of_its_own_where_several_workers_count_in_it(written):
    one, two = written(whole_run()).split("## SQLite, two workers")
    two = two.split("## PostgreSQL, two workers")[0]
    assert "Redis CPU ms" not in one
    assert (
        "| prorata | 400 (200–600) |  |  | 1.00 | 1.000 | 0.060 | 200 (50%) | 1.00 (1.00–1.00) | 4.00 (2.00–6.00) | 0.00 |"
        in two
    )


def test_rules_and_imports_have_the_database_alone_beside_them_and_say_why_they_have_no_peers(written):
    said = written(whole_run())
    assert said.count("There are no peers for it") == 2
    assert "| SQLite, the same rows by the database alone | 150.0 (150.0–150.0) |" in said
    assert "| PostgreSQL, all of the rows by the database alone | 3.00 (3.00–3.00) |  |  |" in said


def test_memory_stands_there_step_by_step_with_the_process_that_typesets(written):
    said = written(whole_run())
    assert "| SQLite, reads | 119 | 110 | 90 |  |  |" in said
    assert "| SQLite, 60 PDFs | 119 | 110 | 90 | 50 | 40 |" in said


def test_reads_beside_long_writes_stand_there_for_both_databases(written):
    said = written(whole_run())
    for name in ("SQLite", "PostgreSQL"):
        assert f"| {name}, nothing else | 1.00 (1.00–1.00) | 9.00 (9.00–9.00) | 20.00 (20.00–20.00) |" in said


def test_a_run_on_less_data_says_that_it_says_little(written):
    run = whole_run()
    run.scale = 0.1
    assert "The data was 0.1 times what the figures are about" in written(run)


def test_a_run_of_one_part_has_no_other_tables(written):
    run = Run(3, 1.0, 1.0, {})
    run.note(["rounds", "sqlite", "page", 1, "prorata"], rounds(400.0))
    said = written(run)
    assert "## SQLite, one worker on one core" in said
    assert ", two workers" not in "".join(line for line in said.splitlines() if line.startswith("## "))
    assert "## As the account grows" not in said


def test_each_page_of_a_list_has_its_line(written):
    said = written(whole_run())
    assert "| SQLite, invoices of a month, a letter | 49.0 | 98.0 | 24.5 |" in said
    of_tenants = "the dashboard's list of tenants: p50 of its slowest page"
    assert f"| {of_tenants} | PostgreSQL | < 50 ms | 49 ms (a letter) |  | yes |" in said
