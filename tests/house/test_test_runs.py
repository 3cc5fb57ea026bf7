"""`make test` and then `make check BEHIND=test` run each test exactly once.

`make test` runs something of every kind.
"""

import re
import tomllib

import pytest

from tests.conftest import ABOUT_DATABASES, LONG_FOLDERS, is_for_check
from tests.house.sources import of_the_project

pytestmark = pytest.mark.thorough


def test_a_long_one_and_a_second_database_are_left_to_make_check():
    cases: tuple[tuple[str, set[str], bool], ...] = (
        ("tests/domain/test_money.py::test_a", set(), False),
        ("tests/web/test_a.py::test_a[sqlite]", set(), False),
        ("tests/web/test_a.py::test_a[postgresql-2]", set(), True),
        ("tests/store/test_a.py::test_a[postgresql]", set(), False),
        ("tests/store/test_a.py::test_a[postgresql]", {"thorough"}, True),
        ("tests/web/test_a.py::test_a", {"thorough", "filterwarnings"}, True),
        ("tests/cli/test_a.py::test_a[sqlite]", set(), True),
        ("tests/cli/test_a.py::test_a[sqlite]", {"sample"}, False),
        ("tests/cli/test_a.py::test_a[postgresql]", {"sample"}, True),
    )
    for test, marks, is_left in cases:
        assert is_for_check(test, marks) is is_left, (test, marks)


def test_of_each_folder_that_is_left_to_make_check_a_sample_is_run():
    tests = {source.path: source.text for source in of_the_project() if source.path.startswith("tests/")}
    sampled = [path for path, text in tests.items() if "@pytest.mark.sample" in text and path.startswith(LONG_FOLDERS)]
    assert {path[: path.index("/", len("tests/")) + 1] for path in sampled} == set(LONG_FOLDERS)
    assert all(any(path.startswith(folder) for path in tests) for folder in ABOUT_DATABASES)


def test_every_example_in_the_code_is_run():
    sources = {source.path: source.text for source in of_the_project()}
    options = tomllib.loads(sources["pyproject.toml"])["tool"]["pytest"]["ini_options"]
    left = re.findall(r"--ignore=(\S+)", options["addopts"])
    folders = tuple(f"{folder}/" for folder in options["testpaths"])
    examples = [path for path, text in sources.items() if path.startswith("prorata/") and ">>>" in text]
    assert [path for path in examples if not path.startswith(folders) or path in left] == []
    assert len(examples) > 100
