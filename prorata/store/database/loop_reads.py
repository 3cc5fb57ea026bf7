"""Synchronous work on PostgreSQL in an event loop's thread, without blocking the loop.

Work runs in a greenlet. Where psycopg would wait for its socket, the greenlet yields and the loop waits instead. Code
that reads the database is therefore written like all other code, and needs no other thread (docs/adr/0009).
"""

import asyncio
from collections import deque
from collections.abc import Callable
from contextvars import copy_context
from functools import cached_property
from typing import Any, TypeVar

import psycopg
from greenlet import getcurrent, greenlet
from psycopg.abc import PQGen
from psycopg.pq import TransactionStatus
from psycopg.waiting import Ready, Wait

from prorata.store.database.prepared_statements import PreparedStatements

Result = TypeVar("Result")
PATIENCE = 10.0
"""The maximum number of seconds to wait for a connection, and for each answer."""
_SECONDS_UNINTERRUPTED = 0.1


class Silent(psycopg.OperationalError):
    """The error that the PostgreSQL server did not answer in time.

    The connection is then closed, because a late answer could be mistaken for the answer to another statement.
    """


class PatientConnection(psycopg.Connection[Any]):
    """A connection that waits for the server at most `patience` seconds.

    If `patience` is None, it waits without limit.
    """

    patience: float | None = None

    @cached_property
    def prepared(self) -> PreparedStatements:
        """The statements prepared on this connection."""
        return PreparedStatements(self)

    def wait(
        self, gen: PQGen[Result], interval: float = _SECONDS_UNINTERRUPTED, timeout: float | None = None
    ) -> Result:
        """Run psycopg's generator `gen` to its end, waiting for the server when it must.

        Return its result. Raises `Silent` after a timeout.
        """
        if timeout is not None or self.patience is None:
            return super().wait(gen, interval, timeout)
        try:
            return super().wait(gen, interval, self.patience)
        except psycopg.OperationalError as failed:
            if self.pgconn.transaction_status != TransactionStatus.ACTIVE:
                raise
            self.close()
            raise Silent("the server is silent") from failed


class LoopConnection(PatientConnection):
    """A connection that lets the event loop run while it waits, if used inside `stepping_aside`."""

    _waiting: "asyncio.Future[Ready] | None" = None
    _watching: asyncio.AbstractEventLoop | None = None
    _socket = -1

    def wait(
        self, gen: PQGen[Result], interval: float = _SECONDS_UNINTERRUPTED, timeout: float | None = None
    ) -> Result:
        """Run psycopg's generator `gen` to its end, letting the event loop run.

        Return its result. Raises `Silent` after a timeout.
        """
        loop = getcurrent().parent
        if loop is None:
            return super().wait(gen, interval, timeout)
        try:
            state = next(gen)
            while True:
                state = gen.send(loop.switch(self, state))
        except StopIteration as end:
            result: Result = end.value
            return result
        except (asyncio.CancelledError, Silent):
            self.close()  # the pending answer would be taken for that of the next statement
            raise
        except psycopg.Error:
            self.unwatch()  # the socket may be closed by now, and its number soon reused
            raise

    async def ready(self, wait: int) -> Ready:
        """Wait until the socket is readable or writable.

        Raises `Silent` after `patience` seconds.
        """
        loop = asyncio.get_running_loop()
        waiting: asyncio.Future[Ready] = loop.create_future()
        self._waiting = waiting
        if self._watching is not loop:
            self._socket = self.pgconn.socket
            loop.add_reader(self._socket, self._readable)
            self._watching = loop
        if wait & Wait.W:
            loop.add_writer(self._socket, self._found, Ready.W)
        given_up = loop.call_later(self.patience or PATIENCE, _give_up, waiting)
        try:
            return await waiting
        finally:
            given_up.cancel()
            if wait & Wait.W:
                loop.remove_writer(self._socket)

    def _readable(self) -> None:
        """Wake the work that waits for data; if no work waits, stop watching the socket.

        If the answer to the end of a transaction is still missing, the socket is watched until the answer has arrived,
        even though no work waits for it.
        """
        if self._waiting is None or self._waiting.done():
            if not self._ends():
                self.unwatch()
        else:
            self._waiting.set_result(Ready.R)

    def _ends(self) -> bool:
        """True if the data received ends a transaction."""
        if not self.prepared.owes:
            return False
        try:
            self.prepared.settle()
        except psycopg.Error:
            return False  # the connection is lost, as its next user finds out
        return True

    def _found(self, state: Ready) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(state)

    def unwatch(self) -> None:
        """Stop watching the socket, because no work waits for data."""
        if self._watching is not None and not self._watching.is_closed():
            self._watching.remove_reader(self._socket)
        self._watching = None

    def close(self) -> None:
        """Close the connection, and stop watching its socket."""
        if not self.closed:
            self.unwatch()
        super().close()


