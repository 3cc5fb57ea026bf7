"""The gateway of every request: API key, limits, permission and routing.

It checks a request before looking for its route, so that the checks come in the order of
docs/decisions.md#order-of-checks: 400 for a host name that isn't the server's, then 401, 429 and 403, and only
then 404 for an unknown route.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial

from prorata.domain.accounts.permissions import may_key, needed_for
from prorata.errors import Forbidden, MethodNotAllowed, NotFound, RateLimited, Unauthorized
from prorata.ports import Limiter, Window
from prorata.store.audit.audit import Caller
from prorata.web.dashboard.kernel.page_dispatcher import Desk
from prorata.web.http.auth import FoundKey, Keys, Networks, client_address
from prorata.web.http.body_limits import Arriving, Receive
from prorata.web.http.compression import WORTH_PACKING, packed
from prorata.web.http.errors import Headers, as_refusal
from prorata.web.http.hosts import Hosts
from prorata.web.http.operation_runner import Kitchen, Request, serve
from prorata.web.http.operations import Operation
from prorata.web.http.provider_hooks import HOOKS, ProviderHooks
from prorata.web.http.rate_limit_headers import headers as limit_headers
from prorata.web.http.request_context import REQUEST_ID, Scope, Send, Visit
from prorata.web.http.routing import API, Router, routed
from prorata.web.http.scopes import ONLY_READS
from prorata.web.system_endpoints import Asked

App = Callable[[Scope, Receive, Send], Awaitable[None]]

_OF_API = API + "/"
_TOLD = ("GET", "HEAD")
_ROUTED_AS: dict[str, str] = {"HEAD": "GET", "OPTIONS": "none"}
"""The methods as which HEAD and OPTIONS are routed.

HEAD is GET without the body. No operation takes OPTIONS, because no browser of another site calls this API.
"""
INVALID_KEYS = (Window("minute", 300, 60),)
"""The limit of requests with an invalid key per client address.

