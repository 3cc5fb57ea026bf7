"""Reads on PostgreSQL in the thread of an event loop.

No read waits for another's query, and each read gets its own answer.
"""

import asyncio
import os
import signal
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime

import psycopg
import pytest
from sqlalchemy import bindparam, func, literal_column as literal, select

from prorata.errors import NotFound, Unavailable
from prorata.store.database.engine import Tx
from prorata.store.database.loop_reads import LoopConnection, LoopConnections
from prorata.store.database.postgresql import PostgresqlDatabase
from prorata.store.database.statements import returns_one
from tests.servers import PostgresServer
from tests.store.bare_schema import note_revision

SLEEP = returns_one(select(func.coalesce(literal("pg_sleep(0.3)::text"), "") + bindparam("said")))
LONG_SLEEP = returns_one(select(literal("pg_sleep(1.5)::text")))
SAY = returns_one(select(bindparam("said")))
STATE = returns_one(select(func.current_setting("transaction_isolation")))


@pytest.fixture
def database(postgresql_url: str) -> Iterator[PostgresqlDatabase]:
    database = PostgresqlDatabase(postgresql_url, lambda: datetime.now(UTC))
    yield database
    database.close()


def slowly(said: str):
    return lambda tx: tx.one(SLEEP, said=said)


def say(said: str):
    return lambda tx: tx.one(SAY, said=said)


def test_eight_read_at_once_and_each_gets_its_own_answer(database):
    async def read() -> list[str | None]:
        return await asyncio.gather(*(database.reading(slowly(str(each)), at_once=each % 2 == 0) for each in range(8)))

    async def timed() -> tuple[list[str | None], float]:
        await read()  # opens the connections
        began = time.monotonic()
        return await read(), time.monotonic() - began

    said, seconds = asyncio.run(timed())
    assert said == [str(each) for each in range(8)]
    assert seconds < 8 * 0.3


def test_the_loop_goes_on_while_the_database_works(database):
    async def both() -> int:
        turns = 0
        reading = asyncio.ensure_future(database.reading(slowly("x"), at_once=False))
        while not reading.done():
            turns += 1
            await asyncio.sleep(0.01)
        return turns

    assert asyncio.run(both()) > 5


def test_a_read_that_is_given_up_takes_its_answer_with_it(database):
    async def give_up() -> list[str | None]:
        await database.reading(say("open"), at_once=False)
        given_up = asyncio.ensure_future(database.reading(slowly("late"), at_once=True))
        await asyncio.sleep(0.05)
        given_up.cancel()
        with pytest.raises(asyncio.CancelledError):
            await given_up
        return [await database.reading(say(str(each)), at_once=True) for each in range(3)]

    assert asyncio.run(give_up()) == ["0", "1", "2"]


def test_connections_that_were_lost_are_replaced_at_once(database, postgresql_url):
    async def lose() -> str | None:
        await asyncio.gather(*(database.reading(slowly("x"), at_once=False) for _ in range(4)))
        with psycopg.connect(postgresql_url, autocommit=True) as other:
            other.execute("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE pid <> pg_backend_pid() "
                          "AND datname = current_database()")  # fmt: skip
        return await database.reading(say("again"), at_once=True)

    assert asyncio.run(lose()) == "again"


@pytest.mark.parametrize("at_once", [False, True])
def test_a_connection_that_is_lost_while_it_is_waited_for_is_replaced_too(database, postgresql_url, at_once):
    async def lose() -> str | None:
        await database.reading(say("open"), at_once=at_once)
        reading = asyncio.ensure_future(database.reading(slowly("again"), at_once=at_once))
        await asyncio.sleep(0.05)
        with psycopg.connect(postgresql_url, autocommit=True) as other:
            other.execute("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE pid <> pg_backend_pid() "
                          "AND datname = current_database()")  # fmt: skip
        return await reading

    assert asyncio.run(lose()) == "again"


def test_what_work_raises_comes_out_and_its_state_of_the_database_ends(database):
    def refuse(tx: Tx) -> str:
        assert tx.one(STATE) == "repeatable read"
        raise NotFound("bill")

    async def twice() -> str | None:
        with pytest.raises(NotFound):
            await database.reading(refuse, at_once=True)
        return await database.reading(lambda tx: tx.one(STATE), at_once=False)

    assert asyncio.run(twice()) == "read committed"


def test_who_gets_no_connection_in_time_is_told_so(postgresql_url):
    async def wait() -> None:
        connections = LoopConnections(
            lambda: LoopConnection.connect(postgresql_url, autocommit=True), most=1, patience=0.05
        )
        taken = await connections.take()
        with pytest.raises(TimeoutError):
            await connections.take()
        connections.give_back(taken)
        assert await connections.take() is taken
        connections.close()
        assert taken.closed

    asyncio.run(wait())


def test_a_database_that_is_not_there_is_503_and_takes_no_connection_away():
    database = PostgresqlDatabase("postgresql://nobody@127.0.0.1:1/none", lambda: datetime.now(UTC))

    async def ask() -> None:
        for _ in range(10):
            with pytest.raises(Unavailable):
                await database.reading(say("x"), at_once=False)

    asyncio.run(ask())


def test_a_connection_that_nobody_waits_for_any_more_is_closed_and_its_place_given_on(postgresql_url):
    made: list[LoopConnection] = []

    def slowly_connected() -> LoopConnection:
        time.sleep(0.2)
        made.append(LoopConnection.connect(postgresql_url, autocommit=True))
        return made[-1]

    async def given_up_once() -> LoopConnection:
        connections = LoopConnections(slowly_connected, 1, patience=5)
        taking = asyncio.create_task(connections.take())
        await asyncio.sleep(0.05)
        taking.cancel()
        await asyncio.wait([taking])
        taken = await connections.take()
        try:
            return taken
        finally:
            connections.give_back(taken)
            connections.close()

    second = asyncio.run(given_up_once())
    assert made[1] is second
    assert made[0].closed


