"""Rows are inserted in the background while the work makes the next ones.

No row is lost, and the work is told if a row is refused.
"""

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import psycopg
import pytest
from sqlalchemy import func, select, table

from prorata.store.database.engine import Database, Duplicate, Tx
from prorata.store.database.postgresql import PostgresqlDatabase
from prorata.store.database.sqlite import SqliteDatabase, connect
from prorata.store.database.statements import returns
from prorata.wiring.surroundings import utc_now
from tests.store.bare_schema import note_revision

MANY = 4_321
COLUMNS = ("id", "name", "note")


class Number(NamedTuple):
    """The number of rows."""

    number: int


_COUNT = returns(Number, select(func.count().label("number")).select_from(table("thing")))


def rows(begin: int, end: int) -> list[tuple[Any, ...]]:
    return [(number, f"thing {number}", None) for number in range(begin, end)]


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """A database of either kind with the table `thing`."""
    make = "CREATE TABLE thing (id INTEGER PRIMARY KEY, name TEXT NOT NULL, note TEXT)"
    if database_url.startswith("sqlite"):
        path = Path(database_url.removeprefix("sqlite:///"))
        with closing(connect(path)) as connection:
            connection.execute(make)
            note_revision(connection.execute)
        opened: Database = SqliteDatabase(path, utc_now)
    else:
        with psycopg.connect(database_url, autocommit=True) as made:
            made.execute(make)
            note_revision(made.execute)
        opened = PostgresqlDatabase(database_url, utc_now)
    with closing(opened):
        yield opened


def count(tx: Tx) -> int:
    found = tx.one(_COUNT)
    assert found is not None
    return found.number


def test_all_rows_are_there_when_the_work_asks_for_them(database: Database) -> None:
    def work(tx: Tx) -> tuple[int, int]:
        for begin in range(0, 3 * MANY, MANY):
            tx.add_many("thing", COLUMNS, rows(begin, begin + MANY))
        tx.add_many("thing", COLUMNS, rows(3 * MANY, 3 * MANY + 2))  # few, and behind the others
        now = count(tx)
        tx.add_many("thing", COLUMNS, rows(4 * MANY, 4 * MANY + 1))
        return now, count(tx)

    assert database.write(work) == (3 * MANY + 2, 3 * MANY + 3)
    assert database.read(count) == 3 * MANY + 3


def test_what_is_still_going_in_at_the_end_is_committed(database: Database) -> None:
    database.write(lambda tx: tx.add_many("thing", COLUMNS, rows(0, MANY)))
    assert database.read(count) == MANY


@pytest.mark.parametrize("then", ["asks", "ends"])
def test_what_kept_rows_out_is_raised_in_the_work_that_added_them(database: Database, then: str) -> None:
    def work(tx: Tx) -> None:
        tx.add_many("thing", COLUMNS, [*rows(0, MANY), *rows(0, 1)])
        if then == "asks":
            count(tx)

    with pytest.raises(Duplicate):
        database.write(work)
    assert database.read(count) == 0
    database.write(lambda tx: tx.add_many("thing", COLUMNS, rows(0, 1)))
    assert database.read(count) == 1


def test_a_write_within_a_write_is_a_mistake_that_is_told_and_nothing_is_written(database: Database) -> None:
    def add(tx: Tx, number: int) -> None:
        tx.add_many("thing", COLUMNS, rows(number, number + 1))

    def work(tx: Tx) -> None:
        add(tx, 1)
        database.write(lambda other: add(other, 2))

    with pytest.raises(RuntimeError, match="within a write"):
        database.write(work)
    assert database.read(count) == 0
    database.write(lambda tx: add(tx, 1))
    assert database.read(count) == 1


def test_work_that_fails_meanwhile_leaves_nothing(database: Database) -> None:
    def work(tx: Tx) -> None:
        for begin in range(0, 10 * MANY, MANY):
            tx.add_many("thing", COLUMNS, rows(begin, begin + MANY))
        raise LookupError

    with pytest.raises(LookupError):
        database.write(work)
    assert [thread for thread in threading.enumerate() if thread.name == "rows"] == []
    assert database.read(count) == 0


@pytest.mark.parametrize("fails", [True, False])
def test_a_part_that_fails_takes_its_rows_with_it(database: Database, *, fails: bool) -> None:
    def part(tx: Tx) -> None:
        with tx.savepoint():
            tx.add_many("thing", COLUMNS, [*rows(MANY, 2 * MANY), *(rows(MANY, MANY + 1) if fails else [])])

    def work(tx: Tx) -> int:
        tx.add_many("thing", COLUMNS, rows(0, MANY))
        if fails:
            with pytest.raises(Exception, match=r"UNIQUE|unique"):
                part(tx)
        else:
            part(tx)
        return count(tx)

    assert database.write(work) == (MANY if fails else 2 * MANY)


@pytest.mark.parametrize("number", [0, 1, 666, 667, 5_333, 5_334, 6_001])
def test_every_row_goes_in_once_however_many_go_together(database: Database, number: int) -> None:
    database.write(lambda tx: tx.add_many("thing", COLUMNS, rows(0, number)))
    assert database.read(count) == number


_WRITES_MUCH = """
import signal
import sys
from prorata import wiring
from prorata.settings import read_settings
from tests.store.bare_schema import note_revision
from tests.store.database.test_background_inserts import COLUMNS, rows

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background has it ignored

def work(tx):
    print("begun", flush=True)
    for begin in range(0, 2_000_000, 20_000):
        tx.add_many("thing", COLUMNS, rows(begin, begin + 20_000))

with wiring.closed_in_the_end(wiring.open_database(read_settings({"PRORATA_DATABASE_URL": sys.argv[1]}))) as database:
    database.write(work)
"""


@pytest.mark.parametrize("presses", [1, 3])
@pytest.mark.thorough
def test_ctrl_c_while_rows_go_in_leaves_none(database: Database, database_url: str, presses: int) -> None:
    """Rows still under way are not committed, and the process ends as an interrupted one."""
    command = [sys.executable, "-c", _WRITES_MUCH, database_url]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "begun\n"
        time.sleep(0.4)
        for _ in range(presses):
            child.send_signal(signal.SIGINT)
            time.sleep(0.02)
        _, said = child.communicate(timeout=60)
    assert child.returncode in (1, -signal.SIGINT), said
    assert "KeyboardInterrupt" in said
    assert database.read(count) == 0
