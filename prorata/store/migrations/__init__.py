"""Upgrades of a database's schema with Alembic, and checks of its revision.

Both kinds of database have the same migrations.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from psycopg.errors import LockNotAvailable
from sqlalchemy import Connection, create_engine, inspect, pool, text
from sqlalchemy.exc import OperationalError

from prorata.settings import SettingsError
from prorata.store.database.engine import too_busy
from prorata.store.database.schema_state import LAST_NUMBERED, SQLITE, gone, known_revisions
from prorata.store.database.sqlite import SqliteDatabase, connect
from prorata.store.database.sqlite_statistics import tell_sqlite
from prorata.store.schema.tables import metadata

_SECONDS_TO_LEAVE = 3.0
_COMPANY = """
SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'
AND pid <> pg_backend_pid() AND pid NOT IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory')
"""


def upgrade(url: str, to: str = "head") -> None:
    """Upgrade the database to the newest schema, or to a revision, in one transaction.

    A missing SQLite file is created.
    """
    with _connected(url) as connection:
        _adopt(connection)
        command.upgrade(_config(connection), to)
        if url.startswith(SQLITE):
            tell_sqlite(connection)


def is_current(url: str) -> bool:
    """True if the database has exactly the schema that this program needs."""
    with _connected(url) as connection:
        return MigrationContext.configure(connection).get_current_revision() == known_revisions()[-1]


def differences(url: str) -> list[object]:
    """List the differences between a migrated database and the schema in `tables`.

    The list is empty unless a migration is missing (`alembic check`).
    """
    with _connected(url) as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return list(compare_metadata(context, metadata))


def _adopt(connection: Connection) -> None:
    """Replace a revision from before the first release by the present first revision.

    Some columns of such a database have default values, which no statement uses.
    """
    if MigrationContext.configure(connection).get_current_revision() != LAST_NUMBERED:
        return
    if connection.dialect.name == "postgresql":
        _refuse_company(connection)
        # One column was sorted by the server's locale.
        connection.exec_driver_sql('ALTER TABLE account ALTER COLUMN automatic_sends_from TYPE varchar(7) COLLATE "C"')
    connection.execute(text("UPDATE alembic_version SET version_num = :to"), {"to": known_revisions()[0]})


def _refuse_company(connection: Connection) -> None:
    """Wait until no other program is connected to the database.

    This is needed because a server of an older version neither holds the lock nor checks the revision. Raises
    `SettingsError` if others stay connected for too long.
    """
    deadline = time.monotonic() + _SECONDS_TO_LEAVE
    while connection.exec_driver_sql(_COMPANY).scalar_one():
        if time.monotonic() > deadline:
            raise SettingsError(
                "Other programs are connected to the database, perhaps a version of Prorata from before the first "
                "release. Stop every `serve` and `worker`, and everything else that is connected, then try again."
            )
        time.sleep(0.05)


def _config(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


@contextmanager
def _connected(url: str) -> Iterator[Connection]:
    """Open a connection for changing the schema.

    On SQLite, no other process can write meanwhile.
    """
    if url.startswith(SQLITE):
        path = Path(url.removeprefix(SQLITE))
        path.parent.mkdir(parents=True, exist_ok=True)
        engine = create_engine("sqlite://", creator=lambda: connect(path), poolclass=pool.NullPool)
        with SqliteDatabase(path, lambda: datetime.now(UTC)).alone(), engine.begin() as connection:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            yield connection
        return
    engine = create_engine(url.replace("postgresql://", "postgresql+psycopg://", 1), poolclass=pool.NullPool)
    try:
        with engine.begin() as connection:
            _keep_writers_out(connection)
            yield connection
    except OperationalError as failed:
        raise (too_busy() if isinstance(failed.orig, LockNotAvailable) else gone()) from failed


def _keep_writers_out(connection: Connection) -> None:
    """Wait for running writes, and block new ones until the schema is changed."""
    connection.exec_driver_sql("SET LOCAL lock_timeout = '10s'")
    if inspect(connection).has_table("alembic_version"):
        connection.exec_driver_sql("LOCK TABLE alembic_version IN ACCESS EXCLUSIVE MODE")
