"""The one Alembic tree for both databases: bring a database up to date, or say that it is not."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine, pool
from sqlalchemy.exc import OperationalError

from prorata.store.condition import SQLITE, gone
from prorata.store.planner import tell_sqlite
from prorata.store.sqlite import SqliteDatabase, connect
from prorata.store.tables import metadata


def upgrade(url: str, to: str = "head") -> None:
    """Bring the database up to the newest schema, or to a revision, in one transaction; an SQLite file is made if need
    be.
    """
    with _connected(url) as connection:
        command.upgrade(_config(connection), to)
        if url.startswith(SQLITE):
            tell_sqlite(connection)


def is_current(url: str) -> bool:
    """Whether the database has exactly the schema this program was written for."""
    with _connected(url) as connection:
        return MigrationContext.configure(connection).get_current_revision() == _newest()


def differences(url: str) -> list[object]:
    """How a migrated database differs from `tables`: nothing, unless a migration is missing (`alembic check`)."""
    with _connected(url) as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return list(compare_metadata(context, metadata))


def _config(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def _newest() -> str | None:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    return ScriptDirectory.from_config(config).get_current_head()


@contextmanager
def _connected(url: str) -> Iterator[Connection]:
    """A connection for schema work; on SQLite with every other writer kept out."""
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
            yield connection
    except OperationalError as failed:
        raise gone() from failed
