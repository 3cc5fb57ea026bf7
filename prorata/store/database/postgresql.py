"""Access to PostgreSQL 15 or newer with psycopg 3, with a lasting connection per thread."""

import asyncio
import select
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache, cached_property
from typing import Any, LiteralString, TypeVar

import psycopg
from psycopg import sql
from psycopg.pq import TransactionStatus

from prorata.ids import IdSource
from prorata.ports import Clock
from prorata.store.database.background_inserts import Rows
from prorata.store.database.engine import (
    Busy,
    Listener,
    Tx,
    Waited,
    nobody_listens,
    too_busy,
    tried_again,
    unknown,
    within_a_write,
)
from prorata.store.database.loop_reads import (
    PATIENCE,
    LoopConnection,
    LoopConnections,
    PatientConnection,
    Silent,
    stepping_aside,
)
from prorata.store.database.postgresql_options import LOCK_TIMEOUT, OPTIONS, READING_OPTIONS
from prorata.store.database.postgresql_refusals import OURS, refusals
from prorata.store.database.prepared_statements import PreparedStatements
from prorata.store.database.schema_lock import UNHEARD
from prorata.store.database.schema_state import gone, known_revisions
from prorata.store.database.statements import DialectName, Statement, for_postgresql

Result = TypeVar("Result")
Opened = TypeVar("Opened", bound=PatientConnection)
_READERS = 8
"""The number of connections that the event loop of one process reads with at once."""
_READ_TRIES = 2
_FEW = 50
_MANY = 500
_SIZE: LiteralString = "SELECT reltuples::bigint FROM pg_class WHERE oid = to_regclass(%s)"


class PostgresqlTx(Tx):
    """A piece of work on a connection to PostgreSQL."""

    dialect = "postgresql"

    def __init__(self, connection: PatientConnection, clock: Clock, ids: IdSource, listener: Listener) -> None:
        super().__init__(clock, ids, listener)
        self._opened = connection
        self._added: dict[str, int] = {}
        self._known: dict[str, int] = {}

    @cached_property
    def _opened_cursor(self) -> psycopg.Cursor[Any]:
        return self._opened.cursor()

    @property
    def _cursor(self) -> psycopg.Cursor[Any]:
        """A cursor of the connection, available once no other thread inserts rows over the connection."""
        if self._going_in is not None:
            self.wait()
        self._opened.prepared.begun()
        return self._opened_cursor

    @property
    def _prepared(self) -> PreparedStatements:
        """The prepared statements, available once no other thread inserts rows over the connection."""
        if self._going_in is not None:
            self.wait()
        return self._opened.prepared

    def run(self, statement: Statement[Any], **values: Any) -> int:
        """Run a statement that returns no rows, and return the number of rows changed."""
        text, constants = statement.compiled("postgresql")
        return self._prepared.run(text, _values(constants, values))

    def run_many(self, statement: Statement[None], rows: Sequence[dict[str, Any]]) -> None:
        """Run a statement once for each of `rows`, if there are any, in one call."""
        text, constants = statement.compiled("postgresql")
        if rows:
            self._require_open()
            self._prepared.run_many(text, [{**constants, **row} for row in rows])
            if statement.adds_to is not None:
                self._note_growth(statement.adds_to, len(rows))

    def _add_rows(self, table: str, columns: Sequence[str], rows: Rows) -> None:
        """Insert many rows with COPY, and few rows with a simple statement."""
        self._require_open()
        prepared = self._opened.prepared
        if len(rows) <= _FEW:
            prepared.run_many(_insert(table, tuple(columns)), [dict(zip(columns, row, strict=True)) for row in rows])
        else:
            prepared.begun()
            names = sql.SQL(", ").join(map(sql.Identifier, columns))
            into = sql.SQL("COPY {} ({}) FROM STDIN").format(sql.Identifier(table), names)
            with self._opened_cursor.copy(into) as copy:
                for row in rows:
                    copy.write_row(row)
        self._note_growth(table, len(rows))

    def _require_open(self) -> None:
        """Raise `Unavailable` if the transaction to which the rows belong is no longer open."""
        if self._opened.prepared.is_idle:
            raise gone()

    def _note_growth(self, table: str, more: int) -> None:
        """Update a table's statistics once this work has added many rows to it.

        This happens when the table has doubled in size, and then whenever the number of added rows has quadrupled.
        Until autovacuum updates the statistics, PostgreSQL would keep using plans made for the small table, which
        read all of an account's rows, even in the next statements of this work and in foreign key checks. If another
        transaction is updating the statistics, don't wait for it.
        """
        added = self._added[table] = self._added.get(table, 0) + more
        if added < _MANY:
            return
        self._opened.prepared.begun()
        if table not in self._known:
            size_row = self._opened_cursor.execute(_SIZE, (table,)).fetchone()
            self._known[table] = size_row[0] if size_row else 0
        if added >= self._known[table]:
            self._opened_cursor.execute(sql.SQL("ANALYZE (SKIP_LOCKED) {}").format(sql.Identifier(table)))
            self._known[table] = 4 * added

    @contextmanager
    def _part(self) -> Iterator[None]:
        """Run the block in a savepoint, which is rolled back if the block raises."""
        self.wait()
        prepared = self._opened.prepared
        prepared.begun()
        with self._opened.transaction():
            try:
                yield
                self.wait()
                prepared.begun()
            finally:
                self.take_back()
                prepared.forget()

    @contextmanager
    def waiting_at_most(self, seconds: int) -> Iterator[None]:
        """Run the block, waiting for locks at most `seconds`; after that, raise `Waited`."""
        limit = sql.SQL("SET LOCAL lock_timeout = {}")
        self._cursor.execute(limit.format(sql.Literal(f"{seconds}s")))
        try:
            yield
            self.wait()
            self._opened.prepared.begun()
        except psycopg.errors.LockNotAvailable as failed:
            raise Waited from failed
        self._cursor.execute(limit.format(sql.Literal(LOCK_TIMEOUT)))

    def _run(self, statement: Statement[Any], values: dict[str, Any]) -> Iterable[Sequence[Any]]:
        text, constants = statement.compiled("postgresql")
        return self._prepared.rows(text, _values(constants, values))

    def _run_in_pieces(
        self, statement: Statement[Any], values: dict[str, Any], size: int
    ) -> Iterator[list[Sequence[Any]]]:
        text, constants = statement.compiled("postgresql")
        self.wait()
        self._opened.prepared.begun()
        with self._opened.cursor("pieces") as cursor:  # a server-side cursor, which keeps the rows not fetched yet
            cursor.execute(_own(text), _values(constants, values))
            while rows := cursor.fetchmany(size):
                yield rows


