"""The CPU time of one small read by stage, in this process, without a server.

Run it with `.venv/bin/python -m benchmarks.parts`. Each figure is the best of five, in microseconds per request. The
stages follow each other and make up the whole; an indented one is a part of the stage above it. A stage that is
repeated alone finds its code in the processor's cache, so all stages in sequence cost more than their sum. The program
measures that, too.
"""

import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import uvloop

from prorata import wiring
from prorata.actions.accounts import access, accounts, api_keys
from prorata.actions.overview.schedule import RECURRING
from prorata.actions.properties import properties
from prorata.actions.webhooks.webhooks import Receivers
from prorata.adapters.limits_memory import MemoryLimiter
from prorata.adapters.logs import start_logging
from prorata.domain.accounts.scopes import EVERYTHING
from prorata.ports import Window
from prorata.settings import read_settings
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.database.sqlite import SqliteDatabase
from prorata.store.migrations import upgrade
from prorata.store.properties.properties import PropertyRow
from prorata.store.webhooks.event_outbox import note_deeds
from prorata.web.api import OPERATIONS
from prorata.web.api.properties.properties import shown
from prorata.web.app import create_app
from prorata.web.gateway import Guard
from prorata.web.http.auth import Keys
from prorata.web.http.encoding import encode
from prorata.web.http.etags import entity_tag
from prorata.web.http.idempotency import InFlight
from prorata.web.http.operation_runner import Kitchen, Reply, Request, serve
from prorata.web.http.pools import Pools
from prorata.web.http.rate_limit_headers import headers as limit_headers
from prorata.web.http.request_context import REQUEST_ID, Scope, Visit, said_always
from prorata.web.http.routing import API, Router
from prorata.wiring import processes

TIMES, ROUNDS = 2_000, 5
WINDOWS = (Window("minute", 10**9, 60), Window("hour", 10**9, 3600))


def main() -> None:
    """Measure all stages and print the results."""
    with tempfile.TemporaryDirectory() as folder, Path("/dev/null").open("w", encoding="utf-8") as nowhere:
        print_to, sys.stderr = sys.stderr, nowhere  # the log is written as in production, but discarded
        try:
            uvloop.run(measure(Path(folder)))
        finally:
            sys.stderr = print_to


async def measure(folder: Path) -> None:
    """Measure a read of an account's only property, first as a whole, then by parts."""
    settings = read_settings({"PRORATA_DATA_DIR": str(folder), "PRORATA_RATE_LIMIT_PER_MINUTE": str(10**9),
                              "PRORATA_RATE_LIMIT_PER_HOUR": str(10**9)})  # fmt: skip
    upgrade(settings.database_url)
    database = SqliteDatabase(wiring.sqlite_file(settings), lambda: datetime.now(UTC), listener=note_deeds)
    hasher = wiring.hasher(settings)
    account = database.write(
        lambda tx: accounts.open_account(
            tx,
            recurs=RECURRING,
            name="Bench",
            email="bench@example.com",
            password_hash="-",
            timezone="UTC",
            locale="en",
            currency="USD",
        )
    )
    caller = Caller(account.id, "bench")
    new = properties.NewProperty("Bench", "1", "Main Street", "Springfield", "IL", "62701", "US")
    property_id = database.write(lambda tx: properties.create(tx, caller, new)).id
    key: str = database.write(
        lambda tx: api_keys.create(
            tx, caller, name="bench", permission="READ", expires_at=None, random_bytes=bytes(24), hasher=hasher
        )
    )[1]
    start_logging()
    limiter = MemoryLimiter()
    receivers = Receivers(wiring.vault(settings), lambda _host: ())
    app = create_app(
        database=database, settings=settings, limiter=limiter, hasher=hasher, archive=wiring.archive(settings),
        printer=wiring.printer(), receivers=receivers, is_current=lambda: True,
    )  # fmt: skip
    processes.collect_seldom()
    path = f"/api/v1/properties/{property_id}"
    visitor = _visitor(app, path, key)
    await report("the whole of it, from the server's call to the last byte", visitor)
    pools = Pools("sqlite")
    kitchen = Kitchen(database, pools, wiring.archive(settings), InFlight(), wiring.printer(), receivers, hasher)
    guard = Guard(Keys(database, pools, hasher), limiter, WINDOWS, ())
    stages = _Stages(database, kitchen, guard, caller, property_id, _scope(path, key))
    await stages.report(limiter)
    pools.close()
    database.close()


