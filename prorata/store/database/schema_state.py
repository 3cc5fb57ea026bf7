"""The state of a database's schema, read without changing or locking anything.

This module does not use SQLAlchemy: `serve` checks the state before it starts the processes that answer requests, and
the import would delay them.
"""

import re
import sqlite3
from contextlib import closing
from enum import Enum
from functools import cache
from pathlib import Path
from urllib.parse import quote

from prorata.errors import Unavailable
from prorata.settings import SettingsError

SQLITE = "sqlite:///"
_SECONDS_TO_CONNECT = 5
_PATIENCE = 5.0
"""The maximum number of seconds that PostgreSQL may take for each answer.

A caller that waits for the database to be ready repeats the check after that.
"""
_VERSIONS = "alembic_version"
_MIGRATIONS = Path(__file__).parents[1] / "migrations" / "versions"
_SAYS = re.compile(r'^(revision|down_revision) = "(\w+)"$', re.MULTILINE)
LAST_NUMBERED = "0034"
"""The last revision before the first release.

The first of the present migrations leads to the same schema.
"""
_NUMBERED = re.compile(r"\d{4}")


def gone() -> Unavailable:
    """Build the error for a database that can't be reached or written to."""
    return Unavailable(
        "The database can’t be reached or written to at the moment. Nothing was changed; try again soon."
    )


class Condition(Enum):
    """The state of a database's schema, compared with the schema that this program needs."""

    EMPTY = "there is nothing in it yet"
    CURRENT = "it has exactly the schema"
    OLDER = "it has an older schema, which can be brought up to date"
    UNRELEASED = "it has a schema of before the first release, and not the last one of those"
    NEWER = "it has a schema this program does not know: a newer one"
    FOREIGN = "it is no database, or holds something else"


def condition_of(url: str, *, patience: float = _PATIENCE) -> Condition:
    """Find a database's condition, waiting for up to `patience` seconds for the database.

    Raises `Unavailable` if the database does not answer, and `SettingsError` if its address is bad.
    """
    if url.startswith(SQLITE):
        return condition_of_file(Path(url.removeprefix(SQLITE)))
    import psycopg  # noqa: PLC0415 - SQLite can do without

    from prorata.store.database.loop_reads import PatientConnection  # noqa: PLC0415 - as above

    try:
        with PatientConnection.connect(
            url,
            autocommit=True,
            connect_timeout=_SECONDS_TO_CONNECT,
            options=f"-c statement_timeout={int(patience * 1000)}",
        ) as connection:
            connection.patience = patience + 1  # the server reports its own timeout, unless it is silent
            tables = {
                name
                for (name,) in connection.execute(
                    "select tablename from pg_catalog.pg_tables where schemaname = any(current_schemas(false))"
                )
            }
            if _VERSIONS not in tables:
                return Condition.FOREIGN if tables else Condition.EMPTY
            version = connection.execute("select version_num from alembic_version").fetchone()
    except psycopg.OperationalError as failed:
        raise gone() from failed
    except psycopg.ProgrammingError:
        raise SettingsError("PRORATA_DATABASE_URL is not the address of a usable PostgreSQL database.") from None
    return condition_at(version[0]) if version else _without_version(tables)


def condition_of_file(file: Path) -> Condition:
    """Find the condition of an SQLite file, which need not exist."""
    if not file.exists() or file.stat().st_size == 0:
        return Condition.EMPTY
    try:
        with closing(sqlite3.connect(f"file:{quote(str(file))}?mode=ro", uri=True)) as connection:
            tables = {name for (name,) in connection.execute("select name from sqlite_master where type = 'table'")}
            if _VERSIONS not in tables:
                return Condition.FOREIGN if tables else Condition.EMPTY
            version = connection.execute("select version_num from alembic_version").fetchone()
    except sqlite3.OperationalError as failed:
        raise gone() from failed
    except sqlite3.DatabaseError:
        return Condition.FOREIGN
    return condition_at(version[0]) if version else _without_version(tables)


def _without_version(tables: set[str]) -> Condition:
    return Condition.FOREIGN if tables - {_VERSIONS} else Condition.EMPTY


def condition_at(version: str | None) -> Condition:
    """Return the condition of a database whose schema has this revision.

    A schema without a revision was not created by Prorata.
    """
    revisions = known_revisions()
    if version is None:
        return Condition.FOREIGN
    if version == revisions[-1]:
        return Condition.CURRENT
    if version == LAST_NUMBERED or version in revisions:
        return Condition.OLDER
    return Condition.UNRELEASED if _NUMBERED.fullmatch(version) else Condition.NEWER


@cache
def known_revisions() -> tuple[str, ...]:
    """List the schema's revisions in order, newest last, from the migrations' file names.

    A test compares this with Alembic's answer; asking Alembic takes a quarter of the start-up time.
    """
    says = (dict(_SAYS.findall(file.read_text(encoding="utf-8"))) for file in _MIGRATIONS.glob("[!_]*.py"))
    behind = {say.get("down_revision"): say["revision"] for say in says}
    ordered, at = [], behind.get(None)
    while at is not None:
        ordered.append(at)
        at = behind.get(at)
    return tuple(ordered)
