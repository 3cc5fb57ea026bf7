"""Lines of the log that can hardly be written."""

import json
import subprocess
import sys

LOGS = """
import logging, sys
import structlog
from prorata.adapters.logs import start_logging

class Shy:
    def __repr__(self):
        raise RuntimeError("no")

lost = []
start_logging(lost=lambda: lost.append(1))
log = structlog.stdlib.get_logger()
log.info("half a \\ud83d", number=2**70)
log.info("shy", who=Shy())
logging.getLogger("library").warning("half a %s", "\\ud83d")
sys.stdout.write(str(len(lost)))
"""


def test_half_characters_and_numbers_without_end_are_written_and_what_cannot_be_is_counted() -> None:
    done = subprocess.run([sys.executable, "-c", LOGS], capture_output=True, text=True, check=True)
    first, told, last = map(json.loads, done.stderr.splitlines())
    assert (first["event"], first["number"]) == ("half a \ud83d", 2**70)
    assert (told["level"], told["lines"], done.stdout) == ("warning", 1, "1")
    assert last["event"] == "half a \ud83d"
