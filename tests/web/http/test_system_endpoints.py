"""Tests of the endpoints for machines.

The application starts and stops together with its server.
"""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from prorata.adapters.limits_memory import MemoryLimiter
from prorata.settings import SettingsError, read_settings
from prorata.web.app import create_app
from prorata.web.gateway import App
from prorata.wiring import printer
from tests.web.addresses import assert_refused
from tests.web.conftest import HASHER, RECEIVERS, House, build_house, open_database
from tests.web.knocking import knock


def live(app: App, *told: str) -> list[str]:
    """Send the application these server messages, and return its own messages."""
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
        receivers=RECEIVERS,
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
    answer = shared_house.client.get(path, headers={"Accept-Encoding": "identity"})
    assert answer.headers["content-type"].replace("0.0.4", "1.0.0") == content_type
    assert int(answer.headers["content-length"]) == len(answer.content)
    head = shared_house.client.head(path)
    assert (head.status_code, head.content) == (200, b"")


def test_requests_of_machines_are_counted_by_their_names(shared_house: House) -> None:
    shared_house.client.get("/health")
    assert 'prorata_requests_total{operation="health",status="200"}' in shared_house.client.get("/metrics").text


@pytest.mark.parametrize(
    ("raw_path", "path"),
    [
        (b"/metrics/", "/metrics/"), (b"//metrics", "//metrics"), (b"/%6detrics", "/metrics"),
        (b"/metrics%2F", "/metrics/"), (b"/%2Fmetrics", "//metrics"), (b"/./metrics", "/./metrics"),
        (b"/health/", "/health/"), (b"/docs/", "/docs/"), (b"/%64ocs", "/docs"),
    ],
)  # fmt: skip
def test_what_machines_ask_is_answered_at_its_address_as_it_is_written_alone(
    shared_house: House, raw_path: bytes, path: str
) -> None:
    for accepts in ("*/*", "text/html"):
        answer = knock(shared_house.app, "GET", path, raw_path=raw_path, headers={"Accept": accepts})
        assert (answer.status, b"prorata_" in answer.body) == (404, False)


TOKEN = "a-long-token_of~metrics.0123456789"


def test_where_a_token_is_set_the_numbers_are_for_who_bears_it(migrated_sqlite_url: str) -> None:
    house = build_house(migrated_sqlite_url, PRORATA_METRICS_TOKEN=TOKEN)
    with house.live():
        for sent in (
            None, "", TOKEN, f"Basic {TOKEN}", "Bearer", "Bearer ", f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}",
            f"Bearer {TOKEN.upper()}", f"Bearer {house.landlord.full}", "Bearer ä", f"Bearer {TOKEN}, Bearer x",
        ):  # fmt: skip
            answer = knock(house.app, "GET", "/metrics", headers={} if sent is None else {"Authorization": sent})
            assert_refused(answer, 401, "UNAUTHORIZED")
            assert answer.headers["www-authenticate"] == "Bearer"
        for sent in (f"Bearer {TOKEN}", f"bearer  {TOKEN}"):
            answer = knock(house.app, "GET", "/metrics", headers={"Authorization": sent})
            assert (answer.status, b"prorata_requests_total" in answer.body) == (200, True)
        assert knock(house.app, "GET", "/metrics", headers={"Authorization": sent}, raw_path=b"/metrics/").status == 404
        assert house.client.get("/health").status_code == 200


@pytest.mark.parametrize("token", ["two words", "ümlaut", "tab\tbed"])
def test_a_token_that_no_header_can_carry_is_refused(token: str) -> None:
    with pytest.raises(SettingsError, match="PRORATA_METRICS_TOKEN must consist of ASCII"):
        read_settings({"PRORATA_METRICS_TOKEN": token}, Path("no.env"))


def test_the_token_is_kept_out_of_what_settings_print() -> None:
    assert TOKEN not in repr(read_settings({"PRORATA_METRICS_TOKEN": TOKEN}, Path("no.env")))
