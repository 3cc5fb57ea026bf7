"""Files in multipart/form-data requests, from browsers or programs, and files in responses."""

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
"""The maximum number of bytes in a body parsed by the receiving thread.

Parsing so few bytes takes less time than giving them to another thread.
"""
_UNREADABLE = (
    "The body can't be read as multipart form data. Send it the way your HTTP library does, including its boundary."
)


class SentFile:
    """An uploaded file, with the `name` that the client gave it.

    The class is not a tuple, because the API's schema would show a tuple as a list.
    """

    __slots__ = ("content", "name")

    def __init__(self, name: str, content: bytes) -> None:
        self.name = name
        self.content = content


FileSent = Annotated[SentFile, Meta(extra_json_schema={"type": "string", "format": "binary"})]
"""A form field that contains a file."""


class FileAnswer(NamedTuple):
    """A file to be downloaded, as the result of an operation."""

    name: str
    content: bytes


class Parts(NamedTuple):
    """A form's fields and its files, each with its field name, in order."""

    pairs: list[tuple[str, str]]
    files: list[tuple[str, SentFile]]


def taken_apart(body: bytes, boundary: str, most: int, *, is_cut: bool = False) -> Parts:
    """Parse the fields and files of a multipart form.

    `boundary` separates the parts of the form, and `most` is the maximum number of bytes of the parts. If the form
    `is_cut`, its incomplete last part is left out. Raises `ValueError` or `MultipartError` if the form is
    malformed.
    """
    pairs, files = list[tuple[str, str]](), list[tuple[str, SentFile]]()
    limits = {"memory_limit": most, "disk_limit": 0, "spool_limit": most, "part_limit": MOST_FORM_PARTS,
              "headersize_limit": LONGEST_PART_HEAD, "header_limit": MOST_HEAD_LINES}  # fmt: skip
    parts = iter(MultipartParser(BytesIO(body), boundary, content_length=len(body), **limits))
    with suppress(*((MultipartError,) if is_cut else ())):  # the last part is cut off
        for part in parts:
            if part.filename is None:
                pairs.append((part.name, part.value))
            elif part.filename:
                files.append((part.name, SentFile(part.filename, part.raw)))
    return Parts(pairs, files)


def fields_of(body: bytes, content_type: str, most: int) -> Sequence[tuple[str, object]]:
    """Parse the fields of a program's form, including its files.

    Raises `InvalidRequest` if the form is malformed.
    """
    _, options = parse_options_header(content_type)
    try:
        parts = taken_apart(body, options.get("boundary", ""), most)
    except (ValueError, MultipartError):
        raise InvalidRequest(_UNREADABLE) from None
    return [*parts.pairs, *parts.files]


def as_file(value: object) -> SentFile:
    """Return a form's field as a file.

    Raises `ValueError` if the field is not a file.
    """
    if not isinstance(value, SentFile):
        raise ValueError  # noqa: TRY004 - it refuses a value
    return value


def said_by(form: Struct) -> bytes:
    """Serialize a form's values as JSON, which is the same whenever the values are equal.

    The delimiters between the form's parts make no difference.
    """
    values = {
        name: [value.name, sha256(value.content).hexdigest()] if isinstance(value, SentFile) else value
        for name in form.__struct_fields__
        if (value := getattr(form, name)) is not UNSET
    }
    return msgspec.json.encode(values)


def disposition(name: str, *, to_look_at: bool = False) -> bytes:
    """Build the Content-Disposition header with a file's name in any script (RFC 6266)."""
    return f"{'inline' if to_look_at else 'attachment'}; filename*=UTF-8''{quote(name, safe='')}".encode("ascii")
