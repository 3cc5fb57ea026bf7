"""Detecting messages that can be read in more than one way despite their signature.

Many domains sign the sender and the body, but not the fields that say how to read the body. If somebody replaces an
unsigned Content-Type, text that the sender merely quoted can become a file from the sender.
"""

import re
from collections.abc import Collection

from prorata.domain.inbound_mail.message_fields import read_fields, read_kind
from prorata.domain.inbound_mail.message_parts import field_of, head_and_body, take_apart

_TYPE, _ENCODING, _DISPOSITION = "content-type", "content-transfer-encoding", "content-disposition"
_TEXTS = ("text/plain", "text/html")
_FIRST_LINE = re.compile(
    rb"\s*(?:this is a multi-?part message in mime format\.*\s*)?^--([^\r\n]*)", re.IGNORECASE | re.MULTILINE
)
"""A pattern for the first boundary line of a body that begins with its parts.

Only text that programs write there may precede it.
"""
_MADE_BY_A_PROGRAM = re.compile(r"(?=.*[0-9A-Za-z])[^\s]+")
"""A pattern for boundaries that no person writes as a line above a quotation.

A line above a quotation consists, for example, of words between dashes, or only of dashes. The pattern requires a
letter or digit and no spaces.
"""


def reads_one_way(raw: bytes, covered: Collection[str]) -> bool:
    r"""True if a message can be read in only one way despite its incomplete signature.

    The signature covers only some fields: `covered` contains their names, in lower case. The message is unambiguous
    if they include all fields that say how to read the body. Otherwise, it depends on the kind of message. A
    message of plain text is unambiguous if no reading of it yields a file. For any other message, the Content-Type
    must be covered, or the signed body must begin with the message's parts.

    >>> parts = b"\r\n\r\n--b1\r\nContent-Type: application/pdf\r\n\r\n%PDF\r\n--b1--\r\n"
    >>> reads_one_way(b"Content-Type: multipart/mixed; boundary=b1" + parts, [])
    True
    >>> quoted = b"\r\n\r\nYou wrote:" + parts
    >>> reads_one_way(b"Content-Type: multipart/mixed; boundary=b1" + quoted, [])
    False
    >>> reads_one_way(b"Content-Type: text/plain" + quoted, []), reads_one_way(b"Content-Type: text/csv\r\n\r\na,b", [])
    (True, False)
    """
    signed = set(covered)
    if signed >= {_TYPE, _ENCODING, _DISPOSITION}:
        return True
    head = head_and_body(raw, 0, len(raw))
    if head is None:
        return False
    kind = read_kind(field_of(read_fields(head.head), _TYPE) or _TEXTS[0])
    if kind.name in _TEXTS:
        leaves = take_apart(raw).leaves
        return all(leaf.kind in _TEXTS and not leaf.name and not leaf.is_attached for leaf in leaves)
    if _TYPE in signed:
        return True
    boundary = kind.parameters.get("boundary", "").rstrip()
    return kind.name.startswith("multipart/") and _begins_with_its_parts(raw, head.body, boundary)


def _begins_with_its_parts(raw: bytes, body: int, boundary: str) -> bool:
    first = _FIRST_LINE.match(raw, body)
    is_first = first is not None and first[1].rstrip() == boundary.encode()
    return is_first and bool(_MADE_BY_A_PROGRAM.fullmatch(boundary))
