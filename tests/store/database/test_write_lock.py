"""Processes write to a SQLite file in the order in which they asked.

This holds however busy the other processes are.
"""

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from prorata.errors import Unavailable
from prorata.store.database.sqlite import SqliteDatabase, connect
from prorata.wiring.surroundings import utc_now
from tests.store.bare_schema import note_revision

BUSY = """
import sys, time
from pathlib import Path
from prorata.store.database.sqlite import SqliteDatabase
from prorata.wiring.surroundings import utc_now

database, log = SqliteDatabase(Path(sys.argv[1]), utc_now, patience=60), open(sys.argv[2], "ab", buffering=0)
def work(tx):
    log.write(sys.argv[4].encode())
    time.sleep(float(sys.argv[3]))
while True:
    database.write(work)
"""
"""A process that writes again and again, as one that goes on with a bulk change does, and logs each turn that it has by a mark of its own."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "prorata.db"
    with closing(connect(path)) as connection:
        note_revision(connection.execute)
    return path


@contextmanager
def busy(file: Path, log: Path, *, seconds: float = 0.03, number: int = 1) -> Iterator[list[subprocess.Popen[bytes]]]:
    log.touch()
    command = [sys.executable, "-c", BUSY, str(file), str(log), str(seconds)]
    processes = [subprocess.Popen([*command, str(mark)]) for mark in range(number)]
    try:
        deadline = time.monotonic() + 30
        while len(set(log.read_bytes())) < number and time.monotonic() < deadline:
            time.sleep(0.01)
        yield processes
    finally:
        for process in processes:
            process.kill()
            process.wait()


@pytest.mark.parametrize("others", [1, 3])
@pytest.mark.thorough
def test_a_process_that_writes_on_and_on_lets_each_that_waits_have_its_turn(file: Path, others: int) -> None:
    database, log = SqliteDatabase(file, utc_now), file.with_name("log")
    with busy(file, log, number=others):
        database.write(lambda _tx: None)  # opens the connection
        for _ in range(8):
            before = log.stat().st_size
            between = database.write(lambda _tx, before=before: log.stat().st_size - before)  # type: ignore[misc]
            assert between <= 4 * others  # of those that the system wakes together, the quickest is the next
    database.close()


@pytest.mark.thorough
def test_who_has_waited_long_enough_keeps_nobody_from_the_turn_that_comes(file: Path) -> None:
    database, log = SqliteDatabase(file, utc_now, patience=0.05), file.with_name("log")
    with busy(file, log, seconds=1.0):
        for _ in range(2):
            with pytest.raises(Unavailable):
                database.write(lambda _tx: None)
        before = log.stat().st_size
        deadline = time.monotonic() + 30
        while log.stat().st_size < before + 2 and time.monotonic() < deadline:
            time.sleep(0.01)
        assert log.stat().st_size >= before + 2
    waiting = [one.name for one in threading.enumerate() if one.name == "turn to write"]
    database.write(lambda _tx: None)
    assert len(waiting) <= 1
    database.close()


def test_a_process_that_dies_in_its_turn_or_in_the_line_leaves_it(file: Path) -> None:
    database, log = SqliteDatabase(file, utc_now), file.with_name("log")
    with busy(file, log, seconds=60.0) as (first,):
        second = subprocess.Popen([sys.executable, "-c", BUSY, str(file), str(log), "60", "2"])
        time.sleep(1.0)  # by then it is the next
        second.kill()
        second.wait()
        first.kill()
        assert database.write(lambda _tx: "written") == "written"
    database.close()
