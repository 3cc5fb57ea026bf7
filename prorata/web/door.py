"""The door every request comes in by: request id, key, limits, permission; and one line in the log when it leaves.

It stands before the router, so that the checks come in the order of decisions section 2: 401, 429 and 403 before a
404 of an unknown route.
"""

import asyncio
import re
import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import structlog
from prometheus_client import Counter, Histogram
from structlog.contextvars import bound_contextvars

from prorata.errors import Forbidden, RateLimited, Refusal, Unauthorized
from prorata.ports import Limiter, Window
from prorata.store.api_keys import ApiKeyRow
from prorata.store.audit import Caller
from prorata.web.auth import FoundKey, Keys, Networks, client_address
from prorata.web.errors import JSON, Headers, as_refusal, error_body, error_headers
from prorata.web.limits import headers as limit_headers
from prorata.web.serving import API

Scope = dict[str, Any]
Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

_TWICE = API + "/v1/"
_WITHOUT_KEY = (API + "/openapi.json",)
_READS = ("GET", "HEAD", "OPTIONS")
_ROUTED_AS = {"HEAD": "GET", "OPTIONS": "none"}
"""HEAD is GET without the body. OPTIONS the router would answer itself: no browser of another site calls this API."""
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")
INVALID_KEYS = (Window("minute", 300, 60),)
"""Requests with an invalid key, per client address (decisions section 2)."""
_log = structlog.get_logger("prorata.request")
_REQUESTS = Counter("prorata_requests", "Requests answered", ("operation", "status"))
_SECONDS = Histogram("prorata_request_seconds", "Time to answer", ("operation",))


@dataclass(frozen=True, slots=True)
class Guard:
    """What is asked at the door: keys and limits. `limiter_waits` says that counting takes a network round trip."""

    keys: Keys
    limiter: Limiter
    limiter_waits: bool
    windows: tuple[Window, ...]
    trusted_proxies: Networks
    check: Callable[[Callable[[], Any]], Awaitable[Any]]

    async def admit(self, scope: Scope, headers: dict[bytes, bytes]) -> tuple[FoundKey, Headers]:
        """The key of a request, and the headers that say where it stands. Raises `Unauthorized`, `RateLimited`."""
        authorization = headers.get(b"authorization")
        try:
            found = await self.keys.find(None if authorization is None else authorization.decode("latin-1"))
        except Unauthorized:
            await self._count_invalid(scope)
            raise
        verdict = await self._admit(found.row.id, self.windows)
        said = limit_headers(self.windows, verdict)
        if not verdict.admitted:
            raise _TooMany(said, verdict.retry_after)
        return found, said

    async def _count_invalid(self, scope: Scope) -> None:
        peer = (scope.get("client") or ("0.0.0.0",))[0]  # noqa: S104
        forwarded = b",".join(value for name, value in scope["headers"] if name == b"x-forwarded-for").decode("latin-1")
        address = client_address(peer, forwarded, self.trusted_proxies)
        verdict = await self._admit(f"address {address}", INVALID_KEYS)
        if not verdict.admitted:
            raise _TooMany(limit_headers(INVALID_KEYS, verdict), verdict.retry_after)

    async def _admit(self, name: str, windows: tuple[Window, ...]) -> Any:
        if self.limiter_waits:
            return await self.check(lambda: self.limiter.admit(name, windows))
        return self.limiter.admit(name, windows)


class _TooMany(RateLimited):
    """A request over the limit, with the headers that say so."""

    def __init__(self, headers: Headers, retry_after: int) -> None:
        super().__init__(f"Too many requests. Try again in {retry_after} seconds.", retry_after=retry_after)
        self.headers = headers


