"""The measured servers, each on its own copy of the data: Prorata and its peers.

Prorata runs as in production.
"""

import http.client
import json
import os
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, Self

from benchmarks.data import KEY, SECRET
from benchmarks.databases import Copy
from benchmarks.places import BIN, PEERS, PEERS_BIN, WEB_PORTS
from benchmarks.processes import (
    ALL_CORES,
    Cores,
    Memory,
    Process,
    cpu_of,
    cpu_of_all,
    free_port,
    memory_of,
    seconds_since_begun,
    tree,
)

PRORATA, CONVENTIONAL, FLOOR, DATABASE = "prorata", "conventional", "floor", "database"
SERVERS = (PRORATA, CONVENTIONAL, FLOOR)
_NEVER_REFUSED = "1000000000"
_SECONDS_TO_ANSWER = 60


class Answer(NamedTuple):
    """A server's answer."""

    status: int
    body: Any


class Start(NamedTuple):
    """The seconds to the first answer, since the command and since its worker's start."""

    command: float
    worker: float


class Server:
    """A running server, whose `workers` are the processes that answer requests."""

    def __init__(
        self,
        name: str,
        copy: Copy,
        folder: Path,
        *,
        account: str,
        workers: int = 1,
        cores: Cores = ALL_CORES,
        redis_url: str | None = None,
    ) -> None:
        self.name = name
        self.copy = copy
        self.workers = workers
        self._port = free_port(*WEB_PORTS)
        self._connection: http.client.HTTPConnection | None = None
        folder.mkdir(exist_ok=True)
        environment = {"PATH": os.environ.get("PATH", os.defpath), "HOME": str(folder), "LANG": "C.UTF-8"}
        if name == PRORATA:
            command, more = _prorata(self._port, workers), _settings(copy, folder, redis_url)
        else:
            command = _conventional(self._port, workers) if name == CONVENTIONAL else _floor(self._port, workers)
            more = {"BENCH_DATABASE_URL": copy.url, "BENCH_ACCOUNT": account, "PYTHONPATH": str(PEERS)}
        self._process = Process(
            command, folder / f"{name}.log", cores=cores, environment=environment | more, folder=folder
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._connection is not None:
            self._connection.close()
        self._process.stop()

    @property
    def url(self) -> str:
        """The address of the server."""
        return f"http://127.0.0.1:{self._port}"

    def wait_for(self, path: str) -> Start:
        """Wait until a request is answered with 200, and return the seconds."""
        command = self._process.wait_until(lambda: self._answers(path), pause=0.002)
        return Start(command, min(seconds_since_begun(pid) for pid in self.busiest(1)))

    def _answers(self, path: str) -> bool:
        with suppress(OSError, http.client.HTTPException):
            status = self.ask("GET", path).status
            if status != 200:
                raise SystemExit(f"{self.name} answers {status} to {path}:\n{self._process.said()}")
            return True
        return False

    def ask(self, method: str, path: str, body: Any = None) -> Answer:
        """Send a request on a persistent connection; if that was closed, send it again."""
        try:
            return self._ask(method, path, body)
        except ConnectionError:
            return self._ask(method, path, body)

    def _ask(self, method: str, path: str, body: Any) -> Answer:
        if self._connection is None:
            self._connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=_SECONDS_TO_ANSWER)
        headers = {"Authorization": f"Bearer {KEY}"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        try:
            self._connection.request(method, path, None if body is None else json.dumps(body), headers)
            response = self._connection.getresponse()
            sent = response.read()
            is_json = response.headers.get_content_type() == "application/json"
            return Answer(response.status, json.loads(sent) if is_json else sent.decode(errors="replace"))
        except (OSError, http.client.HTTPException):
            self._connection.close()
            self._connection = None
            raise

    def timed(self, method: str, path: str, body: Any = None) -> float:
        """Send one request, and return the seconds to its answer."""
        begun = time.perf_counter()
        answer = self.ask(method, path, body)
        seconds = time.perf_counter() - begun
        if answer.status != 200:
            raise SystemExit(f"{self.name} answers {answer.status} to {method} {path}: {answer.body}")
        return seconds

    def said(self) -> str:
        """Return the end of the server's output."""
        return self._process.said()

    def cpu(self) -> float:
        """Return the server's seconds of CPU, with all its processes."""
        return cpu_of_all(tree(self._process.pid))

    def memory(self) -> Memory:
        """Return the maximum of its workers' memory, for each figure."""
        return Memory(*map(max, zip(*(memory_of(pid) for pid in self.busiest(self.workers)), strict=True)))

    def busiest(self, number: int) -> list[int]:
        """Find the workers: the processes that used the most CPU.

        This only works after requests.
        """
        used = cpu_of(tree(self._process.pid))
        if len(used) > number:
            used.pop(self._process.pid)
        return sorted(used, key=used.__getitem__)[-number:]


def _prorata(port: int, workers: int) -> list[str | Path]:
    return [BIN / "prorata", "serve", "--port", str(port), "--workers", str(workers)]


def _settings(copy: Copy, folder: Path, redis_url: str | None) -> dict[str, str]:
    """Build settings as in production, but with unlimited requests."""
    return {
        "PRORATA_DATA_DIR": str(folder / "data"),
        "PRORATA_DATABASE_URL": copy.url,
        "PRORATA_SECRET_KEY": SECRET,
        "PRORATA_RATE_LIMIT_PER_MINUTE": _NEVER_REFUSED,
        "PRORATA_RATE_LIMIT_PER_HOUR": _NEVER_REFUSED,
    } | ({"PRORATA_REDIS_URL": redis_url} if redis_url else {})


def _conventional(port: int, workers: int) -> list[str | Path]:
    return [
        PEERS_BIN / "uvicorn", "conventional.app:app", "--port", str(port), "--workers", str(workers),
        "--loop", "uvloop", "--http", "httptools", "--no-access-log", "--log-level", "warning",
    ]  # fmt: skip


def _floor(port: int, workers: int) -> list[str | Path]:
    return [
        PEERS_BIN / "granian", "floor:app", "--interface", "asgi", "--port", str(port), "--workers", str(workers),
        "--loop", "uvloop", "--no-ws", "--log-level", "warning",
    ]  # fmt: skip
