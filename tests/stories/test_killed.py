"""Acknowledged writes survive a kill, and a full disk is a temporary 503."""

import os
import resource
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.cli.running import SECRET, Command, Server
from tests.web.conftest import MAPLE

WRITERS = 8
BUSY = 20.0
"""Seconds until a first write is answered, at the latest, on a machine that has much else to do."""
LIMITS = {"PRORATA_RATE_LIMIT_PER_MINUTE": "1000000", "PRORATA_RATE_LIMIT_PER_HOUR": "10000000"}


@pytest.fixture(params=["sqlite", "postgresql"])
def command(request: pytest.FixtureRequest, tmp_path: Path) -> Command:
    settings = dict(LIMITS)
    if request.param == "postgresql":
        settings["PRORATA_DATABASE_URL"] = request.getfixturevalue("migrated_postgresql_url")
        settings["PRORATA_SECRET_KEY"] = SECRET
    return Command(tmp_path, **settings)


def worker_processes(server: Server) -> Iterator[int]:
    """The server's process and all of its descendants, the server's first."""
    waiting = [server.process.pid]
    while waiting:
        pid = waiting.pop()
        yield pid
        for task in Path(f"/proc/{pid}/task").iterdir():
            waiting += map(int, (task / "children").read_text().split())


def kill_all(server: Server) -> None:
    for pid in list(worker_processes(server)):
        os.kill(pid, signal.SIGKILL)
    server.process.wait(10)


class Writer(threading.Thread):
    """A thread that adds units until the server is gone.

    It remembers the units that the server acknowledged.
    """

    def __init__(self, number: int, server: Server, key: str, property_id: str) -> None:
        super().__init__(daemon=True)
        self.number = number
        self.server = server
        self.headers = {"Authorization": f"Bearer {key}"}
        self.property_id = property_id
        self.acknowledged: list[str] = []

    def run(self) -> None:
        base = f"http://127.0.0.1:{self.server.port}/api/v1"
        with httpx.Client(headers=self.headers, timeout=20) as client:
            for place in range(10_000):
                try:
                    unit = {"label": f"{self.number}-{place}"}
                    answer = client.post(f"{base}/properties/{self.property_id}/units", json=unit)
                except httpx.HTTPError:
                    return
                if answer.status_code == 201:
                    self.acknowledged.append(answer.json()["id"])


def test_what_was_acknowledged_survives_a_kill_under_writers(command: Command) -> None:
    kill_under_writers(command, seconds=0.7)


@pytest.mark.soak
def test_what_was_acknowledged_survives_a_hundred_kills(command: Command) -> None:
    for turn in range(100):
        kill_under_writers(Command(command.folder / str(turn), **command.settings), seconds=0.2 + turn / 50, turn=turn)


def kill_under_writers(command: Command, seconds: float, turn: int = 0) -> None:
    """Kill a server while writers use it, and check that the acknowledged units are there.

    The writers write for `seconds` first, and every process of the server is killed.
    """
    email = f"ann-{turn}@example.com"
    command.account(email)
    key = command.key(email)
    headers = {"Authorization": f"Bearer {key}"}
    with command.serving() as server:
        created = httpx.post(f"http://127.0.0.1:{server.port}/api/v1/properties", json=MAPLE, headers=headers)
        property_id = created.json()["id"]
        writers = [Writer(number, server, key, property_id) for number in range(WRITERS)]
        for writer in writers:
            writer.start()
        begun = time.monotonic()
        while time.monotonic() < begun + seconds or (
            not any(writer.acknowledged for writer in writers) and time.monotonic() < begun + BUSY
        ):
            time.sleep(0.05)
        kill_all(server)
        for writer in writers:
            writer.join(20)
    acknowledged = {unit for writer in writers for unit in writer.acknowledged}
    assert acknowledged, "nothing was written before the kill"
    with command.serving() as server, httpx.Client(headers=headers) as client:
        base = f"http://127.0.0.1:{server.port}/api/v1/properties/{property_id}/units"
        there: set[str] = set()
        page = 1
        while found := client.get(base, params={"limit": 100, "page": page}).json()["data"]:
            there |= {unit["id"] for unit in found}
            page += 1
    assert acknowledged <= there
    assert len(there) <= len(acknowledged) + WRITERS, "at most one unanswered unit for each writer"
    command.ok("check")


def test_a_full_disk_is_a_503_and_passes(tmp_path: Path) -> None:
    command = Command(tmp_path, **LIMITS)
    command.account()
    key = command.key()
    headers = {"Authorization": f"Bearer {key}"}
    with command.serving() as server, httpx.Client(headers=headers, timeout=20) as client:
        base = f"http://127.0.0.1:{server.port}/api/v1/properties"
        first = client.post(base, json=MAPLE)
        assert first.status_code == 201
        allow_files_of(server, (command.data / "prorata.sqlite3-wal").stat().st_size)
        refused = client.post(base, json=MAPLE)
        assert refused.status_code == 503
        assert refused.json()["code"] == "SERVICE_UNAVAILABLE"
        assert int(refused.headers["Retry-After"]) > 0
        assert client.get(f"{base}/{first.json()['id']}").status_code == 200
        allow_files_of(server, resource.RLIM_INFINITY)
        assert client.post(base, json=MAPLE).status_code == 201
        assert client.get(base).json()["pagination"]["total"] == 2
    command.ok("check")


def allow_files_of(server: Server, size: int) -> None:
    """Limit the files of all server processes to `size` bytes, like a full disk."""
    for pid in worker_processes(server):
        _, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, hard))
