"""Both databases behind one interface: `read` and `write` run work on a `Tx`.

Only the store commits (house rule 4). A write is one transaction, committed before `write` returns, or, if several
are committed together, before any of them is answered; after a deadlock or serialisation failure, the whole piece
of work runs again. Reads are in autocommit.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, NoReturn, Protocol, Self, TypeVar, cast

from prorata.domain.audit.verbs import Verb
from prorata.errors import OutcomeUnknown, Unavailable
from prorata.ids import IdSource
from prorata.ports import Clock
from prorata.store.database.background_inserts import Rows, RowsGoingIn, are_few
from prorata.store.database.schema_state import gone
from prorata.store.database.statements import Asked, DialectName, Row, Statement
from prorata.store.limits import MOST_TRIES

Result = TypeVar("Result")


class Busy(Exception):
    """A deadlock or serialisation failure: the database requires the whole transaction again."""


class Duplicate(Exception):
    """A violated unique constraint: the row to be written exists already."""


def too_busy() -> Unavailable:
    """Build the error for a caller who has waited too long for other writers."""
    return Unavailable("Too many changes are waiting at the moment. Nothing was changed; try again in a few seconds.")


def unknown() -> OutcomeUnknown:
    """Build the error for a connection that was lost during a commit."""
    return OutcomeUnknown(
        "The database connection was lost at the last moment, so it is not known whether the change was made. Read "
        "the record again before you repeat the change, or repeat it with the same Idempotency-Key."
    )


def another_schema() -> Unavailable:
    """Build the error for a write to a schema of another version."""
    return Unavailable(
        "The database has been switched to another version of Prorata, but this one is still running. Nothing was "
        "changed; start the new version."
    )


def timestamp(moment: datetime) -> str:
    """Format a time as stored and shown: in UTC with milliseconds.

    An example is `2026-03-01T00:00:00.000Z`.
    """
    return moment.isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"


class Waited(Exception):
    """Raised if a lock could not be taken in the time set with `Tx.waiting_at_most`."""


class Deferred(Protocol):
    """A write left for the end of the work, or a task before it.

    Rows that many pieces of work change are written last, so that others wait for them no longer than a commit
    takes. A task that several steps of a piece of work request is done only once.
    """

    def write(self, tx: "Tx") -> None:
        """Do the deferred write."""
        ...


Later = TypeVar("Later", bound=Deferred)
Deed = tuple[str, Any, Any]
"""A changed record: its id, and its row before and after the change."""
Listener = Callable[["Tx", str, Verb, Sequence[Deed]], None]
"""A function that is called for each recorded change, in the transaction that makes it.

