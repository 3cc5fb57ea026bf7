"""Mail addresses of recipients, senders and returned mail, safe in message headers.

Each message has its own return address, with a token after a plus sign. Mail servers send their reports about the
message to that address, so the token identifies the message even if a report quotes no part of it. This is known
as a variable envelope return path.
"""

import re
import unicodedata
from ipaddress import ip_address, ip_network
from typing import NamedTuple

from prorata.domain.limits import (
    LONGEST_DOMAIN,
    LONGEST_HOST_LABEL,
    LONGEST_LOCAL_PART,
    LONGEST_MAIL_ADDRESS,
    LONGEST_MAIL_TOKEN,
)
from prorata.domain.texts import say

_NO_DOMAIN = "The part of the e-mail address after the @ is not a valid domain name."
_ATOM = r"""[^\s()<>\[\]:;,\\"@.]+"""
_LOCAL_PART = re.compile(rf"{_ATOM}(?:\.{_ATOM})*")
_LABEL = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
_TOKEN = re.compile(r"[a-z0-9_]{8,48}")
_LOOPBACK = (
    ip_network("127.0.0.0/8"),
    ip_network("::1/128"),
)  # not by is_loopback: Python 3.13 counts ::ffff:127.0.0.1
_DOTS = re.compile("[.\u3002\uff0e\uff61]")  # dots in IDNA (RFC 3490 section 3.1)


class NotAnAddress(ValueError):
    """Raised for an invalid address; the message is a sentence without the address."""


class MailAddress(NamedTuple):
    """An e-mail address: the local part as written, and the domain in ASCII (A-labels)."""

    local_part: str
    domain: str

    def __str__(self) -> str:
        return f"{self.local_part}@{self.domain}"

    @property
    def is_ascii(self) -> bool:
        """True if every mail server accepts the address.

        An address with other characters needs servers that support SMTPUTF8 (RFC 6531).
        """
        return self.local_part.isascii()


def read_address(text: str) -> MailAddress:
    """Parse an address without name, quotes, comments or address literals.

    Raises `NotAnAddress` if the text is not such an address.

    >>> str(read_address("Anna@Bücher.example")), str(read_address("用户@例子.广告"))
    ('Anna@xn--bcher-kva.example', '用户@xn--fsqu00a.xn--4rr70v')
    """
    local_part, at, domain = text.rpartition("@")
    # Programs that decode encoded words (RFC 2047) would read such a text as another address.
    if not (at and text.isprintable() and _LOCAL_PART.fullmatch(local_part)) or "=?" in local_part:
        raise NotAnAddress("This is not a valid e-mail address. Enter one such as name@example.com.")
    if len(local_part.encode()) > LONGEST_LOCAL_PART:
        raise NotAnAddress("The part of the e-mail address before the @ is too long.")
    address = MailAddress(local_part, ascii_domain(domain))
    if len(str(address).encode()) > LONGEST_MAIL_ADDRESS:
        raise NotAnAddress("The e-mail address is too long.")
    return address


def address_or_none(text: str) -> MailAddress | None:
    """Parse an address; None if it is not valid."""
    try:
        return read_address(text)
    except NotAnAddress:
        return None


def ascii_domain(domain: str) -> str:
    """Convert a domain to lower-case ASCII, with A-labels for other letters.

    "ß" and "ς" are separate letters (UTS 46, non-transitional, as in registries and browsers). Python's codec
    "idna" follows the 2003 standard, and would send mail for faß.example to fass.example, which belongs to somebody
    else. Raises `NotAnAddress` if the text is not a valid domain.

    >>> ascii_domain("Faß.Example"), "faß.example".encode("idna")
    ('xn--fa-hia.example', b'fass.example')
    """
    if len(domain) > LONGEST_DOMAIN:
        raise NotAnAddress(_NO_DOMAIN)
    labels = [_ascii_label(label) for label in _DOTS.split(domain)]
    domain_found = ".".join(labels)
    if (
        not all(_LABEL.fullmatch(label) for label in labels)
        or len(domain_found) > LONGEST_DOMAIN
        or _is_number(labels[-1])
    ):
        raise NotAnAddress(_NO_DOMAIN)
    return domain_found


