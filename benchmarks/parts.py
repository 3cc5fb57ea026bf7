"""Where the processor time of one small read goes, in this process and without a server: `.venv/bin/python -m
benchmarks.parts`. Each figure is the best of five, in microseconds a request.
"""

import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import uvloop

from prorata import wiring
from prorata.actions import access, accounts, api_keys, properties
from prorata.adapters.limits_memory import MemoryLimiter
from prorata.adapters.logs import start_logging
from prorata.ports import Window
from prorata.settings import read_settings
from prorata.store.audit import Caller
from prorata.store.migrations import upgrade
from prorata.store.sqlite import SqliteDatabase
from prorata.web.api import OPERATIONS
from prorata.web.api.properties import shown
from prorata.web.app import create_app
from prorata.web.conditions import entity_tag
from prorata.web.encoding import encode
from prorata.web.limits import headers as limit_headers
from prorata.web.routing import Router
from prorata.web.visits import Visit
from prorata.wiring import processes

TIMES, ROUNDS = 2_000, 5
WINDOWS = (Window("minute", 10**9, 60), Window("hour", 10**9, 3600))


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder, Path("/dev/null").open("w", encoding="utf-8") as nowhere:
        print_to, sys.stderr = sys.stderr, nowhere  # the log is written as in production, and to nobody
        try:
            uvloop.run(measure(Path(folder)))
        finally:
            sys.stderr = print_to


async def measure(folder: Path) -> None:
    """Build an account with one property, read it through the whole application, then each part by itself."""
    settings = read_settings({"PRORATA_DATA_DIR": str(folder), "PRORATA_RATE_LIMIT_PER_MINUTE": str(10**9),
                              "PRORATA_RATE_LIMIT_PER_HOUR": str(10**9)})  # fmt: skip
    upgrade(settings.database_url)
    database = SqliteDatabase(wiring.sqlite_file(settings), lambda: datetime.now(UTC))
    hasher = wiring.hasher(settings)
    account = database.write(
        lambda tx: accounts.open_account(
            tx, name="Bench", email="bench@example.com", password_hash="-", timezone="UTC", locale="en", currency="USD"
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
    app = create_app(
        database=database, settings=settings, limiter=limiter, hasher=hasher, archive=wiring.archive(settings),
        printer=wiring.printer(), is_current=lambda: True,
    )  # fmt: skip
    processes.collect_seldom()
    path = f"/api/v1/properties/{property_id}"
    visitor = _visitor(app, path, key)
    await report("the whole of it, from the server's call to the last byte", visitor)
    row = database.read(lambda tx: access.property_(tx, caller, property_id))
    body = encode(shown(row))
    router = Router(OPERATIONS)
    visit = Visit(_scope(path, key), {}, _send)
    verdict = limiter.count("bench", WINDOWS)
    parts: list[tuple[str, Callable[[], Any]]] = [
        ("reading the row from SQLite", lambda: database.read(lambda tx: access.property_(tx, caller, property_id))),
        ("the answer as JSON", lambda: encode(shown(row))),
        ("its entity tag", lambda: entity_tag(body)),
        ("counting the request", lambda: limiter.count("bench", WINDOWS)),
        ("its RateLimit headers", lambda: limit_headers(WINDOWS, verdict)),
        ("finding the operation", lambda: router.find("GET", path.removeprefix("/api/v1"))),
        ("the line in the log, and the metrics", visit.end),
    ]
    for what, part in parts:
        await report(what, _as_awaited(part))
    database.close()


def _as_awaited(part: Callable[[], Any]) -> Callable[[], Awaitable[None]]:
    async def run() -> None:
        part()

    return run


def _visitor(app: Any, path: str, key: str) -> Callable[[], Awaitable[None]]:
    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def visit() -> None:
        await app(_scope(path, key), receive, _send)

    return visit


async def _send(_message: dict[str, Any]) -> None:
    pass


def _scope(path: str, key: str) -> dict[str, Any]:
    headers = [(b"host", b"127.0.0.1"), (b"authorization", f"Bearer {key}".encode())]
    return {"type": "http", "method": "GET", "path": path, "query_string": b"", "headers": headers, "client": None}


async def report(what: str, work: Callable[[], Awaitable[None]]) -> None:
    """Print the processor time of a piece of work."""
    best = float("inf")
    for _ in range(ROUNDS):
        began = time.process_time()
        for _ in range(TIMES):
            await work()
        best = min(best, (time.process_time() - began) / TIMES)
    print(f"{what:<60}{best * 1e6:7.1f}")


if __name__ == "__main__":
    main()
