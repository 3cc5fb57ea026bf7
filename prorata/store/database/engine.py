"""Both databases behind one interface: `read` and `write` run work on a `Tx`.

No package outside `store` commits. A write is one transaction, committed before `write` returns. If several writes
are committed together, none of their callers gets a result before the commit. After a deadlock or serialization
failure, the whole piece of work runs again. Reads are in autocommit.
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
    """The error for a deadlock or serialization failure; the transaction must be repeated."""


class Duplicate(Exception):
    """The error that a value is already in another row, although it must be unique."""


def too_busy() -> Unavailable:
    """Build the error for a caller that has waited too long for other writers."""
    return Unavailable("Too many changes are waiting at the moment. Nothing was changed; try again in a few seconds.")


def unknown() -> OutcomeUnknown:
    """Build the error for a lost connection that leaves the outcome of a commit unknown."""
    return OutcomeUnknown(
        "The database connection was lost at the last moment, so it is not known whether the change was made. Read "
        "the record again before you repeat the change, or repeat it with the same Idempotency-Key."
    )


def another_schema() -> Unavailable:
    """Build the error for a write to a database with another version's schema."""
    return Unavailable(
        "The database has been switched to another version of Prorata, but this one is still running. Nothing was "
        "changed; start the new version."
    )


def timestamp(moment: datetime) -> str:
    """Format a time as it is stored and shown: in UTC with milliseconds.

    An example is `2026-03-01T00:00:00.000Z`.
    """
    return moment.isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"


class Waited(Exception):
    """The error raised if a lock was not free within the time set with `Tx.waiting_at_most`."""


class Deferred(Protocol):
    """A write or task that is deferred to the end of a piece of work.

    Rows that many pieces of work change are written last, so that other transactions wait for them no longer than a
    commit takes. A task that several steps of a piece of work request is done only once.
    """

    def write(self, tx: "Tx") -> None:
        """Do the deferred write, as the last step of the piece of work."""
        ...


Later = TypeVar("Later", bound=Deferred)
Deed = tuple[str, Any, Any]
"""A changed record: its id, and its row before and after the change."""
Listener = Callable[["Tx", str, Verb, Sequence[Deed]], None]
"""A function that is called for each recorded change, in the transaction that makes it.

It receives the account, the verb and the changed records, and may defer writes to the end of the transaction.
"""


def nobody_listens(_tx: "Tx", _account_id: str, _verb: str, _changed: Sequence[Deed]) -> None:
    """Raise `AssertionError`, because this database was opened without a listener for changes.

    It takes the listener's place for work that records no changes, such as migrations.
    """
    raise AssertionError("A database in which changes are recorded must be opened with a listener.")


