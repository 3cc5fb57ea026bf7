"""Statements on a PostgreSQL connection without a cursor, prepared at first use.

psycopg's cursors are written in Python and take most of the time of a small read (benchmarks/notes.md). Parameters and
rows are still converted by psycopg's own code, so that the values are the same.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import psycopg
from psycopg import errors, generators
from psycopg.abc import Buffer, PQGen
from psycopg.adapt import PyFormat, Transformer
from psycopg.pq import ConnStatus, ExecStatus, Format, TransactionStatus
from psycopg.pq.abc import PGconn, PGresult
from psycopg.waiting import Ready, Wait

KEPT_PREPARED = 200
"""The number of statements that a connection keeps prepared.

Each prepared statement takes memory on the server, and few statements are used often.
"""
_SENT_TOGETHER = 200
NOTHING: Mapping[str, Any] = {}
_WELL = (ExecStatus.TUPLES_OK, ExecStatus.COMMAND_OK)
_PARAMETER = re.compile(r"%%|%\((\w+)\)s")

_Dumped = tuple[Sequence[Buffer | None], Sequence[Format] | None]
_Sent = tuple[bytes, _Dumped]
"""A statement to be sent: its name, and its values."""


class PreparedStatements:
    """The statements prepared on one connection, and those queued to be sent over it."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self._connection = connection
        self._opened = connection.pgconn
        self._names: dict[str, bytes] = {}
        self._adapting = Transformer(connection)
        self._beginning: bytes | None = None
        self._first: list[_Sent] = []
        """The statements to run immediately after the transaction begins."""
        self._unsent: list[_Sent] = []
        """The queued statements, which run before the next statement whose result is needed."""
        self.owes = False
        """True until the answer to the end of a transaction is received."""

    def rows(self, text: str, values: dict[str, Any]) -> list[tuple[Any, ...]]:
        """Return the rows of a statement.

        Raises psycopg's errors.
        """
        result = self._run(text, values)
        adapting = self._adapting
        adapting.set_pgresult(result)
        return adapting.load_rows(0, result.ntuples, tuple)

    def run(self, text: str, values: dict[str, Any]) -> int:
        """Run a statement and return the number of rows changed.

        Raises psycopg's errors.
        """
        return self._run(text, values).command_tuples or 0

    def run_many(self, text: str, several: Sequence[dict[str, Any]]) -> None:
        """Queue a statement that returns nothing, once for each of `several`.

        The queued statements are sent with the next statement whose result is needed, or at the commit, so that the
        work waits for the database only once. If one of them fails, its error is raised then, and the transaction has
        failed.
        """
        numbered, name = self._prepared(text)
        for values in several:
            self._unsent.append((name, self._dumped(numbered, values)))
            if len(self._unsent) == _SENT_TOGETHER:
                self.begun()

    def begin(self, command: bytes, first: str | None = None, values: Mapping[str, Any] = NOTHING) -> None:
        """Store the command that begins a transaction, to be sent with the first statement.

        `first` is a statement to be run immediately after the command, and `values` are its parameters. If this
        statement fails, the transaction has failed.
        """
        if first is not None:
            numbered, name = self._prepared(first)
            self._first = [(name, self._dumped(numbered, values))]
        self._beginning = command

    @property
    def is_idle(self) -> bool:
        """True if no transaction is open and no command to begin one is stored."""
        return self._beginning is None and self._opened.transaction_status == TransactionStatus.IDLE

    def begun(self) -> None:
        """Begin the transaction and run queued statements now, so that a cursor can be used.

        Raises psycopg's errors.
        """
        if self._beginning is not None or self._unsent:
            self._settled()
            self._run_together([])

    def commit(self) -> None:
        """Commit the transaction, unless no statement was run or queued since `begin`.

        Raises psycopg's errors, and `InFailedSqlTransaction` if the transaction was undone because a statement had
        failed.
        """
        if self._beginning is None or self._unsent:
            self._settled()
            if self._run_together([], then=b"COMMIT").command_status != b"COMMIT":
                raise errors.InFailedSqlTransaction("Nothing was committed, because an earlier statement had failed.")
        self.forget()

    def forget(self) -> None:
        """Drop the queued statements, because the transaction is undone."""
        self._beginning = None
        self._first = []
        self._unsent.clear()

    def end(self, command: bytes) -> None:
        """Send the command that ends a read-only transaction, if the transaction was begun at all.

        The answer is not awaited here; it is read before the next statement (`settle`).
        """
        if self._beginning is not None:
            self.forget()
            return
        self._opened.send_query(command)
        self.owes = True

    def settle(self) -> bool:
        """Read the part of the answer to a transaction's end that has arrived.

        Return True if the answer is complete.
        """
        if self.owes:
            self._opened.consume_input()
            while self.owes and not self._opened.is_busy():
                self.owes = self._opened.get_result() is not None
        return not self.owes

    def say(self, command: bytes) -> None:
        """Run a command, such as DEALLOCATE, that has neither parameters nor a result."""
        self._settled()
        self._opened.send_query(command)
        self._answer()

    def _settled(self) -> None:
        """Wait for the answer to a transaction's end, if it is still missing."""
        if not self.settle():
            self._connection.wait(generators.execute(self._opened))
            self.owes = False

    def _run(self, text: str, values: dict[str, Any]) -> PGresult:
        numbered, name = self._prepared(text)
        dumped = self._dumped(numbered, values)
        if self._beginning is not None or self._unsent:
            return self._run_together([(name, dumped)])
        self._opened.send_query_prepared(name, *dumped)
        return self._answer()

    def _run_together(self, statements: Sequence[_Sent], then: bytes | None = None) -> PGresult:
        """Send the queued statements, `statements` and the command `then` together, and wait once.

        Return the last answer. If a statement fails, the database does not run the statements after it, and its error
        is raised as psycopg's error.
        """
        opened, before, unsent = self._opened, self._beginning, [*self._first, *self._unsent]
        self.forget()
        opened.enter_pipeline_mode()
        try:
            if before is not None:
                opened.send_query_params(before, None)
            for name, dumped in (*unsent, *statements):
                opened.send_query_prepared(name, *dumped)
            if then is not None:
                opened.send_query_params(then, None)
            opened.pipeline_sync()
            answers = self._connection.wait(_answers(opened))
        except BaseException:
            self._connection.close()  # pending answers would be taken for those of other statements
            raise
        opened.exit_pipeline_mode()
        return [_well(answer) for answer in answers][-1]

    def _prepared(self, text: str) -> tuple["_Numbered", bytes]:
        """Return a statement with numbered parameters, and the name under which it is prepared.

        If the statement is not prepared yet, prepare it.
        """
        numbered = _numbered(text)
        self._settled()
        return numbered, self._names.get(text) or self.prepare(text)

    def _dumped(self, numbered: "_Numbered", values: Mapping[str, Any]) -> _Dumped:
        """Convert a statement's values for sending, in the order of its numbered parameters.

        Return the values, and whether each is sent as text or in binary format.
        """
        parameters = [values[name] for name in numbered.names]
        formats = numbered.formats  # a number as text takes the type that the statement says
        if bytes in map(type, parameters):
            formats = [PyFormat.BINARY if isinstance(parameter, bytes) else PyFormat.TEXT for parameter in parameters]
        adapting = self._adapting
        return adapting.dump_sequence(parameters, formats), adapting.formats

    def prepare(self, text: str) -> bytes:
        """Prepare a statement and return its name.

        If too many statements are prepared, all earlier ones are dropped first.
        """
        if len(self._names) >= KEPT_PREPARED:
            self.begun()
            self.say(b"DEALLOCATE ALL")
            self._names.clear()
        name = b"prorata_%d" % len(self._names)
        self._opened.send_prepare(name, _numbered(text).query)
        self._answer()
        self._names[text] = name
        return name

    def _answer(self) -> PGresult:
        return _well(self._connection.wait(generators.execute(self._opened))[-1])


