"""Tests of the money core's faults and of the list of faults that change nothing."""

import ast
import tomllib
from pathlib import Path
from textwrap import dedent

import pytest

from tests.mutation.__main__ import EQUIVALENTS, outcomes, sampled
from tests.mutation.core import TESTS
from tests.mutation.faults import faults

ROOT = Path(__file__).parent.parent.parent
SOURCE = '''
    LIMIT = 3

    def part(amounts: list[int], first: int = 0) -> int | None:
        """The sum of some."""
        assert amounts, "there are some"
        total = 0
        for amount in amounts[first:]:
            if amount < LIMIT and not amount == 2:
                raise ValueError(f"{amount + 1} is too small")
            total += amount * 2
        return total if amounts else None
'''


def test_each_place_of_a_function_has_its_faults_and_nothing_else():
    assert [fault.name for fault in faults(dedent(SOURCE))] == [
        "part: without total = 0",
        "part: total = 1",
        "part: total = -1",
        "part: for amount in amounts[first + 1:]:",
        "part: if amount < LIMIT or not amount == 2:",
        "part: if not amount == 2:",
        "part: if amount < LIMIT:",
        "part: if amount <= LIMIT and (not amount == 2):",
        "part: if amount < LIMIT and amount == 2:",
        "part: if amount < LIMIT and (not amount != 2):",
        "part: if amount < LIMIT and (not amount == 3):",
        "part: if amount < LIMIT and (not amount == 1):",
        "part: without raise ValueError(f'{amount + 1} is too small')",
        "part: without total += amount * 2",
        "part: total += amount // 2",
        "part: total += amount * 3",
        "part: total += amount * 1",
        "part: None, not return total if amounts else None",
        "part: return total if not amounts else None",
    ]


def test_a_fault_is_in_one_place_alone():
    was = ast.unparse(ast.parse(dedent(SOURCE))).splitlines()
    for fault in faults(dedent(SOURCE)):
        now = ast.unparse(fault.tree).splitlines()
        assert sum(one != other for one, other in zip(was, now, strict=True)) == 1, fault.name


def test_a_sample_is_the_same_for_a_seed_and_stays_where_a_file_grows():
    found = list(faults(dedent(SOURCE)))
    sample = sampled("a.py", found, 6, 22)
    assert sample == sampled("a.py", found[::-1], 6, 22) != sampled("a.py", found, 6, 23)
    assert {one.name for one in sample} >= {one.name for one in sampled("a.py", found[1:], 5, 22)} - {found[0].name}


@pytest.mark.thorough
def test_a_fault_that_no_test_notices_survives_and_no_file_has_it(tmp_path: Path) -> None:
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    (tmp_path / "notes").mkdir()
    (tmp_path / "part.py").write_text(dedent(SOURCE) + "\n\ndef unused() -> int:\n    return 1\n")
    (tmp_path / "test_part.py").write_text("from part import part\n\ndef test_part():\n    assert part([5, 4]) == 18\n")
    wanted = {fault.name: fault for fault in faults((tmp_path / "part.py").read_text())}
    names = ["part: total = 1", "part: if amount <= LIMIT and (not amount == 2):", "unused: return 2"]
    found = outcomes("part.py", [wanted[name] for name in names], tmp_path, tmp_path / "notes", ["test_part.py"])
    assert found == dict(zip(names, ["killed", "survived", "not reached"], strict=True))
    assert [one.name for one in faults((tmp_path / "part.py").read_text())] == list(wanted)


def test_what_is_said_to_change_nothing_has_a_reason_and_is_of_a_file_of_the_money_core():
    known = tomllib.loads(EQUIVALENTS.read_text())
    assert known.keys() <= TESTS.keys()
    assert all(len(reason) > 20 for of_file in known.values() for reason in of_file.values())
    assert all((ROOT / path).exists() for path, tests in TESTS.items() for path in (path, *tests))
