"""What machines ask, and how the application begins and ends with its server."""

import asyncio
from typing import Any

import pytest

from prorata.adapters.limits_memory import MemoryLimiter
from prorata.settings import read_settings
from prorata.web.app import create_app
from prorata.web.door import App
from prorata.wiring import printer
from tests.web.conftest import HASHER, House, open_database
from tests.web.knocking import knock


def live(app: App, *told: str) -> list[str]:
    """What the application answers a server that tells it these things."""
    coming = iter(told)
    said: list[str] = []

    async def receive() -> dict[str, Any]:
        return {"type": next(coming)}

    async def send(message: dict[str, Any]) -> None:
        said.append(message["type"])

    asyncio.run(app({"type": "lifespan"}, receive, send))
    return said


def test_the_application_begins_with_its_server_and_closes_what_it_was_given_with_it(house: House) -> None:
    closed: list[str] = []
    app = create_app(
        database=open_database(house.url, house.clock, 10),
        settings=read_settings({"PRORATA_DATABASE_URL": house.url}),
        limiter=MemoryLimiter(),
        hasher=HASHER,
        archive=house.shelf,
        printer=printer(),
        is_current=lambda: True,
        at_the_end=lambda: closed.append("the rest"),
    )
    assert live(app, "lifespan.startup", "") == ["lifespan.startup.complete"]
    assert closed == []
    assert live(app, "lifespan.startup", "lifespan.shutdown")[1:] == ["lifespan.shutdown.complete"]
    assert closed == ["the rest"]
    changed = knock(app, "POST", "/api/v1/properties", headers={"Authorization": f"Bearer {house.landlord.full}"})
    assert changed.status == 500, "its threads are gone"


def test_what_is_no_request_is_not_answered(house: House) -> None:
    assert live(house.app, "websocket.connect") == []


@pytest.mark.parametrize(
    ("path", "content_type"),
    [
        ("/health", "application/json"),
        ("/ready", "application/json"),
        ("/metrics", "text/plain; version=1.0.0; charset=utf-8"),
        ("/docs", "text/html; charset=utf-8"),
        ("/api/v1/openapi.json", "application/json"),
    ],
)
def test_what_machines_ask_says_what_it_is_and_how_long(shared_house: House, path: str, content_type: str) -> None:
    answer = shared_house.client.get(path)
    assert answer.headers["content-type"].replace("0.0.4", "1.0.0") == content_type
    assert int(answer.headers["content-length"]) == len(answer.content)
    head = shared_house.client.head(path)
    assert (head.status_code, head.content) == (200, b"")


def test_requests_of_machines_are_counted_by_their_names(shared_house: House) -> None:
    shared_house.client.get("/health")
    assert 'prorata_requests_total{operation="health",status="200"}' in shared_house.client.get("/metrics").text
