"""Links to e-mail or call the landlord, in the letterhead on a tenant's page."""

import re
from typing import NamedTuple

from prorata.domain.mail_addresses import reply_address

_TELEPHONE = re.compile(r"(?=(?:\D*\d){7,15}\D*\Z)[^\d+@]{0,20}?(\+?\(?\d[\d ()./\u2010-\u2013-]{5,24}\d)")
"""The pattern of a telephone number of 7 to 15 digits, after any words."""


class HeadLine(NamedTuple):
    """A line of an invoice's letterhead, with a link, which may be empty."""

    text: str
    to: str


def head_lines(lines: tuple[str, ...], contact: str) -> list[HeadLine]:
    """Add links to an invoice's letterhead where it repeats the landlord's contact details.

    A line gets a link if it is an e-mail address or telephone number, and also one of the lines of `contact`.

    >>> from os import linesep
    >>> mail, call = "office@example.com", "Tel. +49 30 / 123-4567"
    >>> [one.to for one in head_lines(("1 Main St", mail, call), linesep.join((mail, call)))]
    ['', 'mailto:office@example.com', 'tel:+49301234567']
    """
    contacts = {line.strip() for line in contact.splitlines()}
    return [HeadLine(line, _leads_to(line) if line in contacts else "") for line in lines]


def _leads_to(line: str) -> str:
    if address := reply_address(line):
        return f"mailto:{address}"
    match = _TELEPHONE.fullmatch(line)
    return "tel:" + re.sub(r"[^+\d]", "", match[1]) if match else ""
