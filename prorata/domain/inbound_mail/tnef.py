"""Reader of winmail.dat, in which Outlook wraps a message's files (TNEF, MS-OXTNEF).

The file is a stream of attributes, each with its length and a checksum. The message's attributes come first,
followed by those of each attached file. A nested message is another such stream. Stated lengths and checksums
are verified against the bytes. Nothing in a file is compressed, so the output is never larger than the input.
"""

import struct
from collections.abc import Iterator
from typing import NamedTuple

from prorata.domain.inbound_mail.message_fields import decoded
from prorata.domain.limits import (
    LONGEST_TNEF_NAME,
    MOST_TNEF_ATTRIBUTES,
    MOST_TNEF_DEPTH,
    MOST_TNEF_FILES,
    MOST_TNEF_PROPERTIES,
)

SIGNATURE = b"\x78\x9f\x3e\x22"
_BEGINNING = 6
"""The number of bytes at the beginning of a winmail.dat: its signature and key."""

_OF_FILE = 2
_CODE_PAGE = 0x00069007
_NEXT_FILE, _TITLE, _DATA, _PROPERTIES = 0x00069002, 0x00018010, 0x0006800F, 0x00069005
_HEAD = struct.Struct("<BII")

_OBJECT, _BYTES, _NARROW, _WIDE = 0x000D, 0x0102, 0x001E, 0x001F
_MANY = 0x1000
_SIZES = {0x0002: 4, 0x0003: 4, 0x0004: 4, 0x0005: 8, 0x0006: 8, 0x0007: 8, 0x000A: 4, 0x000B: 4, 0x0014: 8}
_SIZES |= {0x0040: 8, 0x0048: 16}
"""The number of bytes that a value of each type takes, padded to four-byte words."""
_DATA_OBJECT, _LONG_NAME, _SHORT_NAME, _SHOWN_NAME, _IS_HIDDEN = 0x3701, 0x3707, 0x3704, 0x3001, 0x7FFE
_MESSAGE = bytes.fromhex("0703020000000000c000000000000046")
"""The identifier at the beginning of an attached object that is a message."""


class TnefFile(NamedTuple):
    """A file attached to the message.

    `is_shown` means that the letter displays the file, such as a picture in the sender's signature.
    """

    name: str
    content: bytes
    is_shown: bool = False


class Tnef(NamedTuple):
    """The files of a stream; `is_whole` is False if some were unreadable or too many."""

    files: tuple[TnefFile, ...]
    is_whole: bool


class _NotTnefError(ValueError):
    """Raised if the data is shorter than it claims, or damaged."""


def read_tnef(data: bytes, depth: int = 1) -> Tnef:
    """Read the files in a winmail.dat, including those of nested messages.

    `is_whole` of the result is False if some files were unreadable or too many. Faulty data raises no exception.

    >>> read_tnef(b"no such thing")
    Tnef(files=(), is_whole=False)
    """
    files: list[TnefFile] = []
    is_whole, page, open_file = True, "", _OpenFile()
    try:
        for level, attribute, value in _attributes(data):
            if attribute == _CODE_PAGE and len(value) >= 4:  # noqa: PLR2004 - a number of four bytes
                page = f"cp{int.from_bytes(value[:4], 'little')}"
            elif level == _OF_FILE and attribute == _NEXT_FILE:
                is_whole &= open_file.close(files, depth)
                open_file = _OpenFile()
                open_file.add(attribute, value, page)
            elif level == _OF_FILE:
                open_file.add(attribute, value, page)
            if len(files) > MOST_TNEF_FILES:
                return Tnef(tuple(files[:MOST_TNEF_FILES]), is_whole=False)
    except _NotTnefError:
        is_whole = False
    # The attributes of a file passed their checksums; a truncated file has no content, or only a name.
    is_whole &= open_file.close(files, depth)
    return Tnef(tuple(files[:MOST_TNEF_FILES]), is_whole and len(files) <= MOST_TNEF_FILES)


