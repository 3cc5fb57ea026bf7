"""The addresses to which webhooks may be sent.

A public address is allowed with https. An address in a network that the operator has named is allowed too.
Webhooks can't reach any other internal network.
"""

import re
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import NamedTuple

from prorata.domain.limits import LARGEST_PORT, LONGEST_HOST_NAME
from prorata.domain.mail_addresses import is_loopback

Networks = tuple[IPv4Network | IPv6Network, ...]

_URL = re.compile(r"(https?)://(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::([0-9]{1,5}))?([/?][!-\"$-~]*)?", re.ASCII)
"""The form of a webhook's address.

It is printable ASCII without a fragment, a user or a password, so that two programs can't read it in different ways.
"""
_LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)")
_NUMBER = re.compile(r"0x[0-9a-f]*|[0-9]+")
_PORTS = {"https": 443, "http": 80}

_CLOSED_4 = tuple(
    map(
        IPv4Network,
        (
            "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "168.63.129.16/32", "169.254.0.0/16",
            "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24",
            "192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4",
            "240.0.0.0/4",
        ),
    )
)  # fmt: skip
"""The closed networks of IPv4.

These are the special ranges (the IANA registry of RFC 6890), multicast, and an address at which one cloud provider
serves internal data to its machines.
"""
_HERE = IPv4Address("127.0.0.1")
_HERE_6 = IPv6Address("::1")
_OPEN_6 = IPv6Network("2000::/3")
_CLOSED_6 = tuple(map(IPv6Network, ("2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20")))
"""The closed ranges within the public part of IPv6.

These are special ranges, including addresses that contain an IPv4 address (mapped, 6to4, Teredo, NAT64), because they
lead to wherever that address does.
"""

ONLY_HTTPS = "must be an address that begins with https://"
NO_SUCH = "must be an address such as https://example.com/prorata, without a user name, password or #"
NOT_PUBLIC = "must not lead to a private or reserved network, because webhooks are sent only to public addresses"
ODD_NUMBER = "must name a host, or an IP address in its usual form, such as 93.184.215.14"


class NotAllowed(ValueError):
    """Raised for an address to which no webhook may be sent.

    Its message completes a sentence that begins with the field's name.
    """


class Destination(NamedTuple):
    """An allowed address for webhooks, split into the parts of a connection.

    `host` is a name, or an IP address without brackets; `literal` is set for an IP address, which needs no
    look-up.
    """

    scheme: str
    host: str
    port: int
    target: str
    literal: bool

    @property
    def host_header(self) -> str:
        """The Host header of requests to the destination; a default port is left out."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"


def read_destination(url: str, private: Networks = ()) -> Destination:
    """Parse an address that a person wrote.

    Public addresses are allowed with https, and addresses in a `private` network also with http. A host name is
    allowed here, although it may lead to any address: `refuse_unless_allowed` checks the addresses of the name.
    Raises `NotAllowed` if webhooks may not go to the address.

    >>> read_destination("https://Example.com/hook?a=1")
    Destination(scheme='https', host='example.com', port=443, target='/hook?a=1', literal=False)
    >>> read_destination("https://127.1/")
    Traceback (most recent call last):
        ...
    prorata.domain.webhooks.addresses.NotAllowed: must name a host, or an IP address in its usual form, such as
    93.184.215.14
    """
    match = _URL.fullmatch(url)
    if match is None:
        raise NotAllowed(NO_SUCH if url.startswith(("https://", "http://")) else ONLY_HTTPS)
    scheme, host, port, target = match.groups()
    host = host.lower().rstrip(".")
    literal = _address_in(host)
    known = _HERE if literal is None and is_loopback(host) else literal
    if known is not None and not (is_public(known) or _is_within(known, private)):
        raise NotAllowed(NOT_PUBLIC)
    if scheme == "http" and not (private if known is None else _is_within(known, private)):
        raise NotAllowed(ONLY_HTTPS)
    number = int(port) if port else _PORTS[scheme]
    if not 0 < number <= LARGEST_PORT:
        raise NotAllowed(NO_SUCH)
    if target is None or target.startswith("?"):
        target = "/" + (target or "")
    return Destination(scheme, str(literal) if literal is not None else host, number, target, literal is not None)


def _address_in(host: str) -> IPv4Address | IPv6Address | None:
    """Parse a host as an IP address; None if the host is a name.

    Raises `NotAllowed` for an unusual spelling, which some programs take for an address and others for a name.
    """
    if host.startswith("["):
        try:
            return IPv6Address(host[1:-1])
        except ValueError:
            raise NotAllowed(NO_SUCH) from None
    labels = host.split(".")
    if _NUMBER.fullmatch(labels[-1]):  # no registry has such a name; it would be read as a number
        try:
            return IPv4Address(host)
        except ValueError:
            raise NotAllowed(ODD_NUMBER) from None
    if len(host) > LONGEST_HOST_NAME or not all(map(_LABEL.fullmatch, labels)):
        raise NotAllowed(NO_SUCH)
    return None


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """True if an address belongs to the public internet.

    The result is False for an IPv6 address that contains an IPv4 address, even if the IPv4 address is public.

    >>> [is_public(ip_address(one)) for one in ("93.184.215.14", "10.0.0.1", "169.254.169.254", "2606:4700::1111")]
    [True, False, False, True]
    >>> [is_public(ip_address(one)) for one in ("::ffff:93.184.215.14", "64:ff9b::a00:1", "2002:7f00:1::", "fd00::1")]
    [False, False, False, False]
    """
    if isinstance(address, IPv4Address):
        return not any(address in network for network in _CLOSED_4)
    return address in _OPEN_6 and not any(address in network for network in _CLOSED_6)


def all_public(addresses: Sequence[str]) -> bool:
    """True if all of a name's addresses are public.

    A name without addresses is unreachable, so the result is False.

    >>> all_public(["93.184.215.14"]), all_public(["93.184.215.14", "127.0.0.1"]), all_public([])
    (True, False, False)
    """
    parsed = [_read(address) for address in addresses]
    return bool(parsed) and all(address is not None and is_public(address) for address in parsed)


def refuse_unless_allowed(destination: Destination, addresses: Sequence[str], private: Networks) -> None:
    """Refuse a destination unless each of its addresses is public or in a `private` network.

    If the destination uses http, each address must be in a `private` network. A destination without addresses is
    not refused, because its name leads nowhere yet. Raises `NotAllowed` if the destination is refused.
    """
    for text in addresses:
        address = _read(text)
        if address is not None and _is_within(address, private):
            continue
        if address is None or destination.scheme == "http" or not is_public(address):
            raise NotAllowed(NOT_PUBLIC)


def _is_within(address: IPv4Address | IPv6Address, networks: Networks) -> bool:
    """True if an address is in one of these networks.

    Both addresses of this machine count as one: a network that contains 127.0.0.1 contains ::1 too, because
    `localhost` means either.

    >>> [_is_within(ip_address(one), (IPv4Network("127.0.0.0/8"),)) for one in ("127.0.0.1", "::1", "::2", "10.0.0.1")]
    [True, True, False, False]
    """
    return any(address in network or (address == _HERE_6 and _HERE in network) for network in networks)


def _read(text: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(text)
    except ValueError:
        return None