class _Stages:
    """A read in the stages of the gateway (`prorata/web/gateway.py`)."""

    def __init__(
        self, database: SqliteDatabase, kitchen: Kitchen, guard: Guard, caller: Caller, property_id: str, scope: Scope
    ) -> None:
        self._database = database
        self._kitchen = kitchen
        self._guard = guard
        self._scope = scope
        self._headers = dict(scope["headers"])
        self._property_id = property_id
        self._caller = caller
        self._router = Router(OPERATIONS)
        self._routed = scope["path"].removeprefix(API)
        self._operation, self._held = self._router.find("GET", self._routed)
        self._visit = self.begun()

    def begun(self) -> Visit:
        """Return a request that has come in."""
        visit = Visit(self._scope, self._headers, _send, said_always(""))
        REQUEST_ID.set(visit.request_id)
        return visit

    async def admitted(self) -> None:
        """Check the key of the request, and count the request."""
        await self._guard.admit(self._visit, self._headers)

    async def served(self) -> Reply:
        """Carry out the request, and return the reply."""
        count = partial(self._guard.count_again, self._visit, "bench")
        request = Request(
            self._caller,
            self._scope["path"],
            self._held,
            b"",
            self._headers,
            _nothing_comes,
            lambda _tx: None,
            count,
            EVERYTHING,
        )
        return await serve(self._operation, self._kitchen, request)

    async def asked(self) -> PropertyRow:
        """Query the database as the event loop does."""
        return await self._database.reading(self._find, at_once=False)

    def _find(self, tx: Tx) -> PropertyRow:
        return access.property_(tx, self._caller, self._property_id)

    async def report(self, limiter: MemoryLimiter) -> None:
        """Measure each stage, and its parts."""
        await self.admitted()
        reply, row = await self.served(), await self.asked()
        answer = shown(row)
        verdict = limiter.count("bench", WINDOWS)
        self._visit.headers = limit_headers(WINDOWS, verdict)
        await report("its headers, its id, its time", _as_awaited(self.begun))
        await report("its key, and whether it is within its limits", self.admitted)
        await report("    counting it in two windows", _as_awaited(lambda: limiter.count("bench", WINDOWS)))
        await report("    what the RateLimit headers say", _as_awaited(lambda: limit_headers(WINDOWS, verdict)))
        await report("finding the operation", _as_awaited(lambda: self._router.find("GET", self._routed)))
        await report("the operation: its query, its work, its answer", self.served)
        await report("    the database", self.asked)
        await report("        the row alone", _as_awaited(lambda: self._database.read(self._find)))
        await report("    the answer as JSON", _as_awaited(lambda: encode(answer)))
        await report("    its entity tag", _as_awaited(lambda: entity_tag(reply.body)))
        await report("its headers and body, sent", lambda: self._visit.answer(reply))
        await report("the line in the log, and the metrics", _as_awaited(self._visit.end))
        await report("all of these stages, one after the other", self._all)

    async def _all(self) -> None:
        self._visit = self.begun()
        await self.admitted()
        self._router.find("GET", self._routed)
        await self._visit.answer(await self.served())
        self._visit.end()


async def _nothing_comes() -> dict[str, Any]:
    return {"type": "http.request", "body": b"", "more_body": False}


def _as_awaited(part: Callable[[], Any]) -> Callable[[], Awaitable[Any]]:
    async def run() -> None:
        part()

    return run


def _visitor(app: Any, path: str, key: str) -> Callable[[], Awaitable[None]]:
    async def visit() -> None:
        await app(_scope(path, key), _nothing_comes, _send)

    return visit


async def _send(_message: dict[str, Any]) -> None:
    pass


def _scope(path: str, key: str) -> dict[str, Any]:
    headers = [(b"host", b"127.0.0.1"), (b"authorization", f"Bearer {key}".encode())]
    return {"type": "http", "method": "GET", "path": path, "query_string": b"", "headers": headers, "client": None}


async def report(what: str, work: Callable[[], Awaitable[Any]]) -> None:
    """Print the CPU time of a piece of work."""
    best = float("inf")
    for _ in range(ROUNDS):
        began = time.process_time()
        for _ in range(TIMES):
            await work()
        best = min(best, (time.process_time() - began) / TIMES)
    print(f"{what:<60}{best * 1e6:7.1f}")


if __name__ == "__main__":
    main()
