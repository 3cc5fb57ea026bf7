"""SQLite: one file, one writer at a time, and readers that never wait.

The database uses a write-ahead log and `synchronous=FULL`. SQLite before 3.51.3 (except 3.50.7 and 3.44.6) can lose
a commit that happens on one connection while another checkpoints ("WAL-reset bug"), so commits and checkpoints
never overlap: every write transaction, every checkpoint and every closing of a connection happens under one lock,
held across threads and processes through a lock file. SQLite itself runs the checkpoints, as a part of commits;
they don't wait for other connections (docs/adr/0004).
"""

import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

from prorata.errors import Unavailable
from prorata.ids import IdSource
from prorata.ports import Clock
from prorata.store.database.background_inserts import Rows
from prorata.store.database.engine import Duplicate, Listener, Tx, another_schema, nobody_listens, within_a_write
from prorata.store.database.schema_state import gone, known_revisions
from prorata.store.database.statements import DialectName, Statement, for_sqlite
from prorata.store.database.write_lock import Turn

Result = TypeVar("Result")
_PAGES_BEFORE_CHECKPOINT = 1_000
_LOG_BYTES_KEPT = 64 * 1024 * 1024
_STATEMENTS_KEPT = 512
_VALUES_AT_ONCE = (16_000, 2_000, 1)
"""The maximum numbers of values in one INSERT, in order of preference.

SQLite has accepted 32,766 values since version 3.32. The last number, 1, means a single row.
"""
_LARGE = 1024 * 1024
"""The size in bytes above which a value makes its connection close after use.

A connection keeps the values of a statement in memory until the statement is run again, and each thread has a
connection. So each thread used to keep the last large message that it had written.
"""
_OURS = "SELECT 1 FROM alembic_version WHERE version_num = ?"
_SECONDS_UNLOOKED = 0.1
_SECONDS_TO_CLOSE = 1.0


