"""Limits on sign-in attempts, and on mail to addresses that may be someone else's.

Unless a limit says otherwise, only wrong passwords and codes count as attempts. Attempts to sign in as one member
from browsers that this member has never used are counted together. Attempts from each browser that the member has
used are counted separately, so that strangers who guess passwords can't lock members out of their own browsers.
This module contains only the limits; `try_to_be` (web/dashboard/accounts/sign_in.py) counts sign-ins with a
password.
"""

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

OF_AN_ADDRESS = 30
"""The maximum number of attempts from one network address in 15 minutes.

The limit applies to each action that needs no sign-in.
"""
OF_A_MEMBER = 10
"""The maximum number of attempts to sign in as one member in 15 minutes.

The limit applies to passwords and to codes. Attempts in a browser that the member has used before are counted
separately.
"""
COMPARED_FOR_AN_ADDRESS = 300
"""The maximum number of passwords checked for one network address in 15 minutes.

Correct passwords count, too. Each check takes a twentieth of a second of computing time.
"""
MINUTES = 15
IN_A_NETWORK = 4
"""The factor by which the limits of a network (`network_of`) exceed those of one address."""
ADDRESSES_OF_AN_ACCOUNT, MINUTES_OF_ADDRESSES = 10, 60
"""The maximum number of e-mail addresses in use that owners may enter in 60 minutes.

An owner enters an address to invite somebody or to correct their own. Without the limit, they could find out for any
number of addresses whether somebody has an account here.
"""
OPENINGS_OF_AN_ADDRESS, OPENINGS, MINUTES_OF_OPENINGS = 5, 100, 60
"""The limits of accounts opened in 60 minutes: from one address, and in total.

Each opening sends an e-mail.
"""
CODES_OF_A_MEMBER = ((OF_A_MEMBER, MINUTES), (20, 24 * 60), (60, 30 * 24 * 60))
"""The limits of wrong second-factor codes after a correct password, with periods in minutes.

A higher limit has a longer period. Three of a million codes are valid at a time, so a guesser who uses all attempts of
a month has a chance of 1 in 5,500. A new password resets the counts.
"""
WRONG_CODES_TOLD, MINUTES_OF_TELLING = 3, 24 * 60
"""The number of wrong codes, within these minutes, after which the member is notified.

The member is notified once a day, because somebody else may know their password.
"""
LOOKS_OF_AN_ADDRESS = 300
"""The maximum number of tenants' pages opened from one network address in 15 minutes.

The residents of a house may share an address.
"""
PAPERS_OF_AN_INVOICE = 30
"""The maximum number of PDFs or bills requested by an invoice's tenant in 15 minutes."""
QUESTIONS_OF_AN_INVOICE, MINUTES_OF_QUESTIONS = 5, 24 * 60
"""The maximum number of questions about one invoice within these minutes."""
QUESTIONS_OF_AN_ADDRESS = 20
"""The maximum number of questions from one network address in 15 minutes, about any invoices."""
COMPARISONS_OF_A_MEMBER = 30
"""The maximum number of months compared with earlier charges by a member in 15 minutes.

For a large property, one comparison takes a long time.
"""
_BITS_OF_A_NETWORK = 48
_BITS_OF_A_CLIENT = 64


def client_of(address: str) -> str:
    """Return the client to which attempts from a network address are attributed.

    The attempts of a client are counted together.

    For an IPv6 address, the client is its /64 network, and otherwise the address itself. An IPv4 address that is
    written as IPv6 counts as IPv4.

    >>> client_of("2001:db8:1:2::3"), client_of("::ffff:203.0.113.9"), client_of("203.0.113.9"), client_of("here")
    ('2001:db8:1:2::/64', '203.0.113.9', '203.0.113.9', 'here')
    """
    client_address = read_ip(address)
    if isinstance(client_address, IPv6Address):
        return str(IPv6Network(int(client_address)).supernet(new_prefix=_BITS_OF_A_CLIENT))
    return address if client_address is None else str(client_address)


def read_ip(text: str) -> IPv4Address | IPv6Address | None:
    """Parse an IP address; return None if the text is not one.

    An IPv4 address that is written as IPv6 becomes an IPv4 address.
    """
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return address.ipv4_mapped or address if isinstance(address, IPv6Address) else address


def network_of(address: str) -> str:
    """Return the network that contains a client.

    An internet provider may have assigned the whole network to a single customer. `address` is a result of
    `client_of`. For IPv6, the network is the /48 that contains the client's /64 and 65,535 others. For IPv4, the
    result is the address itself.

    >>> network_of("2001:db8:1:2::/64"), network_of("203.0.113.9")
    ('2001:db8:1::/48', '203.0.113.9')
    """
    if ":" not in address:
        return address
    return str(IPv6Network(address, strict=False).supernet(new_prefix=_BITS_OF_A_NETWORK))
