"""Tests of the statements that a PostgreSQL connection has prepared.

Values go in and come out as with psycopg's own cursors.
"""

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from psycopg.pq import TransactionStatus

from prorata.store.database import prepared_statements as module
from prorata.store.database.loop_reads import PatientConnection
from tests.store.database.test_sqlite_statistics import statements

THING = "CREATE TEMPORARY TABLE thing (id bigint PRIMARY KEY, name text, is_open boolean, content bytea)"
ADD = "INSERT INTO thing (id, name, is_open, content) VALUES (%(id)s, %(name)s, %(is_open)s, %(content)s)"
ALL = "SELECT id, name, is_open, content FROM thing ORDER BY id"
texts = st.none() | st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=50)
things = st.tuples(st.integers(-(2**63), 2**63 - 1), texts, st.none() | st.booleans(), st.none() | st.binary())


@pytest.fixture
def connection(postgresql_url: str) -> Iterator[PatientConnection]:
    with PatientConnection.connect(postgresql_url, autocommit=True, prepare_threshold=None) as opened:
        opened.execute(THING)
        yield opened


def thing(of: tuple[Any, ...]) -> dict[str, Any]:
    return dict(zip(("id", "name", "is_open", "content"), of, strict=True))


@given(several=st.lists(things, max_size=8, unique_by=lambda of: of[0]))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_goes_in_comes_out(connection: PatientConnection, several: list[tuple[Any, ...]]) -> None:
    connection.execute("TRUNCATE thing")
    for of in several:
        assert connection.prepared.run(ADD, thing(of)) == 1
    there = connection.prepared.rows(ALL, {})
    assert there == sorted(several)[: len(there)] == connection.execute(ALL).fetchall()
    assert len(there) == len(several)


@pytest.mark.parametrize("number", [1, 2, 200, 201, 450])
def test_many_go_in_together_each_once(connection: PatientConnection, number: int) -> None:
    several = [(at, f"thing {at}", None, b"\0\xff") for at in range(number)]
    connection.prepared.run_many(ADD, [thing(of) for of in several])
    assert connection.prepared.rows(ALL, {}) == several


def run_all(connection: PatientConnection, several: list[dict[str, Any]]) -> None:
    connection.prepared.run_many(ADD, several)
    connection.prepared.begun()


@pytest.mark.parametrize("at", [0, 199, 200, 449])
def test_of_many_the_first_that_fails_is_told_and_the_connection_goes_on(
    connection: PatientConnection, at: int
) -> None:
    several = [thing((1 if number == at else 10 + number, "x", True, None)) for number in range(450)]
    connection.prepared.run(ADD, thing((1, "there", None, None)))
    connection.prepared.begin(b"BEGIN")
    with pytest.raises(psycopg.errors.UniqueViolation):
        run_all(connection, several)
    connection.prepared.forget()
    connection.rollback()
    assert connection.prepared.rows(ALL, {}) == [(1, "there", None, None)]


def test_many_wait_for_the_next_statement_and_are_not_run_when_they_are_forgotten(
    connection: PatientConnection,
) -> None:
    prepared = connection.prepared
    prepared.begin(b"BEGIN")
    prepared.run_many(ADD, [thing((1, "first", None, None))])
    assert connection.pgconn.transaction_status == TransactionStatus.IDLE
    assert prepared.run(ADD, thing((2, "second", None, None))) == 1
    prepared.run_many(ADD, [thing((3, "third", None, None))])
    prepared.commit()
    assert connection.pgconn.transaction_status == TransactionStatus.IDLE
    prepared.begin(b"BEGIN")
    prepared.run_many(ADD, [thing((4, "fourth", None, None))])
    prepared.forget()
    prepared.commit()
    assert [row[0] for row in prepared.rows(ALL, {})] == [1, 2, 3]


def test_what_was_to_be_written_and_fails_is_told_at_the_commit_and_nothing_is_written(
    connection: PatientConnection,
) -> None:
    prepared = connection.prepared
    prepared.begin(b"BEGIN")
    prepared.run_many(ADD, [thing((1, "one", None, None)), thing((1, "again", None, None))])
    with pytest.raises(psycopg.errors.UniqueViolation):
        prepared.commit()
    connection.rollback()
    assert prepared.rows(ALL, {}) == []


