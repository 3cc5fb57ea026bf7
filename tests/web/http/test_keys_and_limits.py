"""Tests of API keys and rate limits, which are exact.

They follow docs/decisions.md#api-keys and docs/decisions.md#rate-limits.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from prorata.actions.accounts import api_keys
from prorata.actions.accounts.api_keys import KeyHasher
from prorata.adapters.limits_memory import SECOND, MemoryLimiter
from prorata.errors import InvalidRequest, Unauthorized
from prorata.ports import Verdict, Window
from prorata.settings import read_settings
from prorata.store.database.engine import timestamp
from prorata.web.http.auth import BELIEVED, FoundKey, Keys
from prorata.web.http.body_limits import in_time
from prorata.web.http.pools import Pools
from tests.client import Client
from tests.web.addresses import assert_refused
from tests.web.conftest import HASHER, MAPLE, Api, House, beside, build_house, new_key
from tests.web.knocking import Answered, knock


def rows(house: House) -> list[api_keys.ApiKeyRow]:
    return house.database.read(lambda tx: api_keys.all_of(tx, house.landlord.caller))


def eventually(happened: Callable[[], bool], seconds: float = 5) -> float:
    """Wait until something has happened, and return how long that took."""
    began = time.monotonic()
    while not happened():
        assert time.monotonic() - began < seconds, "it has not happened"
        time.sleep(0.02)
    return time.monotonic() - began


# --- keys --------------------------------------------------------------------------------------------------------------


def test_a_revoked_key_stops_working_within_a_second(house: House) -> None:
    assert house.api.get("/properties").status_code == 200
    admin = next(row for row in rows(house) if row.permission == "ADMIN")
    house.database.write(lambda tx: api_keys.revoke(tx, house.landlord.caller, admin.id))
    assert eventually(lambda: house.api.get("/properties").status_code == 401) < 1
    assert Api(house.client, house.landlord.read).get("/properties").status_code == 200


def test_a_key_that_is_revoked_while_a_body_comes_changes_nothing(house: House) -> None:
    admin = next(row for row in rows(house) if row.permission == "ADMIN")

    async def slow(scope: Any, receive: Any, send: Any) -> None:
        async def receive_later() -> Any:
            house.database.write(lambda tx: api_keys.revoke(tx, house.landlord.caller, admin.id))
            await asyncio.sleep(BELIEVED + 0.1)
            return await receive()

        await house.app(scope, receive_later, send)

    answer = Api(Client(slow), house.landlord.admin).post("/properties", MAPLE)
    assert_refused(answer, 401, "UNAUTHORIZED")
    assert Api(house.client, house.landlord.read).get("/properties").json()["data"] == []


class Slow:
    """A limiter that takes its time, like Redis over a bad connection.

    It does `meanwhile` before it admits a request.
    """

    def __init__(self) -> None:
        self.meanwhile: Callable[[], object] = lambda: None

    async def admit(self, _key: str, windows: tuple[Window, ...], requests: int = 1) -> Verdict:
        self.meanwhile()
        await asyncio.sleep(BELIEVED + 0.1)
        return await MemoryLimiter().admit("nobody else", windows, requests)

    async def take_back(self, _key: str, _windows: tuple[Window, ...], _mark: str) -> None:
        """Do nothing: nothing asks this limiter to take back a request."""

    async def close(self) -> None:
        """Do nothing: there is nothing to close."""


def test_a_key_that_is_revoked_while_its_request_is_counted_is_refused(migrated_sqlite_url: str) -> None:
    limiter = Slow()
    house = build_house(migrated_sqlite_url, limiter=limiter)
    with house.live():
        assert house.api.get("/properties").status_code == 200
        admin = next(row for row in rows(house) if row.permission == "ADMIN")
        limiter.meanwhile = lambda: house.database.write(
            lambda tx: api_keys.revoke(tx, house.landlord.caller, admin.id)
        )
        assert_refused(house.api.get("/properties"), 401, "UNAUTHORIZED")


def test_a_write_confirms_a_key_from_when_it_was_looked_up(house: House) -> None:
    now = 100.0
    keys = Keys(house.database, Pools("sqlite"), HASHER, lambda: now)
    found = asyncio.run(keys.find(f"Bearer {house.landlord.full}"))
    house.database.write(lambda tx: api_keys.revoke(tx, house.landlord.caller, found.row.id))
    now += BELIEVED - 0.1
    confirm = keys.confirming(found)
    house.database.read(confirm)
    now += 0.2
    with pytest.raises(Unauthorized):
        house.database.read(confirm)


def test_requests_that_come_together_look_their_key_up_once(house: House) -> None:
    asked: list[object] = []

    class Counted(Pools):
        async def check(self, work: Callable[[], Any]) -> Any:
            asked.append(work)
            return await super().check(work)

    keys = Keys(house.database, Counted("sqlite"), HASHER)

    async def all_at_once() -> list[FoundKey]:
        return await asyncio.gather(*(keys.find(f"Bearer {house.landlord.full}") for _ in range(20)))

    found = asyncio.run(all_at_once())
    assert len(asked) == 1
    assert len({one.row.id for one in found}) == 1


def test_a_body_that_never_ends_is_not_waited_for() -> None:
    async def never() -> bytes:
        await asyncio.sleep(60)
        return b""

    with pytest.raises(InvalidRequest, match="did not arrive completely within"):
        asyncio.run(in_time(never(), 0.01))


def test_a_key_works_until_it_expires_and_not_a_second_longer(house: House) -> None:
    house.clock.advance(hours=-1)
    expires = timestamp(house.clock.moment.replace(minute=30))
    api = Api(house.client, new_key(house.database, house.landlord.account_id, "FULL", expires))
    assert api.get("/properties").status_code == 200
    house.clock.advance(minutes=30)
    assert eventually(lambda: api.get("/properties").status_code == 401) < 1


def test_the_use_of_a_key_is_noted_at_most_once_a_minute(house: House) -> None:
    def used() -> str | None:
        return next(row for row in rows(house) if row.permission == "ADMIN").last_used_at

    assert used() is None
    house.api.get("/properties")
    eventually(lambda: used() is not None)
    first = used()
    house.clock.advance(seconds=30)
    time.sleep(0.6)  # what the door remembers of a key it forgets by then
    house.api.get("/properties")
    time.sleep(0.1)
    assert used() == first
    house.clock.advance(seconds=31)
    time.sleep(0.6)
    house.api.get("/properties")
    eventually(lambda: used() != first)


def test_a_key_in_use_outlives_a_changed_secret(house: House) -> None:
    api, new, old = house.api, b"the new secret", b"a secret of the tests"

    def status(hasher: KeyHasher) -> int:
        with beside(house, hasher=hasher) as client:
            answer = client.get("/api/v1/properties", headers={"Authorization": f"Bearer {api.key}"}).status_code
            time.sleep(0.1)
            return answer

    assert status(KeyHasher([new])) == 401
    assert status(KeyHasher([new, old])) == 200
    assert status(KeyHasher([new])) == 200
    assert status(HASHER) == 401


# --- limits ------------------------------------------------------------------------------------------------------------


class Watch:
    """A clock for the limiter, in nanoseconds, that the test sets."""

    def __init__(self) -> None:
        self.now = 10**12

    def __call__(self) -> int:
        return self.now

    def advance(self, seconds: float) -> None:
        self.now += int(seconds * SECOND)


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def limited(migrated_sqlite_url: str, watch: Watch) -> Iterator[House]:
    """A house whose keys have 3 requests a minute and 5 an hour."""
    limits = {"PRORATA_RATE_LIMIT_PER_MINUTE": "3", "PRORATA_RATE_LIMIT_PER_HOUR": "5"}
    house = build_house(migrated_sqlite_url, limiter=MemoryLimiter(watch), **limits)
    with house.live():
        yield house


def test_the_limits_are_100_a_minute_and_1000_an_hour() -> None:
    settings = read_settings({})
    assert (settings.rate_limit_per_minute, settings.rate_limit_per_hour) == (100, 1000)


def test_every_answer_says_where_the_key_stands(limited: House) -> None:
    policy = '"minute";q=3;w=60, "hour";q=5;w=3600'
    for left, path, status in ((2, "/properties", 200), (1, "/nowhere", 404), (0, "/properties?page=0", 400)):
        answer = limited.api.get(path)
        assert answer.status_code == status
        assert answer.headers["ratelimit-policy"] == policy
        assert answer.headers["ratelimit"] == f'"minute";r={left};t=60, "hour";r={left + 2};t=3600'
    refused = limited.api.get("/properties")
    assert_refused(refused, 429, "RATE_LIMIT_EXCEEDED")
    assert refused.headers["ratelimit-policy"] == policy
    assert refused.headers["ratelimit"] == '"minute";r=0;t=60, "hour";r=2;t=3600'
    assert refused.headers["retry-after"] == "60"


def test_a_refused_request_uses_up_nothing_and_does_nothing(limited: House, watch: Watch) -> None:
    def statuses(number: int) -> Counter[int]:
        return Counter(limited.api.post("/properties", MAPLE).status_code for _ in range(number))

    assert statuses(20) == {201: 3, 429: 17}
    watch.advance(59.999)
    assert statuses(5) == {429: 5}
    watch.advance(0.001)
    assert statuses(20) == {201: 2, 429: 18}
    refused = limited.api.get("/properties")
    assert refused.headers["ratelimit"] == '"minute";r=1;t=60, "hour";r=0;t=3540'
    assert refused.headers["retry-after"] == "3540"
    watch.advance(3540)
    assert limited.api.get("/properties").json()["pagination"]["total"] == 5


def test_each_change_of_a_preview_counts_as_a_request_and_all_are_admitted_or_none(
    limited: House, watch: Watch
) -> None:
    def preview(number: int) -> tuple[int, str]:
        change = {"method": "POST", "path": "/properties/prop_nowhere/units", "body": {"label": "1"}}
        answer = limited.api.post("/previews", {"requests": [change] * number})
        return answer.status_code, answer.headers["ratelimit"]

    assert preview(2) == (404, '"minute";r=1;t=60, "hour";r=3;t=3600')
    assert preview(2) == (429, '"minute";r=1;t=60, "hour";r=3;t=3600')
    assert preview(1) == (404, '"minute";r=0;t=60, "hour";r=2;t=3600')
    watch.advance(3600)
    assert preview(20) == (404, '"minute";r=0;t=60, "hour";r=2;t=3600')  # as no more than there may be
    assert preview(21)[0] == 429


def test_every_hundred_writes_of_a_bulk_count_as_a_request(limited: House, watch: Watch) -> None:
    def bulk(number: int) -> tuple[int, str]:
        answer = limited.api.post("/bulk", {"requests": [{"method": "DELETE", "path": "/units/unit_x"}] * number})
        return answer.status_code, answer.headers["ratelimit"]

    assert bulk(100) == (202, '"minute";r=2;t=60, "hour";r=4;t=3600')
    assert bulk(101) == (202, '"minute";r=0;t=60, "hour";r=2;t=3600')
    assert bulk(1)[0] == 429
    watch.advance(60)
    assert bulk(201)[0] == 429
    assert bulk(200)[0] == 202


def test_each_key_has_limits_of_its_own(limited: House) -> None:
    assert [limited.api.get("/properties").status_code for _ in range(4)] == [200, 200, 200, 429]
    assert Api(limited.client, limited.landlord.read).get("/properties").status_code == 200
    assert limited.api_of_stranger.get("/properties").status_code == 200


def test_what_needs_no_key_is_not_counted(limited: House) -> None:
    for path in ("/health", "/ready", "/docs", "/api/v1/openapi.json"):
        answers = [limited.client.get(path, headers={"Authorization": f"Bearer {limited.api.key}"}) for _ in range(5)]
        assert {answer.status_code for answer in answers} == {200}
        assert "ratelimit" not in answers[0].headers


def test_of_32_clients_at_once_exactly_100_requests_are_admitted(migrated_sqlite_url: str) -> None:
    limits = {"PRORATA_RATE_LIMIT_PER_MINUTE": "100", "PRORATA_RATE_LIMIT_PER_HOUR": "1000"}
    house = build_house(migrated_sqlite_url, **limits)
    with house.live(), ThreadPoolExecutor(32) as clients:
        answers = list(clients.map(lambda _: house.api.get("/split-methods").status_code, range(256)))
    assert Counter(answers) == {200: 100, 429: 156}


# --- invalid keys ------------------------------------------------------------------------------------------------------


def guess(house: House, peer: str = "203.0.113.9", forwarded: str | None = None, key: str = "nonsense") -> Answered:
    headers = {"Authorization": f"Bearer {key}"} | ({"X-Forwarded-For": forwarded} if forwarded else {})
    return knock(house.app, "GET", "/api/v1/properties", headers=headers, peer=peer)


def statuses(house: House, number: int, **how: str) -> Counter[int]:
    return Counter(guess(house, **how).status for _ in range(number))


def test_an_address_may_try_300_invalid_keys_a_minute(limited: House, watch: Watch) -> None:
    assert statuses(limited, 300) == {401: 300}
    refused = guess(limited)
    assert_refused(refused, 429, "RATE_LIMIT_EXCEEDED")
    assert refused.headers["ratelimit-policy"] == '"minute";q=300;w=60'
    assert (refused.headers["ratelimit"], refused.headers["retry-after"]) == ('"minute";r=0;t=60', "60")
    assert guess(limited, peer="203.0.113.10").status == 401
    assert guess(limited, key=limited.api.key).status == 200
    watch.advance(60)
    assert guess(limited).status == 401


def test_x_forwarded_for_is_not_believed_from_just_anybody(limited: House) -> None:
    for number in range(300):
        assert guess(limited, forwarded=f"198.51.100.{number % 250}").status == 401
    assert guess(limited, forwarded="192.0.2.1").status == 429


def test_behind_a_trusted_proxy_each_client_has_its_own_count(migrated_sqlite_url: str) -> None:
    house = build_house(migrated_sqlite_url, PRORATA_TRUSTED_PROXIES="10.0.0.0/8")
    with house.live():
        assert statuses(house, 301, peer="10.0.0.1", forwarded="198.51.100.7") == {401: 300, 429: 1}
        assert guess(house, peer="10.0.0.1", forwarded="198.51.100.8").status == 401
        assert guess(house, peer="10.0.0.2", forwarded="6.6.6.6, 198.51.100.7, 10.9.9.9").status == 429
        assert guess(house, peer="198.51.100.7").status == 429
        lines = [("X-Forwarded-For", "198.51.100.7"), ("X-Forwarded-For", "10.0.0.3")]
        assert knock(house.app, "GET", "/api/v1/properties", headers=lines, peer="10.0.0.1").status == 429


def test_all_of_an_ipv6_network_that_one_client_has_is_one_address(limited: House) -> None:
    for number in range(300):
        assert guess(limited, peer=f"2001:db8:1:2:{number:x}::1").status == 401
    assert guess(limited, peer="2001:db8:1:2:ffff::9").status == 429
    assert guess(limited, peer="2001:db8:1:3::1").status == 401
