"""PostgreSQL and Redis servers that the tests start for themselves.

They listen on private ports, run as an unprivileged user if the tests run as root, and use a directory that is removed
with them.

    with PostgresServer() as postgres:
        postgres.create_database("mine")
        postgres.url("mine")

The functions that find, place and end such a server are those of the benchmarks (`benchmarks.processes`). The processes
differ. The benchmarks pin and measure theirs, and stop them once. Those of the tests are killed as by a power cut and
come back on the same port and data; if their programs are missing, tests are skipped, or fail under CI.

A test that stops or kills a server starts one of its own: `PostgresServer(durable=True)` keeps fsync on, and its data
on disk.
"""

import contextlib
import fcntl
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn, Self

import psycopg
import pytest

from benchmarks import processes
from benchmarks.processes import end_with_parent, find_program, unprivileged_user

SECONDS_TO_START = 60
SECONDS_TO_STOP = 30
OWNED = "owned"
MEMORY = Path("/dev/shm")
LEAST_MEMORY = 2 << 30


def under_ci() -> bool:
    """True if no test may be skipped."""
    return os.environ.get("CI") == "true"


def missing(server: str, package: str) -> NoReturn:
    """Skip a test because a server's programs are missing; fail it under CI.

    The reason is given loudly.
    """
    reason = f"{server.upper()} IS NOT TESTED: its programs are not on this machine (Debian: apt-get install {package})"
    if under_ci():
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


def free_port() -> int:
    """Find a free port below those that the system gives to outgoing connections.

    So the port stays ours, and a server can come back to it.
    """
    return processes.free_port(20_000, 31_999)


def roomy_memory() -> Path | None:
    """The directory in memory, or None if it is too small or forbids programs.

    Copying a database took 10 ms in it, and up to 280 ms on a busy disk.
    """
    if not (MEMORY.is_dir() and os.access(MEMORY, os.W_OK)):
        return None
    is_usable = shutil.disk_usage(MEMORY).free >= LEAST_MEMORY and not os.statvfs(MEMORY).f_flag & os.ST_NOEXEC
    return MEMORY if is_usable else None


class ServerProcess:
    """The process of a server, and its directory.

    However the tests' process ends, the server ends with it.
    """

    def __init__(self, name: str, parent: Path | None = None) -> None:
        self.name = name
        self.user = unprivileged_user()
        # Root's own temporary directory may be closed to others; /tmp never is.
        parent = parent or Path("/tmp" if self.user else tempfile.gettempdir())
        _remove_what_was_left(parent, name)
        self.folder = Path(tempfile.mkdtemp(prefix=f"prorata-{name}-", dir=parent))
        self._owned = (self.folder / OWNED).open("w")
        fcntl.flock(self._owned, fcntl.LOCK_EX)
        self.log = self.folder / "log"
        self._process: subprocess.Popen[bytes] | None = None
        if self.user:
            os.chown(self.folder, self.user.pw_uid, self.user.pw_gid)

    @property
    def running(self) -> bool:
        """True if the server is up, according to its process."""
        return self._process is not None and self._process.poll() is None

    def _options(self) -> dict[str, object]:
        who = {"user": self.user.pw_uid, "group": self.user.pw_gid, "extra_groups": []} if self.user else {}
        # None of our own environment: PGHOST and its kind would lead the server's programs astray.
        environment = {"PATH": os.environ.get("PATH", os.defpath), "HOME": str(self.folder), "LC_ALL": "C"}
        return {"cwd": self.folder, "env": environment, "stdin": subprocess.DEVNULL, **who}

    def run(self, command: Sequence[str | Path]) -> None:
        """Run a program to its end as the server's user."""
        done = subprocess.run(command, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **self._options())
        assert done.returncode == 0, f"{command[0]} failed:\n{done.stdout.decode(errors='replace')}"

    def start(self, command: Sequence[str | Path], death_signal: signal.Signals) -> None:
        """Start the server's program.

        It gets `death_signal` if the tests' process dies without stopping it.
        """
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                command,
                stdout=log,
                stderr=subprocess.STDOUT,
                preexec_fn=lambda: end_with_parent(death_signal),  # noqa: PLW1509 - set after the change of user, which would clear it
                **self._options(),
            )

    def said(self) -> str:
        """Return the end of the server's log."""
        return self.log.read_text(errors="replace")[-4000:] if self.log.exists() else ""

    def stop(self, how: signal.Signals) -> None:
        """Ask the server to end, and kill it if it does not end in time."""
        if self._process is None:
            return
        self._process.send_signal(how)
        try:
            self._process.wait(SECONDS_TO_STOP)
        except subprocess.TimeoutExpired:
            self.kill()
        self._process = None

    def kill(self) -> None:
        """End the server and its children at once, as a power cut would."""
        if self._process is None:
            return
        children = _children(self._process.pid)
        self._process.kill()
        self._process.wait()
        for child in children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        _wait_until(lambda: not any(_alive(child) for child in children), lambda: f"{self.name} did not end")
        self._process = None

    def remove(self) -> None:
        """Remove the directory."""
        self._owned.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def _remove_what_was_left(parent: Path, name: str) -> None:
    """Remove the directories of test runs that were killed.

    Nobody holds the locks of these directories any more.
    """
    for folder in parent.glob(f"prorata-{name}-*"):
        with contextlib.suppress(OSError), (folder / OWNED).open() as owned:
            fcntl.flock(owned, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if time.time() - folder.stat().st_mtime > SECONDS_TO_START:
                shutil.rmtree(folder, ignore_errors=True)


def _children(pid: int) -> list[int]:
    listing = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(child) for child in listing.read_text().split()] if listing.exists() else []


