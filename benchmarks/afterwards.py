"""The check of the data after changes under load, as `prorata check` does it.

It applies to servers that store the same data as Prorata.
"""

import time
from itertools import islice
from pathlib import Path

from benchmarks.databases import Copy
from benchmarks.imports import environment
from benchmarks.servers import FLOOR, PRORATA
from prorata import wiring
from prorata.actions.overview import consistency_checks
from prorata.settings import read_settings

CHECKED = (PRORATA, FLOOR)
"""The conventional program keeps no counts, and so there is nothing of them to be right."""
_SHOWN = 5


def check(copy: Copy, who: str, folder: Path) -> float:
    """Check all stored data like `prorata check`, and return the seconds that it took.

    If there are problems, exit with the first sentences about them, because a wrong program's speed does not matter.
    """
    begun = time.monotonic()
    with wiring.opened(read_settings(environment(copy, folder), folder)) as database:
        wrong = list(islice(consistency_checks.check(database), _SHOWN))
    if wrong:
        raise SystemExit(f"After the load `prorata check` finds in the data of {who}:\n" + "\n".join(wrong))
    return time.monotonic() - begun
