"""An account's addresses for bills by mail, and the allowed senders.

An address contains a token that nobody can guess. A "-" precedes the token, because utilities' web forms reject a
"+" in addresses. If Prorata polls a mailbox, a "+" precedes the token, because most providers deliver such
addresses to the mailbox itself. Incoming mail is accepted with either character.
"""

import re
from contextlib import suppress

from prorata.domain.limits import MOST_ADDRESSES_IN_HEADERS, MOST_ALLOWED_SENDERS, MOST_MESSAGE_BYTES
from prorata.domain.mail_addresses import MailAddress, NotAnAddress, address_or_none, ascii_domain, read_address
from prorata.domain.texts import say

TOKEN_CHARACTERS = "abcdefghjkmnpqrstvwxyz23456789"  # noqa: S105 - none that is taken for another
TOKEN_LENGTH = 20
"""The number of characters in a token, which contain 98 bits of randomness."""
KEEP_DAYS_OF_STRANGERS = 14
"""The maximum number of days for which an unexamined message is kept."""
KEEP_DAYS = 365
"""The default and maximum number of days for which a finished message is kept unchanged."""
RECEIVED, WAITING, TAKEN, NOTHING, REFUSED, AGAIN, REPORT, NOT_TAKEN, DEALT_WITH = MAIL_IN_STATES = (
    *("received", "waiting", "taken", "nothing", "refused", "again", "report", "not taken", "dealt with"),
)
"""The states of an incoming message.

In this order: it is stored but not read yet; its sender is not allowed; its contents were accepted; it contained
nothing to accept; somebody refused it; it is a copy of an earlier one; it reports on a message of ours; it could not be
read, or a wanted file could not be accepted, so a person has to look; a person has looked.
"""
MAIL_IN_WAYS = ("smtp", "lmtp", "imap")
_TOKEN = re.compile(rf"[-+]([{TOKEN_CHARACTERS}]{{{TOKEN_LENGTH}}})\Z")
_IN_HEADERS = re.compile(r"[A-Za-z0-9._+=-]{1,64}@[A-Za-z0-9.-]{1,255}")
_FROM = re.compile(r"^from[ \t]*:((?:[^\n]|\n[ \t])*)", re.IGNORECASE | re.MULTILINE)
_APART = re.compile(r"[\s,;]+")


def account_address(base: MailAddress, token: str, *, is_polled: bool = False) -> str:
    """Build an account's address for bills from the installation's address and a token.

    If the mailbox is polled (`is_polled`), a "+" precedes the token, otherwise a "-".

    >>> account_address(MailAddress("bills", "example.com"), "k7wq2mz9x4hd8rt3vbnc")
    'bills-k7wq2mz9x4hd8rt3vbnc@example.com'
    """
    return f"{base.local_part}{'+' if is_polled else '-'}{token}@{base.domain}"


def token_in(recipient: str) -> str | None:
    """Return the token in a recipient's address; None if it contains no token.

    Case is ignored, because servers may change the case of the address.

    >>> token_in("Bills-K7WQ2MZ9X4HD8RT3VBNC@example.com"), token_in("bills+k7wq2mz9x4hd8rt3vbnc@other.example")
    ('k7wq2mz9x4hd8rt3vbnc', 'k7wq2mz9x4hd8rt3vbnc')
    >>> token_in("bills@example.com"), token_in("k7wq2mz9x4hd8rt3vbnc@example.com")
    (None, None)
    """
    match = _TOKEN.search(recipient.rpartition("@")[0].lower())
    return match[1] if match else None


def is_made_of(address: str, base: MailAddress) -> bool:
    """True if an address may be an account's address for bills.

    Such an address is the installation's address `base` with a token.

    >>> base = MailAddress("Bills", "example.com")
    >>> [is_made_of(f"bills{token}@example.com", base) for token in ("+k7wq2mz9x4hd8rt3vbnc", "+march", "")]
    [True, False, False]
    >>> is_made_of("bounces+k7wq2mz9x4hd8rt3vbnc@example.com", base), is_made_of("bills@other.example", base)
    (False, False)
    """
    local_part, _, domain = address.lower().rpartition("@")
    token = token_in(address)
    return token is not None and (local_part[: -len(token) - 1], domain) == (base.local_part.lower(), base.domain)


def addresses_in(headers: str) -> list[str]:
    r"""List the distinct addresses in a message's headers, in order, up to a maximum.

    >>> addresses_in("To: Bills <bills+k7wq2mz9x4hd8rt3vbnc@example.com>\r\nCc: ann@example.com, ANN@example.com")
    ['bills+k7wq2mz9x4hd8rt3vbnc@example.com', 'ann@example.com']
    """
    addresses = dict.fromkeys(address.lower() for address in _IN_HEADERS.findall(headers))
    return list(addresses)[:MOST_ADDRESSES_IN_HEADERS]


def sender_in(headers: str) -> str:
    r"""Return the sender that the headers claim, or "".

    The claim proves nothing.

    >>> sender_in("To: a@b.example\nFrom: \"not@this.example\"\n <Bills@aqua.example>\nSubject: c@d.example")
    'bills@aqua.example'
    """
    match = _FROM.search(headers)
    addresses = _IN_HEADERS.findall(match[1]) if match else []
    return addresses[-1].lower() if addresses else ""


def is_too_large(size: int) -> bool:
    """True if a message is so large that only its header is fetched.

    >>> is_too_large(25 * 1024 * 1024), is_too_large(25 * 1024 * 1024 + 1)
    (False, True)
    """
    return size > MOST_MESSAGE_BYTES


def read_allowed(text: str) -> tuple[str, ...]:
    r"""Parse the senders that a person entered as allowed.

    A sender is an address, or a domain with or without an @. Raises `NotAnAddress`, with a sentence that explains
    the problem, if an entry is not an address or domain.

    >>> read_allowed("Bills@Aqua.example\n@power.example, gas.example")
    ('bills@aqua.example', '@power.example', '@gas.example')
    """
    senders = tuple(dict.fromkeys(_allowed(sender) for sender in _APART.split(text.strip()) if sender))
    if len(senders) > MOST_ALLOWED_SENDERS:
        raise NotAnAddress(say("Enter at most {most} senders.", most=MOST_ALLOWED_SENDERS))
    return senders


def _allowed(text: str) -> str:
    name, _, domain = text.rpartition("@")
    with suppress(NotAnAddress):
        if name:
            return comparable(read_address(text))
        if "." in domain:
            return f"@{ascii_domain(domain)}"
    raise NotAnAddress(
        "Write addresses, such as bills@example.com, or domains, such as example.com, one a line. This is neither: "
        f"{text[:64]}"
    )


def comparable(address: MailAddress) -> str:
    """Return an e-mail address in lower case, for comparison with other addresses."""
    return f"{address.local_part.lower()}@{address.domain}"


def is_allowed(sender: str | None, allowed: tuple[str, ...]) -> bool:
    """True if a sender is an allowed address or belongs to an allowed domain.

    A domain covers the addresses in it, but not those in its subdomains.

    >>> allowed = ("bills@aqua.example", "@power.example")
    >>> [is_allowed(one, allowed) for one in ("Bills@Aqua.example", "ann@power.example", "ann@x.power.example", None)]
    [True, True, False, False]
    """
    address = address_or_none(sender or "")
    return address is not None and (comparable(address) in allowed or f"@{address.domain}" in allowed)
