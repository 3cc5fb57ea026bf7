"""Reading on PostgreSQL in the thread of an event loop: nobody waits for another's query, and no answer goes astray."""

import asyncio
import time
from collections.abc import Iterator
from datetime import UTC, datetime

import psycopg
import pytest
from sqlalchemy import bindparam, func, select
from sqlalchemy import literal_column as literal

from prorata.errors import NotFound, Unavailable
from prorata.store.engine import Tx
from prorata.store.on_loop import LoopConnection, LoopConnections
from prorata.store.postgresql import PostgresqlDatabase
from prorata.store.statements import returns_one

SLEEP = returns_one(select(func.coalesce(literal("pg_sleep(0.3)::text"), "") + bindparam("said")))
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


def test_another_loop_reads_with_connections_of_its_own(database):
    assert asyncio.run(database.reading(say("one"), at_once=False)) == "one"
    assert asyncio.run(database.reading(say("two"), at_once=False)) == "two"


def test_a_write_to_a_standby_is_503(postgresql_url):
    database = PostgresqlDatabase(postgresql_url, lambda: datetime.now(UTC))
    with psycopg.connect(postgresql_url, autocommit=True) as other:
        other.execute("CREATE TABLE kept (value text)")
        other.execute("ALTER DATABASE " + other.info.dbname + " SET default_transaction_read_only = on")
    with pytest.raises(Unavailable):
        database.write(lambda tx: tx.add_many("kept", ("value",), [("x",)]))
    database.close()