It receives the account, the verb and the changed records, and may defer writes to the end of the transaction.
"""


def nobody_listens(_tx: "Tx", _account_id: str, _verb: str, _changed: Sequence[Deed]) -> None:
    """Raise an error, because no change may be recorded in this database.

    This is the listener for work that records no changes, such as migrations.
    """
    raise AssertionError("a database in which changes are recorded is opened with somebody who hears of them")


class Tx:
    """A connection in use, which runs a piece of work's statements at one moment."""

    dialect: DialectName

    def __init__(self, clock: Clock, ids: IdSource, listener: Listener) -> None:
        self.moment = clock()
        self._clock = clock
        self._ids = ids
        self._listener = listener
        self._asked_for: dict[str, Deferred] = {}
        self._deferred: dict[str, Deferred] = {}
        self._going_in: RowsGoingIn | None = None

    @cached_property
    def now(self) -> str:
        """The transaction's time, in the form in which times are stored and shown."""
        return timestamp(self.moment)

    @cached_property
    def _milliseconds(self) -> int:
        return int(self.moment.timestamp() * 1000)

    def by_now(self) -> datetime:
        """Return the clock's present time; `moment` stays that of the transaction."""
        return self._clock()

    def tell(self, account_id: str, verb: Verb, changed: Sequence[Deed]) -> None:
        """Notify the database's listener of the same change to several records."""
        self._listener(self, account_id, verb, changed)

    def at_the_end(self, name: str, make: Callable[[], Later]) -> Later:
        """Return the deferred work with this name, which runs last.

        `make` makes it, unless an earlier call did.
        """
        deferred = self._deferred.setdefault(name, make())
        return cast("Later", deferred)

    def before_the_end(self, name: str, make: Callable[[], Later]) -> Later:
        """Return the deferred work of this name, made at the first call.

        The work runs once, before the end and before anybody reads the data that it changes (`catch_up`).
        """
        return cast("Later", self._asked_for.setdefault(name, make()))

    def catch_up(self) -> None:
        """Run the work that was requested for before the end.

        Call this before reading any data that the work changes.
        """
        while self._asked_for:
            self._asked_for.pop(min(self._asked_for)).write(self)

    def finish(self) -> None:
        """Run all deferred work and writes, before the engine commits."""
        self.catch_up()
        for name in sorted(self._deferred):
            self._deferred[name].write(self)
        self._deferred.clear()

    def next_moment(self) -> None:
        """Continue as if another piece of work began, with a later time.

        Nothing may be deferred at that point.
        """
        assert not self._asked_for | self._deferred, "what was left for the end is of another moment"
        self.moment = max(self._clock(), self.moment + timedelta(milliseconds=1))
        for cached in ("now", "_milliseconds"):
            self.__dict__.pop(cached, None)

    def new_id(self, prefix: str) -> str:
        """Make a new id, `prefix_…`, with the time of this piece of work."""
        return self._ids(prefix, self._milliseconds)

    def new_late_id(self, prefix: str) -> str:
        """Make a new id with the present time.

        After a wait for another transaction, this id sorts after all ids made by that transaction.
        """
        return self._ids(prefix, int(self._clock().timestamp() * 1000))

    def all(self, statement: Statement[Row], **values: Any) -> list[Row]:
        """Return every row of a statement."""
        return list(map(statement.row, self._run(statement, values)))

    def one(self, statement: Statement[Row], **values: Any) -> Row | None:
        """Return the first row of a statement, or None."""
        for row in self._run(statement, values):
            return statement.row(row)
        return None

    def pieces(self, asked: Asked[Row], size: int) -> Iterator[list[Row]]:
        """Yield the rows of a statement, `size` at a time.

        The rows are never all in memory. Within `Database.snapshot`, the work may run other statements between two
        such lists of rows.
        """
        for rows in self._run_in_pieces(asked.statement, asked.values, size):
            yield list(map(asked.statement.row, rows))

    @abstractmethod
    def run(self, statement: Statement[Any], **values: Any) -> int:
        """Run a statement that returns no rows, and return the number of rows changed."""

    @abstractmethod
    def run_many(self, statement: Statement[None], rows: Sequence[dict[str, Any]]) -> None:
        """Run a statement once for each of `rows`, all in one call.

        Without rows, do nothing.
        """

    def add_many(self, table: str, columns: Sequence[str], rows: Rows) -> None:
        """Insert many rows in the database's fastest way.

        Each of `rows` has the columns in order. The work may continue in the meantime; the next use of the database
        waits for the rows, and raises the error if inserting them failed.
        """
        if not rows:
            return
        if self._going_in is None:
            if are_few(columns, rows):
                self._add_rows(table, columns, rows)
                return
            self._going_in = RowsGoingIn(self._add_rows)
        self._going_in.add(table, columns, rows)

    def wait(self) -> None:
        """Wait for the rows being inserted.

        Raises the error if inserting them failed.
        """
        going_in = self._going_in
        if going_in is not None:
            going_in.wait()
            self._going_in = None  # not before: an interrupted caller still has to take the connection back
            if going_in.failed is not None:
                raise going_in.failed

    def take_back(self) -> None:
        """Take the connection back from the thread that inserts rows, dropping queued rows."""
        if self._going_in is not None:
            self._going_in.give_up()
            self._going_in = None

    def do(self, work: Callable[[Self], Result]) -> Result:
        """Run work, then everything that it deferred, and free the connection.

        The connection is freed even if the work raises.
        """
        try:
            result = work(self)
            self.finish()
            self.wait()
        finally:
            self.take_back()
        return result

    @abstractmethod
    def _add_rows(self, table: str, columns: Sequence[str], rows: Rows) -> None:
        """Insert rows over the connection at once, without waiting for others."""

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """Run a part of the work, and undo only that part if it raises.

        Anything that the part leaves for the end is undone with it; nothing may have been left for the end earlier.
        """
        assert not self._asked_for | self._deferred, "what was left for the end before can't be told apart"
        try:
            with self._part():
                yield
        except BaseException:
            self._asked_for.clear()
            self._deferred.clear()
            raise

    @abstractmethod
    def _part(self) -> AbstractContextManager[None]:
        """Run a part of the work, which the database undoes if it raises."""

    @abstractmethod
    def waiting_at_most(self, seconds: int) -> AbstractContextManager[None]:
        """Run a part of the work with a limited wait for locks.

        Raises `Waited` if it must wait longer for another transaction.
        """

    @abstractmethod
    def _run(self, statement: Statement[Any], values: dict[str, Any]) -> Iterable[Sequence[Any]]: ...

    @abstractmethod
    def _run_in_pieces(
        self, statement: Statement[Any], values: dict[str, Any], size: int
    ) -> Iterator[list[Sequence[Any]]]: ...