def _alive(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def _wait_until(happened: Callable[[], bool], complaint: Callable[[], str]) -> None:
    deadline = time.monotonic() + SECONDS_TO_START
    while not happened():
        if time.monotonic() > deadline:
            raise TimeoutError(complaint())
        time.sleep(0.01)


class PostgresServer:
    """A PostgreSQL server of our own, with a foreign collation and time zone.

    They are foreign on purpose, to find programs that depend on either of them. The databases belong to the ordinary
    role `prorata`, which may create databases but do nothing more.
    """

    def __init__(self, *, durable: bool = False, max_connections: int = 200) -> None:
        self.port = free_port()
        self._connection: psycopg.Connection | None = None
        initdb, self._program = find_program("initdb"), find_program("postgres")
        if initdb is None or self._program is None:
            missing("PostgreSQL", "postgresql")
        fast = {} if durable else {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
        fast["autovacuum"] = "off"  # its workers, which are not ours to end, may be in a database that is dropped
        self._settings = fast | {
            "listen_addresses": "127.0.0.1",
            "max_connections": str(max_connections),
            "timezone": "Asia/Kathmandu",
            "wal_level": "minimal",
            "max_wal_senders": "0",
            "max_wal_size": "128MB",
            "dynamic_shared_memory_type": "mmap",
        }
        self._process = ServerProcess("postgres", None if durable else roomy_memory())
        self._data = self._process.folder / "data"
        foreign = ["--locale-provider=icu", "--icu-locale=en-US"]
        self._process.run(
            [initdb, "-D", self._data, "-U", "admin", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", *foreign]
        )

    def __enter__(self) -> Self:
        try:
            self.start()
            with psycopg.connect(self._url("admin", "postgres"), autocommit=True) as admin:
                admin.execute("CREATE ROLE prorata LOGIN CREATEDB")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.stop()
        finally:
            self._process.remove()

    def _url(self, role: str, database: str) -> str:
        return f"postgresql://{role}@127.0.0.1:{self.port}/{database}"

    def url(self, database: str) -> str:
        """The address of one of this server's databases."""
        return self._url("prorata", database)

    @property
    def running(self) -> bool:
        """True if the server is up."""
        return self._process.running

    @property
    def log(self) -> Path:
        """The log file of the server."""
        return self._process.log

    def start(self) -> None:
        """Start on the same port and data, and wait until the server answers.

        This also recovers the server after `kill`.
        """
        options = [word for name, value in self._settings.items() for word in ("-c", f"{name}={value}")]
        folder = self._process.folder
        command = [self._program, "-D", self._data, "-p", str(self.port), "-k", folder, *options]
        self._process.start(command, signal.SIGQUIT)
        _wait_until(self._answers, lambda: f"PostgreSQL does not answer:\n{self._process.said()}")

    def _answers(self) -> bool:
        assert self.running, f"PostgreSQL ended:\n{self._process.said()}"
        with contextlib.suppress(psycopg.OperationalError):
            psycopg.connect(self._url("admin", "postgres"), connect_timeout=5).close()
            return True
        return False

    def stop(self) -> None:
        """Stop the server in order, and end every connection."""
        self._forget_connection()
        self._process.stop(signal.SIGINT)

    def kill(self) -> None:
        """Stop the server as a power cut would: no process can finish anything."""
        self._forget_connection()
        self._process.kill()

    def _forget_connection(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _run(self, statement: str) -> None:
        if self._connection is None:
            self._connection = psycopg.connect(self.url("postgres"), autocommit=True)
        self._connection.execute(statement)

    def connect_as_admin(self, name: str) -> psycopg.Connection:
        """Connect to a database as its superuser, with each statement in its own transaction."""
        return psycopg.connect(self._url("admin", name), autocommit=True)

    def create_database(self, name: str, template: str = "template1") -> str:
        """Create a database as a copy of `template`, and return its address."""
        # Copying files was measured twice as fast as writing the copy to the log.
        self._run(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
        return self.url(name)

    def close_database(self, name: str) -> None:
        """Refuse connections to a database, so that it can be copied at any time."""
        self._run(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        self._run(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")

    def drop_database(self, name: str) -> None:
        """Drop a database, and end all connections to it."""
        if self.running:
            self._run(f"DROP DATABASE {name} WITH (FORCE)")


class RedisServer:
    """A Redis server of our own, which keeps nothing on disk."""

    def __init__(self) -> None:
        self.port = free_port()
        self._program = find_program("redis-server")
        if self._program is None:
            missing("Redis", "redis-server")
        self._process = ServerProcess("redis")

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.stop()
        finally:
            self._process.remove()

    @property
    def url(self) -> str:
        """The server's address."""
        return f"redis://127.0.0.1:{self.port}/0"

    @property
    def running(self) -> bool:
        """True if the server is up."""
        return self._process.running

    def start(self) -> None:
        """Start on the same port without data, and wait until the server answers."""
        folder = str(self._process.folder)
        options = ["--port", str(self.port), "--bind", "127.0.0.1", "--dir", folder, "--save", "", "--appendonly", "no"]
        self._process.start([self._program, *options], signal.SIGKILL)
        _wait_until(self._answers, lambda: f"Redis does not answer:\n{self._process.said()}")

    def _answers(self) -> bool:
        assert self.running, f"Redis ended:\n{self._process.said()}"
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=5) as probe:
            probe.sendall(b"PING\r\n")
            return probe.recv(5) == b"+PONG"
        return False

    def stop(self) -> None:
        """Stop the server in order."""
        self._process.stop(signal.SIGTERM)

    def kill(self) -> None:
        """Kill the server at once."""
        self._process.kill()
