"""Files that come in a form of parts (multipart/form-data), from a browser or a program; and files as answers."""

from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from io import BytesIO
from typing import Annotated, NamedTuple
from urllib.parse import quote

import msgspec
from msgspec import UNSET, Meta, Struct
from multipart import MultipartError, MultipartParser, parse_options_header

from prorata.errors import InvalidRequest
from prorata.web.http.limits import LONGEST_PART_HEAD, MOST_FORM_PARTS, MOST_HEAD_LINES

AT_ONCE = 64 * 1024
"""Bytes of a body that is taken apart where it came in: that takes less than giving it to a thread does."""
_UNREADABLE = "The body can't be read as a form of parts. Send it as your HTTP library does, with its boundary."


class SentFile:
    """A file that somebody sent. `name` is what they call it. (No tuple, which the schema would have as a list.)"""

    __slots__ = ("content", "name")

    def __init__(self, name: str, content: bytes) -> None:
        self.name = name
        self.content = content


FileSent = Annotated[SentFile, Meta(extra_json_schema={"type": "string", "format": "binary"})]
"""A field of a form that holds a file."""


class FileAnswer(NamedTuple):
    """A file to keep, as an answer."""

    name: str
    content: bytes


class Parts(NamedTuple):
    """What a form holds: its fields and its files, each in their order with the names of their fields."""

    pairs: list[tuple[str, str]]
    files: list[tuple[str, SentFile]]


def taken_apart(body: bytes, boundary: str, most: int, *, is_cut: bool = False) -> Parts:
    """The parts of a form, or of as much of it as was kept. Raises `ValueError`, `MultipartError`."""
    pairs, files = list[tuple[str, str]](), list[tuple[str, SentFile]]()
    limits = {"memory_limit": most, "disk_limit": 0, "spool_limit": most, "part_limit": MOST_FORM_PARTS,
              "headersize_limit": LONGEST_PART_HEAD, "header_limit": MOST_HEAD_LINES}  # fmt: skip
    parts = iter(MultipartParser(BytesIO(body), boundary, content_length=len(body), **limits))
    with suppress(*((MultipartError,) if is_cut else ())):  # the last part has no end
        for part in parts:
            if part.filename is None:
                pairs.append((part.name, part.value))
            elif part.filename:
                files.append((part.name, SentFile(part.filename, part.raw)))
    return Parts(pairs, files)


def fields_of(body: bytes, content_type: str, most: int) -> Sequence[tuple[str, object]]:
    """The fields of a form that a program sent, files among them. Raises `InvalidRequest`."""
    _, options = parse_options_header(content_type)
    try:
        found = taken_apart(body, options.get("boundary", ""), most)
    except (ValueError, MultipartError):
        raise InvalidRequest(_UNREADABLE) from None
    return [*found.pairs, *found.files]


def as_file(value: object) -> SentFile:
    """A field of a form as a file. Raises `ValueError` where it is none."""
    if not isinstance(value, SentFile):
        raise ValueError  # noqa: TRY004 - what is refused is a value
    return value


def said_by(form: Struct) -> bytes:
    """What a form says, as JSON: the same for the same fields and files, whatever stood between them."""
    said = {
        name: [value.name, sha256(value.content).hexdigest()] if isinstance(value, SentFile) else value
        for name in form.__struct_fields__
        if (value := getattr(form, name)) is not UNSET
    }
    return msgspec.json.encode(said)


def disposition(name: str, *, to_look_at: bool = False) -> bytes:
    """The header that says what a file is called, in any script (RFC 6266)."""
    return f"{'inline' if to_look_at else 'attachment'}; filename*=UTF-8''{quote(name, safe='')}".encode("ascii")
