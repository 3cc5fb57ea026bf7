"""PostgreSQL learns of a table's growth while the work that fills it still goes on."""

from collections.abc import Callable, Iterator

import pytest
from sqlalchemy import bindparam, text
from sqlalchemy.dialects.postgresql import insert

from prorata.store.database.engine import Tx
from prorata.store.database.postgresql import PostgresqlDatabase
from prorata.store.database.statements import changes, returns_one
from prorata.store.schema.sign_in_tables import turn
from prorata.wiring.surroundings import utc_now

FEW, MANY = 49, 600
_ADD = changes(insert(turn).values(name=bindparam("name")).on_conflict_do_nothing())
_KNOWN = returns_one(text("SELECT reltuples::bigint FROM pg_class WHERE oid = to_regclass('turn')"))


@pytest.fixture
def database(migrated_postgresql_url: str) -> Iterator[PostgresqlDatabase]:
    made = PostgresqlDatabase(migrated_postgresql_url, utc_now)
    yield made
    made.close()


def by_statement(tx: Tx, first: int, number: int) -> None:
    tx.run_many(_ADD, [{"name": f"turn {at}"} for at in range(first, first + number)])


def as_rows(tx: Tx, first: int, number: int) -> None:
    tx.add_many("turn", ["name"], [[f"turn {at}"] for at in range(first, first + number)])


@pytest.mark.parametrize("add", [by_statement, as_rows])
@pytest.mark.parametrize("at_once", [FEW, MANY])
def test_what_many_rows_made_of_a_table_is_known_before_they_are_committed(
    database: PostgresqlDatabase, add: Callable[[Tx, int, int], None], at_once: int
) -> None:
    def work(tx: Tx) -> int:
        for first in range(0, MANY, at_once):
            add(tx, first, at_once)
        return int(tx.one(_KNOWN) or 0)

    assert database.write(work) >= MANY * 0.8
