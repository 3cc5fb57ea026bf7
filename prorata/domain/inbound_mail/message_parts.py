"""Splitting a message into its leaves, including those of forwarded messages (RFC 2046, 2183).

The number of parts, their depth and the decoded bytes are limited. Each level of parts is searched once, and decoding
never expands data, so the time is proportional to the length times the depth.
"""

import re
from binascii import Error as NotEncoded, a2b_base64, a2b_qp, a2b_uu
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from prorata.domain.inbound_mail.message_fields import Field, Kind, read_fields, read_kind
from prorata.domain.limits import (
    LONGEST_MAIL_BOUNDARY,
    LONGEST_MAIL_HEAD,
    LONGEST_UU_LINE,
    MOST_DECODED_MAIL_BYTES,
    MOST_MAIL_DEPTH,
    MOST_MAIL_PARTS,
)
from prorata.domain.texts import say

TOO_MANY = say("This message has more than {most} parts; any beyond that were not processed.", most=MOST_MAIL_PARTS)
TOO_DEEP = say(
    "This message contains parts nested more than {most} levels deep; anything deeper was not processed.",
    most=MOST_MAIL_DEPTH,
)
TOO_LARGE = say(
    "The contents of this message exceed {most} MB; the rest was not processed.", most=MOST_DECODED_MAIL_BYTES >> 20
)
HEAD_TOO_LONG = say("The headers of this message are too long to be read.")
NO_BOUNDARY = say(
    "This message could not be split into its parts, because the boundaries between them are missing or broken."
)
ENCRYPTED = say(
    "This message, or a part of it, is encrypted or sealed, so its files can't be read. Send it unencrypted."
)
IN_PIECES = say(
    "This is one piece of a message that was sent in several. Send the whole file at once, or a smaller one."
)
DAMAGED = say("A message within this one arrived damaged, so its files could not be read. Send it again.")
ELSEWHERE = say(
    "This message refers to a file that is stored elsewhere. Prorata doesn’t download it; attach the file itself."
)

_HEAD_ENDS = re.compile(rb"\r?\n\r?\n|\A\r?\n")
_REST = re.compile(rb"(--)?[ \t]*(?:\r?\n|\Z)")
_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/\s]")
_SPACE = b" \t\r\n\x0b\x0c"
_BEGIN_UU = re.compile(rb"^begin [0-7]{3,4} ([^\r\n]{1,500})\r?\n", re.MULTILINE)
_MESSAGES = ("message/rfc822", "message/global", "message/news")
_SEALED = ("application/pkcs7-mime", "application/x-pkcs7-mime", "application/pgp-encrypted")
_REFUSED = {
    **dict.fromkeys(_SEALED, ENCRYPTED),
    "message/partial": IN_PIECES,
    "message/external-body": ELSEWHERE,
}


class Leaf(NamedTuple):
    """A part of a message that contains no other part.

    `kind` is its content type, and `name` its file name, or "". `is_attached` means that it is marked as an
    attachment. `is_related` means that it accompanies a letter that can display it. `is_whole` is False if the part
    arrived damaged; `content` is then the data that did arrive.
    """

    kind: str
    name: str
    content: bytes
    is_attached: bool = False
    is_related: bool = False
    is_whole: bool = True


class Apart(NamedTuple):
    """A message split into parts: header fields, leaves in order, and problems."""

    fields: tuple[Field, ...]
    kind: str
    leaves: tuple[Leaf, ...]
    problems: tuple[str, ...]


class Head(NamedTuple):
    """The header of a message or part, and the position at which its body begins."""

    head: bytes
    body: int


class _Part(NamedTuple):
    """The position of a part in a message's data.

    `ends` is False if no boundary line closes the part, so that only the end of the data ends it. `stands_alone` is
    False if the part belongs to a multipart. `otherwise` is the content type to assume if the part states none.
    """

    data: bytes
    start: int
    end: int
    depth: int = 0
    ends: bool = True
    stands_alone: bool = True
    is_related: bool = False
    otherwise: str = "text/plain"


def take_apart(raw: bytes) -> Apart:
    r"""Split a message into leaves; never raises.

    Parts that were not examined are reported as problems.

    >>> [(leaf.kind, leaf.content) for leaf in take_apart(b"Subject: x\n\nHello").leaves]
    [('text/plain', b'Hello')]
    """
    walk = _Walk()
    fields, kind, _ = walk.head(_Part(raw, 0, len(raw)))
    leaves = tuple(walk.leaves(_Part(raw, 0, len(raw), ends=False)))
    return Apart(fields, kind.name, leaves, tuple(dict.fromkeys(walk.problems)))