class Database(Protocol):
    """An open database. `close` closes the connections of the calling process."""

    dialect: DialectName
    clock: Clock

    @property
    def together(self) -> Callable[[], AbstractContextManager[None]] | None:
        """The block whose writes by the calling thread are committed together, all or nothing.

        A piece of work that raises is undone on its own. None if writers of this database don't wait for each other.
        """
        ...

    def read(self, work: Callable[[Tx], Result]) -> Result:
        """Run work that only reads."""
        ...

    def snapshot(self, work: Callable[[Tx], Result]) -> Result:
        """Run work that only reads, on one state of the database."""
        ...

    async def reading(self, work: Callable[[Tx], Result], *, at_once: bool) -> Result:
        """Run read-only work in the event loop's thread, which continues while the database works.

        The work runs like `snapshot` if `at_once` is set, and otherwise like `read`.
        """
        ...

    def write(self, work: Callable[[Tx], Result]) -> Result:
        """Run work in one transaction, and commit it.

        Raises `RuntimeError` if the thread is already inside another transaction: this one would wait for the other, or
        commit before the other ends.
        """
        ...

    def close(self) -> None:
        """Close every connection."""
        ...


def within_a_write() -> RuntimeError:
    """Build the error for work that begins within a write of the same thread."""
    return RuntimeError("a piece of work began within a write of its thread")


def tried_again(attempt: Callable[[], Result]) -> Result:
    """Run `attempt` until it does not raise `Busy`, at most `MOST_TRIES` times.

    Raises `Unavailable` if the last of these attempts raises `Busy` too.
    """
    for _ in range(MOST_TRIES):
        try:
            return attempt()
        except Busy:
            continue
    raise gone()


class _Rehearsed(Exception):
    """The exception that ends a rehearsal and undoes its transaction."""

    def __init__(self, result: object) -> None:
        super().__init__("a rehearsal has ended")
        self.result = result


def rehearse(database: Database, work: Callable[[Tx], Result]) -> Result:
    """Run work in its own transaction, as `Database.write` does, and always undo it."""

    def undone(tx: Tx) -> NoReturn:
        raise _Rehearsed(work(tx))

    try:
        database.write(undone)
    except _Rehearsed as ended:
        return cast("Result", ended.result)
