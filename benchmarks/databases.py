"""The databases for measurements: SQLite files, and our own PostgreSQL server.

Each server that writes gets a copy of its own.
"""

import fcntl
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import psycopg
from psycopg import sql
from sqlalchemy import Boolean, Table

from benchmarks.places import POSTGRESQL_PORTS
from benchmarks.processes import (
    ALL_CORES,
    Cores,
    Process,
    cpu_of_all,
    find_program,
    free_port,
    pin,
    tree,
    unprivileged_user,
)
from prorata.store.migrations import upgrade
from prorata.store.schema.tables import metadata

_ROLE = "prorata"
_SHARED_BUFFERS = "1GB"
_FOLDERS, _OWNED = "prorata-bench-", "owned"


class Copy(NamedTuple):
    """A database for one server: its address for Prorata, and its file if any."""

    name: str
    url: str
    file: Path | None = None


class Store(Protocol):
    """One of the two kinds of database."""

    name: str
    version: str

    def copy(self, of: Path, name: str) -> Copy:
        """Make a copy of built data."""
        ...

    def whole(self, of: Path, name: str) -> Copy:
        """Return a copy for a reader, making no more copies than needed."""
        ...

    def drop(self, copy: Copy) -> None:
        """Delete a copy."""
        ...

    def pin(self, cores: Cores) -> None:
        """Pin the database's own processes, if any, to cores."""
        ...

    def processes(self) -> list[int]:
        """List the database's own processes."""
        ...


class Sqlite:
    """SQLite files in a folder."""

    name = "sqlite"
    version = f"SQLite {sqlite3.sqlite_version}"

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def copy(self, of: Path, name: str) -> Copy:
        """Copy a file, and sync the copy to disk before anything is measured."""
        file = self._folder / f"{name}.sqlite3"
        shutil.copyfile(of, file)
        with file.open("rb") as copied:
            os.fsync(copied.fileno())
        return Copy(f"sqlite-{name}", f"sqlite:///{file}", file)

    def whole(self, of: Path, name: str) -> Copy:
        """Make a copy all the same, so that the original stays as it was built."""
        return self.copy(of, name)

    def drop(self, copy: Copy) -> None:
        """Delete a copy."""
        assert copy.file is not None
        for file in copy.file.parent.glob(copy.file.name + "*"):
            file.unlink()

    def pin(self, cores: Cores) -> None:
        """Do nothing, as SQLite runs in the server."""

    def processes(self) -> list[int]:
        """Return none, as SQLite runs in the server."""
        return []


class Postgresql:
    """A PostgreSQL server of our own, with the default durability."""

    name = "postgresql"

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._port = free_port(*POSTGRESQL_PORTS)
        self._process: Process | None = None
        self._templates: dict[Path, str] = {}
        user = unprivileged_user()
        if user:
            os.chown(folder, user.pw_uid, user.pw_gid)
        who: dict[str, Any] = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []} if user else {}
        done = subprocess.run(
            [program("initdb"), "-D", folder / "data", "-U", "admin", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8"],
            check=False, cwd=folder, env={"PATH": os.defpath}, capture_output=True, **who,
        )  # fmt: skip
        if done.returncode:
            raise SystemExit(f"PostgreSQL could not be set up:\n{done.stderr.decode(errors='replace')}")
        self._process = Process(
            [
                program("postgres"), "-D", folder / "data", "-p", str(self._port), "-k", folder,
                "-c", "listen_addresses=127.0.0.1", "-c", f"shared_buffers={_SHARED_BUFFERS}",
                "-c", "fsync=on", "-c", "synchronous_commit=on",
            ],
            folder / "log", folder=folder, environment={"PATH": os.defpath}, user=user, stops_on=signal.SIGINT,
        )  # fmt: skip
        self._process.wait_until(self._answers)
        with self._admin() as admin:
            admin.execute("CREATE ROLE prorata LOGIN CREATEDB")
            found = admin.execute("SHOW server_version").fetchone()
        assert found is not None
        self.version = f"PostgreSQL {found[0].split()[0]}"

    def _answers(self) -> bool:
        with suppress(psycopg.OperationalError), self._admin():
            return True
        return False

    def _admin(self, database: str = "postgres") -> "psycopg.Connection[Any]":
        url = f"postgresql://admin@127.0.0.1:{self._port}/{database}"
        return psycopg.connect(url, autocommit=True, connect_timeout=5)

    def _url(self, name: str) -> str:
        return f"postgresql://{_ROLE}@127.0.0.1:{self._port}/{name}"

    def copy(self, of: Path, name: str) -> Copy:
        """Make a database with the contents of a SQLite file."""
        template = self._templates.get(of) or self._filled(of)
        database = name.replace("-", "_")
        with self._admin() as admin:
            admin.execute(
                sql.SQL("CREATE DATABASE {} TEMPLATE {} OWNER prorata STRATEGY file_copy").format(
                    sql.Identifier(database), sql.Identifier(template)
                )
            )
        return Copy(f"postgresql-{name}", self._url(database))

    def whole(self, of: Path, name: str) -> Copy:
        """Return the database from which others are copied."""
        return Copy(f"postgresql-{name}", self._url(self._templates.get(of) or self._filled(of)))

    def _filled(self, of: Path) -> str:
        name = re.sub(r"\W", "_", of.stem)
        print(f"Copying {of.stem.rpartition('-')[0]} to PostgreSQL …", flush=True)
        with self._admin() as admin:
            admin.execute(sql.SQL("CREATE DATABASE {} OWNER prorata").format(sql.Identifier(name)))
        upgrade(self._url(name))
        with self._admin(name) as admin, closing(sqlite3.connect(f"file:{of}?immutable=1", uri=True)) as source:
            admin.execute("SET session_replication_role = replica")  # the rows' references are valid already
            for table in metadata.sorted_tables:
                _copy_table(source, admin, table)
            admin.execute("VACUUM ANALYZE")
            admin.execute("CHECKPOINT")
        self._templates[of] = name
        return name

    def drop(self, copy: Copy) -> None:
        """Delete a copy."""
        name = copy.url.rpartition("/")[2]
        self._templates = {of: template for of, template in self._templates.items() if template != name}
        with self._admin() as admin:
            admin.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))
            admin.execute("CHECKPOINT")

    def pin(self, cores: Cores) -> None:
        """Move PostgreSQL, with all its present and future processes, to these cores."""
        assert self._process is not None
        pin(self._process.pid, cores)

    def processes(self) -> list[int]:
        """List the postmaster and everything below it."""
        assert self._process is not None
        return list(tree(self._process.pid))

    def stop(self) -> None:
        """End the server."""
        if self._process is not None:
            self._process.stop()


