"""The lock that keeps a schema from being upgraded while servers use it.

On SQLite it is a file beside the database, on PostgreSQL an advisory lock. The operating system or PostgreSQL
releases the lock when its holder ends. A short command holds no lock: each of its writes checks the revision of the
schema, and so does each write of a server.
"""

import fcntl
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, LiteralString

from prorata.domain.jobs.recurrences import SERVER, Recurrence, every
from prorata.errors import Unavailable
from prorata.settings import SettingsError
from prorata.store.database.schema_state import SQLITE, gone

if TYPE_CHECKING:
    import psycopg

_ENDING = "-schema"
_KEY = int.from_bytes(b"Prorata", "big")
_SHARED: LiteralString = "SELECT pg_try_advisory_lock_shared(%s)"
_ALONE: LiteralString = "SELECT pg_try_advisory_lock(%s)"
_SECONDS_UNHEARD = 10
UNHEARD: dict[str, Any] = {
    "connect_timeout": 5,
    "tcp_user_timeout": _SECONDS_UNHEARD * 1000,
    "keepalives": 1,
    "keepalives_idle": _SECONDS_UNHEARD,
    "keepalives_interval": 2,
    "keepalives_count": 5,
}
"""The connection options that limit the wait for an unreachable PostgreSQL.

They apply to writes too, which have no other limit on the wait for a silent server. If there was nothing to send, the
wait may take twice as long.
"""
SECONDS_BETWEEN_LOOKS = 5.0
KEEPING_UPGRADES_OUT = Recurrence(
    "keep upgrades out",
    "takes the lock that blocks `prorata db upgrade` again, if the database was unavailable",
    f"{every(SECONDS_BETWEEN_LOOKS)}, on PostgreSQL",
    SERVER,
)
_SECONDS_TO_LET_GO = 1.0
_PATIENCE = 10.0
_SECONDS_BETWEEN_TRIES = 0.1
IN_USE = "Prorata is running on this database: `prorata serve` or `prorata worker`. Stop it first."
_CHANGING = "`prorata db upgrade` is upgrading the database. Start again once it has finished."


@contextmanager
def in_use(url: str, seconds_between_looks: float = SECONDS_BETWEEN_LOOKS) -> Iterator[None]:
    """Prevent upgrades of the schema while a server uses the database.

    On PostgreSQL, the connection that holds the lock is tested every `seconds_between_looks` seconds. Raises
    `SettingsError` if an upgrade is under way and does not end in time.
    """
    if url.startswith(SQLITE):
        with _file(url, fcntl.LOCK_SH, _CHANGING, _PATIENCE):
            yield
        return
    held, stop = [_connection(url, _SHARED, _CHANGING, _PATIENCE)], threading.Event()
    keeper = threading.Thread(target=_keep, args=(url, held, stop, seconds_between_looks), daemon=True)
    keeper.start()
    try:
        yield
    finally:
        stop.set()
        keeper.join(_SECONDS_TO_LET_GO)  # a thread that waits for a silent server ends with the process
        if not keeper.is_alive():
            held[0].close()


@contextmanager
def alone(url: str) -> Iterator[None]:
    """Prevent servers from starting while the schema changes.

    Raises `SettingsError` if a server is running.
    """
    if url.startswith(SQLITE):
        with _file(url, fcntl.LOCK_EX, IN_USE):
            yield
        return
    with _connection(url, _ALONE, IN_USE):
        yield


@contextmanager
def _file(url: str, kind: int, otherwise: str, patience: float = 0) -> Iterator[None]:
    path = Path(url.removeprefix(SQLITE))
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle = os.open(path.with_name(path.name + _ENDING), os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)

    def lock() -> bool:
        with suppress(BlockingIOError):
            fcntl.flock(handle, kind | fcntl.LOCK_NB)
            return True
        return False

    try:
        _insist(lock, otherwise, patience)
        yield
    finally:
        os.close(handle)


def _insist(lock: Callable[[], bool], otherwise: str, patience: float) -> None:
    deadline = time.monotonic() + patience
    while not lock():
        if time.monotonic() >= deadline:
            raise SettingsError(otherwise)
        time.sleep(_SECONDS_BETWEEN_TRIES)


def _connection(url: str, lock: LiteralString, otherwise: str, patience: float = 0) -> "psycopg.Connection[Any]":
    """Open a connection and take the lock with it; closing it releases the lock."""
    import psycopg  # noqa: PLC0415 - SQLite can do without

    with ExitStack() as opened:
        try:
            connection = opened.enter_context(closing(psycopg.connect(url, autocommit=True, **UNHEARD)))
            _insist(lambda: connection.execute(lock, (_KEY,)).fetchone() == (True,), otherwise, patience)
        except psycopg.OperationalError as failed:
            raise gone() from failed
        opened.pop_all()
        return connection


def _keep(url: str, held: "list[psycopg.Connection[Any]]", stop: threading.Event, seconds: float) -> None:
    """Test the connection that holds the lock; if it fails, take the lock again.

    The connection in `held` is tested every `seconds` until `stop` is set. While the lock is lost, the only
    protection of the schema is that each write checks the schema's revision.
    """
    import psycopg  # noqa: PLC0415 - as above

    while not stop.wait(seconds):
        try:
            held[0].execute("SELECT 1")
        except psycopg.Error:
            held[0].close()
            with suppress(Unavailable, SettingsError):  # still away, or the schema is being changed: try again
                held[0] = _connection(url, _SHARED, _CHANGING)
