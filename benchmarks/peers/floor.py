"""The practical limit of Python: a bare ASGI application over the raw driver.

SQL and JSON are written by hand. The application checks nothing: it has no keys, limits, validation or log. Granian
serves it, as it serves Prorata.
"""

import asyncio
import fcntl
import gc
import json
import os
import secrets
import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from functools import cache
from json.encoder import encode_basestring as quoted
from typing import Any

import asyncpg
import statements
from statements import for_sqlite

ACCOUNT = os.environ["BENCH_ACCOUNT"]
URL = os.environ["BENCH_DATABASE_URL"]
_CONNECTIONS = 8
_WRITERS = 2
"""More at once only wait for one another: the counts of an account are one row."""
_JSON = (b"content-type", b"application/json")
Row = Sequence[Any]


class Sqlite:
    """SQLite, called directly, because a read takes less time than a hop to a thread."""

    def __init__(self, file: str) -> None:
        self._connection = sqlite3.connect(file, isolation_level=None, cached_statements=64)
        for setting in (
            "journal_mode=WAL",
            "synchronous=FULL",
            "foreign_keys=ON",
            "cache_size=-32768",
            "mmap_size=4000000000",
        ):
            self._connection.execute(f"pragma {setting}")
        self._lock = os.open(file + "-floor", os.O_CREAT | os.O_RDWR)
        self._months = for_sqlite(statements.MONTHS)
        self._property = for_sqlite(statements.PROPERTY)
        self._charges = for_sqlite(statements.CHARGES_SQLITE)
        self._one = for_sqlite(statements.ONE_INVOICE)
        self._was, self._change, self._month, self._count, self._note = map(
            for_sqlite,
            (statements.WAS, statements.CHANGE, statements.COUNT_IN_MONTH, statements.COUNT, statements.NOTE),
        )

    async def property(self, property_id: str) -> Row:
        return self._connection.execute(self._property, (ACCOUNT, property_id)).fetchone()

    async def page(self, limit: int, offset: int, *of_property: str) -> list[Row]:
        run, until = self._connection.execute, ()
        if offset > statements.FAR and not of_property:
            month, offset = statements.begins_in(run(self._months, (ACCOUNT,)), offset)
            until = (month,)
        text = _page_sqlite(limit, bool(of_property), bool(until))
        return run(text, (ACCOUNT, offset, *of_property, *until)).fetchall()

    async def charges(self, invoice_ids: list[str]) -> list[Row]:
        return self._connection.execute(self._charges, (ACCOUNT, json.dumps(invoice_ids))).fetchall()

    async def change(self, invoice_id: str, status: str, now: str) -> Row:
        run = self._connection.execute
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        try:
            run("begin immediate")
            property_id, month, was, total, received = run(self._was, (ACCOUNT, invoice_id)).fetchone()
            paid = status == "PAID"
            more = 0 if was == status else 1 if paid else -1
            now_received = total if paid else 0
            run(
                self._change,
                (ACCOUNT, invoice_id, status, now_received, now if paid else None, "paid" if paid else "pending", now),
            )
            run(self._month, (ACCOUNT, property_id, month, -more, more, now_received - received))
            for key in ((property_id, ""), ("", month), ("", "")):
                run(self._count, (ACCOUNT, *key, -more, more))
            event = (ACCOUNT, _event_id(), now, f"set invoice {status}", invoice_id, property_id, was, status)
            run(self._note, event)
            run("commit")
        finally:
            fcntl.flock(self._lock, fcntl.LOCK_UN)
        return run(self._one, (ACCOUNT, invoice_id)).fetchone()


