"""Requests that no well-behaved client would send, handed directly to the application."""

import asyncio
import json
from collections.abc import Iterable
from typing import Any, NamedTuple

from prorata.web.gateway import App


class Answered(NamedTuple):
    """The application's response, and the number of body pieces it had taken by then."""

    status: int
    headers: dict[str, str]
    body: bytes
    taken: int

    def json(self) -> Any:
        return json.loads(self.body)


def knock(
    app: App,
    method: str,
    path: str,
    *,
    headers: dict[str, str] | list[tuple[str, str]] | None = None,
    pieces: Iterable[bytes] = (b"",),
    query: bytes = b"",
    peer: str = "203.0.113.9",
    host: str | None = "127.0.0.1:8000",
    raw_path: bytes | None = None,
) -> Answered:
    """Send one request in the form in which a server hands it to the application.

    `path` is the path after decoding, and `raw_path` the path before it. `pieces` are the parts of the body, which may
    never end. If `host` is None, the request has no Host header except those in `headers`.
    """
    coming = iter(pieces)
    lines = [*(headers.items() if isinstance(headers, dict) else headers or ())]
    if host is not None:
        lines.insert(0, ("Host", host))
    sent: list[dict[str, Any]] = []
    taken = taken_then = 0
    scope = {
        "type": "http", "http_version": "1.1", "method": method, "scheme": "http", "path": path, "root_path": "",
        "raw_path": path.encode(errors="surrogateescape") if raw_path is None else raw_path, "query_string": query, "client": (peer, 50_000),
        "server": ("prorata.test", 80), "extensions": {},
        "headers": [(name.lower().encode(), value.encode("latin-1")) for name, value in lines],
    }  # fmt: skip

    async def receive() -> dict[str, Any]:
        nonlocal taken
        piece = next(coming, None)
        taken += piece is not None
        return {"type": "http.request", "body": piece or b"", "more_body": piece is not None}

    async def send(message: dict[str, Any]) -> None:
        nonlocal taken_then
        taken_then = taken if not sent else taken_then  # the rest is dropped once it is answered
        sent.append(message)

    asyncio.run(app(scope, receive, send))
    said = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    body = b"".join(message.get("body", b"") for message in sent[1:])
    return Answered(sent[0]["status"], said, body, taken_then)
