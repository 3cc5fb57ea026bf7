"""Endpoints that need no API key: health, metrics, and the API's description."""

from collections.abc import Awaitable, Callable
from functools import cache
from hmac import compare_digest
from typing import NamedTuple

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest

from prorata.errors import Unauthorized, Unavailable
from prorata.settings import Settings
from prorata.store.database.engine import Database
from prorata.web.api import OPERATIONS
from prorata.web.http.compression import gzipped, packed
from prorata.web.http.described.docs import page as docs_page
from prorata.web.http.described.openapi import document
from prorata.web.http.encoding import encode
from prorata.web.http.errors import about
from prorata.web.http.job_metrics import jobs_in_numbers
from prorata.web.http.operation_runner import Reply
from prorata.web.http.operations import JSON
from prorata.web.http.pools import Pools
from prorata.web.http.routing import API

Headers = dict[bytes, bytes]
_DOCS_POLICY = b"default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'"


class Asked(NamedTuple):
    """The path of a read-only system endpoint, and the function that answers its requests.

    If `under_any_host` is set, any Host header is accepted, because a monitoring program may reach the server by
    another address than users do.
    """

    name: str
    path: str
    answer: Callable[[Headers], Awaitable[Reply]]
    under_any_host: bool = False


def asked_of(
    database: Database, pools: Pools, is_current: Callable[[], bool], metrics: CollectorRegistry, settings: Settings
) -> tuple[Asked, ...]:
    """Build the endpoints for health, readiness, metrics, and the API's description."""

    async def health(_headers: Headers) -> Reply:
        """Answer that the process is alive."""
        return _reply(JSON, encode({"status": "ok"}))

    async def ready(_headers: Headers) -> Reply:
        """Answer that the database can be reached and has this program's schema.

        Raises `Unavailable` if the schema is a different one, or if the database doesn't answer.
        """
        if not await pools.check(is_current):
            raise Unavailable(
                "The database schema doesn't match this program's version. Run `prorata db upgrade`.", retry_after=30
            )
        return _reply(JSON, encode({"status": "ready"}))

    async def numbers(headers: Headers) -> Reply:
        """Answer with counters in Prometheus's text format.

        The counters of jobs are read from the database, and left out if it doesn't answer. Raises `Unauthorized` if a
        token is configured and the request doesn't contain it.
        """
        _require_token(settings.metrics_token, headers)
        text = generate_latest(metrics) + await pools.check(lambda: jobs_in_numbers(database))
        return _reply(CONTENT_TYPE_LATEST, text)

    async def openapi(headers: Headers) -> Reply:
        """Answer with the OpenAPI document."""
        return await _document(headers, JSON, _documents(settings.base_url)[0])

    async def docs(headers: Headers) -> Reply:
        """Answer with the OpenAPI document as a page without scripts."""
        policy = (b"content-security-policy", _DOCS_POLICY)
        return await _document(headers, "text/html; charset=utf-8", _documents(settings.base_url)[1], policy)

    return (
        Asked("health", "/health", health, under_any_host=True),
        Asked("ready", "/ready", ready, under_any_host=True),
        Asked("metrics", "/metrics", numbers),
        Asked("openapi", API + "/openapi.json", openapi),
        Asked("openapi", API + "/v1/openapi.json", openapi),  # with a second /v1 (docs/contract.md#versioning)
        Asked("docs", "/docs", docs),
    )


def _require_token(token: str | None, headers: Headers) -> None:
    """Raise `Unauthorized` if a token is configured and the request doesn't contain it.

    The tokens are compared in constant time.
    """
    scheme, _, sent = headers.get(b"authorization", b"").partition(b" ")
    if token and not (scheme.lower() == b"bearer" and compare_digest(sent.strip(), token.encode())):
        raise Unauthorized("Send the PRORATA_METRICS_TOKEN token in the header Authorization: Bearer <token>.")


class _Kept(NamedTuple):
    """A document that is kept in memory, both uncompressed and compressed."""

    body: bytes
    packed: bytes


@cache
def _documents(base_url: str) -> tuple[_Kept, _Kept]:
    """Build the OpenAPI document and its page on first request.

    They are not built when the server starts, so that it starts sooner.
    """
    described = document(OPERATIONS, base_url)
    plain, page = encode(described), docs_page(described).encode()
    return _Kept(plain, gzipped(plain)), _Kept(page, gzipped(page))


async def _document(headers: Headers, media: str, kept: _Kept, *more: tuple[bytes, bytes]) -> Reply:
    return await packed(_reply(media, kept.body, *more), headers.get(b"accept-encoding", b""), kept.packed)


def _reply(media: str, body: bytes, *more: tuple[bytes, bytes]) -> Reply:
    return Reply(200, [*about(body, media), *more], body)
