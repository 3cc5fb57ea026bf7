"""Put small faults into the money core, and count how many its tests notice.

`make soak` runs this program; `python -m tests.mutation --only ledger --each 1000` tries every fault of one file. No
file is ever changed: the program replaces the code of functions in a running process. The process uses a copy of the
project, which nobody changes in the meantime.
"""

import argparse
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tests.mutation.core import TESTS
from tests.mutation.faults import Fault, faults
from tests.mutation.trying import KILLED, SURVIVED, TOO_LONG, UNREACHED
from tests.servers import roomy_memory

LEAST = 98
"""So many of a hundred faults are to be noticed."""
_EACH, _SEED = 12, 22
_ROOT = Path(__file__).parent.parent.parent
EQUIVALENTS = Path(__file__).with_name("equivalents.toml")
_EQUIVALENT = "equivalent"
_NOT_HANDED_ON = ("PRORATA_SOAK", "PRORATA_BEHIND")


def sampled(path: str, found: Sequence[Fault], each: int, seed: int) -> list[Fault]:
    """A sample of `each` faults of a file.

    Most of the sample stays the same if the file changes.
    """

    def order(fault: Fault) -> bytes:
        return hashlib.sha256(f"{seed} {path} {fault.name}".encode()).digest()

    return sorted(found, key=order)[:each]


def outcomes(path: str, wanted: Sequence[Fault], project: Path, folder: Path, tests: Sequence[str]) -> dict[str, str]:
    """Return the outcomes of the given faults in a file of a project copy."""
    (folder / "wanted").write_text(json.dumps([one.name for one in wanted]))
    changed = {"PYTHONPATH": str(project), "PRORATA_QUICK": "1", "PYTEST_DEBUG_TEMPROOT": str(folder)}
    done = subprocess.run(
        [sys.executable, "-m", "tests.mutation.trying", path, str(folder), *tests, path],
        cwd=project,
        env={name: value for name, value in os.environ.items() if name not in _NOT_HANDED_ON} | changed,
        text=True,
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    if done.returncode:
        raise SystemExit(f"{path}: its tests fail without a fault\n{done.stdout[-4000:]}")
    return dict(json.loads(line) for line in (folder / "results").read_text().splitlines())


def run(only: str, each: int, seed: int) -> bool:
    """Try the faults of every file whose path contains `only`.

    The result is true if the tests noticed enough of the faults, and if all listed equivalents still exist.
    """
    equivalents: dict[str, dict[str, str]] = tomllib.loads(EQUIVALENTS.read_text())
    numbers: Counter[str] = Counter()
    is_stale = False
    with tempfile.TemporaryDirectory(prefix="mutation", dir=roomy_memory()) as folder:
        project, notes = Path(folder, "project"), Path(folder, "notes")
        notes.mkdir()
        shutil.copytree(_ROOT, project, ignore=shutil.ignore_patterns(".*", "__pycache__"))
        for path in (path for path in TESTS if only in path):
            begin = time.monotonic()
            found = list(faults((project / path).read_text()))
            known = equivalents.get(path, {})
            chosen = sampled(path, found, each, seed)
            became = dict.fromkeys((one.name for one in chosen), _EQUIVALENT)
            became |= outcomes(path, [one for one in chosen if one.name not in known], project, notes, TESTS[path])
            of_file = Counter(became.values())
            numbers += of_file
            _say(f"{path}: {len(chosen)} of {len(found)} in {time.monotonic() - begin:.0f} s: {_in_words(of_file)}")
            lines = {one.name: one.line for one in found}
            for name in (name for name, outcome in became.items() if outcome in (SURVIVED, UNREACHED)):
                _say(f"    {became[name]}: line {lines[name]}, {name}")
            for name in sorted(known.keys() - lines):
                _say(f"    no fault of this file any more, and to be taken out of {EQUIVALENTS.name}: {name}")
                is_stale = True
    judged = numbers.total() - numbers[_EQUIVALENT]
    noticed = numbers[KILLED] + numbers[TOO_LONG]
    _say(f"noticed {noticed} of {judged}, {100 * noticed / max(judged, 1):.1f} %: {_in_words(numbers)}")
    return noticed * 100 >= LEAST * judged and not is_stale


def _in_words(numbers: Counter[str]) -> str:
    return ", ".join(f"{number} {what}" for what, number in sorted(numbers.items()))


def _say(line: str) -> None:
    print(line, flush=True)  # noqa: T201 - the figures of docs/reliability.md


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # told to end, it takes its copy away all the same
    asked = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    asked.add_argument("--only", default="", help="a part of the path of a file")
    asked.add_argument("--each", type=int, default=_EACH, help="how many faults of each file are tried")
    asked.add_argument("--seed", type=int, default=_SEED, help="which ones")
    sys.exit(not run(**vars(asked.parse_args())))
