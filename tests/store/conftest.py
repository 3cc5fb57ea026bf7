"""A database with one plain table, for tests of the database engine alone."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from prorata.store.database.sqlite import SqliteDatabase, connect
from prorata.wiring.surroundings import utc_now
from tests.store.bare_schema import note_revision


@pytest.fixture
def database(tmp_path: Path) -> Iterator[SqliteDatabase]:
    """A SQLite database with the table `thing`."""
    path = tmp_path / "prorata.db"
    connection = connect(path)
    connection.execute("CREATE TABLE thing (id INTEGER PRIMARY KEY, name TEXT, note TEXT)")
    note_revision(connection.execute)
    connection.close()
    made = SqliteDatabase(path, utc_now)
    yield made
    made.close()
