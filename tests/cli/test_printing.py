"""`prorata serve` prints invoices in a process beside the one that answers requests.

The printing process is small, and ends with its server.
"""

import os
from pathlib import Path

import httpx
import pytest

from prorata.store.audit.audit import Caller
from tests.cli.running import Command, Server, children_of, ended
from tests.cli.test_serve import wait_until
from tests.landlord import Landlord, MovableClock, opened

PRINTS = b"prorata.adapters.printing.print_process"
MOST_MEGABYTES = 120
"""The memory that a worker may use after any printing, in megabytes (issue 3)."""


@pytest.fixture
def key(command: Command, url: str) -> str:
    """A key of an account that has invoices."""
    account_id = command.account()
    with opened(url, MovableClock()) as database:
        landlord = Landlord(database, MovableClock(), name="landlord")
        landlord.caller = Caller(account_id, "test")
        maple = landlord.property_()
        landlord.units(maple, "1", "2")
        landlord.bill(maple, 90_00)
    return command.key()


def _print(client: httpx.Client) -> bytes:
    invoice = client.get("/invoices").json()["data"][0]
    printed = client.get(f"/invoices/{invoice['id']}/pdf")
    assert printed.status_code == 200, printed.text
    return printed.content


def _printing(server: Server) -> dict[int, int]:
    """The printing processes, each with the process that started it and answers requests."""
    found = {}
    for worker in server.children():
        for child in children_of(worker):
            if PRINTS in Path(f"/proc/{child}/cmdline").read_bytes():
                found[child] = worker
    return found


def _megabytes(pid: int) -> float:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS:"))


def test_a_worker_stays_small_when_it_prints_and_its_printing_ends_with_it(
    command: Command, key: str, tmp_path: Path
) -> None:
    # `rich` comes with tools for developers; structlog would load it, and users don't have it.
    (tmp_path / "rich.py").write_text("raise ImportError('as for users')\n")
    command.settings["PYTHONPATH"] = f"{tmp_path}:{os.environ.get('PYTHONPATH', '')}"
    with command.serving() as server, server.client(key) as client:
        assert not _printing(server)
        for _ in range(20):
            assert _print(client).startswith(b"%PDF-")
        ((pid, worker),) = _printing(server).items()
        assert "typst" not in Path(f"/proc/{worker}/maps").read_text()
        assert _megabytes(worker) < MOST_MEGABYTES
        assert server.stop() == 0
        assert ended(pid)
        assert "Traceback" not in "".join(server.err)


def test_no_process_that_prints_outlives_a_server_that_was_killed(command: Command, key: str) -> None:
    with command.serving() as server:
        with server.client(key) as client:
            _print(client)
        ((pid, _),) = _printing(server).items()
        server.process.kill()
        server.process.wait()
        wait_until(lambda: ended(pid), seconds=60)  # it ends with its worker, which may take 30