def head_and_body(data: bytes, start: int, end: int) -> Head | None:
    r"""Find the header between two positions of a message, and the position of the body.

    Returns None if the header is too long.

    >>> head_and_body(b"Subject: x\r\n\r\nHello", 0, 19)
    Head(head=b'Subject: x', body=14)
    """
    if data.startswith((b"From ", b">From "), start):  # the line that mbox files put before a message
        start = data.find(b"\n", start, end) + 1 or end
    window = data[start : min(end, start + LONGEST_MAIL_HEAD)]
    match = _HEAD_ENDS.search(window)
    if match is None:
        return Head(window, end) if len(window) < LONGEST_MAIL_HEAD else None
    return Head(window[: match.start()], start + match.end())


def field_of(fields: Sequence[Field], name: str) -> str:
    """Return the value of the first field with this name, or ""."""
    return next((field.value for field in fields if field.name == name), "")


class _Walk:
    """A traversal of one message's parts, which counts parts and bytes and collects problems."""

    def __init__(self) -> None:
        self.problems: list[str] = []
        self._parts = 0
        self._decoded = 0

    def head(self, part: _Part) -> tuple[tuple[Field, ...], Kind, int]:
        """Parse a part's fields, its content type, and the position of its body."""
        its_head = head_and_body(part.data, part.start, part.end)
        if its_head is None:
            self.problems.append(HEAD_TOO_LONG)
            return (), Kind(part.otherwise, {}), part.end
        fields = read_fields(its_head.head)
        return fields, read_kind(field_of(fields, "content-type") or part.otherwise), its_head.body

    def leaves(self, part: _Part) -> Iterator[Leaf]:
        """Yield the leaves in a part, in the order of the message.

        Parts beyond the limits are skipped and recorded as problems.
        """
        self._parts += 1
        if self._parts > MOST_MAIL_PARTS or part.depth > MOST_MAIL_DEPTH:
            self.problems.append(TOO_DEEP if part.depth > MOST_MAIL_DEPTH else TOO_MANY)
            return
        fields, kind, start = self.head(part)
        body = part._replace(start=start)
        way = field_of(fields, "content-transfer-encoding").lower()
        if kind.name in _REFUSED:
            self.problems.append(_REFUSED[kind.name])
        elif kind.name.startswith("multipart/"):
            for child in self._children(body, kind):
                yield from self.leaves(child)
        elif kind.name in _MESSAGES:
            yield from self.leaves(self._message(body, way))
        else:
            yield from self._leaf(body, fields, kind, way)

    def _children(self, part: _Part, kind: Kind) -> Iterator[_Part]:
        """Yield the parts of a multipart; delivery reports and encrypted messages yield none."""
        boundary = kind.parameters.get("boundary", "").rstrip()
        if kind.name == "multipart/encrypted":
            self.problems.append(ENCRYPTED)
        if kind.name in ("multipart/encrypted", "multipart/report"):
            return
        spans, is_closed = (
            _divided(part, boundary.encode()) if 0 < len(boundary) <= LONGEST_MAIL_BOUNDARY else ([], True)
        )
        if not spans:
            self.problems.append(NO_BOUNDARY)
        for place, (start, end) in enumerate(spans, 1):
            yield part._replace(
                start=start,
                end=end,
                depth=part.depth + 1,
                ends=is_closed or place < len(spans) or part.ends,
                stands_alone=False,
                is_related=part.is_related or kind.name == "multipart/related",
                otherwise="message/rfc822" if kind.name == "multipart/digest" else "text/plain",
            )

    def _message(self, part: _Part, way: str) -> _Part:
        """Return the message that a part contains, decoded if necessary.

        The standard forbids encoding such a message, but some programs do it.
        """
        within = part._replace(depth=part.depth + 1, otherwise="text/plain", is_related=False)
        if way not in ("base64", "quoted-printable") or part.depth >= MOST_MAIL_DEPTH:
            return within
        content, is_whole = self._decode(part, way)
        if not is_whole:
            self.problems.append(DAMAGED)
        return within._replace(data=content, start=0, end=len(content))

    def _leaf(self, part: _Part, fields: Sequence[Field], kind: Kind, way: str) -> Iterator[Leaf]:
        disposition = read_kind(field_of(fields, "content-disposition"))
        name = disposition.parameters.get("filename") or kind.parameters.get("name", "")
        content, is_whole = self._decode(part, way)
        leaf = Leaf(
            kind.name,
            name,
            content,
            is_attached=disposition.name == "attachment",
            is_related=part.is_related,
            is_whole=is_whole and (part.ends or part.stands_alone),
        )
        is_message = name.lower().endswith(".eml") and kind.name in ("application/octet-stream", "text/plain")
        if is_message and leaf.is_whole:
            yield from self.leaves(_Part(content, 0, len(content), part.depth + 1))
        else:
            yield leaf
        if kind.name == "text/plain" and not name:
            yield from _uuencoded(content)

    def _decode(self, part: _Part, way: str) -> tuple[bytes, bool]:
        """Decode a part; the second value is True if the part arrived whole."""
        length = part.end - part.start
        if self._decoded + length - (length >> 2 if way == "base64" else 0) > MOST_DECODED_MAIL_BYTES:
            self._decoded = MOST_DECODED_MAIL_BYTES
            self.problems.append(TOO_LARGE)
            return b"", False
        data = part.data[part.start : part.end]
        content, is_whole = data, True
        if way == "base64":
            content, is_whole = _from_base64(data)
        elif way == "quoted-printable":
            content = a2b_qp(data)
        elif way in ("x-uuencode", "uuencode", "x-uue", "uue"):
            first = next(_uuencoded(data), None)
            content, is_whole = (first.content, first.is_whole) if first else (b"", False)
        self._decoded += len(content)
        return content, is_whole