def _give_up(waiting: "asyncio.Future[Ready]") -> None:
    if not waiting.done():
        waiting.set_exception(Silent("the server is silent"))


def _too_late(turn: "asyncio.Future[None]") -> None:
    if not turn.done():
        turn.set_exception(TimeoutError())


async def stepping_aside(work: Callable[[], Result]) -> Result:
    """Run work that reads over `LoopConnection`s, letting the event loop run while the work waits."""
    doing = greenlet(work)
    doing.gr_context = copy_context()
    wanted = doing.switch()
    while not doing.dead:
        connection, wait = wanted
        try:
            ready = await connection.ready(wait)
        except BaseException as failed:  # noqa: BLE001 - it is raised where the work waits
            wanted = doing.throw(failed)
        else:
            wanted = doing.switch(ready)
    result: Result = wanted
    return result


class LoopConnections:
    """The connections over which an event loop's thread reads the database.

    There are at most `most`. If all of them are in use, callers wait for one.
    """

    def __init__(self, connect: Callable[[], LoopConnection], most: int, patience: float = PATIENCE) -> None:
        self._connect = connect
        self._patience = patience
        self._free = most
        self._next: deque[asyncio.Future[None]] = deque()
        self._idle: list[LoopConnection] = []
        self._all: set[LoopConnection] = set()
        self.loop = asyncio.get_running_loop()

    async def take(self) -> LoopConnection:
        """Take a connection for a piece of work.

        Raises `TimeoutError` if none is free within `patience` seconds.
        """
        if self._free:
            self._free -= 1
        else:
            await self._turn()
        if self._idle:
            return self._idle.pop()
        connecting = self.loop.run_in_executor(None, self._connect)
        try:
            connection = await asyncio.shield(connecting)
        except BaseException:
            connecting.add_done_callback(self._not_wanted)
            raise
        connection.patience = self._patience
        self._all.add(connection)
        return connection

    def _not_wanted(self, connecting: asyncio.Future[LoopConnection]) -> None:
        """Close a connection that was opened for a caller that has stopped waiting."""
        if not connecting.cancelled() and connecting.exception() is None:
            connecting.result().close()
        self._let_next()

    async def _turn(self) -> None:
        """Wait until another caller gives a connection back.

        Raises `TimeoutError` if none does within `patience` seconds.
        """
        turn: asyncio.Future[None] = self.loop.create_future()
        self._next.append(turn)
        given_up = self.loop.call_later(self._patience, _too_late, turn)
        try:
            await turn
        except BaseException:
            if turn.done() and not turn.cancelled() and turn.exception() is None:
                self._let_next()  # it was ours at the very moment of the cancellation
            raise
        finally:
            given_up.cancel()

    def _let_next(self) -> None:
        while self._next:
            turn = self._next.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1

    def give_back(self, connection: LoopConnection) -> None:
        """Give a connection back for the next caller.

        If the connection was closed, the next caller opens a new one.
        """
        if connection.closed:
            self._all.discard(connection)
        else:
            self._idle.append(connection)
        self._let_next()

    def forget_idle(self) -> None:
        """Close the idle connections.

        The caller does so after a connection was lost, because the idle connections are then probably lost, too.
        """
        for connection in self._idle:
            connection.close()
            self._all.discard(connection)
        self._idle.clear()

    def close(self) -> None:
        """Close all connections, in use or idle."""
        for connection in self._all:
            connection.close()
        self._all.clear()
        self._idle.clear()