def _well(result: PGresult) -> PGresult:
    if result.status not in _WELL:
        raise errors.error_from_result(result, encoding="utf-8")
    return result


def _answers(opened: PGconn) -> PQGen[list[PGresult]]:
    """Send the pending data, and return all of the server's answers."""
    answers: list[PGresult] = []
    while True:
        ready = yield Wait.RW if opened.flush() else Wait.R
        if not ready & Ready.R:
            continue
        opened.consume_input()
        while not opened.is_busy():
            result = opened.get_result()
            if result is None:
                if opened.status == ConnStatus.BAD:
                    raise psycopg.OperationalError("the connection was lost")
                continue
            if result.status == ExecStatus.PIPELINE_SYNC:
                return answers
            answers.append(result)


class _Numbered(NamedTuple):
    """A statement with numbered parameters, as the server expects them.

    `names` are the parameters' names in the order of the numbers.
    """

    query: bytes
    names: tuple[str, ...]
    formats: list[PyFormat]


@cache
def _numbered(text: str) -> _Numbered:
    """Convert psycopg's named parameters in a statement to the server's numbered ones.

    >>> _numbered("SELECT %(a)s::TEXT, %(b)s, %(a)s LIKE '5%%'").query
    b"SELECT $1::TEXT, $2, $1 LIKE '5%'"
    """
    names: dict[str, int] = {}

    def number(match: re.Match[str]) -> str:
        name = match[1]
        return "%" if name is None else f"${names.setdefault(name, len(names) + 1)}"

    query = _PARAMETER.sub(number, text)
    return _Numbered(query.encode(), tuple(names), [PyFormat.TEXT] * len(names))
