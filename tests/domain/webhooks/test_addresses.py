"""Webhooks go only to allowed addresses.

Every spelling of a forbidden address is refused.
"""

import re
from ipaddress import IPv4Network

import pytest

from prorata.domain.webhooks.addresses import NotAllowed, all_public, read_destination, refuse_unless_allowed

FORBIDDEN = [
    # this machine
    "https://localhost/", "https://LOCALHOST./", "https://a.localhost/", "https://127.0.0.1/", "https://127.255.255.254/",
    "https://0.0.0.0/", "https://[::1]/", "https://[::]/", "https://[0:0:0:0:0:0:0:1]/", "https://[0::0001]/",
    # private, shared, of the link, of clouds
    "https://10.0.0.1/", "https://172.16.0.1/", "https://172.31.255.255/", "https://192.168.1.1/",
    "https://100.64.0.1/", "https://100.100.100.200/", "https://169.254.169.254/latest/meta-data/",
    "https://168.63.129.16/", "https://[fe80::1]/", "https://[fc00::1]/", "https://[fd00:ec2::254]/", "https://[fec0::1]/",
    # reserved, for documentation and tests, multicast, broadcast
    "https://192.0.0.1/", "https://192.0.2.1/", "https://198.18.0.1/", "https://198.51.100.1/", "https://203.0.113.1/",
    "https://192.88.99.1/", "https://224.0.0.1/", "https://239.255.255.250/", "https://240.0.0.1/",
    "https://255.255.255.255/", "https://[ff02::1]/", "https://[2001:db8::1]/", "https://[100::1]/", "https://[3fff::1]/",
    # addresses of IPv4 inside of those of IPv6: mapped, compatible, translated, 6to4, Teredo, NAT64
    "https://[::ffff:127.0.0.1]/", "https://[::ffff:7f00:1]/", "https://[::ffff:93.184.215.14]/", "https://[::127.0.0.1]/",
    "https://[::ffff:0:127.0.0.1]/", "https://[2002:7f00:1::]/", "https://[2002:a9fe:a9fe::1]/",
    "https://[2001::7f00:1]/", "https://[64:ff9b::7f00:1]/", "https://[64:ff9b::169.254.169.254]/",
    "https://[64:ff9b:1::a00:1]/",
    # other spellings: decimal, octal, hexadecimal, fewer parts, other digits
    "https://2130706433/", "https://017700000001/", "https://0x7f000001/", "https://0x7f.0.0.1/", "https://0177.0.0.1/",
    "https://127.1/", "https://127.0.1/", "https://127.0.0.01/", "https://127.0.0.0x1/", "https://0/", "https://0x/",
    "https://1.2.3.4.5/", "https://256.1.1.1/", "https://4294967296/", "https://127.0.0.1./", "https://example.0x7f/",
    "https://１２７.0.0.1/", "https://127。0。0。1/", "https://ⓛocalhost/", "https://loc%61lhost/", "https://[::1%25lo]/",
    "https://[127.0.0.1]/", "https://[::ffff:0177.0.0.1]/",
    # not https, and what two programs might read in two ways
    "http://example.com/", "ftp://example.com/", "//example.com/", "example.com", "https:example.com", "https:///path",
    "https://user@example.com/", "https://user:secret@example.com/", "https://example.com:secret@127.0.0.1/",
    "https://example.com\\@127.0.0.1/", "https://example.com#@127.0.0.1/", "https://example.com/#part",
    "https://example.com:0/", "https://example.com:65536/", "https://example.com:99999/", "https://example.com:/",
    "https://exa mple.com/", "https://example.com/a b", "https://example.com/\r\nX-Header: 1", "https://example..com/",
    "https://.example.com/", "https://-example.com/", "https://" + "a" * 64 + ".com/", "https://" + "a." * 130 + "com/",
    "https://", "",
]  # fmt: skip


@pytest.mark.parametrize("url", FORBIDDEN)
def test_webhooks_go_to_no_address_that_is_private_or_odd(url: str) -> None:
    with pytest.raises(NotAllowed):
        read_destination(url)


HERE = (IPv4Network("127.0.0.0/8"),)


@pytest.mark.parametrize(
    "url", [one for one in FORBIDDEN if not re.search("127.0.0.1|localhost|^http://", one.lower())]
)
def test_a_network_that_is_named_opens_itself_and_nothing_else(url: str) -> None:
    if url in {"https://127.255.255.254/", "https://[::1]/", "https://[0:0:0:0:0:0:0:1]/", "https://[0::0001]/"}:
        assert read_destination(url, HERE).literal
        return
    with pytest.raises(NotAllowed):
        read_destination(url, HERE)


@pytest.mark.parametrize(
    ("url", "host", "port", "target"),
    [
        ("https://example.com", "example.com", 443, "/"),
        ("https://Hooks.Example.COM./a/b?c=d&e", "hooks.example.com", 443, "/a/b?c=d&e"),
        ("https://example.com:8443?x", "example.com", 8443, "/?x"),
        ("https://93.184.215.14/", "93.184.215.14", 443, "/"),
        ("https://[2606:4700:0::1111]:444/", "2606:4700::1111", 444, "/"),
        ("https://xn--bcher-kva.example/", "xn--bcher-kva.example", 443, "/"),
    ],
)
def test_public_addresses_are_taken_apart(url: str, host: str, port: int, target: str) -> None:
    found = read_destination(url)
    assert (found.host, found.port, found.target) == (host, port, target)


def test_http_is_for_networks_that_are_named_alone() -> None:
    private = (*HERE, IPv4Network("10.0.0.0/8"))
    for url in ("http://127.0.0.1:8080/", "http://localhost:8080/", "http://10.1.2.3/"):
        assert read_destination(url, private).scheme == "http"
        with pytest.raises(NotAllowed):
            read_destination(url)
    for url in ("http://93.184.215.14/", "http://[2606:4700::1111]/"):
        with pytest.raises(NotAllowed, match="https"):
            read_destination(url, private)
    name = read_destination("http://books.internal/", private)
    refuse_unless_allowed(name, ["10.1.2.3", "127.0.0.1"], private)
    for outside in (["93.184.215.14"], ["10.1.2.3", "93.184.215.14"], ["10.1.2.3", "nonsense"]):
        with pytest.raises(NotAllowed):
            refuse_unless_allowed(name, outside, private)


def test_a_name_may_lead_to_the_public_and_into_networks_that_are_named_and_nowhere_else() -> None:
    name, private = read_destination("https://books.example.com/"), (IPv4Network("10.0.0.0/8"),)
    refuse_unless_allowed(name, ["10.1.2.3", "93.184.215.14", "2606:4700::1111"], private)
    for other in ("127.0.0.1", "::1", "192.168.0.1", "::ffff:10.1.2.3", "64:ff9b::a00:1", "fe80::1%lo", "nonsense"):
        with pytest.raises(NotAllowed):
            refuse_unless_allowed(name, ["10.1.2.3", other], private)


def test_a_name_is_public_only_if_each_of_its_addresses_is() -> None:
    assert all_public(["93.184.215.14", "2606:4700::1111"])
    for other in ("10.0.0.1", "127.0.0.1", "fe80::1%eth0", "::ffff:10.0.0.1", "fd00::1", "nonsense"):
        assert not all_public(["93.184.215.14", other])
