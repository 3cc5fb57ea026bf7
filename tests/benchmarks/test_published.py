"""Only figures of a commit that anybody can check out are written into the checkout."""

import subprocess
from pathlib import Path

import pytest

from benchmarks import machine, published
from benchmarks.places import RESULTS, ROOT


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A Git repository with one commit that contains results."""
    (tmp_path / "benchmarks").mkdir()
    (tmp_path / "benchmarks" / "RESULTS.md").write_text("figures")
    (tmp_path / "program.py").write_text("1")
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "first"]):
        _git(tmp_path, *words)
    return tmp_path


def _git(folder: Path, *words: str) -> None:
    who = ("-c", "user.name=Ann", "-c", "user.email=ann@example.com")
    subprocess.run(["git", "-C", folder, *who, *words], check=True, capture_output=True)


def test_a_commit_without_changes_has_no_mark(checkout: Path):
    assert machine.commit(checkout).isalnum()


def test_results_that_were_written_do_not_count_as_changes(checkout: Path):
    (checkout / "benchmarks" / "RESULTS.md").write_text("other figures")
    assert machine.DIRTY not in machine.commit(checkout)


@pytest.mark.parametrize("name", ["program.py", "new.py"])
def test_a_file_that_differs_or_is_new_is_marked(checkout: Path, name: str):
    (checkout / name).write_text("2")
    assert machine.commit(checkout).endswith(machine.DIRTY)


def test_a_commit_that_is_another_in_the_end_of_the_run_is_marked(checkout: Path):
    begun = machine.commit(checkout)
    assert machine.commit_since(begun, checkout) == begun
    (checkout / "program.py").write_text("2")
    _git(checkout, "commit", "-q", "-a", "-m", "second")
    ended = machine.commit_since(begun, checkout)
    assert ended.startswith(f"{begun}, in the end ")
    assert published.why_not(RESULTS, [ended]) is not None


def test_outside_of_a_checkout_nobody_knows_the_commit(tmp_path: Path):
    assert machine.commit(tmp_path) == machine.UNKNOWN


@pytest.mark.parametrize(
    ("commits", "how"),
    [
        (["abc1234-dirty"], "Commit what `git status` shows, and measure again"),
        (["abc1234", "def5678-dirty"], "abc1234, def5678-dirty"),
        (["unknown"], "Measure in a clone"),
    ],
)
def test_figures_that_nobody_can_go_back_to_are_printed_and_not_written(commits: list[str], how: str, capsys):
    file = ROOT / "benchmarks" / "NOT-WRITTEN.md"
    assert not published.write("# Figures", file, commits)
    said = capsys.readouterr().out
    assert "# Figures" in said
    assert "Not written to NOT-WRITTEN.md" in said
    assert how in said
    assert not file.exists()


def test_they_are_warned_of_before_the_run(capsys):
    published.warn(RESULTS, "abc1234-dirty")
    assert "will be printed, not written to RESULTS.md" in capsys.readouterr().out
    published.warn(RESULTS, "abc1234")
    assert capsys.readouterr().out == ""


def test_what_is_kept_beside_the_built_data_is_written_in_any_case(tmp_path: Path):
    file = tmp_path / "kept" / "RESULTS.md"
    assert published.write("# Figures", file, ["abc1234-dirty"])
    assert file.read_text() == "# Figures"


def test_figures_of_a_commit_are_published():
    assert published.why_not(RESULTS, ["abc1234", "def5678"]) is None