class Postgresql:
    """PostgreSQL through asyncpg, whose prepared statements are kept for each connection."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool
        self._turns = asyncio.Semaphore(_WRITERS)

    async def property(self, property_id: str) -> Row:
        async with self._pool.acquire() as connection:
            return await connection.fetchrow(statements.PROPERTY, ACCOUNT, property_id)

    async def page(self, limit: int, offset: int, *of_property: str) -> list[Row]:
        until = ()
        async with self._pool.acquire() as connection:
            if offset > statements.FAR and not of_property:
                month, offset = statements.begins_in(await connection.fetch(statements.MONTHS, ACCOUNT), offset)
                until = (month,)
            text = _page_postgresql(limit, bool(of_property), bool(until))
            return await connection.fetch(text, ACCOUNT, offset, *of_property, *until)

    async def charges(self, invoice_ids: list[str]) -> list[Row]:
        async with self._pool.acquire() as connection:
            return await connection.fetch(statements.CHARGES_POSTGRESQL, ACCOUNT, invoice_ids)

    async def change(self, invoice_id: str, status: str, now: str) -> Row:
        async with self._turns, self._pool.acquire() as connection:
            return await connection.fetchrow(
                statements.CHANGE_POSTGRESQL, ACCOUNT, invoice_id, status, now, _event_id()
            )


@cache
def _page_sqlite(limit: int, of_property: bool, until: bool) -> str:
    return for_sqlite(statements.page(limit, of_property=of_property, until=until, join="cross join", last=""))


@cache
def _page_postgresql(limit: int, of_property: bool, until: bool) -> str:
    return statements.page(limit, of_property=of_property, until=until)


def _event_id() -> str:
    return f"evt_{secrets.token_hex(13)}"


async def _open() -> Sqlite | Postgresql:
    if URL.startswith("sqlite:///"):
        return Sqlite(URL.removeprefix("sqlite:///"))

    async def no_reset(_connection: asyncpg.Connection) -> None:
        """Do nothing: nothing is set on a connection, and a reset costs a round trip."""

    pool = await asyncpg.create_pool(
        URL, min_size=_CONNECTIONS, max_size=_CONNECTIONS, reset=no_reset,
        server_settings=statements.SETTINGS,
    )  # fmt: skip
    return Postgresql(pool)


def _text(value: str | None) -> str:
    return "null" if value is None else quoted(value)


def _figures(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02d}" if cents >= 0 else f"-{-cents // 100}.{-cents % 100:02d}"


def _property(row: Row) -> str:
    (id_, name, number, street, city, state, zip_, country, is_active, created, updated, starts, currency) = row
    return (
        f'{{"id":"{id_}","name":{quoted(name)},"streetNumber":{quoted(number)},"street":{quoted(street)},'
        f'"city":{quoted(city)},"state":{quoted(state)},"zip":{quoted(zip_)},"country":"{country}",'
        f'"isActive":{"true" if is_active else "false"},"createdAt":"{created}","updatedAt":"{updated}",'
        f'"billingStartsMonth":{_text(starts)},"currency":"{currency}"}}'
    )


def _invoice(row: Row, charges: Sequence[Row] | None) -> str:
    (
        id_, property_id, unit_id, month, status, number, date, due, total, paid, paid_at, email, name, payment, link,
        link_url, sent_at, email_status, delivery, generated, updated, pending, missing, label, sqft, bedrooms, house,
        currency,
    ) = row[:28]  # fmt: skip
    return (
        f'{{"id":"{id_}","propertyId":"{property_id}","unitId":"{unit_id}","month":"{month}-01T00:00:00.000Z",'
        f'"status":"{status}","invoiceNumber":{quoted(number)},"invoiceDate":"{date}T00:00:00.000Z",'
        f'"dueDate":{_text(due)},"totalAmount":"{_figures(total)}","paidAmount":"{_figures(paid)}",'
        f'"paidAt":{_text(paid_at)},"tenantEmail":{_text(email)},"tenantName":{_text(name)},'
        f'"paymentStatus":"{payment}","gatewayPaymentLinkId":{_text(link)},"gatewayPaymentLinkUrl":{_text(link_url)},'
        f'"emailSentAt":{_text(sent_at)},"emailStatus":{_text(email_status)},"delivery":{_text(delivery)},'
        f'"generatedAt":"{generated}",'
        f'"updatedAt":"{updated}","pendingChanges":{"true" if pending else "false"},'
        f'"missingFacts":{"true" if missing else "false"},"unit":{{"id":"{unit_id}","label":{quoted(label)},'
        f'"sqft":{sqft or "null"},"bedrooms":{"null" if bedrooms is None else bedrooms}}},'
        f'"property":{{"id":"{property_id}","name":{quoted(house)},"currency":"{currency}"}}'
        f"{'' if charges is None else _charges(charges, month)}}}"
    )


def _charges(rows: Sequence[Row], month: str) -> str:
    ordinary, custom = [], []
    for _, id_, kind, amount, description in rows:
        if kind is None:
            custom.append(
                f'{{"id":"{id_}","description":{quoted(description)},"amount":"{_figures(amount)}",'
                f'"invoiceMonth":"{month}-01T00:00:00.000Z"}}'
            )
        else:
            ordinary.append(
                f'{{"id":"{id_}","utilityType":"{kind}","amount":"{_figures(amount)}",'
                f'"description":{quoted(description)},"invoiceMonth":"{month}-01T00:00:00.000Z"}}'
            )
    return f',"charges":[{",".join(ordinary)}],"customCharges":[{",".join(custom)}]'


async def _page(store: Sqlite | Postgresql, query: str) -> str:
    asked = dict(pair.split("=") for pair in query.split("&"))
    limit, number = int(asked["limit"]), int(asked.get("page", "1"))
    of_property = (asked["propertyId"],) if "propertyId" in asked else ()
    rows = await store.page(limit, limit * (number - 1), *of_property)
    total = rows[0][28] if rows else 0
    if "details" in asked:
        charges: dict[str, list[Row]] = {row[0]: [] for row in rows}
        for charge in await store.charges(list(charges)):
            charges[charge[0]].append(charge)
        data = ",".join([_invoice(row, charges[row[0]]) for row in rows])
    else:
        data = ",".join([_invoice(row, None) for row in rows])
    return (
        f'{{"data":[{data}],"pagination":{{"total":{total},"page":{number},"limit":{limit},'
        f'"totalPages":{-(-total // limit)}}}}}'
    )


async def _changed(store: Sqlite | Postgresql, invoice_id: str, body: bytes) -> str:
    now = datetime.now(UTC)
    row = await store.change(
        invoice_id, json.loads(body)["status"], f"{now:%Y-%m-%dT%H:%M:%S}.{now.microsecond // 1000:03d}Z"
    )
    return _invoice(row, await store.charges([invoice_id]))


class App:
    """The application; the database is opened when the server starts."""

    store: Sqlite | Postgresql

    async def __call__(
        self, scope: dict[str, Any], receive: Callable[[], Awaitable[Any]], send: Callable[[Any], Awaitable[None]]
    ) -> None:
        if scope["type"] == "lifespan":
            await receive()
            self.store = await _open()
            gc.freeze()
            gc.set_threshold(50_000, 20, 20)
            await send({"type": "lifespan.startup.complete"})
            await receive()
            await send({"type": "lifespan.shutdown.complete"})
            return
        path = scope["path"]
        if path.startswith("/api/v1/properties/"):
            answer = _property(await self.store.property(path[19:]))
        elif scope["method"] == "GET":
            answer = await _page(self.store, scope["query_string"].decode())
        else:
            answer = await _changed(self.store, path[17:], (await receive())["body"])
        body = answer.encode()
        length = (b"content-length", b"%d" % len(body))
        await send({"type": "http.response.start", "status": 200, "headers": [_JSON, length]})
        await send({"type": "http.response.body", "body": body})


app = App()