def _divided(part: _Part, boundary: bytes) -> tuple[list[tuple[int, int]], bool]:
    """Find the ranges of data between boundary lines.

    Return them as (start, end) positions, and True if the closing boundary line exists. There are at most
    `MOST_MAIL_PARTS` + 2 ranges.
    """
    line = b"--" + boundary
    spans: list[tuple[int, int]] = []
    begun: int | None = None
    for at in _beginnings(part, line):
        rest = _REST.match(part.data, at + len(line), part.end)
        if rest is None:
            continue
        if begun is not None:
            end = at - (2 if part.data[at - 2 : at] == b"\r\n" else 1)
            spans.append((begun, max(begun, end)))
        if rest[1]:
            return spans, True
        if len(spans) > MOST_MAIL_PARTS:
            break
        begun = rest.end()
    if begun is not None:
        spans.append((begun, part.end))
    return spans, False


def _beginnings(part: _Part, line: bytes) -> Iterator[int]:
    """Yield the positions of lines that begin with `line`."""
    if part.data.startswith(line, part.start):
        yield part.start
    at = part.data.find(b"\n" + line, part.start, part.end)
    while at >= 0:
        yield at + 1
        at = part.data.find(b"\n" + line, at + 1, part.end)


def _from_base64(data: bytes) -> tuple[bytes, bool]:
    """Decode base64; the second value is True if the data is complete.

    Trailing text, such as that of mailing lists, is skipped.
    """
    encoded, padding, after = data.partition(b"=")
    after = after.translate(None, _SPACE + b"=")
    # Some programs encode a file in pieces, each padded: the start of the next piece is uncertain.
    if _NOT_BASE64.search(encoded) or (after and not _NOT_BASE64.search(after)):
        return b"", False
    letters = encoded.translate(None, _SPACE)
    if len(letters) % 4 == 1 or (padding and not len(letters) % 4):
        return b"", False
    return a2b_base64(letters + b"=" * (-len(letters) % 4)), True


def _uuencoded(text: bytes) -> Iterator[Leaf]:
    """Yield the first `MOST_MAIL_PARTS` uuencoded files in the text."""
    at = 0
    for _ in range(MOST_MAIL_PARTS):
        begin = _BEGIN_UU.search(text, at)
        if begin is None:
            return
        content, at, is_whole = _from_uu(text, begin.end())
        if content:
            name = begin[1].decode(errors="replace").strip()
            yield Leaf("application/octet-stream", name, content, is_attached=True, is_whole=is_whole)


def _from_uu(text: bytes, start: int) -> tuple[bytes, int, bool]:
    """Decode the uuencoded lines that begin at `start`.

    Return the decoded bytes, the position after the last line read, and True if the line `end` was found.
    """
    content = bytearray()
    at = start
    while at < len(text):
        after = text.find(b"\n", at, at + 2 * LONGEST_UU_LINE) + 1 or len(text)
        line = text[at : min(after, at + 2 * LONGEST_UU_LINE)].rstrip(b"\r\n")
        if line == b"end":
            return bytes(content), after, True
        try:
            # Four letters for every three bytes, which the first letter counts; some programs append more.
            content += a2b_uu(line[: 1 + 4 * len(range(0, (line[0] - 32) & 63, 3))]) if line else b""
        except NotEncoded:
            break
        at = after
    return bytes(content), at, False