See docs/decisions.md#rate-limits.
"""


@dataclass(frozen=True, slots=True)
class Guard:
    """The gateway's checks of a request's API key and rate limits."""

    keys: Keys
    limiter: Limiter
    windows: tuple[Window, ...]
    trusted_proxies: Networks

    async def admit(self, visit: Visit, headers: dict[bytes, bytes]) -> FoundKey:
        """Return the API key of a request, and count the request.

        The counts are added to the response's headers. Counting may take seconds with Redis, so the key is looked up
        again afterwards, in case it was revoked in the meantime. Raises `Unauthorized` if the key is not valid, and
        `RateLimited` after too many requests.
        """
        sent = headers.get(b"authorization")
        authorization = None if sent is None else sent.decode("latin-1")
        try:
            found_key = await self.keys.find(authorization)
        except Unauthorized:
            await self._count_invalid(visit, headers.get(b"x-forwarded-for", b"").decode("latin-1"))
            raise
        await self._count(visit, found_key.row.id, self.windows)
        return await self.keys.find(authorization)

    async def count_again(self, visit: Visit, key_id: str, requests: int) -> None:
        """Count an admitted request as several requests, instead of as one.

        The number counted is `requests`, but at most the lowest of the key's quotas. Raises `RateLimited` if the
        key has too few requests left.
        """
        if requests > 1:
            await self.limiter.take_back(key_id, self.windows, visit.counted_as)
            most = min(window.quota for window in self.windows)
            await self._count(visit, key_id, self.windows, min(requests, most))

    async def _count_invalid(self, visit: Visit, forwarded: str) -> None:
        peer = (visit.scope.get("client") or ("0.0.0.0",))[0]  # noqa: S104
        address = client_address(peer, forwarded, self.trusted_proxies)
        await self._count(visit, f"address {address}", INVALID_KEYS)
        visit.headers = []

    async def _count(self, visit: Visit, name: str, windows: tuple[Window, ...], requests: int = 1) -> None:
        verdict = await self.limiter.admit(name, windows, requests)
        visit.headers, visit.counted_as = limit_headers(windows, verdict), verdict.mark
        if not verdict.admitted:
            wait = verdict.retry_after
            raise RateLimited(f"Too many requests. Try again in {wait} seconds.", retry_after=wait)


class Door:
    """The ASGI application: the API's operations, the dashboard, and system endpoints.

    When the server stops and all requests are answered, the application calls `close`, which closes its resources.
    """

    def __init__(
        self,
        router: Router[Operation],
        kitchen: Kitchen,
        guard: Guard,
        hosts: Hosts,
        always: Headers,
        machines: Sequence[Asked],
        close: Callable[[], Awaitable[None]],
        desk: Desk | None = None,
        hooks: ProviderHooks | None = None,
    ) -> None:
        self._router = router
        self._kitchen = kitchen
        self._guard = guard
        self._hosts = hosts
        self._always = always
        self._machines = {asked.path.encode(): asked for asked in machines}
        self._close = close
        self._desk = desk
        self._hooks = hooks
        self._noting: set[asyncio.Task[None]] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or handle the messages about the server's start and end."""
        if scope["type"] != "http":
            await self._live(receive, send)
            return
        headers = _by_name(scope["headers"])
        visit = Visit(scope, headers, send, self._always)
        body = Arriving(receive, headers)
        REQUEST_ID.set(visit.request_id)
        try:
            path = scope["path"] = routed(scope["path"])
            asked = self._machines.get(scope.get("raw_path", b""))  # as sent: no other spelling gets past a proxy
            if asked is None or not asked.under_any_host:
                self._hosts.require(headers.get(b"host", b""))
            if asked is not None:
                await self._tell(visit, asked, headers)
            elif path == API or path.startswith(_OF_API):
                await self._answer(visit, headers, body)
            elif self._hooks and path.startswith(HOOKS):
                await self._hooks.answer(visit, headers, body)
            elif self._desk and self._desk.has(path, headers):
                await self._desk.answer(visit, headers, body)
            else:
                await visit.refuse(NotFound())
        except Exception as failed:  # noqa: BLE001
            await visit.refuse(as_refusal(failed))
        visit.end()
        await body.drop_rest()

    async def _live(self, receive: Receive, send: Send) -> None:
        """Handle the messages of ASGI's lifespan protocol, from the server's start to its end."""
        while (message := await receive())["type"] == "lifespan.startup":
            await send({"type": "lifespan.startup.complete"})
        if message["type"] == "lifespan.shutdown":
            await self._close()
            await send({"type": "lifespan.shutdown.complete"})

    async def _tell(self, visit: Visit, asked: Asked, headers: dict[bytes, bytes]) -> None:
        """Answer a request to a system endpoint."""
        if visit.scope["method"] not in _TOLD:
            raise MethodNotAllowed(_TOLD)
        visit.operation = asked.name
        await visit.answer(await asked.answer(headers))

    async def _answer(self, visit: Visit, headers: dict[bytes, bytes], receive: Receive) -> None:
        """Answer an API request: authenticate, authorize, route, and run the operation."""
        scope = visit.scope
        method: str = scope["method"]
        path: str = scope["path"]
        found_key = await self._guard.admit(visit, headers)
        visit.key = row = found_key.row
        if not may_key(row.permission, needed_for(method)) and not self._only_reads(method, path[len(API) :]):
            raise Forbidden(ONLY_READS)
        if self._guard.keys.is_due(found_key):
            self._note_use(found_key)
        operation, held = self._router.find(_ROUTED_AS.get(method, method), path[len(API) :])
        visit.operation = operation.name
        caller = Caller(row.account_id, row.id)
        confirm = self._guard.keys.confirming(found_key)
        count = partial(self._guard.count_again, visit, row.id)
        request = Request(caller, path, held, scope["query_string"], headers, receive, confirm, count, row.grant)
        visit.headers += operation.leaving.headers() if operation.leaving else []
        reply = await serve(operation, self._kitchen, request)
        if len(reply.body) >= WORTH_PACKING and all(name != b"etag" for name, _ in reply.headers):
            reply = await packed(reply, headers.get(b"accept-encoding", b""))
        await visit.answer(reply)

    def _only_reads(self, method: str, path: str) -> bool:
        """True if an operation stores nothing, although its requests have a body.

        Keys without write permission may call such an operation.
        """
        try:
            return self._router.find(method, path)[0].only_reads
        except (NotFound, MethodNotAllowed):
            return False

    def _note_use(self, key: FoundKey) -> None:
        task = asyncio.create_task(self._guard.keys.note_use(key))
        self._noting.add(task)
        task.add_done_callback(self._noting.discard)


def _by_name(sent: Sequence[tuple[bytes, bytes]]) -> dict[bytes, bytes]:
    """Return headers by lower-case name, with all values of repeated ones (RFC 9110 section 5.3).

    The values of a repeated header are joined by commas, except those of cookies, which HTTP/2 may send separately:
    they are joined by semicolons (RFC 9113 section 8.2.3).

    >>> _by_name([(b"cookie", b"guest=1"), (b"accept", b"a"), (b"accept", b"b"), (b"cookie", b"session=2")])
    {b'cookie': b'guest=1; session=2', b'accept': b'a, b'}
    """
    headers = dict(sent)
    if len(headers) < len(sent):
        headers = {}
        for name, value in sent:
            between = b"; " if name == b"cookie" else b", "
            headers[name] = headers[name] + between + value if name in headers else value
    return headers
