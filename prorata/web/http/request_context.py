"""One request from its arrival to the response: common headers, a log line, and metrics."""

import re
import time
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from functools import cache
from os import urandom
from typing import Any

import structlog
from prometheus_client import Counter, Histogram
from structlog.contextvars import STRUCTLOG_KEY_PREFIX

from prorata.domain.callers import Person
from prorata.errors import Refusal
from prorata.store.accounts.api_keys import ApiKeyRow
from prorata.web.http.errors import Headers, about, error_body, error_headers
from prorata.web.http.operation_runner import Reply

Scope = dict[str, Any]
Message = dict[str, Any]
Send = Callable[[Message], Awaitable[None]]

REQUEST_ID: ContextVar[str] = ContextVar(f"{STRUCTLOG_KEY_PREFIX}request_id")
"""The id of the current request, which every line of its log carries."""
_REQUEST_ID_SENT = re.compile(rb"[A-Za-z0-9._-]{8,64}")
_BYTES_OF_AN_ID = 12
_NOSNIFF = (b"x-content-type-options", b"nosniff")
_NO_STORE = (b"cache-control", b"no-store")
"""The caching header of answers, including single reads.

The ETag of a single read is for programs that keep records themselves. Caches, in a browser or a proxy, must not store
people's names and debts. Little is lost, because a record is about a kilobyte.
"""
_ONLY_HTTPS = (b"strict-transport-security", b"max-age=31536000")
_log = structlog.get_logger("prorata.request")
_REQUESTS = Counter("prorata_requests", "Requests answered", ("operation", "status"))
_SECONDS = Histogram("prorata_request_seconds", "Time to answer", ("operation",))
SECONDS_FULL = Counter(
    "prorata_connections_waiting_seconds", "Seconds in which connections waited as this process held as many as it may"
)
LINES_LOST = Counter("prorata_log_lines_lost", "Lines of this process's log that could not be written")


def said_always(base_url: str) -> Headers:
    """Build the headers of every response: no type sniffing, and HSTS under https."""
    return [_NOSNIFF, _ONLY_HTTPS] if base_url.startswith("https://") else [_NOSNIFF]


class Visit:
    """One request: its sender, its operation, and the data for its log line.

    `key` or `person` is the sender, once known, and `operation` the name of the operation or page. `counted_as`
    identifies this request in the rate limiter, so that its count can be taken back. `path_to_log` replaces a path
    that contains a secret. `keeping` is the header that defines who may cache the response, by default nobody.
    `always` contains the headers of every response.
    """

    def __init__(self, scope: Scope, headers: dict[bytes, bytes], send: Send, always: Headers) -> None:
        self.scope = scope
        self.key: ApiKeyRow | None = None
        self.person: Person | None = None
        self.operation = "none"
        self.path_to_log: str | None = None
        self.headers: Headers = []
        self.counted_as = ""
        self.keeping = _NO_STORE
        self._always = always
        self.request_id = _request_id(headers.get(b"x-request-id"))
        self._send = send
        self._method: str = scope["method"]
        self._began = time.perf_counter()
        self._status = 0

    async def answer(self, reply: Reply) -> None:
        """Send a complete response: its status, headers and body."""
        await self.send({"type": "http.response.start", "status": reply.status, "headers": reply.headers})
        await self.send({"type": "http.response.body", "body": reply.body})

    async def send(self, message: Message) -> None:
        """Pass an ASGI message on: add the common headers, and omit the body for HEAD."""
        if message["type"] == "http.response.start":
            self._status = message["status"]
            message["headers"] = [
                *message.get("headers", ()), *self.headers, *self._always, self.keeping,
                (b"x-request-id", self.request_id.encode()),
            ]  # fmt: skip
        elif self._method == "HEAD":
            message = {**message, "body": b""}
        await self._send(message)

    async def refuse(self, refusal: Refusal) -> None:
        """Send a refusal as the response, unless a response was already started."""
        if not self._status:
            body = error_body(refusal)
            await self.answer(Reply(refusal.status, [*about(body), *error_headers(refusal)], body))

    def end(self) -> None:
        """Write the request's log line, and add the request to the metrics."""
        seconds = time.perf_counter() - self._began
        number, duration = _metrics(self.operation, self._status)
        number.inc()
        duration.observe(seconds)
        who = self.key or self.person
        _log.info(
            "request",
            method=self._method,
            path=self.path_to_log or self.scope["path"],
            operation=self.operation,
            status=self._status,
            milliseconds=float(f"{seconds * 1000:.1f}"),
            account=who.account_id if who else None,
            key=self.key.id if self.key else None,
            member=self.person.member_id if self.person else None,
        )


@cache
def _metrics(operation: str, status: int) -> tuple[Counter, Histogram]:
    """Return the counter for an operation and status, and the operation's histogram.

    They are cached, because finding them by their labels takes longer.
    """
    return _REQUESTS.labels(operation, status), _SECONDS.labels(operation)


def _request_id(sent: bytes | None) -> str:
    """Return the client's X-Request-Id, or a new one if it is missing or invalid.

    A valid one has 8 to 64 letters, digits, dots, dashes and underscores.
    """
    if sent is not None and _REQUEST_ID_SENT.fullmatch(sent):
        return sent.decode()
    return urandom(_BYTES_OF_AN_ID).hex()
