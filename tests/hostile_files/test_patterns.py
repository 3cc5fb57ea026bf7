"""No pattern of the readers backtracks without limit, whatever a file or message contains."""

import json
import subprocess
import sys

import pytest

from tests.hostile_files.patterns import SECONDS_OF_ALL


def slow(*patterns: str) -> dict[str, str | None]:
    """Return the text on which each pattern is too slow, or None.

    Without arguments, the patterns are those of the readers.
    """
    command = [sys.executable, "-m", "tests.hostile_files.patterns", *patterns]
    told = subprocess.run(command, stdout=subprocess.PIPE, timeout=3 * SECONDS_OF_ALL, check=True)
    return json.loads(told.stdout)


@pytest.mark.thorough
def test_a_pattern_that_backtracks_with_the_cube_of_a_run_or_worse_is_found():
    for pattern in ("(a|[0-9.]+)+", "(?:st?\\.?|[.])+x", "[a-z]*[a-z]*[a-z]*!", "\\s*\\s*\\s*x"):
        assert slow(pattern)[pattern], pattern
    assert slow("(?:a|[0-9.])++", "[a-z]+x") == {"(?:a|[0-9.])++": None, "[a-z]+x": None}


@pytest.mark.thorough
@pytest.mark.timeout(4 * SECONDS_OF_ALL)
def test_every_pattern_of_the_readers_is_soon_done_with_long_runs_of_each_of_its_characters():
    found = slow()
    assert len(found) > 250
    assert {name: what for name, what in found.items() if what} == {}
