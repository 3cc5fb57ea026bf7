"""Tests of the hosts under which a server answers.

It refuses other hosts before it looks at anything else in the request.
"""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from prorata.domain.limits import LONGEST_HOST
from prorata.settings import SettingsError, read_settings
from tests.web.conftest import House, build_house
from tests.web.forms import assert_refused
from tests.web.knocking import knock

LOOPBACK = ["localhost", "LocalHost:8000", "localhost.", "localhost:", "127.0.0.1", "127.0.0.1:9", "127.9.8.7:65535",
            "[::1]", "[::1]:8000", "[0:0:0:0:0:0:0:1]:80"]  # fmt: skip
ELSEWHERE = ["evil.example", "evil.example:8000", "localhost.evil.example", "127.0.0.1.evil.example", "10.0.0.1",
             "0.0.0.0", "[::]", "[::2]", "[::ffff:127.0.0.1]", "[fe80::1]", "128.0.0.1"]  # fmt: skip
NO_HOST = ["", " ", ".", "localhost..", "localhost@evil.example", "evil.example@localhost", "user:pass@localhost",
           "localhost:80:80", "localhost:x", "localhost:123456", "localhost/", "localhost evil.example", "localhost#",
           "http://localhost", "::1", "[::1", "::1]", "[127.0.0.1]", "[::1%25lo]", "127.1", "2130706433", "0x7f.0.0.1",
           "localhost, localhost", "localhost\x00", "ｌocalhost".encode().decode("latin-1"), "l" * 100_000]  # fmt: skip


@pytest.fixture(scope="module")
def away(tmp_path_factory: pytest.TempPathFactory, migrated_file: Path) -> Iterator[House]:
    """A server whose public address is on another machine."""
    file = tmp_path_factory.mktemp("away") / "prorata.db"
    file.write_bytes(migrated_file.read_bytes())
    hosts = "Other.example.com, 10.0.0.11, [2001:DB8::7], bücher.example"
    built = build_house(
        f"sqlite:///{file}", PRORATA_BASE_URL="https://Bills.example.com/x", PRORATA_ALLOWED_HOSTS=hosts
    )
    with built.live():
        yield built


def asked(house: House, *hosts: str, path: str = "/api/v1/properties", **headers: str) -> int:
    """Return the status of the response to a valid request that names these hosts."""
    named = [("Host", host) for host in hosts]
    key = ("Authorization", f"Bearer {house.landlord.full}")
    answered = knock(house.app, "GET", path, headers=[*named, key, *headers.items()], host=None)
    if answered.status == 400:
        assert_refused(answered, 400, "INVALID_REQUEST")
    return answered.status


@pytest.mark.parametrize("host", LOOPBACK)
def test_names_of_this_machine_are_answered_while_the_public_address_is_one(shared_house: House, host: str) -> None:
    assert asked(shared_house, host) == 200


@pytest.mark.parametrize("host", [*ELSEWHERE, *NO_HOST])
def test_every_other_host_and_what_is_none_is_refused(shared_house: House, away: House, host: str) -> None:
    assert asked(shared_house, host) == 400
    assert asked(away, host) == 400


@pytest.mark.parametrize("host", LOOPBACK)
def test_names_of_this_machine_are_strange_to_a_server_with_a_public_address(away: House, host: str) -> None:
    assert asked(away, host) == 400


@pytest.mark.parametrize(
    "host",
    [
        "bills.example.com", "BILLS.example.com:8443", "bills.example.com.", "other.example.com:1", "10.0.0.11:8000",
        "[2001:db8::7]", "[2001:db8:0:0::7]:443", "xn--bcher-kva.example",
    ],
)  # fmt: skip
def test_the_public_host_and_those_of_the_setting_are_answered_whatever_the_port(away: House, host: str) -> None:
    assert asked(away, host) == 200


def test_no_host_and_several_are_refused_though_each_is_ours(shared_house: House) -> None:
    assert asked(shared_house) == 400
    assert asked(shared_house, "localhost", "localhost") == 400
    assert asked(shared_house, "localhost", "evil.example") == 400


@pytest.mark.parametrize("name", ["X-Forwarded-Host", "Forwarded", "X-Host", "X-Original-Host"])
def test_what_a_header_says_the_host_was_is_not_believed(shared_house: House, name: str) -> None:
    assert asked(shared_house, "evil.example", **{name: "localhost"}) == 400
    assert asked(shared_house, "localhost", **{name: "evil.example"}) == 200


@pytest.mark.parametrize("path", ["/health", "/ready"])
def test_what_watches_over_a_server_asks_it_by_any_host(away: House, path: str) -> None:
    assert asked(away, "10.1.2.3:8000", path=path) == 200
    assert asked(away, path=path) == 200


@pytest.mark.parametrize(
    "path", ["/metrics", "/docs", "/api/v1/openapi.json", "/api/v1/nothing", "/", "/nothing", "/healthy", "/health/x"]
)
def test_a_host_that_is_not_ours_is_refused_before_anything_else(shared_house: House, path: str) -> None:
    for headers in ({}, {"Host": "evil.example"}, {"Host": "evil.example", "Accept": "text/html"}):
        answered = knock(shared_house.app, "POST", path, headers=headers, host=None)
        assert_refused(answered, 400, "INVALID_REQUEST")


def test_hosts_without_number_take_no_memory_and_change_no_answer(shared_house: House) -> None:
    made = random.Random(7)
    for _ in range(600):
        host = "".join(made.choices("abc.:[]@-_1 ", k=made.randrange(2 * LONGEST_HOST)))
        assert asked(shared_house, f"x{host}") == 400
        assert asked(shared_house, f"localhost:{made.randrange(65_536)}") == 200


@pytest.mark.parametrize("hosts", ["a.example:80", "*.example.com", "https://a.example", "a b", "10.0.0.0/8", "a@b"])
def test_a_setting_of_hosts_that_is_none_is_refused(hosts: str) -> None:
    with pytest.raises(SettingsError, match="PRORATA_ALLOWED_HOSTS must be a list of hosts without ports"):
        read_settings({"PRORATA_ALLOWED_HOSTS": hosts}, Path("no.env"))
