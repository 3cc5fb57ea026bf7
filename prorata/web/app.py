"""The ASGI application: the API's operations, its documentation, and what a machine asks of a server."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import cache
from typing import cast

from litestar import Litestar, Response, get
from litestar.handlers import HTTPRouteHandler
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest

from prorata.actions.api_keys import KeyHasher
from prorata.errors import Unavailable
from prorata.ports import Archive, InvoicePrinter, Limiter, Window
from prorata.settings import Settings
from prorata.store.engine import Database
from prorata.web.api import OPERATIONS
from prorata.web.auth import Keys
from prorata.web.dashboard import PAGES
from prorata.web.dashboard.desk import Desk
from prorata.web.dashboard.pages import Outside, Page
from prorata.web.docs import page as docs_page
from prorata.web.door import App, Door, Guard
from prorata.web.encoding import encode
from prorata.web.errors import answer_failure
from prorata.web.idempotency import InFlight
from prorata.web.job_metrics import jobs_in_numbers
from prorata.web.openapi import document
from prorata.web.pools import Pools
from prorata.web.routing import Router
from prorata.web.serving import API, Kitchen

_DOCS_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'"


def create_app(
    *,
    database: Database,
    settings: Settings,
    limiter: Limiter,
    hasher: KeyHasher,
    archive: Archive,
    printer: InvoicePrinter,
    is_current: Callable[[], bool],
    metrics: CollectorRegistry = REGISTRY,
    at_the_end: Callable[[], None] = lambda: None,
    outside: Outside | None = None,
    pages: Sequence[Page] = PAGES,
    pools: Pools | None = None,
) -> App:
    """The application over an open database. `is_current` says whether the database has the schema of this program;
    `metrics` is what /metrics shows, which for several workers is a registry that sums over them. When all requests are
    answered, what the application was given is closed, and `at_the_end` closes the rest; `outside` is what the pages of
    the dashboard need, without which there are none. `pools` are threads of another
    make.
    """
    pools = pools or Pools(database.dialect, together=database.together)
    kitchen = Kitchen(database, pools, archive, InFlight(), printer)

    @asynccontextmanager
    async def open_to_close(_app: Litestar) -> AsyncIterator[None]:
        yield
        pools.close()
        await limiter.close()
        at_the_end()
        database.close()

    litestar = Litestar(
        route_handlers=[
            *_machine_routes(database, pools, is_current, metrics),
            *_documentation(settings),
        ],
        exception_handlers={Exception: answer_failure},
        lifespan=[open_to_close],
        openapi_config=None,
        logging_config=None,
    )
    guard = Guard(
        keys=Keys(database, pools, hasher),
        limiter=limiter,
        windows=(
            Window("minute", settings.rate_limit_per_minute, 60),
            Window("hour", settings.rate_limit_per_hour, 3600),
        ),
        trusted_proxies=settings.trusted_proxies,
    )
    desk = Desk(database, pools, limiter, outside, pages) if outside else None
    return Door(cast("App", litestar), Router(OPERATIONS), kitchen, guard, desk)


def _machine_routes(
    database: Database, pools: Pools, is_current: Callable[[], bool], metrics: CollectorRegistry
) -> list[HTTPRouteHandler]:
    @get("/health")
    async def health() -> Response[bytes]:
        """The process is alive."""
        return Response(encode({"status": "ok"}), media_type="application/json")

    @get("/ready")
    async def ready() -> Response[bytes]:
        """The database can be reached and its schema is current."""
        if not await pools.check(is_current):
            raise Unavailable("The database is not on this program's schema. Run `prorata db upgrade`.", retry_after=30)
        return Response(encode({"status": "ready"}), media_type="application/json")

    @get("/metrics")
    async def prometheus() -> Response[bytes]:
        """Counters in the text format of Prometheus; those of jobs from the database, while it answers."""
        text = generate_latest(metrics) + await pools.check(lambda: jobs_in_numbers(database))
        return Response(text, media_type=CONTENT_TYPE_LATEST)

    return [health, ready, prometheus]


@cache
def _documents(base_url: str) -> tuple[bytes, bytes]:
    """The OpenAPI document, and its page; made when first asked for, so that no start waits for them."""
    described = document(OPERATIONS, base_url)
    return encode(described), docs_page(described).encode()


def _documentation(settings: Settings) -> list[HTTPRouteHandler]:
    @get(API + "/openapi.json")
    async def openapi() -> Response[bytes]:
        """The OpenAPI document."""
        return Response(_documents(settings.base_url)[0], media_type="application/json")

    @get("/docs")
    async def docs() -> Response[bytes]:
        """The OpenAPI document as a page to read, without scripts."""
        headers = {"Content-Security-Policy": _DOCS_POLICY}
        return Response(_documents(settings.base_url)[1], media_type="text/html", headers=headers)

    return [openapi, docs]
