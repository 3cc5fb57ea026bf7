"""The ASGI application: API operations, dashboard, and system endpoints."""

from collections.abc import Callable, Sequence

from prometheus_client import REGISTRY, CollectorRegistry

from prorata.actions.accounts.api_keys import KeyHasher
from prorata.actions.webhooks.webhooks import Receivers
from prorata.ports import Archive, Limiter, Printer, Window
from prorata.settings import Settings
from prorata.store.database.engine import Database
from prorata.web.api import OPERATIONS
from prorata.web.dashboard import PAGES
from prorata.web.dashboard.kernel.page_dispatcher import Desk
from prorata.web.dashboard.kernel.pages import Outside, Page
from prorata.web.gateway import App, Door, Guard
from prorata.web.http.auth import Keys
from prorata.web.http.hosts import Hosts
from prorata.web.http.idempotency import InFlight
from prorata.web.http.operation_runner import Kitchen
from prorata.web.http.operations import Tools
from prorata.web.http.pools import Pools
from prorata.web.http.provider_hooks import ProviderHooks
from prorata.web.http.request_context import said_always
from prorata.web.http.routing import Router
from prorata.web.system_endpoints import asked_of
from prorata.web.tenant import TENANT_PAGES

EVERY_PAGE: tuple[Page, ...] = (*PAGES, *TENANT_PAGES)
"""All pages: the dashboard's for people who sign in, and tenants' pages."""


def create_app(
    *,
    database: Database,
    settings: Settings,
    limiter: Limiter,
    hasher: KeyHasher,
    archive: Archive,
    printer: Printer,
    receivers: Receivers,
    is_current: Callable[[], bool],
    metrics: CollectorRegistry = REGISTRY,
    at_the_end: Callable[[], None] = lambda: None,
    outside: Outside | None = None,
    pages: Sequence[Page] = EVERY_PAGE,
    pools: Pools | None = None,
    tools: Tools | None = None,
) -> App:
    """Build the ASGI application, which uses an open database.

    `receivers` are the tools to set up webhook endpoints. `is_current` returns True if the database has this
    program's schema. `metrics` is the registry that /metrics shows, summed over all workers. `outside` contains
    the tools of the dashboard's `pages`; if it is None, there is no dashboard. `pools` replaces the default thread
    pools, and `tools` those of API operations, which otherwise come from `outside`. When the server stops and all
    requests are answered, `pools`, `limiter` and `database` are closed, and `at_the_end` is called.
    """
    pools = pools or Pools(database.dialect, together=database.together)
    held = outside.mail_held if outside else None
    tools = tools or (tools_of(outside) if outside else None)
    kinds = outside.job_kinds if outside else dict
    kitchen = Kitchen(database, pools, archive, InFlight(), printer, receivers, hasher, held, tools, kinds)

    async def close() -> None:
        pools.close()
        await limiter.close()
        at_the_end()
        database.close()

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
    machines = asked_of(database, pools, is_current, metrics, settings)
    hooks = ProviderHooks(database, pools, outside.vault, outside.payment_events) if outside else None
    return Door(
        Router(OPERATIONS),
        kitchen,
        guard,
        Hosts(settings),
        said_always(settings.base_url),
        machines,
        close,
        desk,
        hooks,
    )


def tools_of(outside: Outside) -> Tools:
    """Select the dashboard's tools that API operations use as well."""
    return Tools(
        outside.read_table, outside.spreadsheets, outside.join, outside.charge_layouts, outside.named_files,
        outside.pack, outside.printer, outside.forms, outside.tenant_links, outside.inbox_address, outside.read_logo,
    )  # fmt: skip
