"""Tests of connections with answers that break off or come before the request ends.

An answer that does not come to its end breaks its connection, and exports rely on that (docs/adr/0016). An answer that
comes early reaches clients that send everything before they read.
"""

import asyncio
import http.client
import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from prorata.web.dashboard.kernel.page_dispatcher import WITHOUT_END
from prorata.web.http.body_limits import Arriving
from tests.cli.running import Command, Server
from tests.cli.test_serve import wait_until
from tests.servers import free_port

MB = 1024 * 1024
FORM, JSON = "multipart/form-data; boundary=b", "application/json"
APP = """
async def app(scope, receive, send):
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": scope["http_version"].encode(), "more_body": True})
        if scope["path"] != "/half":
            await send({"type": "http.response.body", "body": b""})
"""


@pytest.fixture
def address(tmp_path: Path) -> Iterator[tuple[str, int]]:
    """Yield the address of an application with complete answers, and an incomplete one at /half."""
    (tmp_path / "answers.py").write_text(APP)
    host, port = "127.0.0.1", free_port()
    options = ("--interface", "asgi", "--http", "1", "--host", host, "--port", str(port))
    command = [sys.executable, "-m", "granian", *options, "answers:app"]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def answers() -> bool:
        with suppress(httpx.TransportError):
            return httpx.get(f"http://{host}:{port}/").status_code == 200
        return False

    try:
        wait_until(answers)
        yield host, port
    finally:
        process.terminate()
        process.wait(30)


def test_an_answer_that_does_not_come_to_its_end_breaks_the_connection(address: tuple[str, int]) -> None:
    url = f"http://{address[0]}:{address[1]}"
    assert httpx.get(f"{url}/").text == "1.1"
    with pytest.raises(httpx.RemoteProtocolError):
        httpx.get(f"{url}/half")


def test_a_client_that_would_not_notice_is_known_by_its_version(address: tuple[str, int]) -> None:
    with socket.create_connection(address, timeout=30) as client:
        client.sendall(b"GET / HTTP/1.0\r\n\r\n")
        answer = b""
        while piece := client.recv(4096):
            answer += piece
    assert answer.partition(b"\r\n\r\n")[2].decode() in WITHOUT_END


@pytest.fixture
def served(on_sqlite: Command) -> Iterator[tuple[Server, str]]:
    """Yield a server and a key of an account in it."""
    on_sqlite.account()
    key = on_sqlite.key()
    with on_sqlite.serving() as server:
        yield server, key


def test_a_client_that_sends_everything_before_it_reads_gets_the_refusal(served: tuple[Server, str]) -> None:
    server, key = served
    for path, content_type, size, held, status in (
        ("/documents", FORM, 30 * MB, key, 413),
        ("/unit-imports/check", FORM, 6 * MB, key, 413),
        ("/bulk", JSON, 2 * MB, key, 413),
        ("/documents", FORM, 30 * MB, "wrong", 401),
        ("/nowhere", FORM, 30 * MB, key, 404),
    ):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        headers = {"Authorization": f"Bearer {held}", "Content-Type": content_type}
        for _ in range(2):  # once it is answered, the connection is free for the next request
            connection.request("POST", f"/api/v1{path}", b"x" * size, headers)
            answer = connection.getresponse()
            assert (answer.status, json.loads(answer.read())["status"]) == (status, status), path
        connection.close()


def test_a_client_that_waits_to_be_asked_for_its_body_is_not_asked(served: tuple[Server, str]) -> None:
    server, key = served
    head = (
        f"POST /api/v1/bulk HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nAuthorization: Bearer {key}\r\n"
        f"Content-Type: {JSON}\r\nContent-Length: {2 * MB}\r\nExpect: 100-continue\r\n\r\n"
    )
    began = time.monotonic()
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as client:
        client.sendall(head.encode())
        answer = b"".join(iter(lambda: client.recv(65_536), b""))  # up to its end: the server closes at once
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert time.monotonic() - began < 4


def dropped(*pieces: bytes | float, most: int = 100, seconds: float = 30, pause: float = 30) -> int:
    """Return the number of pieces received of a body.

    A number among the pieces is a pause in seconds.
    """
    left = list(pieces)

    async def receive() -> dict[str, Any]:
        piece = left.pop(0)
        if isinstance(piece, float):
            await asyncio.sleep(piece)
        return {"type": "http.request", "body": piece if isinstance(piece, bytes) else b"", "more_body": bool(left)}

    asyncio.run(Arriving(receive, {b"content-length": b"1000"}).drop_rest(most, seconds, pause))
    return len(pieces) - len(left)


def test_the_rest_of_a_body_is_received_within_limits() -> None:
    assert dropped(b"x" * 50, b"x" * 49, b"") == 3
    assert dropped(b"x" * 50, b"x" * 50, b"") == 2
    assert dropped(b"x", 20.0, b"x", pause=0.05) == 2
    assert dropped(b"x", 0.06, 0.06, 0.06, 0.06, b"x", seconds=0.1) < 5