class Door:
    """The ASGI application: `inner` behind the door."""

    def __init__(self, inner: App, guard: Guard) -> None:
        self._inner = inner
        self._guard = guard
        self._noting: set[asyncio.Task[None]] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or pass the application's start and end on."""
        if scope["type"] != "http":
            await self._inner(scope, receive, send)
            return
        headers = dict(scope["headers"])
        visit = _Visit(scope, send, _request_id(headers))
        with bound_contextvars(request_id=visit.request_id):
            try:
                await self._answer(visit, headers, receive)
            except Exception as failed:  # noqa: BLE001
                await visit.refuse(as_refusal(failed))
            visit.end()

    async def _answer(self, visit: "_Visit", headers: dict[bytes, bytes], receive: Receive) -> None:
        scope = visit.scope
        path = scope["path"] = _routed(scope["path"])
        if (path == API or path.startswith(API + "/")) and path not in _WITHOUT_KEY:
            found, visit.headers = await self._guard.admit(scope, headers)
            visit.key = row = found.row
            if row.permission == "READ" and scope["method"] not in _READS:
                raise Forbidden("This API key may only read. Use a key with FULL permission to make changes.")
            scope["caller"] = Caller(row.account_id, row.id)
            if self._guard.keys.is_due(found):
                self._note_use(found)
        scope["method"] = _ROUTED_AS.get(scope["method"], scope["method"])
        await self._inner(scope, receive, visit.send)

    def _note_use(self, found: FoundKey) -> None:
        task = asyncio.create_task(self._guard.keys.note_use(found))
        self._noting.add(task)
        task.add_done_callback(self._noting.discard)


class _Visit:
    """One request from coming in to going out."""

    def __init__(self, scope: Scope, send: Send, request_id: str) -> None:
        self.scope = scope
        self.key: ApiKeyRow | None = None
        self.headers: Headers = []
        self._send = send
        self.request_id = request_id
        self._method = scope["method"]
        self._began = time.perf_counter()
        self._status = 0

    async def send(self, message: Message) -> None:
        """Pass an answer on, with the headers that every answer has."""
        if message["type"] == "http.response.start":
            self._status = message["status"]
            message["headers"] = [
                *message.get("headers", ()), *self.headers, (b"x-request-id", self.request_id.encode())
            ]  # fmt: skip
        elif self._method == "HEAD":
            message = {**message, "body": b""}
        await self._send(message)

    async def refuse(self, refusal: Refusal) -> None:
        """Answer with a refusal, unless an answer has begun."""
        if self._status:
            return
        body = error_body(refusal)
        own = refusal.headers if isinstance(refusal, _TooMany) else error_headers(refusal)
        headers = [(b"content-type", JSON), (b"content-length", b"%d" % len(body)), *own]
        await self.send({"type": "http.response.start", "status": refusal.status, "headers": headers})
        await self.send({"type": "http.response.body", "body": body})

    def end(self) -> None:
        """Write the request's one line in the log, and count it."""
        seconds = time.perf_counter() - self._began
        operation = self.scope.get("operation", "none")
        _REQUESTS.labels(operation, self._status).inc()
        _SECONDS.labels(operation).observe(seconds)
        _log.info(
            "request",
            request_id=self.request_id,
            method=self._method,
            path=self.scope["path"],
            operation=operation,
            status=self._status,
            milliseconds=f"{seconds * 1000:.1f}",
            account=self.key.account_id if self.key else None,
            key=self.key.id if self.key else None,
        )


def _routed(path: str) -> str:
    """A path as the router takes it: without empty segments, and without the second /v1 of some paths of the contract.

    >>> _routed("/api//v1/v1/properties/")
    '/api/v1/properties'
    """
    path = "/" + "/".join(segment for segment in path.split("/") if segment)
    return API + path[len(API) + 3 :] if path.startswith(_TWICE) else path


def _request_id(headers: dict[bytes, bytes]) -> str:
    """The client's X-Request-Id when it is a plain token of 8 to 64 characters, else a new one."""
    sent = headers.get(b"x-request-id", b"").decode("latin-1")
    return sent if _REQUEST_ID.fullmatch(sent) else secrets.token_hex(12)