def test_another_loop_reads_with_connections_of_its_own(database):
    assert asyncio.run(database.reading(say("one"), at_once=False)) == "one"
    assert asyncio.run(database.reading(say("two"), at_once=False)) == "two"


def test_a_write_to_a_standby_is_503(postgresql_url):
    database = PostgresqlDatabase(postgresql_url, lambda: datetime.now(UTC))
    with psycopg.connect(postgresql_url, autocommit=True) as other:
        other.execute("CREATE TABLE kept (value text)")
        note_revision(other.execute)
        other.execute("ALTER DATABASE " + other.info.dbname + " SET default_transaction_read_only = on")
    with pytest.raises(Unavailable):
        database.write(lambda tx: tx.add_many("kept", ("value",), [("x",)]))
    database.close()


# --- a server that is silent, or asks for the work again ----------------------------------------------------------------


class Failing:
    """Work that raises the given failures, one in each run, before it succeeds."""

    def __init__(self, *failures: Exception) -> None:
        self.failures = list(failures)
        self.runs = 0

    def __call__(self, tx: Tx) -> str | None:
        self.runs += 1
        if self.failures:
            raise self.failures.pop(0)
        return tx.one(SAY, said="done")


@pytest.fixture
def stopped() -> Iterator[tuple[PostgresqlDatabase, Callable[[signal.Signals], None]]]:
    """An impatient database on its own server, and a function that signals its server processes."""
    with PostgresServer() as server:
        url = server.create_database("mine")
        database = PostgresqlDatabase(url, lambda: datetime.now(UTC), patience=1)
        pids: set[int] = set()

        def send(what: signal.Signals) -> None:
            if not pids:
                with psycopg.connect(url, autocommit=True) as other:
                    found = other.execute("SELECT pid FROM pg_stat_activity WHERE datname = current_database() "
                                          "AND backend_type = 'client backend' AND pid <> pg_backend_pid()")  # fmt: skip
                    pids.update(pid for (pid,) in found)
            for pid in pids:
                os.kill(pid, what)

        try:
            yield database, send
        finally:
            send(signal.SIGCONT)
            database.close()


@pytest.mark.parametrize("at_once", [True, False])
@pytest.mark.thorough
def test_a_read_that_a_silent_server_does_not_answer_is_503_and_the_next_gets_another_connection(stopped, at_once):
    database, send = stopped

    async def ask() -> tuple[float, str | None]:
        await asyncio.gather(*(database.reading(say("open"), at_once=False) for _ in range(2)))
        send(signal.SIGSTOP)
        began = time.monotonic()
        with pytest.raises(Unavailable):
            await database.reading(say("x"), at_once=at_once)
        waited = time.monotonic() - began
        return waited, await database.reading(say("again"), at_once=at_once)

    waited, said = asyncio.run(ask())
    assert 1 <= waited < 5
    assert said == "again"


@pytest.mark.thorough
def test_a_read_in_a_thread_is_given_up_too_and_the_next_gets_another_connection(stopped):
    database, send = stopped
    assert database.read(say("open")) == "open"
    send(signal.SIGSTOP)
    with pytest.raises(Unavailable):
        database.read(say("x"))
    assert database.read(say("again")) == "again"


@pytest.mark.thorough
def test_a_write_is_waited_for_longer_than_a_read(migrated_postgresql_url):
    database = PostgresqlDatabase(migrated_postgresql_url, lambda: datetime.now(UTC), patience=1)
    assert database.read(say("open")) == "open"
    assert database.write(lambda tx: tx.one(LONG_SLEEP)) == ""
    with pytest.raises(Unavailable):
        database.read(lambda tx: tx.one(LONG_SLEEP))
    database.close()


def test_a_statement_that_takes_too_long_in_a_read_is_503(postgresql_url):
    database = PostgresqlDatabase(postgresql_url, lambda: datetime.now(UTC), patience=0.1)
    with pytest.raises(Unavailable):
        asyncio.run(database.reading(slowly("late"), at_once=False))
    with pytest.raises(Unavailable):
        database.read(slowly("late"))
    database.close()


AGAIN = psycopg.errors.SerializationFailure, psycopg.errors.DeadlockDetected


@pytest.mark.parametrize("failure", AGAIN)
@pytest.mark.parametrize("way", ["in the loop", "in the loop, at once", "in a thread"])
def test_a_read_that_the_database_asks_for_again_is_done_again_and_then_503(database, failure, way):
    def read(work: Failing) -> str | None:
        if way == "in a thread":
            return database.read(work)
        return asyncio.run(database.reading(work, at_once="at once" in way))

    once = Failing(failure())
    assert (read(once), once.runs) == ("done", 2)
    with pytest.raises(Unavailable):
        read(Failing(failure(), failure(), failure()))
    assert read(Failing()) == "done"


@pytest.mark.parametrize("way", ["in the loop", "in a thread"])
def test_a_read_that_fails_on_a_connection_that_is_there_is_not_done_again(database, way):
    work = Failing(psycopg.errors.OutOfMemory())
    with pytest.raises(Unavailable):
        database.read(work) if way == "in a thread" else asyncio.run(database.reading(work, at_once=False))
    assert work.runs == 1


def test_a_connection_in_a_thread_that_was_lost_is_replaced(database, postgresql_url):
    assert database.read(say("open")) == "open"
    with psycopg.connect(postgresql_url, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE pid <> pg_backend_pid() "
                      "AND datname = current_database()")  # fmt: skip
    assert database.read(say("again")) == "again"
