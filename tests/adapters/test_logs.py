"""Tests of log lines that can hardly be written."""

import json
import os
import select
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


NUMBER = 4_000
MANY = f"""
import sys, threading
import structlog
from prorata.adapters.logs import start_logging

lost = []
start_logging(lost=lambda: lost.append(1))
log = structlog.stdlib.get_logger()

def fill():
    for number in range({NUMBER} // 2):
        log.info("x" * 200, number=number)

threads = [threading.Thread(target=fill) for _ in range(2)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(len(lost), flush=True)
sys.stdin.readline()
log.info("last")
"""


def test_nobody_waits_for_a_pipe_that_is_open_and_not_read_and_what_does_not_fit_is_counted() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", MANY], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    with process:
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            assert process.stderr is not None
            read, _, _ = select.select([process.stdout], [], [], 20)
            assert read, "every thread that logs stands still"
            lost = int(process.stdout.readline())
            written = told = 0
            for line in map(json.loads, process.stderr):
                written += "number" in line
                told += line.get("lines", 0)
                if written + lost == NUMBER and not process.stdin.closed:
                    process.stdin.close()  # which lets it write its last line
        finally:
            process.kill()
    assert (line["event"], told, written) == ("last", lost, NUMBER - lost)
    assert lost > 0


def test_a_process_whose_log_nobody_reads_ends_all_the_same() -> None:
    reads, writes = os.pipe()
    try:
        done = subprocess.run(
            [sys.executable, "-c", MANY], input=b"\n", stdout=subprocess.PIPE, stderr=writes, timeout=20, check=True
        )
    finally:
        os.close(reads)
        os.close(writes)
    assert int(done.stdout) > 0
