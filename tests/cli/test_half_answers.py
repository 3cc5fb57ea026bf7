"""The web server breaks the connection of an answer without an end.

Exports rely on it (docs/adr/0016).
"""

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from prorata.web.dashboard.kernel.page_dispatcher import WITHOUT_END
from tests.cli.test_serve import wait_until
from tests.servers import free_port

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
    """Yield the address of an application that answers completely, and incompletely at /half."""
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