def _ascii_label(label: str) -> str:
    # Letter by letter: lower() of a whole word turns a final "Σ" into "ς", which is another name.
    lower = "".join(letter.lower() for letter in unicodedata.normalize("NFKC", label))
    mapped = unicodedata.normalize("NFC", lower)
    if mapped.isascii():
        return mapped
    # What isn't printable is no letter of a name, and would hide in one. Punycode is never shorter than what it writes,
    # and takes seconds for some thousand letters; NFKC makes 18 of one.
    writable = mapped.isprintable() and len(mapped) <= LONGEST_HOST_LABEL
    return f"xn--{mapped.encode('punycode').decode()}" if writable else ""


def _is_number(label: str) -> bool:
    return label.isdigit()


def reply_address(contact: str | None) -> MailAddress | None:
    """Parse an account's contact as an e-mail address to which everyone can reply.

    The result is None if the contact is not such an address.

    >>> str(reply_address(" office@example.com ")), reply_address("+49 30 1234567"), reply_address(None)
    ('office@example.com', None, None)
    """
    address = address_or_none((contact or "").strip())
    return address if address and address.is_ascii else None


def return_address(sender: str, token: str) -> MailAddress:
    """Build the address to which reports about one message go.

    `token` is 8 to 48 characters of a-z, 0-9 and _. Capitals are not allowed, because servers may change the case
    of letters. Raises `NotAnAddress` if `sender` is not an address, or if it leaves no room for the token in the
    64 octets of a local part.

    >>> str(return_address("bills@example.com", "mail_01hx9k2"))
    'bills+mail_01hx9k2@example.com'
    """
    assert _TOKEN.fullmatch(token), "a token of a return address"
    address = read_address(sender)
    local_part = f"{address.local_part}+{token}"
    if len(local_part.encode()) > LONGEST_LOCAL_PART:
        raise NotAnAddress(
            "The part of the sender's e-mail address before the @ is too long to use in a return address."
        )
    return MailAddress(local_part, address.domain)


def holds_return_address(sender: MailAddress) -> bool:
    """True if every message of this sender can have a return address.

    The local part, a plus sign and the longest token (31 characters) must fit into 64 octets.

    >>> [holds_return_address(MailAddress("x" * length, "example.com")) for length in (32, 33)]
    [True, False]
    """
    try:
        read_address(str(return_address(str(sender), "x" * LONGEST_MAIL_TOKEN)))
    except NotAnAddress:
        return False
    return True


def read_return_address(recipient: str, sender: str) -> str | None:
    """Extract the token from a return address of `sender`.

    The result is None if `recipient` is not a return address of `sender`. Case is ignored, because servers may change
    the case.

    >>> read_return_address("Bills+MAIL_01hx9k2@Example.com", "bills@example.com")
    'mail_01hx9k2'
    >>> read_return_address("bills@example.com", "bills@example.com")
    """
    mail_address, expected = address_or_none(recipient), address_or_none(sender)
    if mail_address is None or expected is None:
        return None
    local_part, _, token = mail_address.local_part.lower().rpartition("+")
    same = local_part == expected.local_part.lower() and mail_address.domain == expected.domain
    return token if same and _TOKEN.fullmatch(token) else None


def is_loopback(host: str) -> bool:
    """True if a host name or address refers to this machine.

    >>> [is_loopback(host) for host in ("localhost", "127.0.0.1", "[::1]", "mail.localhost", "mail.example.com")]
    [True, True, True, True, False]
    """
    name = host.strip("[]").rstrip(".").lower()
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        address = ip_address(name)
    except ValueError:
        return False
    return any(address in network for network in _LOOPBACK)


def why_mail_is_held(base_host: str, smtp_host: str) -> str | None:
    """Return the reason why no message may leave this machine, or None (docs/decisions.md#sending).

    If `base_host`, the host in links, is this machine, a link in a message would lead recipients to their own
    machine. Mail is then allowed only if `smtp_host` is this machine, too, to try out sending.

    >>> why_mail_is_held("127.0.0.1", "mail.example.com")
    'E-mail is on hold: set PRORATA_BASE_URL to the public address first, or the links in messages won’t work.'
    >>> why_mail_is_held("127.0.0.1", "localhost"), why_mail_is_held("bills.example.com", "mail.example.com")
    (None, None)
    """
    if is_loopback(base_host) and not is_loopback(smtp_host):
        return say(
            "E-mail is on hold: set PRORATA_BASE_URL to the public address first, or the links in messages won’t work."
        )
    return None