def _copy_table(source: sqlite3.Connection, admin: "psycopg.Connection[Any]", table: Table) -> None:
    columns = [column.name for column in table.columns]
    switches = [place for place, column in enumerate(table.columns) if isinstance(column.type, Boolean)]
    into = sql.SQL("COPY {} ({}) FROM STDIN").format(
        sql.Identifier(table.name), sql.SQL(", ").join(map(sql.Identifier, columns))
    )
    named = ", ".join(f'"{column}"' for column in columns)
    with admin.cursor() as cursor, cursor.copy(into) as copy:
        for row in source.execute(f'SELECT {named} FROM "{table.name}"'):
            values = list(row)
            for place in switches:
                values[place] = bool(values[place])
            copy.write_row(values)


def program(name: str) -> Path:
    """Find one of PostgreSQL's programs; if it is missing, exit with the package to install."""
    found = find_program(name)
    if found is None:
        raise SystemExit('PostgreSQL is not on this machine (Debian: apt-get install postgresql); ONLY="sqlite" does.')
    return found


@contextmanager
def work_folder() -> Iterator[Path]:
    """Yield a temporary folder on disk that PostgreSQL can access, too."""
    # Root's own temporary directory may be closed to others; /tmp never is.
    parent = Path("/tmp" if unprivileged_user() else tempfile.gettempdir())
    for left in parent.glob(f"{_FOLDERS}*"):
        with suppress(OSError), (left / _OWNED).open() as owned:
            fcntl.flock(owned, fcntl.LOCK_EX | fcntl.LOCK_NB)  # unlocked: left by a killed run
            shutil.rmtree(left, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=_FOLDERS, dir=parent, ignore_cleanup_errors=True) as made:
        folder = Path(made)
        folder.chmod(0o711)
        with (folder / _OWNED).open("w") as owned:
            fcntl.flock(owned, fcntl.LOCK_EX)
            yield folder


@contextmanager
def opened(name: str, folder: Path) -> Iterator[Store]:
    """Open the store of this name: `sqlite` or `postgresql`."""
    place = folder / name
    place.mkdir()
    if name == "sqlite":
        yield Sqlite(place)
        return
    with ExitStack() as held:
        server = Postgresql(place)
        held.callback(server.stop)
        yield server


class Redis(NamedTuple):
    """A Redis of our own, in which several workers count requests."""

    url: str
    process: Process

    def cpu(self) -> float:
        """Return the seconds of CPU used so far."""
        return cpu_of_all(tree(self.process.pid))


def needs_redis() -> None:
    """Exit now if Redis is missing, rather than halfway through the measurements."""
    if shutil.which("redis-server") is None:
        raise SystemExit(
            "Several workers count requests in Redis, which is not here: apt-get install redis-server. "
            'Or measure one worker alone: ONLY="one".'
        )


@contextmanager
def redis_for_limits(folder: Path) -> Iterator[Redis | None]:
    """Yield a Redis, or None if there is none on this machine."""
    found = shutil.which("redis-server")
    if found is None:
        yield None
        return
    socket = folder / "redis.sock"
    options: list[str | Path] = [
        "--port",
        "0",
        "--unixsocket",
        socket,
        "--dir",
        folder,
        "--save",
        "",
        "--appendonly",
        "no",
    ]
    with Process([found, *options], folder / "redis.log", cores=ALL_CORES) as process:
        process.wait_until(socket.exists)
        yield Redis(f"unix://{socket}?db=0", process)