def test_what_waits_is_run_before_the_statements_are_prepared_anew(connection: PatientConnection) -> None:
    prepared = connection.prepared
    prepared.begin(b"BEGIN")
    prepared.run_many(ADD, [thing((1, "one", None, None))])
    for number in range(module.KEPT_PREPARED + 1):
        prepared.rows(f"SELECT {number}", {}) if number % 2 else prepared.prepare(f"SELECT {number}")
    prepared.commit()
    assert len(prepared.rows(ALL, {})) == 1


def test_names_are_numbered_once_and_percent_signs_stay(connection: PatientConnection) -> None:
    text = "SELECT %(said)s::TEXT, %(said)s LIKE '1%%', %(other)s::INTEGER"
    assert connection.prepared.rows(text, {"said": "10", "other": 7, "unused": 1}) == [("10", True, 7)]


def test_text_that_postgresql_cannot_hold_is_refused_and_the_connection_goes_on(connection: PatientConnection) -> None:
    for begins in (False, True):
        if begins:
            connection.prepared.begin(b"BEGIN READ ONLY")
        with pytest.raises(psycopg.DataError):
            connection.prepared.rows("SELECT %(said)s::TEXT", {"said": "a\0b"})
        assert connection.prepared.rows("SELECT %(said)s::TEXT", {"said": "ab"}) == [("ab",)]


def test_a_transaction_begins_with_its_first_statement_and_its_end_is_not_waited_for(
    connection: PatientConnection,
) -> None:
    state = "SELECT current_setting('transaction_read_only')"
    for _ in range(3):
        connection.prepared.begin(b"BEGIN READ ONLY")
        assert connection.pgconn.transaction_status == TransactionStatus.IDLE
        assert connection.prepared.rows(state, {}) == [("on",)]
        with pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
            connection.prepared.run("CREATE TABLE other ()", {})
        connection.prepared.end(b"COMMIT")
        assert connection.prepared.owes
        assert connection.prepared.rows(state, {}) == [("off",)]
        assert connection.pgconn.transaction_status == TransactionStatus.IDLE


def test_what_a_transaction_begins_with_may_fail(connection: PatientConnection) -> None:
    connection.prepared.begin(b"BEGIN READ ONLY")
    with pytest.raises(psycopg.errors.DivisionByZero):
        connection.prepared.rows("SELECT 1 / %(by)s::INTEGER", {"by": 0})
    connection.prepared.end(b"COMMIT")
    assert connection.prepared.rows("SELECT 1", {}) == [(1,)]


def test_a_transaction_without_a_statement_never_begins(connection: PatientConnection) -> None:
    connection.prepared.begin(b"BEGIN READ ONLY")
    connection.prepared.end(b"COMMIT")
    assert not connection.prepared.owes
    connection.prepared.begin(b"BEGIN READ ONLY")
    connection.prepared.begun()
    assert connection.execute("SELECT current_setting('transaction_read_only')").fetchall() == [("on",)]
    connection.prepared.end(b"COMMIT")
    assert connection.prepared.rows("SELECT 1", {}) == [(1,)]


def test_what_is_prepared_outlives_a_rollback_and_has_a_limit(connection: PatientConnection) -> None:
    with connection.transaction(force_rollback=True):
        connection.prepared.rows("SELECT 0", {})
    for number in range(2 * module.KEPT_PREPARED + 2):
        assert connection.prepared.rows(f"SELECT {number}", {}) == [(number,)]
    held = connection.execute("SELECT count(*) FROM pg_prepared_statements").fetchone()
    assert held is not None
    assert held[0] <= module.KEPT_PREPARED


def test_every_statement_can_be_prepared(migrated_postgresql_url: str) -> None:
    with PatientConnection.connect(migrated_postgresql_url, autocommit=True) as opened:
        for text in {statement.compiled("postgresql").text for statement in statements().values()}:
            opened.prepared.prepare(text)
