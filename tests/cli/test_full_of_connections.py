"""A log line and a metric tell that idle connections have filled a server."""

import json
import re
import subprocess
import sys
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from socket import create_connection, create_server

import httpx
import pytest

from prorata.adapters.listening import Listening
from tests.cli.running import Command
from tests.cli.test_serve import wait_until
from tests.servers import free_port

MOST = 8
SERVES = """
import sys
from prorata.cli.web_server import WebServer

if __name__ == "__main__":
    port, most = map(int, sys.argv[1:])
    WebServer("127.0.0.1", port, workers=1, certificate=None, most_connections=most).run(lambda: "")
"""
SECONDS = re.compile(r"^prorata_connections_waiting_seconds_total (\S+)$", re.MULTILINE)


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="only Linux tells how many connections wait")
def test_idle_connections_that_keep_everybody_out_are_logged_once_and_counted(on_sqlite: Command) -> None:
    on_sqlite.account()
    port = free_port()
    program = on_sqlite.folder / "serves.py"
    program.write_text(SERVES)
    log = on_sqlite.folder / "log"
    address = ("127.0.0.1", port)

    def seconds() -> float:
        with suppress(httpx.TransportError):
            return float(SECONDS.findall(httpx.get(f"http://127.0.0.1:{port}/metrics").text)[0])
        return -1

    with log.open("wb") as stderr:
        process = subprocess.Popen(
            [sys.executable, program, str(port), str(MOST)], env=on_sqlite.environment, stdout=stderr, stderr=stderr
        )
    try:
        wait_until(lambda: seconds() == 0)
        with ExitStack() as idle:
            for _ in range(2 * MOST):
                idle.enter_context(create_connection(address))
            time.sleep(5)
        wait_until(lambda: seconds() > 0)
    finally:
        process.terminate()
        process.wait(60)
    lines = [json.loads(line) for line in log.read_text().splitlines() if line.startswith("{")]
    (said,) = [line for line in lines if line["event"].startswith("this process holds as many connections")]
    assert said["level"] == "warning"
    assert said["waiting"] >= MOST


def test_connections_that_wait_are_counted_where_they_were_not_taken() -> None:
    with ExitStack() as opened:
        server = opened.enter_context(create_server(("127.0.0.1", 0)))
        listening = Listening()
        for number in range(3):
            assert listening.waiting() == number
            opened.enter_context(create_connection(server.getsockname()))
    assert listening.waiting() is None