def _attributes(data: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Yield the level, number and value of each attribute.

    Raises `_NotTnefError` if the data is too short, is damaged, or has too many attributes.
    """
    if not data.startswith(SIGNATURE) or len(data) < _BEGINNING + _HEAD.size:
        raise _NotTnefError
    at, seen = _BEGINNING, 0
    while at < len(data):
        if at + _HEAD.size > len(data) or seen >= MOST_TNEF_ATTRIBUTES:
            raise _NotTnefError
        level, attribute, length = _HEAD.unpack_from(data, at)
        at, seen = at + _HEAD.size, seen + 1
        if level not in (1, _OF_FILE) or at + length + 2 > len(data):
            raise _NotTnefError
        value = data[at : at + length]
        at += length + 2
        if sum(value) & 0xFFFF != int.from_bytes(data[at - 2 : at], "little"):
            raise _NotTnefError
        yield level, attribute, value


class _OpenFile:
    """An attached file of a winmail.dat whose attributes are still being read."""

    def __init__(self) -> None:
        self._title = ""
        self._named: dict[int, str] = {}
        self._data: bytes | None = None
        self._message: bytes | None = None
        self._is_shown = False
        self._is_begun = False

    def add(self, attribute: int, value: bytes, page: str) -> None:
        """Add an attribute of the file.

        Raises `_NotTnefError` if the attribute is damaged.
        """
        self._is_begun = True
        if attribute == _TITLE:
            self._title = decoded(value[:LONGEST_TNEF_NAME].partition(b"\x00")[0], page)
        elif attribute == _DATA:
            self._data = value
        elif attribute == _PROPERTIES:
            for number, kind, given in _properties(value):
                self._add_property(number, kind, given, page)

    def _add_property(self, number: int, kind: int, value: bytes, page: str) -> None:
        if number in (_LONG_NAME, _SHORT_NAME, _SHOWN_NAME) and kind in (_NARROW, _WIDE):
            name = decoded(value[:LONGEST_TNEF_NAME], "utf-16le" if kind == _WIDE else page)
            self._named[number] = name.partition("\x00")[0]
        elif number == _DATA_OBJECT and kind == _OBJECT and value.startswith(_MESSAGE):
            self._message = value[len(_MESSAGE) :]
        elif number == _DATA_OBJECT and kind in (_BYTES, _OBJECT) and self._data is None:
            self._data = value[16:] if kind == _OBJECT else value
        elif number == _IS_HIDDEN:
            self._is_shown = any(value)

    def close(self, files: list[TnefFile], depth: int) -> bool:
        """Add the file to `files`; return False if it is incomplete or empty."""
        if self._message is not None:
            if depth >= MOST_TNEF_DEPTH:
                return False
            within = read_tnef(self._message, depth + 1)
            files += within.files
            return within.is_whole
        if self._data is not None:
            name = self._named.get(_LONG_NAME) or self._named.get(_SHORT_NAME) or self._title
            files.append(TnefFile(name or self._named.get(_SHOWN_NAME, ""), self._data, self._is_shown))
            return True
        return not self._is_begun


def _properties(data: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Yield the number, type and value of each property.

    If a property has several values, the last one is yielded. Raises `_NotTnefError` if the data is too short or
    has a property of an unknown type.
    """
    at = 4
    for _ in range(min(_number(data, 0), MOST_TNEF_PROPERTIES)):
        kind_and_number = _number(data, at)
        kind, number = kind_and_number & 0xFFFF, kind_and_number >> 16
        at += 4
        if number >= 0x8000:  # noqa: PLR2004 - those that have a name: whose it is, and the name or number
            at += 20
            at += _filled(_number(data, at)) + 4 if _number(data, at - 4) else 4
        of_one, varies = kind & ~_MANY, kind & ~_MANY in (_OBJECT, _BYTES, _NARROW, _WIDE)
        count = 1
        if varies or kind & _MANY:
            count, at = _number(data, at), at + 4
        if (not varies and of_one not in _SIZES) or count > len(data):
            raise _NotTnefError
        value = b""
        for _each in range(count):
            length = _number(data, at) if varies else _SIZES[of_one]
            at += 4 if varies else 0
            if at + length > len(data):
                raise _NotTnefError
            value = data[at : at + length]
            at += _filled(length)
        yield number, of_one, value


def _number(data: bytes, at: int) -> int:
    if at + 4 > len(data):
        raise _NotTnefError
    return int.from_bytes(data[at : at + 4], "little")


def _filled(length: int) -> int:
    return length + -length % 4