class Tx:
    """A connection that runs the statements of a piece of work, all with one timestamp."""

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
        """The time of this piece of work, in the form in which times are stored."""
        return timestamp(self.moment)

    @cached_property
    def _milliseconds(self) -> int:
        return int(self.moment.timestamp() * 1000)

    def by_now(self) -> datetime:
        """Return the clock's present time, not the time of this piece of work."""
        return self._clock()

    def tell(self, account_id: str, verb: Verb, changed: Sequence[Deed]) -> None:
        """Notify the database's listener that the action `verb` was applied to these records."""
        self._listener(self, account_id, verb, changed)

    def at_the_end(self, name: str, make: Callable[[], Later]) -> Later:
        """Return the deferred write with this name, to be done when the work ends.

        If no earlier call in this work has created it, `make` creates it.
        """
        deferred = self._deferred.setdefault(name, make())
        return cast("Later", deferred)

    def before_the_end(self, name: str, make: Callable[[], Later]) -> Later:
        """Return the deferred task with this name, which `make` creates at the first call.

        The task runs once: by `catch_up`, which is called before data that the task changes is read, or else when
        the work ends.
        """
        return cast("Later", self._asked_for.setdefault(name, make()))

    def catch_up(self) -> None:
        """Run the tasks that were deferred with `before_the_end`.

        Call this before reading any data that these tasks change.
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
        """Give the following statements a later time, as if another piece of work began.

        No write or task may be deferred when this is called.
        """
        assert not self._asked_for | self._deferred, "what was left for the end is of another moment"
        self.moment = max(self._clock(), self.moment + timedelta(milliseconds=1))
        for cached in ("now", "_milliseconds"):
            self.__dict__.pop(cached, None)

    def new_id(self, prefix: str) -> str:
        """Make a new id, `prefix_…`, that contains the time of this piece of work."""
        return self._ids(prefix, self._milliseconds)

    def new_late_id(self, prefix: str) -> str:
        """Make a new id that contains the present time, not the work's time.

        If this transaction has waited for another one, the new id sorts after all ids that the other one made.
        """
        return self._ids(prefix, int(self._clock().timestamp() * 1000))

    def all(self, statement: Statement[Row], **values: Any) -> list[Row]:
        """Return every row that a statement finds."""
        return list(map(statement.row, self._run(statement, values)))

    def one(self, statement: Statement[Row], **values: Any) -> Row | None:
        """Return the first row that a statement finds, or None if it finds none."""
        for row in self._run(statement, values):
            return statement.row(row)
        return None

    def pieces(self, asked: Asked[Row], size: int) -> Iterator[list[Row]]:
        """Yield the rows of a statement in lists of `size` rows.

        The rows are never all in memory. Within `Database.snapshot`, the work may run other statements between two of
        these lists.
        """
        for rows in self._run_in_pieces(asked.statement, asked.values, size):
            yield list(map(asked.statement.row, rows))

    @abstractmethod
    def run(self, statement: Statement[Any], **values: Any) -> int:
        """Run a statement that returns no rows, and return the number of rows changed."""

    @abstractmethod
    def run_many(self, statement: Statement[None], rows: Sequence[dict[str, Any]]) -> None:
        """Run a statement once for each of `rows`, in one call of the driver.

        If there are no rows, do nothing.
        """

    def add_many(self, table: str, columns: Sequence[str], rows: Rows) -> None:
        """Insert many rows in the way that is fastest for the database.

        Each of `rows` contains the values of `columns`, in their order. The caller may continue while the rows are
        being inserted. The next use of the database waits for the rows, and raises the error if inserting them failed.
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
        """Wait until all rows passed to `add_many` are inserted.

        Raises the error if inserting them failed.
        """
        going_in = self._going_in
        if going_in is not None:
            going_in.wait()
            self._going_in = None  # not before: an interrupted caller still has to take the connection back
            if going_in.failed is not None:
                raise going_in.failed

    def take_back(self) -> None:
        """Drop the queued rows, and return the connection to the caller from the inserting thread."""
        if self._going_in is not None:
            self._going_in.give_up()
            self._going_in = None

    def do(self, work: Callable[[Self], Result]) -> Result:
        """Run work, then everything that it deferred, and return the work's result.

        Afterwards, no other thread uses the connection, even if the work raises an error.
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
        """Insert rows over the connection at once, without waiting for rows queued before."""

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """Run the block as a part of the work that can be undone separately.

        If the block raises an exception, its changes are undone, and every write and task that it deferred is dropped.
        No write or task may have been deferred before the block.
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
        """Run the block as a part of the transaction, undone if the block raises."""

    @abstractmethod
    def waiting_at_most(self, seconds: int) -> AbstractContextManager[None]:
        """Run the block with a limited wait for locks.

        Raises `Waited` if a statement has to wait longer than `seconds` for another transaction.
        """

    @abstractmethod
    def _run(self, statement: Statement[Any], values: dict[str, Any]) -> Iterable[Sequence[Any]]: ...

    @abstractmethod
    def _run_in_pieces(
        self, statement: Statement[Any], values: dict[str, Any], size: int
    ) -> Iterator[list[Sequence[Any]]]: ...


class Database(Protocol):
    """An open database.

    `close` closes the connections of the calling process.
    """

    dialect: DialectName
    clock: Clock

    @property
    def together(self) -> Callable[[], AbstractContextManager[None]] | None:
        """A context manager within which the calling thread's writes are committed together.

        They are committed at the end of the block, all or none. A piece of work that raises an exception is undone
        without the others. The property is None if writers of this database don't wait for each other.
        """
        ...

    def read(self, work: Callable[[Tx], Result]) -> Result:
        """Run work that only reads, in which each statement may see newer data."""
        ...

    def snapshot(self, work: Callable[[Tx], Result]) -> Result:
        """Run work that only reads, and whose statements all see the same data."""
        ...

    async def reading(self, work: Callable[[Tx], Result], *, at_once: bool) -> Result:
        """Run read-only work in the event loop's thread without blocking the loop.

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
    """Build the error for work that begins while its thread is in another transaction."""
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
    """The exception with which `rehearse` rolls its transaction back; it carries the result."""

    def __init__(self, result: object) -> None:
        super().__init__("a rehearsal has ended")
        self.result = result


def rehearse(database: Database, work: Callable[[Tx], Result]) -> Result:
    """Run work in a transaction as `Database.write` does, roll it back, and return the result."""

    def undone(tx: Tx) -> NoReturn:
        raise _Rehearsed(work(tx))

    try:
        database.write(undone)
    except _Rehearsed as ended:
        return cast("Result", ended.result)
