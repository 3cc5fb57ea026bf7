"""Limits on sign-in attempts, and on mail to addresses that may be someone else's.

Correct passwords and codes don't count. Attempts from browsers in which the member has never signed in are counted
together, whoever makes them. Each browser in which they have signed in is counted separately, so that strangers who
guess can't lock members out of their own browsers. These are the numbers; `try_to_be`
(web/dashboard/accounts/sign_in.py) counts password sign-ins.
"""

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

OF_AN_ADDRESS = 30
"""Tries from one network address in a quarter of an hour, of each thing that needs no sign-in,"""
OF_A_MEMBER = 10
"""and to be one member, from wherever, or from one browser that they know: by password, or by a code."""
COMPARED_FOR_AN_ADDRESS = 300
"""Passwords that are compared for one network address, right or wrong: each costs a twentieth of a second."""
MINUTES = 15
IN_A_NETWORK = 4
"""So many times as much as from one network address is tried from one network (`network_of`) of many addresses."""
ADDRESSES_OF_AN_ACCOUNT, MINUTES_OF_ADDRESSES = 10, 60
"""E-mail addresses that the owners of an account try in an hour, to invite somebody or to correct their own, and that
turn out to be somebody's already: else it could be asked without end who has an account here.
"""
OPENINGS_OF_AN_ADDRESS, OPENINGS, MINUTES_OF_OPENINGS = 5, 100, 60
"""Accounts that are opened in an hour: from one network address, and in all. Each mails somebody."""
CODES_OF_A_MEMBER = ((OF_A_MEMBER, MINUTES), (20, 24 * 60), (60, 30 * 24 * 60))
"""Wrong codes of a second factor behind one password, and minutes: who has guessed long waits longer. Three codes of a
million are valid at a time, so of so many in a month one in 5,500 is right. Another password begins anew.
"""
WRONG_CODES_TOLD, MINUTES_OF_TELLING = 3, 24 * 60
"""After so many in a day the member is told, once a day: somebody knows their password."""
LOOKS_OF_AN_ADDRESS = 300
"""Pages of tenants that are opened from one network address in a quarter of an hour: a house shares one."""
PAPERS_OF_AN_INVOICE = 30
"""Times in a quarter of an hour that an invoice's tenant has it put on paper, or gets a bill that it comes from."""
QUESTIONS_OF_AN_INVOICE, MINUTES_OF_QUESTIONS = 5, 24 * 60
"""Questions that are asked about one invoice in a day,"""
QUESTIONS_OF_AN_ADDRESS = 20
"""and from one network address, about whichever."""
COMPARISONS_OF_A_MEMBER = 30
"""Months that a member has compared with their old charges in a quarter of an hour: in a large house one takes long."""
_BITS_OF_A_NETWORK = 48
_BITS_OF_A_CLIENT = 64


def client_of(address: str) -> str:
    """The client behind an address: the /64 of an IPv6 address, otherwise the address.

    >>> client_of("2001:db8:1:2::3"), client_of("::ffff:203.0.113.9"), client_of("203.0.113.9"), client_of("here")
    ('2001:db8:1:2::/64', '203.0.113.9', '203.0.113.9', 'here')
    """
    found = read_ip(address)
    if isinstance(found, IPv6Address):
        return str(IPv6Network(int(found)).supernet(new_prefix=_BITS_OF_A_CLIENT))
    return address if found is None else str(found)


def read_ip(text: str) -> IPv4Address | IPv6Address | None:
    """Parse an IP address; an IPv4 address may also be written as IPv6."""
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return address.ipv4_mapped or address if isinstance(address, IPv6Address) else address


def network_of(address: str) -> str:
    """The network of an address that one customer of a provider may have.

    For IPv6, where an address stands for its /64, that is the /48 with its 65,536 such networks; for IPv4, it is
    the address itself.

    >>> network_of("2001:db8:1:2::/64"), network_of("203.0.113.9")
    ('2001:db8:1::/48', '203.0.113.9')
    """
    if ":" not in address:
        return address
    return str(IPv6Network(address, strict=False).supernet(new_prefix=_BITS_OF_A_NETWORK))
