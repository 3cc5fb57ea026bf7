"""A client of the application in this process, which waits for each answer.

One event loop answers the requests of all clients, as on a server.
"""

import asyncio
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, TypeVar

import httpx

from prorata.store.database.engine import Database
from prorata.web.gateway import App

Result = TypeVar("Result")
BASE = "http://127.0.0.1:8000"
"""The address of a server that was told no other."""
ADDRESS = ("192.0.2.1", 50000)
"""The client's default address, which belongs to nobody (RFC 5737)."""
_PATIENCE = 60


class Client(httpx.Client):
    """A client of an application: `client.get("/health")`."""

    def __init__(self, app: App, *, base_url: str = BASE, address: tuple[str, int] = ADDRESS, **options: Any) -> None:
        transport = _InProcess(app, address)
        super().__init__(base_url=base_url, transport=transport, follow_redirects=True, timeout=None, **options)


class _InProcess(httpx.BaseTransport):
    def __init__(self, app: App, address: tuple[str, int]) -> None:
        self._transport = httpx.ASGITransport(app, client=address)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Return the application's answer to a request."""
        return on_loop(self._answer(request))

    async def _answer(self, request: httpx.Request) -> httpx.Response:
        sent = httpx.ByteStream(request.read())
        asked = httpx.Request(request.method, request.url, headers=request.headers, stream=sent)
        answer = await self._transport.handle_async_request(asked)
        body = b"".join([part async for part in answer.aiter_raw()])
        return httpx.Response(answer.status_code, headers=answer.headers, stream=httpx.ByteStream(body))


@contextmanager
def live(app: App, database: Database) -> Iterator[None]:
    """Run an application from its start to its end.

    At the end, the application closes everything that it holds, and its database is closed, too.
    """
    task, heard = on_loop(_begin(app))
    try:
        yield
    finally:
        on_loop(_end(task, heard, database))


async def _begin(app: App) -> tuple["asyncio.Task[None]", "asyncio.Queue[Any]"]:
    heard: asyncio.Queue[Any] = asyncio.Queue()
    said: asyncio.Queue[Any] = asyncio.Queue()
    task = asyncio.create_task(app({"type": "lifespan"}, heard.get, said.put))
    await heard.put({"type": "lifespan.startup"})
    assert (await asyncio.wait_for(said.get(), _PATIENCE))["type"] == "lifespan.startup.complete"
    return task, heard


async def _end(task: "asyncio.Task[None]", heard: "asyncio.Queue[Any]", database: Database) -> None:
    await heard.put({"type": "lifespan.shutdown"})
    await asyncio.wait_for(task, _PATIENCE)
    database.close()


def on_loop(work: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine in the tests' event loop, and return its result."""
    return asyncio.run_coroutine_threadsafe(work, _loop()).result()


@cache
def _loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="event loop of the tests", daemon=True).start()
    return loop