@cache
def _insert(table: str, columns: tuple[str, ...]) -> str:
    names = ", ".join(f'"{column}"' for column in columns)
    marks = ", ".join(f"%({column})s" for column in columns)
    return f'INSERT INTO "{table}" ({names}) VALUES ({marks})'  # noqa: S608


def _values(constants: dict[str, Any], values: dict[str, Any]) -> dict[str, Any]:
    return constants | {name: for_postgresql(value) for name, value in values.items()}


def _own(text: str) -> LiteralString:
    """Mark SQL as safe for psycopg, because it was generated from Prorata's own source."""
    return text


class PostgresqlDatabase:
    """A PostgreSQL database. `listener` is called for every recorded change."""

    dialect: DialectName = "postgresql"
    together = None

    def __init__(
        self, url: str, clock: Clock, *, listener: Listener = nobody_listens, patience: float = PATIENCE
    ) -> None:
        self.clock = clock
        self._listener = listener
        self._url = url
        self._patience = patience
        self._ids = IdSource()
        self._mine = threading.local()
        self._all: list[PatientConnection] = []
        self._readers: LoopConnections | None = None

    async def reading(self, work: Callable[[Tx], Result], *, at_once: bool) -> Result:
        """Run read-only work in the event loop's thread without blocking the loop.

        The work runs once more if the connection was lost, or if the database asks for a retry. Raises
        `Unavailable` if the database cannot be used, or if the server does not answer in time.
        """
        for _ in range(_READ_TRIES):
            try:
                with refusals():
                    return await self._reading(work, at_once)
            except (Busy, _Lost):
                continue
        raise gone()

    async def _reading(self, work: Callable[[Tx], Result], at_once: bool) -> Result:
        readers = self._readers
        if readers is None or readers.loop is not asyncio.get_running_loop():
            if readers is not None:
                readers.close()
            readers = self._readers = LoopConnections(self._connect_reader, _READERS, self._patience)
        try:
            connection = await readers.take()
        except TimeoutError:
            raise too_busy() from None
        try:
            with _losses(connection):
                tx = self._tx(connection)
                return await stepping_aside(lambda: _on_one_state(connection, tx, work) if at_once else work(tx))
        except (_Lost, Silent):
            readers.forget_idle()
            raise
        finally:
            readers.give_back(connection)

    def _connect_reader(self) -> LoopConnection:
        return _opened(LoopConnection, self._url, READING_OPTIONS)

    def read(self, work: Callable[[Tx], Result]) -> Result:
        """Run read-only work.

        The work runs once more if the connection was lost, or if the database asks for a retry. Raises `Unavailable` if
        the database cannot be used, or if the server does not answer in time.
        """
        for _ in range(_READ_TRIES):
            try:
                with refusals():
                    return self._read(work)
            except (Busy, _Lost):
                continue
        raise gone()

    def _read(self, work: Callable[[Tx], Result]) -> Result:
        connection = self._connection()
        connection.patience = self._patience
        try:
            with _losses(connection):
                return work(self._tx(connection))
        finally:
            connection.patience = None

    def snapshot(self, work: Callable[[Tx], Result]) -> Result:
        """Run read-only work, without blocking others; all its statements see the same data."""

        def attempt() -> Result:
            with refusals():
                connection = self._free_connection()
                with connection.transaction():
                    connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
                    try:
                        result = work(self._tx(connection))
                        connection.prepared.begun()
                    finally:
                        connection.prepared.forget()
                    return result

        return tried_again(attempt)

    def write(self, work: Callable[[Tx], Result]) -> Result:
        """Run work in one transaction and commit it; retry after a deadlock or serialization failure."""

        def attempt() -> Result:
            with refusals():
                connection = self._free_connection()
                prepared = connection.prepared
                work_is_done = False
                try:
                    prepared.begin(b"BEGIN", OURS, {"revision": known_revisions()[-1]})
                    result = self._tx(connection).do(work)
                    work_is_done = True
                    prepared.commit()
                except BaseException as failed:
                    _undo(connection)
                    if work_is_done and connection.closed and isinstance(failed, _LOST):
                        raise unknown() from failed
                    raise
                return result

        return tried_again(attempt)

    def _tx(self, connection: PatientConnection) -> PostgresqlTx:
        return PostgresqlTx(connection, self.clock, self._ids, self._listener)

    def close(self) -> None:
        """Close every connection of this process."""
        for connection in self._all:
            connection.close()
        self._all.clear()
        if self._readers is not None:
            self._readers.close()
        self._mine = threading.local()

    def _free_connection(self) -> PatientConnection:
        connection = self._connection()
        if not connection.prepared.is_idle:
            raise within_a_write()
        return connection

    def _connection(self) -> PatientConnection:
        connection: PatientConnection | None = getattr(self._mine, "connection", None)
        if connection is None or connection.closed or _is_ended(connection):
            if connection is not None:
                connection.close()
                self._all.remove(connection)
                self._mine.connection = None
            connection = _opened(PatientConnection, self._url, OPTIONS)
            self._mine.connection = connection
            self._all.append(connection)
        return connection


