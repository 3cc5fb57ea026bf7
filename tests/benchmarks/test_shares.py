"""A program that would use a whole core is held to its share of it."""

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.processes import cpu_of_all
from benchmarks.shares import Tree, at_most


@pytest.fixture
def busy() -> Iterator[int]:
    """The process id of a program that uses all the CPU it can get."""
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as process:
        yield process.pid
        process.kill()


def test_a_program_that_would_take_a_core_gets_its_share_where_the_machine_can_say_so(busy):
    with at_most(0.1, [busy]) as held:
        assert ("prorata-" in groups_of(busy)) == held
        before = cpu_of_all([busy])
        time.sleep(1)
        used = cpu_of_all([busy]) - before
    assert used < 0.2 or not held
    assert "prorata-" not in groups_of(busy)


def test_where_no_share_can_be_had_it_says_so_and_leaves_nothing_behind(busy, tmp_path):
    of_another_kind = Tree(tmp_path, "cpu.max", "{share}")
    with at_most(0.1, [busy], [Tree(tmp_path / "none", "cpu.max", "{share}"), of_another_kind]) as held:
        assert not held
    assert list(tmp_path.iterdir()) == []


def groups_of(pid: int) -> str:
    return Path(f"/proc/{pid}/cgroup").read_text()
