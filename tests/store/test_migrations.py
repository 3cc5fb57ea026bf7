"""A database of every older schema, with something in it, comes up to the newest one whole."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import MetaData, create_engine, inspect, text

from prorata.actions.checks import check
from prorata.store import migrations
from tests.conftest import BOTH
from tests.landlord import MovableClock, opened

OLDER = sorted(Path(__file__).with_name("older").glob("*.json"))
"""The rows of a small account as the program of that revision left them: sent, paid, cancelled, overdue and waiting."""


@pytest.fixture(params=BOTH)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'prorata.db'}"
    else:
        yield request.getfixturevalue("postgresql_url")


def engine_of(url: str):
    return create_engine(url.replace("postgresql://", "postgresql+psycopg://", 1))


def fill(url: str, file: Path) -> None:
    engine, schema = engine_of(url), MetaData()
    schema.reflect(engine)
    with engine.begin() as connection:
        for name, rows in json.loads(file.read_text(encoding="utf-8")).items():
            connection.execute(schema.tables[name].insert(), rows)
    engine.dispose()


def rows_of(url: str, file: Path) -> dict[str, list[tuple[object, ...]]]:
    engine = engine_of(url)
    found = {}
    with engine.connect() as connection:
        for name, rows in json.loads(file.read_text(encoding="utf-8")).items():
            listed = connection.execute(text(f"SELECT {', '.join(rows[0])} FROM {name}"))
            found[name] = sorted((tuple(row) for row in listed), key=repr)
    engine.dispose()
    return found


@pytest.mark.parametrize("file", OLDER, ids=lambda file: file.stem)
def test_what_an_older_program_wrote_is_all_there_and_sound(url: str, file: Path) -> None:
    migrations.upgrade(url, file.stem)
    fill(url, file)
    before = rows_of(url, file)
    migrations.upgrade(url)
    assert migrations.is_current(url)
    assert migrations.differences(url) == []
    assert rows_of(url, file) == before
    with opened(url, MovableClock()) as database:
        assert list(check(database)) == []


@pytest.mark.parametrize("file", OLDER, ids=lambda file: file.stem)
def test_a_property_still_takes_everything_under_it_along(url: str, file: Path) -> None:
    migrations.upgrade(url, file.stem)
    fill(url, file)
    migrations.upgrade(url)
    engine = engine_of(url)
    with engine.begin() as connection:
        if engine.dialect.name == "sqlite":
            connection.exec_driver_sql("PRAGMA foreign_keys = ON")
        connection.execute(text("DELETE FROM property"))
        for table in ("unit", "tenant", "share_rule", "bill", "bill_line", "billing_month", "invoice", "charge"):
            assert connection.execute(text(f"SELECT count(*) FROM {table}")).scalar_one() == 0, table
    engine.dispose()


def test_a_record_still_needs_its_account(url: str) -> None:
    migrations.upgrade(url)
    engine = engine_of(url)
    references = {name: inspect(engine).get_foreign_keys(name) for name in inspect(engine).get_table_names()}
    ours = {name: keys for name, keys in references.items() if name not in {"account", "alembic_version"}}
    assert all(ours.values()), [name for name, keys in ours.items() if not keys]
    engine.dispose()
