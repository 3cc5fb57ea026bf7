"""The command in processes of its own, as an operator runs it."""

import os
import secrets
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import IO, Self

import httpx

from prorata import wiring
from prorata.actions.accounts import accounts, api_keys
from prorata.actions.overview.schedule import RECURRING
from prorata.settings import Settings, read_settings
from prorata.store.audit.audit import Caller
from prorata.store.database.schema_state import SQLITE
from tests.cli.forking import COMMAND, Forked, forkery
from tests.servers import free_port

SECRET = "a secret of the tests, and long enough"
PASSWORD = "correct horse"
SECONDS = 60


class Command:
    """The `prorata` command with its own working directory, data directory and settings."""

    def __init__(self, folder: Path, **settings: str) -> None:
        self.folder = folder
        self.data = folder / "data"
        self.settings = {"PRORATA_DATA_DIR": str(self.data)} | settings
        folder.mkdir(parents=True, exist_ok=True)

    @property
    def environment(self) -> dict[str, str]:
        return {"PATH": os.environ["PATH"], "HOME": str(self.folder), "LANG": "C.UTF-8"} | self.settings

    def start(self, *arguments: str | Path, **options: object) -> "subprocess.Popen[str]":
        """Start the command and leave it running."""
        return subprocess.Popen(
            [sys.executable, "-m", "prorata.cli", *map(str, arguments)],
            cwd=self.folder,
            env=self.environment,
            text=True,
            **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL} | options,
        )

    def run(self, *arguments: str | Path, says: str = "") -> "Done":
        """Run the command to its end, while a person types the text in `says`."""
        return Done(*forkery().run([*map(str, arguments)], self.folder, self.environment, says, SECONDS))

    def run_anew(self, *arguments: str | Path) -> "Done":
        """Run the command to its end in a newly started Python."""
        process = self.start(*arguments)
        try:
            out, err = process.communicate(timeout=SECONDS)
        except BaseException:
            process.kill()
            process.communicate()
            raise
        return Done(process.returncode, out, err)

    def ok(self, *arguments: str | Path) -> str:
        """Run a command that succeeds, and return its output."""
        done = self.run(*arguments)
        assert done.code == 0, done
        return done.out.strip()

    def refused(self, *arguments: str | Path, code: int = 1) -> str:
        """Run a command that fails with one sentence on stderr, and return the sentence."""
        done = self.run(*arguments)
        assert (done.code, done.out) == (code, ""), done
        assert done.err.count("\n") == 1, done
        assert "Traceback" not in done.err, done
        return done.err.strip()

    def account(self, email: str = "ann@example.com") -> str:
        """Make an account and return its id.

        It is made in this process, which is faster than with the command.
        """
        settings = self._read_settings()
        if settings.uses_sqlite and not self.data.exists():
            self.data.mkdir(mode=0o700)
            Path(settings.database_url.removeprefix(SQLITE)).write_bytes(_migrated())
        with wiring.made(settings) as database:
            row = database.write(
                lambda tx: accounts.open_account(
                    tx,
                    recurs=RECURRING,
                    name="Ann",
                    email=email,
                    password_hash="-",
                    timezone="UTC",
                    locale="en-US",
                    currency="USD",
                )
            )
        return row.id

    def key(self, email: str = "ann@example.com", permission: str = "FULL") -> str:
        """Make an API key of the account in this process, and return it."""
        settings = self._read_settings()
        with wiring.opened(settings) as database:
            _, key = database.write(
                lambda tx: api_keys.create(
                    tx,
                    Caller(accounts.find_account(tx, email).id, "test"),
                    name="tests",
                    permission=permission,
                    expires_at=None,
                    random_bytes=secrets.token_bytes(24),
                    hasher=wiring.hasher(settings),
                )
            )
        return key

    def _read_settings(self) -> Settings:
        return read_settings(self.settings, self.folder / "no.env")

    @contextmanager
    def serving(self, *options: str | Path) -> Iterator["Server"]:
        """Start a server of this data directory, and yield it once it answers.

        If it still runs at the end, it is killed.
        """
        port = free_port()
        words = ["serve", "--port", str(port), *map(str, options)]
        (out, to_out), (err, to_err) = os.pipe(), os.pipe()
        with (
            Path(os.devnull).open("rb") as nothing,
            os.fdopen(to_out, "wb") as theirs,
            os.fdopen(to_err, "wb") as complaints,
        ):
            process = forkery().start(COMMAND, words, self.folder, self.environment, (nothing, theirs, complaints))
        with Server(process, port, os.fdopen(out, encoding="utf-8"), os.fdopen(err, encoding="utf-8")) as server:
            yield server


@cache
def _migrated() -> bytes:
    """An embedded database without an account, made once because that takes 0.2 s."""
    with tempfile.TemporaryDirectory() as folder:
        settings = read_settings({"PRORATA_DATA_DIR": folder}, Path(folder) / "no.env")
        wiring.upgrade(settings)
        return Path(settings.database_url.removeprefix(SQLITE)).read_bytes()


class Done:
    """The result of a command."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    def __repr__(self) -> str:
        return f"code {self.code}\n--- stdout\n{self.out}\n--- stderr\n{self.err}"


class Server:
    """A running `prorata serve`."""

    def __init__(
        self, process: "subprocess.Popen[str] | Forked", port: int, out: IO[str] | None, err: IO[str] | None
    ) -> None:
        assert out is not None
        assert err is not None
        self.process = process
        self.port = port
        self._streams = (out, err)
        self.out: list[str] = []
        self.err: list[str] = []
        self._announced = threading.Event()
        self._readers = [
            threading.Thread(target=self._read, args=(out, self.out), daemon=True),
            threading.Thread(target=self._read, args=(err, self.err), daemon=True),
        ]

    def _read(self, stream: Iterator[str], into: list[str]) -> None:
        for line in stream:
            into.append(line)
            if into is self.out:
                self._announced.set()
        self._announced.set()

    def __enter__(self) -> Self:
        for reader in self._readers:
            reader.start()
        announced = self._announced.wait(SECONDS)
        if not announced or not self.out:
            self.__exit__()
            raise AssertionError(f"the server did not start:\n{''.join(self.err)}")
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(SECONDS)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        for reader in self._readers:
            reader.join(SECONDS)
        for stream in self._streams:
            stream.close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def client(self, key: str = "") -> httpx.Client:
        """A client that sends the key."""
        return httpx.Client(base_url=f"{self.url}/api/v1", headers={"Authorization": f"Bearer {key}"}, timeout=SECONDS)

    def stop(self) -> int:
        """Ask the server to stop, and return its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(SECONDS)

    def children(self) -> list[int]:
        """The child processes of the server."""
        return children_of(self.process.pid)


def children_of(pid: int) -> list[int]:
    """The child processes of a process."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        with suppress(FileNotFoundError, ProcessLookupError):  # a thread that has ended meanwhile
            found += map(int, (task / "children").read_text().split())
    return found


def ended(pid: int) -> bool:
    """True if a process has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True
