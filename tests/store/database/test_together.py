"""Brief writes that share one transaction of SQLite.

Each behaves as if it were alone, and either all of them reach the disk or none.
"""

import sqlite3
from typing import NamedTuple

import pytest
from sqlalchemy import column, select, table

from prorata.errors import Unavailable
from prorata.store.database.engine import Duplicate, Tx, rehearse
from prorata.store.database.sqlite import SqliteDatabase
from prorata.store.database.statements import returns
from prorata.wiring.surroundings import utc_now


class Thing(NamedTuple):
    """A row of the table."""

    id: int


_ALL = returns(Thing, select(column("id")).select_from(table("thing")).order_by(column("id")))


def add(database: SqliteDatabase, *numbers: int) -> None:
    database.write(lambda tx: tx.add_many("thing", ["id"], [(number,) for number in numbers]))


def there(database: SqliteDatabase) -> list[int]:
    """Return the committed rows, as another connection sees them."""
    other = SqliteDatabase(database._path, utc_now)
    return [row.id for row in other.read(lambda tx: tx.all(_ALL))]


def test_nothing_is_seen_before_all_are_committed(database: SqliteDatabase) -> None:
    with database.together():
        add(database, 1)
        assert there(database) == []
        add(database, 2)
        assert database.write(lambda tx: [row.id for row in tx.all(_ALL)]) == [1, 2]
    assert there(database) == [1, 2]
    add(database, 3)
    assert there(database) == [1, 2, 3]


def test_one_that_is_refused_leaves_nothing_of_itself_and_the_others_stay(database: SqliteDatabase) -> None:
    with database.together():
        add(database, 1)
        with pytest.raises(Duplicate):
            add(database, 2, 1)
        add(database, 3)
    assert there(database) == [1, 3]


def test_one_within_another_is_a_mistake_that_is_told_and_the_others_stay(database: SqliteDatabase) -> None:
    with database.together():
        add(database, 1)
        with pytest.raises(RuntimeError, match="within a write"):
            database.write(lambda _tx: add(database, 2))
        add(database, 3)
    assert there(database) == [1, 3]


def test_a_rehearsal_undoes_itself_alone_and_says_what_came_of_it(database: SqliteDatabase) -> None:
    def try_two(tx: Tx) -> list[int]:
        tx.add_many("thing", ["id"], [(2,)])
        return [row.id for row in tx.all(_ALL)]

    with database.together():
        add(database, 1)
        assert rehearse(database, try_two) == [1, 2]
        add(database, 3)
    assert there(database) == [1, 3]
    assert rehearse(database, try_two) == [1, 2, 3]
    assert there(database) == [1, 3]


def add_and_fail(tx: Tx) -> None:
    with tx.savepoint():
        tx.add_many("thing", ["id"], [(2,)])
        raise LookupError


def test_a_part_within_one_is_undone_by_itself(database: SqliteDatabase) -> None:
    def work(tx: Tx) -> None:
        tx.add_many("thing", ["id"], [(1,)])
        with pytest.raises(LookupError):
            add_and_fail(tx)

    with database.together():
        database.write(work)
    assert there(database) == [1]


def test_what_goes_wrong_between_them_undoes_all(database: SqliteDatabase) -> None:
    def fail() -> None:
        with database.together():
            add(database, 1)
            raise LookupError

    with pytest.raises(LookupError):
        fail()
    assert there(database) == []
    add(database, 2)
    assert there(database) == [2]


def test_when_sqlite_gives_the_transaction_up_nobody_is_told_that_it_was_written(database: SqliteDatabase) -> None:
    def give_up(_tx: Tx) -> None:
        database._connection().execute("ROLLBACK")
        raise sqlite3.OperationalError("as when the disk is full")

    with pytest.raises(Unavailable), database.together():  # noqa: PT012 - what is written inside is the case
        add(database, 1)
        with pytest.raises(sqlite3.OperationalError):
            database.write(give_up)
        with pytest.raises(Unavailable):
            add(database, 2)
    assert there(database) == []