class SqliteTx(Tx):
    """A piece of work on a connection to SQLite."""

    dialect = "sqlite"

    def __init__(self, connection: "Connection", clock: Clock, ids: IdSource, listener: Listener) -> None:
        super().__init__(clock, ids, listener)
        self._opened = connection

    @property
    def _connection(self) -> "Connection":
        """The connection, available once no other thread inserts rows over it."""
        self.wait()
        return self._opened

    def run(self, statement: Statement[Any], **values: Any) -> int:
        """Run a statement that returns no rows, and return the number of rows changed."""
        text, constants = statement.compiled("sqlite")
        if any(isinstance(value, bytes) and len(value) > _LARGE for value in values.values()):
            self._opened.holds_much = True
        return self._connection.execute(text, _values(constants, values)).rowcount

    def run_many(self, statement: Statement[None], rows: Sequence[dict[str, Any]]) -> None:
        """Run a statement once for each of `rows`, all in one call.

        If there are no rows, do nothing.
        """
        text, constants = statement.compiled("sqlite")
        if rows:
            self._connection.executemany(text, ({**constants, **row} for row in rows))

    def _add_rows(self, table: str, columns: Sequence[str], rows: Rows) -> None:
        """Insert rows, with up to thousands of values in each statement.

        This takes a quarter less time than inserting the rows one by one. Raises `Unavailable` if the transaction
        that the rows belong to has ended.
        """
        begin = 0
        with self._opened.at_work:
            if not self._opened.in_transaction:
                raise gone()
            for values in _VALUES_AT_ONCE:
                together = max(1, values // len(columns))
                end = len(rows) - (len(rows) - begin) % together
                if begin < end:
                    groups = (rows[at : at + together] for at in range(begin, end, together))
                    self._opened.executemany(_insert(table, columns, together), map(_flat, groups))
                    begin = end

    @contextmanager
    def _part(self) -> Iterator[None]:
        """Run the block in a savepoint, which is rolled back if the block raises."""
        self._connection.execute("SAVEPOINT part")
        try:
            yield
            self.wait()
        except BaseException:
            self.take_back()
            self._opened.undo("ROLLBACK TO part")
            raise
        finally:
            if self._opened.in_transaction:
                self._connection.execute("RELEASE part")

    @contextmanager
    def waiting_at_most(self, seconds: int) -> Iterator[None]:  # noqa: ARG002
        """Run the block without limiting the wait, because no other transaction can hold a lock."""
        yield

    def _run(self, statement: Statement[Any], values: dict[str, Any]) -> Iterable[Sequence[Any]]:
        text, constants = statement.compiled("sqlite")
        return self._connection.execute(text, _values(constants, values)).fetchall()

    def _run_in_pieces(
        self, statement: Statement[Any], values: dict[str, Any], size: int
    ) -> Iterator[list[Sequence[Any]]]:
        text, constants = statement.compiled("sqlite")
        with closing(self._connection.execute(text, _values(constants, values))) as cursor:
            while rows := cursor.fetchmany(size):
                yield rows


def _insert(table: str, columns: Sequence[str], rows: int) -> str:
    names = ", ".join(f'"{column}"' for column in columns)
    marks = f"({', '.join('?' * len(columns))})"
    return f'INSERT INTO "{table}" ({names}) VALUES {", ".join([marks] * rows)}'  # noqa: S608


def _flat(rows: Rows) -> list[Any]:
    return list(chain.from_iterable(rows))


def _values(constants: dict[str, Any], values: dict[str, Any]) -> dict[str, Any]:
    return constants | {name: for_sqlite(value) for name, value in values.items()}


class SqliteDatabase:
    """An SQLite database file.

    Each thread has its own connection; writers wait up to `patience` seconds for each other. `listener` is notified
    of every recorded change.
    """

    dialect: DialectName = "sqlite"

    def __init__(
        self, path: Path, clock: Clock, *, listener: Listener = nobody_listens, patience: float = 10.0
    ) -> None:
        self.clock = clock
        self._listener = listener
        self._path = path
        self._patience = patience
        self._ids = IdSource()
        self._here = threading.local()
        self._all: list[Connection] = []
        self._turn = Turn(path)

    async def reading(self, work: Callable[[Tx], Result], *, at_once: bool) -> Result:
        """Run read-only work in the event loop's thread, since it never waits for other work."""
        return self.snapshot(work) if at_once else self.read(work)

    def read(self, work: Callable[[Tx], Result]) -> Result:
        """Run work that only reads, in which each statement may see newer data."""
        with _refusals():
            return work(self._tx(self._connection(for_reading=True)))

    def snapshot(self, work: Callable[[Tx], Result]) -> Result:
        """Run read-only work, without blocking others; all its statements see the same data."""
        with _refusals():
            connection = self._connection(for_reading=True)
            connection.execute("BEGIN")
            try:
                return work(self._tx(connection))
            finally:
                connection.execute("ROLLBACK")

    def write(self, work: Callable[[Tx], Result]) -> Result:
        """Run work in one transaction while no other transaction writes, and commit it.

        Inside a `together` block, the end of the block commits it.
        """
        if getattr(self._here, "is_writing", False):
            with _refusals():
                return self._one_of_many(self._connection(), work)
        with self._transaction() as connection:
            return self._tx(connection).do(work)

    @contextmanager
    def together(self) -> Iterator[None]:
        """Commit this thread's writes in the block together at its end, all or none.

        A piece of work that raises an exception is undone without the others.
        """
        with self._transaction() as connection:
            self._here.is_writing = True
            try:
                yield
            finally:
                self._here.is_writing = False
            if not connection.in_transaction:
                raise gone()  # SQLite itself rolled the transaction back, as it does when the disk is full

    @contextmanager
    def _transaction(self) -> Iterator["Connection"]:
        mine: _Mine | None = getattr(self._here, "mine", None)
        if mine is not None and mine.connection.in_transaction:
            raise within_a_write()
        with self._turn.taken(self._patience), _refusals():
            connection = self._connection()
            connection.execute("BEGIN IMMEDIATE")
            try:
                _refuse_another_schema(connection)
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                connection.undo("ROLLBACK")
                raise
            finally:
                if connection.holds_much:
                    self._let_go(connection)

    def _let_go(self, connection: "Connection") -> None:
        """Close this thread's connection; the thread's next use of the database opens another."""
        with connection.at_work:
            connection.close()
        self._all.remove(connection)
        self._here.mine = None

    def _one_of_many(self, connection: "Connection", work: Callable[[Tx], Result]) -> Result:
        if not connection.in_transaction:
            raise gone()
        if getattr(self._here, "is_at_one", False):
            raise within_a_write()
        connection.execute("SAVEPOINT one")
        self._here.is_at_one = True
        try:
            return self._tx(connection).do(work)
        except BaseException:
            connection.undo("ROLLBACK TO one")
            raise
        finally:
            self._here.is_at_one = False
            if connection.in_transaction:
                connection.execute("RELEASE one")

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep other writers out during the block, in which a migration opens the file itself."""
        with self._turn.taken(self._patience):
            yield

    def backup(self, into: Path) -> None:
        """Copy the database into a new file, while others continue reading and writing."""
        with _refusals(), closing(sqlite3.connect(into)) as copy:
            self._connection().backup(copy)

    def _tx(self, connection: "Connection") -> SqliteTx:
        return SqliteTx(connection, self.clock, self._ids, self._listener)

    def close(self) -> None:
        """Close every connection of this process, holding the lock.

        SQLite writes a checkpoint when the last connection to the file is closed. If other processes keep writing, so
        that the lock is not free in time, the connections stay open until the process ends. No checkpoint is missed:
        the writers have the file open, so these connections are not the last.
        """
        with suppress(Unavailable), self._turn.taken(min(self._patience, _SECONDS_TO_CLOSE)):
            for connection in self._all:
                with connection.at_work:
                    connection.close()
            self._all.clear()
        self._here = threading.local()

    def _connection(self, *, for_reading: bool = False) -> "Connection":
        """Return the thread's connection to the file that is now at the database's path.

        A connection is replaced if another file is at the path. For reading, this is checked only from time to
        time.
        """
        mine: _Mine | None = getattr(self._here, "mine", None)
        now = time.monotonic()
        if for_reading and mine is not None and now < mine.looked_at + _SECONDS_UNLOOKED:
            return mine.connection
        try:
            file = self._path.stat().st_ino
        except OSError as failed:
            raise gone() from failed
        if mine is None or mine.file != file:
            connection = connect(self._path)
            self._all.append(connection)
            mine = self._here.mine = _Mine(connection, file)
        mine.looked_at = now
        return mine.connection


class _Mine:
    """A thread's connection, its file's inode, and the time the path was last checked."""

    __slots__ = ("connection", "file", "looked_at")

    def __init__(self, connection: "Connection", file: int) -> None:
        self.connection = connection
        self.file = file
        self.looked_at = 0.0


class Connection(sqlite3.Connection):
    """A connection over which another thread may insert rows, holding the lock `at_work`.

    As long as the other thread inserts rows, the thread that owns the connection neither rolls back nor closes it,
    however often it is interrupted.
    """

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.at_work = threading.Lock()
        self.holds_much = False

    def undo(self, command: str) -> None:
        """Roll back with `command`, unless SQLite has already ended the transaction.

        SQLite ends it by itself if the disk is full, for example.
        """
        with self.at_work:
            if self.in_transaction:
                self.execute(command)


def _refuse_another_schema(connection: Connection) -> None:
    if connection.execute(_OURS, known_revisions()[-1:]).fetchone() is None:
        raise another_schema()


def connect(path: Path) -> Connection:
    """Open a connection with Prorata's settings.

    The settings are autocommit, write-ahead log, synchronous commits, enforced foreign keys, and overwriting of deleted
    data.
    """
    connection = sqlite3.connect(
        path,
        isolation_level=None,
        check_same_thread=False,
        factory=Connection,
        cached_statements=_STATEMENTS_KEPT,
        timeout=5.0,
    )
    for setting in ("busy_timeout=5000", "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON",
                    f"wal_autocheckpoint={_PAGES_BEFORE_CHECKPOINT}", f"journal_size_limit={_LOG_BYTES_KEPT}",
                    "cache_size=-8192", "temp_store=MEMORY", "secure_delete=ON"):  # fmt: skip
        connection.execute(f"PRAGMA {setting}")
    return connection


@contextmanager
def _refusals() -> Iterator[None]:
    try:
        yield
    except sqlite3.IntegrityError as violated:
        if violated.sqlite_errorname in _ALREADY_THERE:
            raise Duplicate(str(violated)) from violated
        raise
    except sqlite3.OperationalError as failed:
        if _named(failed).startswith(_NOT_OURS):
            raise gone() from failed
        raise
    except sqlite3.DatabaseError as failed:
        if _named(failed).startswith(_BROKEN):
            raise gone() from failed
        raise


def _named(failed: sqlite3.Error) -> str:
    """Return SQLite's name for an error, or "" if the driver itself raised it."""
    return getattr(failed, "sqlite_errorname", "")


_ALREADY_THERE = ("SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_PRIMARYKEY")
_BROKEN = ("SQLITE_CORRUPT", "SQLITE_NOTADB")
_NOT_OURS = (
    "SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_FULL", "SQLITE_IOERR", "SQLITE_CANTOPEN", "SQLITE_READONLY",
    "SQLITE_NOMEM", "SQLITE_PROTOCOL",
)  # fmt: skip
"""The SQLite errors that the disk or another process causes, rather than a bug."""
