"""Many rows go into SQLite beside the work that makes the next: none is lost, and what keeps them out is told."""

import threading
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from sqlalchemy import func, select, table

from prorata import wiring
from prorata.store.engine import Duplicate, Tx
from prorata.store.sqlite import SqliteDatabase, connect
from prorata.store.statements import returns

MANY = 4_321
COLUMNS = ("id", "name", "note")


class Number(NamedTuple):
    """How many there are."""

    number: int


_COUNT = returns(Number, select(func.count().label("number")).select_from(table("thing")))


def rows(begin: int, end: int) -> list[tuple[Any, ...]]:
    return [(number, f"thing {number}", None) for number in range(begin, end)]


@pytest.fixture
def database(tmp_path: Path) -> SqliteDatabase:
    path = tmp_path / "prorata.db"
    connection = connect(path)
    connection.execute("CREATE TABLE thing (id INTEGER PRIMARY KEY, name TEXT NOT NULL, note TEXT)")
    connection.close()
    return SqliteDatabase(path, wiring.utc_now)


def count(tx: Tx) -> int:
    found = tx.one(_COUNT)
    assert found is not None
    return found.number


def test_all_rows_are_there_when_the_work_asks_for_them(database: SqliteDatabase) -> None:
    def work(tx: Tx) -> tuple[int, int]:
        for begin in range(0, 3 * MANY, MANY):
            tx.add_many("thing", COLUMNS, rows(begin, begin + MANY))
        tx.add_many("thing", COLUMNS, rows(3 * MANY, 3 * MANY + 2))  # few, and behind the others
        now = count(tx)
        tx.add_many("thing", COLUMNS, rows(4 * MANY, 4 * MANY + 1))
        return now, count(tx)

    assert database.write(work) == (3 * MANY + 2, 3 * MANY + 3)
    assert database.read(count) == 3 * MANY + 3


def test_what_is_still_going_in_at_the_end_is_committed(database: SqliteDatabase) -> None:
    database.write(lambda tx: tx.add_many("thing", COLUMNS, rows(0, MANY)))
    assert database.read(count) == MANY


@pytest.mark.parametrize("then", ["asks", "ends"])
def test_what_kept_rows_out_is_raised_in_the_work_that_added_them(database: SqliteDatabase, then: str) -> None:
    def work(tx: Tx) -> None:
        tx.add_many("thing", COLUMNS, [*rows(0, MANY), *rows(0, 1)])
        if then == "asks":
            count(tx)

    with pytest.raises(Duplicate):
        database.write(work)
    assert database.read(count) == 0
    database.write(lambda tx: tx.add_many("thing", COLUMNS, rows(0, 1)))
    assert database.read(count) == 1


def test_work_that_fails_meanwhile_leaves_nothing(database: SqliteDatabase) -> None:
    def work(tx: Tx) -> None:
        for begin in range(0, 10 * MANY, MANY):
            tx.add_many("thing", COLUMNS, rows(begin, begin + MANY))
        raise LookupError

    with pytest.raises(LookupError):
        database.write(work)
    assert [thread for thread in threading.enumerate() if thread.name == "rows"] == []
    assert database.read(count) == 0


@pytest.mark.parametrize("fails", [True, False])
def test_a_part_that_fails_takes_its_rows_with_it(database: SqliteDatabase, *, fails: bool) -> None:
    def part(tx: Tx) -> None:
        with tx.savepoint():
            tx.add_many("thing", COLUMNS, [*rows(MANY, 2 * MANY), *(rows(MANY, MANY + 1) if fails else [])])

    def work(tx: Tx) -> int:
        tx.add_many("thing", COLUMNS, rows(0, MANY))
        if fails:
            with pytest.raises(Exception, match="UNIQUE"):
                part(tx)
        else:
            part(tx)
        return count(tx)

    assert database.write(work) == (MANY if fails else 2 * MANY)


@pytest.mark.parametrize("number", [0, 1, 666, 667, 5_333, 5_334, 6_001])
def test_every_row_goes_in_once_however_many_go_together(database: SqliteDatabase, number: int) -> None:
    database.write(lambda tx: tx.add_many("thing", COLUMNS, rows(0, number)))
    assert database.read(count) == number
