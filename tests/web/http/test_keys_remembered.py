"""The service remembers API keys for a limited time.

It also records when a key was last used.
"""

import asyncio
from collections.abc import Callable
from ipaddress import ip_network
from typing import Any

import pytest
import structlog

from prorata.domain.accounts.api_keys import write_key
from prorata.errors import Unauthorized
from prorata.web.http.auth import BELIEVED, Keys, client_address
from prorata.web.http.limits import MOST_KEYS_REMEMBERED
from prorata.web.http.pools import Pools
from tests.web.conftest import HASHER, House


class Counted(Pools):
    """Pools that count their requests.

    If `works` is set, they call it instead of asking the database.
    """

    def __init__(self, works: Callable[[], Any] | None = None) -> None:
        super().__init__("sqlite")
        self.asked = 0
        self.works = works

    async def check(self, work: Callable[[], Any]) -> Any:
        self.asked += 1
        return self.works() if self.works else await super().check(work)

    async def write_briefly(self, work: Callable[[], Any]) -> Any:
        self.asked += 1
        return self.works() if self.works else await super().write_briefly(work)


class Watch:
    """A clock in seconds that the test sets."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def bearer(number: int) -> str:
    return f"Bearer {write_key(number.to_bytes(24, 'big'))}"


def test_a_look_up_is_believed_for_its_time_and_no_longer(house: House) -> None:
    pools, watch = Counted(), Watch()
    keys = Keys(house.database, pools, HASHER, watch)
    header = f"Bearer {house.landlord.full}"

    async def asked() -> int:
        await keys.find(header)
        return pools.asked

    async def look() -> list[int]:
        found = [await asked(), await asked()]
        watch.now += BELIEVED - 0.001
        found.append(await asked())
        watch.now += 0.001
        return [*found, await asked()]

    assert asyncio.run(look()) == [1, 1, 1, 2]


def test_what_has_not_the_form_of_a_key_is_asked_of_nobody(house: House) -> None:
    pools = Counted()
    keys = Keys(house.database, pools, HASHER)
    for header in (None, "", "Bearer", f"Basic {house.landlord.full}", f"Bearer {house.landlord.full[:-1]}"):
        with pytest.raises(Unauthorized):
            asyncio.run(keys.find(header))
    assert pools.asked == 0
    found = asyncio.run(keys.find(f"bEARER   {house.landlord.full} "))
    assert (found.row.permission, pools.asked) == ("FULL", 1)


def test_a_bounded_number_of_keys_is_remembered_those_asked_for_last(house: House) -> None:
    pools, watch = Counted(works=lambda: None), Watch()
    keys = Keys(house.database, pools, HASHER, watch)

    async def is_asked(number: int) -> bool:
        before = pools.asked
        with pytest.raises(Unauthorized):
            await keys.find(bearer(number))
        return pools.asked > before

    async def fill() -> None:
        for number in range(MOST_KEYS_REMEMBERED):
            assert await is_asked(number)
        assert not await is_asked(0), "as many are remembered"
        watch.now += BELIEVED
        assert await is_asked(0)
        assert await is_asked(MOST_KEYS_REMEMBERED), "one more, which takes the place of the one asked for first"
        assert [await is_asked(number) for number in (0, MOST_KEYS_REMEMBERED)] == [False, False]
        assert await is_asked(1)

    asyncio.run(fill())
    assert len(keys._remembered) == MOST_KEYS_REMEMBERED


def test_who_stops_waiting_keeps_nobody_from_the_answer(house: House) -> None:
    pools = Counted()
    keys = Keys(house.database, pools, HASHER)
    header = f"Bearer {house.landlord.full}"

    async def one_gives_up() -> str:
        first, second = asyncio.create_task(keys.find(header)), asyncio.create_task(keys.find(header))
        await asyncio.sleep(0)
        first.cancel()
        return (await second).row.permission

    assert (asyncio.run(one_gives_up()), pools.asked, keys._under_way) == ("FULL", 1, {})


def test_a_look_up_that_fails_is_asked_again_by_the_next(house: House) -> None:
    answers: list[Any] = [None]

    def fails_once() -> None:
        if answers:
            answers.pop()
            raise ConnectionError("the database is away")

    keys = Keys(house.database, Counted(works=fails_once), HASHER)

    async def twice() -> None:
        with pytest.raises(ConnectionError):
            await keys.find(bearer(1))
        with pytest.raises(Unauthorized):
            await keys.find(bearer(1))

    asyncio.run(twice())


def test_the_use_of_a_key_is_noted_by_one_at_a_time_and_not_while_its_look_up_is_believed(house: House) -> None:
    pools = Counted()
    keys = Keys(house.database, pools, HASHER)

    async def note() -> list[bool]:
        found = await keys.find(f"Bearer {house.landlord.full}")
        due = [keys.is_due(found)]
        noting = asyncio.create_task(keys.note_use(found))
        await asyncio.sleep(BELIEVED / 2)
        due.append(keys.is_due(found))
        assert pools.asked == 2, "it was looked up and written down"
        await noting
        again = await keys.find(f"Bearer {house.landlord.full}")
        return [*due, keys.is_due(found), keys.is_due(again)]

    assert asyncio.run(note()) == [True, False, True, False]


def test_that_the_use_of_a_key_could_not_be_noted_is_logged_and_tried_again(house: House) -> None:
    keys = Keys(house.database, Pools("sqlite"), HASHER)
    found = asyncio.run(keys.find(f"Bearer {house.landlord.full}"))

    def fails() -> None:
        raise ConnectionError("the database is away")

    failing = Keys(house.database, Counted(works=fails), HASHER)
    with structlog.testing.capture_logs() as logged:
        asyncio.run(failing.note_use(found))
    assert [(one["log_level"], one["key"], one["cause"]) for one in logged] == [
        ("warning", found.row.id, "ConnectionError")
    ]
    assert failing.is_due(found)


@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        ("10.0.0.1", None, "10.0.0.1"),
        ("10.0.0.1", "", "10.0.0.1"),
        ("10.0.0.1", "203.0.113.9", "203.0.113.9"),
        ("10.0.0.1", "198.51.100.1, 203.0.113.9", "203.0.113.9"),
        ("10.0.0.1", "198.51.100.1 ,10.0.0.9, 192.168.1.1", "198.51.100.1"),
        ("10.0.0.1", "10.0.0.2, 10.0.0.3", "10.0.0.2"),
        ("10.0.0.1", "203.0.113.9, nonsense, 10.0.0.3", "10.0.0.3"),
        ("203.0.113.9", "198.51.100.1", "203.0.113.9"),
        ("2001:db8:1:2::7", "198.51.100.1", "2001:db8:1:2::/64"),
        ("", "203.0.113.9", "None"),  # of a socket that has no address, whoever comes is one client
    ],
)
def test_an_address_is_the_last_one_that_no_trusted_proxy_has(peer: str, forwarded: str | None, address: str) -> None:
    trusted = (ip_network("10.0.0.0/8"), ip_network("192.168.0.0/16"))
    assert client_address(peer, forwarded, trusted) == address