def _opened(kind: type[Opened], url: str, options: str) -> Opened:
    return kind.connect(
        url,
        autocommit=True,
        options=options,
        prepare_threshold=None,  # we prepare frequent statements (prorata/store/database/prepared_statements.py)
        **UNHEARD,
    )


def _is_ended(connection: PatientConnection) -> bool:
    """True if the server announced that it ended the connection, as on a restart."""
    if not connection.prepared.is_idle:
        return False
    unasked = select.poll()
    unasked.register(connection.fileno(), select.POLLIN)
    return bool(unasked.poll(0))


def _undo(connection: PatientConnection) -> None:
    """Roll back the transaction, or close a broken connection; the server then rolls back."""
    connection.prepared.forget()
    with suppress(psycopg.Error):
        if not connection.closed:
            connection.rollback()
    if connection.pgconn.transaction_status != TransactionStatus.IDLE:
        connection.close()


_LOST = (psycopg.OperationalError, psycopg.InterfaceError)


class _Lost(Exception):
    """The error that the server closed the connection, so that a new one is needed."""


@contextmanager
def _losses(connection: PatientConnection) -> Iterator[None]:
    try:
        yield
    except Silent:
        raise  # the patience is used up
    except (psycopg.OperationalError, psycopg.InterfaceError) as failed:
        if connection.closed:
            raise _Lost from failed
        raise


def _on_one_state(connection: LoopConnection, tx: Tx, work: Callable[[Tx], Result]) -> Result:
    """Run read-only work whose statements all see the same state of the data."""
    connection.prepared.begin(b"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    try:
        return work(tx)
    finally:
        if not connection.closed:
            connection.prepared.end(b"COMMIT")
