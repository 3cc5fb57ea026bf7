"""A receiver of webhooks on this machine, which answers as told.

It keeps the messages that it received.
"""

import ssl
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import IPv4Network
from pathlib import Path
from typing import Any, NamedTuple, Self

HERE = (IPv4Network("127.0.0.0/8"),)
"""The networks of the tests' receivers, as in `PRORATA_WEBHOOK_PRIVATE`."""
Answer = Callable[["Got", BaseHTTPRequestHandler], None]


class Got(NamedTuple):
    """A message as it was received."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]


def says(status: int, body: bytes = b"", **headers: str) -> Answer:
    """Answer with this status, body and headers."""

    def answer(_got: Got, handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    return answer


def waits(seconds: float) -> Answer:
    """Answer with success after some seconds."""

    def answer(got: Got, handler: BaseHTTPRequestHandler) -> None:
        time.sleep(seconds)
        says(204)(got, handler)

    return answer


def trickles(_got: Got, handler: BaseHTTPRequestHandler) -> None:
    """Answer one byte at a time, and never finish."""
    handler.send_response(200)
    handler.send_header("Content-Length", "1000000")
    handler.end_headers()
    try:
        for _ in range(1000):
            handler.wfile.write(b"x")
            handler.wfile.flush()
            time.sleep(0.05)
    except OSError:
        return  # whoever asked is gone


class Receiver:
    """A server that listens at `url` within a `with` block."""

    def __init__(self, answer: Answer | None = None, certificate: tuple[Path, Path] | None = None) -> None:
        self.answer = answer or says(204)
        self.got: list[Got] = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                got = Got(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
                receiver.got.append(got)
                receiver.answer(got, self)

            def log_message(self, *_: Any) -> None:
                return None

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._server.block_on_close = False
        self.port: int = self._server.server_address[1]
        if certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*certificate)
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self.url = f"http://127.0.0.1:{self.port}/hook"

    @property
    def ids(self) -> list[str]:
        return [got.id for got in self.got]

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
