"""An unreliable connection to the service, which loses answers and refuses requests."""

import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal, Self

import httpx

Breaks = Literal["passes", "loses", "refuses"]


class BrokenLine:
    """A proxy that passes requests on to `url`, or breaks them as `breaks` says.

    The service carries out a request that is lost, but the answer never arrives.
    """

    def __init__(self, url: str, breaks: Callable[[str, int], Breaks]) -> None:
        self.got: list[tuple[str, str, str | None]] = []
        """Method, path and Idempotency-Key of each request."""
        line = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_one_request(self) -> None:
                try:
                    super().handle_one_request()
                except ConnectionError:
                    self.close_connection = True

            def pass_on(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                line.got.append((self.command, self.path, self.headers["Idempotency-Key"]))
                what = breaks(self.command, len(line.got))
                if what == "refuses":
                    self.say(
                        429,
                        [("Retry-After", "1")],
                        b'{"error": "Too many.", "code": "RATE_LIMIT_EXCEEDED", "status": 429}',
                    )
                    return
                left_out = {"host", "connection", "accept-encoding"}
                headers = [(name, value) for name, value in self.headers.items() if name.lower() not in left_out]
                answer = httpx.request(self.command, url + self.path, headers=headers, content=body, timeout=60)
                if what == "loses":
                    self.connection.close()
                    self.close_connection = True
                    return
                kept = {"content-length", "transfer-encoding", "connection", "content-encoding"}
                self.say(
                    answer.status_code, [one for one in answer.headers.items() if one[0] not in kept], answer.content
                )

            def say(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
                self.send_response(status)
                for name, value in headers:
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = pass_on  # noqa: N815

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


def once(what: Breaks, of: str) -> Callable[[str, int], Breaks]:
    """Break the first request with this method, and no other."""
    left = [of]

    def breaks(method: str, _number: int) -> Breaks:
        if method in left:
            left.remove(method)
            return what
        return "passes"

    return breaks
