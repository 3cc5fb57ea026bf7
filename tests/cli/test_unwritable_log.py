"""Everything else continues if the log can't be written.

Its disk may be full, or nobody reads its pipe.
"""

import json
import os
import re
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import IO

import httpx
import pytest

from tests.cli.running import Command, children_of
from tests.cli.test_mail_command import BILLS
from tests.cli.test_serve import HOUSE, wait_until
from tests.servers import free_port

LETTERS = 10
"""More than the background process has threads."""
LOST = re.compile(r"^prorata_log_lines_lost_total (\S+)$", re.MULTILINE)
MISSING = "lines of the log are missing here, as they could not be written"
LOSES_A_THREAD = """
import threading
import time
from prorata.wiring import processes

def fall():
    while not any(one.name == "leases" for one in threading.enumerate()):
        time.sleep(0.05)
    1 / 0

if __name__ == "__main__":
    threading.Thread(target=fall).start()
    processes.work()
"""


class Served:
    """A server with its log elsewhere, and a client of its account."""

    def __init__(self, process: "subprocess.Popen[str]", url: str, key: str) -> None:
        self.process = process
        self.url = url
        self.api = httpx.Client(base_url=f"{url}/api/v1", headers={"Authorization": f"Bearer {key}"}, timeout=60)

    def allow_files_of(self, size: int) -> None:
        """Let no process of the server write a file beyond `size` bytes.

        To the process, the disk seems full.
        """
        for pid in children_of(self.process.pid):
            _, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, hard))

    def lost(self) -> float:
        """The number of lost lines that the metric states."""
        (found,) = LOST.findall(httpx.get(f"{self.url}/metrics").text)
        return float(found)


@contextmanager
def logging_to(
    command: Command, stderr: IO[bytes] | int, stdout: IO[bytes] | int = subprocess.DEVNULL
) -> Iterator[Served]:
    command.account()
    key, port = command.key(), free_port()
    process = command.start("serve", "--port", str(port), stderr=stderr, stdout=stdout)
    served = Served(process, f"http://127.0.0.1:{port}", key)

    def answers() -> bool:
        try:
            return httpx.get(f"{served.url}/ready").status_code == 200
        except httpx.TransportError:
            return False

    try:
        wait_until(answers)
        yield served
    finally:
        served.api.close()
        process.terminate()
        process.wait(60)


@contextmanager
def full() -> Iterator[int]:
    with Path("/dev/full").open("wb") as device:
        yield device.fileno()


@contextmanager
def closed() -> Iterator[int]:
    """The end of a pipe that nobody reads."""
    reads, writes = os.pipe()
    os.close(reads)
    try:
        yield writes
    finally:
        os.close(writes)


@pytest.mark.parametrize("unwritable", [full, closed])
def test_mail_leaves_and_refusals_are_what_they_are_whatever_becomes_of_the_log(
    on_sqlite: Command, unwritable: Callable[[], AbstractContextManager[int]]
) -> None:
    on_sqlite.settings |= {"PRORATA_RATE_LIMIT_PER_MINUTE": "100000", "PRORATA_RATE_LIMIT_PER_HOUR": "100000"}
    with unwritable() as stderr, logging_to(on_sqlite, stderr, stdout=stderr) as served:
        api = served.api
        house = api.post("/properties", json=HOUSE).json()
        for number in range(LETTERS):
            unit = api.post(f"/properties/{house['id']}/units", json={"label": str(number)}).json()
            api.post(f"/units/{unit['id']}/tenants", json={"name": f"T {number}", "email": f"t{number}@example.org"})
        bills = on_sqlite.folder / "bills.csv"
        bills.write_text(BILLS, encoding="utf-8")
        on_sqlite.ok("bills", "import", bills, "--account", "ann@example.com")
        for invoice in api.get("/invoices").json()["data"]:
            api.patch(f"/invoices/{invoice['id']}", json={"status": "SENT"})

        def left() -> int:
            return [one["delivery"] for one in api.get("/invoices").json()["data"]].count("written")

        wait_until(lambda: left() == LETTERS)
        assert served.lost() > LETTERS
        assert api.get("/properties/prp_unknown").status_code == 404


def test_on_a_full_disk_that_has_the_log_too_writes_are_503_and_it_is_said_once_what_is_missing(
    on_sqlite: Command,
) -> None:
    log = on_sqlite.folder / "log"
    with log.open("wb") as stderr, logging_to(on_sqlite, stderr) as served:
        api = served.api
        assert api.post("/properties", json=HOUSE).status_code == 201
        served.allow_files_of(1)
        for _ in range(3):
            refused = api.post("/properties", json=HOUSE)
            assert (refused.status_code, refused.json()["code"]) == (503, "SERVICE_UNAVAILABLE")
            assert int(refused.headers["Retry-After"]) > 0
        assert api.get("/properties").json()["pagination"]["total"] == 1
        served.allow_files_of(resource.RLIM_INFINITY)
        missing = served.lost()
        assert api.post("/properties", json=HOUSE).status_code == 201
        assert missing == served.lost() >= 4
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    said = [line["lines"] for line in lines if line["event"] == MISSING]
    assert sum(said) >= missing
    assert len(said) <= 2, "once by each process"


def test_a_process_that_loses_a_thread_ends_and_says_so(on_sqlite: Command) -> None:
    on_sqlite.account()
    program = on_sqlite.folder / "work.py"
    program.write_text(LOSES_A_THREAD)
    process = subprocess.Popen([sys.executable, program], env=on_sqlite.environment, stderr=subprocess.PIPE)
    _, err = process.communicate(timeout=60)
    said = [json.loads(line)["event"] for line in err.splitlines()]
    assert process.returncode == 1
    assert said == ["worker started", "a thread is lost, so this process ends", "worker stopped"]
