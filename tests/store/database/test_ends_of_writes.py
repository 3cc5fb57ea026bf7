"""The caller of a write on PostgreSQL learns the truth about whether it was written.

The last statements of the write go to the server with its COMMIT.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import psycopg
import pytest
from sqlalchemy import bindparam, func, insert, select, update

from prorata.errors import OutcomeUnknown, Unavailable
from prorata.store.database.engine import Duplicate, Tx
from prorata.store.database.postgresql import PostgresqlDatabase
from prorata.store.database.statements import changes, returns_one
from prorata.store.schema.sign_in_tables import turn
from prorata.wiring.surroundings import utc_now

_ADD = changes(insert(turn).values(name=bindparam("name")))
_HOLD = changes(update(turn).where(turn.c.name == bindparam("name_")).values(name=bindparam("name_")))
_COUNT = returns_one(select(func.count()).select_from(turn).where(turn.c.name.like("of the test %")))
ONE, OTHER = "of the test 1", "of the test 2"
SLOW_COMMIT = """
CREATE FUNCTION wait_a_while() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(20); RETURN NULL; END $$;
CREATE CONSTRAINT TRIGGER slow_commit AFTER INSERT ON turn DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW EXECUTE FUNCTION wait_a_while()
"""


@pytest.fixture
def database(migrated_postgresql_url: str) -> Iterator[PostgresqlDatabase]:
    made = PostgresqlDatabase(migrated_postgresql_url, utc_now)
    yield made
    made.close()


class AtTheEnd:
    """Rows that are written at the end of the work, with its COMMIT."""

    def __init__(self) -> None:
        self.rows: list[dict[str, Any]] = []
        self.statement = _ADD

    def write(self, tx: Tx) -> None:
        tx.run_many(self.statement, self.rows)


def add(tx: Tx, *names: str) -> None:
    tx.run_many(_ADD, [{"name": name} for name in names])


def number(database: PostgresqlDatabase) -> int:
    return int(database.read(lambda tx: tx.one(_COUNT)) or 0)


def end_who_commits(url: str) -> None:
    """Terminate the server process that is executing its COMMIT."""
    ends = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
    with psycopg.connect(url, autocommit=True) as connection:
        while not connection.execute(ends).fetchall():
            time.sleep(0.02)


def test_where_the_server_is_lost_at_the_commit_it_is_not_said_that_nothing_was_written(
    database: PostgresqlDatabase, migrated_postgresql_url: str
) -> None:
    with psycopg.connect(migrated_postgresql_url, autocommit=True) as connection:
        connection.execute(SLOW_COMMIT)
    times: list[int] = []

    def work(tx: Tx) -> None:
        times.append(1)
        add(tx, ONE)

    ending = threading.Thread(target=end_who_commits, args=[migrated_postgresql_url])
    ending.start()
    with pytest.raises(OutcomeUnknown):
        database.write(work)
    ending.join()
    assert times == [1], "and it is not done again, as it may have been written"


def test_a_deadlock_at_the_commit_has_the_work_done_again(database: PostgresqlDatabase) -> None:
    database.write(lambda tx: add(tx, ONE, OTHER))
    both, times = threading.Barrier(2), []

    def hold(first: str, then: str) -> None:
        def work(tx: Tx) -> None:
            times.append(first)
            tx.run(_HOLD, name_=first)
            late = tx.at_the_end("rows", AtTheEnd)
            late.statement, late.rows = _HOLD, [{"name_": then}]
            with suppress(threading.BrokenBarrierError):
                both.wait(5 if len(times) < 3 else 0.01)

        database.write(work)

    other = threading.Thread(target=hold, args=[OTHER, ONE])
    other.start()
    hold(ONE, OTHER)
    other.join()
    assert len(times) >= 3, "of the two one was done again"


def test_a_row_that_is_there_already_is_told_at_the_commit(database: PostgresqlDatabase) -> None:
    database.write(lambda tx: add(tx, ONE))
    with pytest.raises(Duplicate):
        database.write(lambda tx: add(tx, OTHER, ONE))
    assert number(database) == 1


def test_a_part_whose_last_statement_fails_leaves_nothing_and_nothing_for_the_end(
    database: PostgresqlDatabase,
) -> None:
    database.write(lambda tx: add(tx, ONE))

    def work(tx: Tx) -> None:
        with suppress(psycopg.errors.UniqueViolation), tx.savepoint():
            tx.at_the_end("rows", AtTheEnd).rows.append({"name": OTHER})
            add(tx, ONE)

    database.write(work)
    assert number(database) == 1


def test_a_failure_that_nobody_minded_is_not_committed_as_if_all_were_well(database: PostgresqlDatabase) -> None:
    def work(tx: Tx) -> None:
        with suppress(psycopg.errors.UniqueViolation):
            add(tx, ONE, ONE)
            tx.one(_COUNT)

    with pytest.raises(psycopg.errors.InFailedSqlTransaction):
        database.write(work)
    assert number(database) == 0


@pytest.mark.parametrize("way", ["read", "snapshot"])
def test_what_writes_where_is_only_read_is_refused_and_never_done_by_the_next(
    database: PostgresqlDatabase, way: str
) -> None:
    with pytest.raises(Unavailable):
        getattr(database, way)(lambda tx: add(tx, ONE))
    database.write(lambda tx: add(tx, OTHER))
    assert number(database) == 1


def test_a_snapshot_within_a_write_is_a_mistake_that_is_told(database: PostgresqlDatabase) -> None:
    def work(tx: Tx) -> None:
        database.snapshot(lambda other: other.one(_COUNT))
        add(tx, ONE)

    with pytest.raises(RuntimeError, match="within a write"):
        database.write(work)
    assert number(database) == 0


def end_all(url: str) -> None:
    """End every connection of our role but this one, and wait until they are gone."""
    with psycopg.connect(url, autocommit=True) as other:
        ours = "FROM pg_stat_activity WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()"
        other.execute(f"SELECT pg_terminate_backend(pid, 10000) {ours}")


@pytest.mark.parametrize("begins_with_a_look", [True, False])
def test_a_change_over_a_connection_that_was_ended_since_the_last_one_is_made(
    migrated_postgresql_url: str, database: PostgresqlDatabase, begins_with_a_look: bool
) -> None:
    def work(tx: Tx) -> None:
        if begins_with_a_look:
            tx.one(_COUNT)
        add(tx, ONE)

    database.write(lambda tx: add(tx, OTHER))
    end_all(migrated_postgresql_url)
    database.write(work)
    assert number(database) == 2


def test_a_snapshot_over_a_connection_that_was_ended_is_taken(
    migrated_postgresql_url: str, database: PostgresqlDatabase
) -> None:
    database.write(lambda tx: add(tx, ONE))
    end_all(migrated_postgresql_url)
    assert database.snapshot(lambda tx: tx.one(_COUNT)) == 1
