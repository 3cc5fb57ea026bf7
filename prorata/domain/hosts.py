"""The host that a Host header or a person names, in a normalized form."""

import re
from ipaddress import IPv6Address

from prorata.domain.limits import LONGEST_HOST
from prorata.domain.mail_addresses import NotAnAddress, ascii_domain

_HOST = re.compile(r"(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]*[a-z0-9_-])\.?)(?::[0-9]{0,5})?")


def host_named(sent: str) -> str | None:
    """Parse the host of a Host header, ignoring the port.

    The host is in lower case, without a trailing dot, and an IPv6 address is in its shortest form. Return None if the
    header is empty, or has several hosts, a user or an invalid character.

    >>> [host_named(one) for one in ("Bills.Example.com.:8443", "[0:0::1]:80", "127.0.0.1")]
    ['bills.example.com', '::1', '127.0.0.1']
    >>> [host_named(one) for one in ("", "a, b", "me@localhost", "localhost:80@evil.example", "[::1", "::1")]
    [None, None, None, None, None, None]
    """
    match = _HOST.fullmatch(sent.lower()) if len(sent) <= LONGEST_HOST else None
    if match is None:
        return None
    inside, name = match.groups()
    if inside is None:
        return str(name)
    try:
        return str(IPv6Address(inside))
    except ValueError:
        return None


def host_written(text: str) -> str | None:
    """Parse a host that a person typed, without a port; names become ASCII.

    Return None if the host is invalid.

    >>> [host_written(one) for one in ("Bücher.example", "10.0.0.7", "[::1]", "bills.example.com:80", "*.example.com")]
    ['xn--bcher-kva.example', '10.0.0.7', '::1', None, None]
    """
    if text.isascii():
        return host_named(text) if text.endswith("]") or ":" not in text else None
    try:
        return ascii_domain(text.rstrip("."))
    except NotAnAddress:
        return None
