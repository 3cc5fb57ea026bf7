"""What a form sends, read as strictly as the API reads JSON, and in the words of a person who fills it in.

An empty field is one that was not filled in: left out, or null where the Struct's field may be null. Spaces at the
ends go, numbers may have thousands separators, a box that is not ticked is False. Names are those of the fields.
"""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from decimal import Decimal
from functools import cache
from io import BytesIO
from typing import Any, NamedTuple, TypeVar
from urllib.parse import parse_qsl

import msgspec
import msgspec.inspect as kinds
from multipart import MultipartError, MultipartParser, parse_options_header

from prorata.domain.problems import MOST_PROBLEMS, Problem, shown
from prorata.errors import InvalidRequest, PayloadTooLarge, UnsupportedMediaType
from prorata.web.dashboard.pages import Upload
from prorata.web.fields import Accept, Unfit, in_a_body

MOST_FIELDS = 6_000
"""Fields in one form: a property's units, each with a box, and some more."""
TOKEN = "form_token"  # noqa: S105 - the name of a field
T = TypeVar("T", bound=msgspec.Struct)
Pairs = list[tuple[str, str]]
_TRUE = ("on", "true")
_NUMBER = re.compile(r"-?\d{1,3}(?:,\d{3})+(?:\.\d+)?|-?\d+(?:\.\d+)?")
_LONGEST_NUMBER = 30


class Sent(NamedTuple):
    """What a form sent: its fields in their order, and its files by the names of theirs."""

    pairs: Pairs
    files: Mapping[str, Upload]

    @property
    def typed(self) -> dict[str, str]:
        """What stood in each field, to be shown again."""
        return dict(self.pairs)


async def read_whole(receive: Callable[[], Awaitable[dict[str, Any]]], most: int) -> bytes:
    """The body of a request, counted while it comes. Raises `PayloadTooLarge`."""
    chunks, size, more = [], 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise InvalidRequest("The connection was closed before everything had come. Try again.")
        chunk: bytes = message.get("body", b"")
        size += len(chunk)
        if size > most:
            raise PayloadTooLarge(f"This is more than {most // 1024:,} KiB, which is the most that fits here.")
        chunks.append(chunk)
        more = message.get("more_body", False)
    return b"".join(chunks)


def taken_apart(content_type: str, body: bytes, most: int) -> Sent:
    """The fields and files of a form as a browser sends it. Raises `InvalidRequest`, `UnsupportedMediaType`."""
    kind, options = parse_options_header(content_type)
    try:
        if kind == "application/x-www-form-urlencoded":
            text = body.decode("ascii")
            return Sent(parse_qsl(text, keep_blank_values=True, errors="strict", max_num_fields=MOST_FIELDS), {})
        if kind == "multipart/form-data":
            return _parts(body, options.get("boundary", ""), most)
    except (ValueError, MultipartError):
        raise InvalidRequest("The form can't be read. Load the page again and fill it in once more.") from None
    raise UnsupportedMediaType("This page takes what its own form sends. Load the page and use the form.")


def _parts(body: bytes, boundary: str, most: int) -> Sent:
    pairs: Pairs = []
    files: dict[str, Upload] = {}
    limits = {"memory_limit": most, "disk_limit": 0, "spool_limit": most, "part_limit": MOST_FIELDS}
    for part in MultipartParser(BytesIO(body), boundary, content_length=len(body), **limits):
        if part.filename is None:
            pairs.append((part.name, part.value))
        elif part.filename:
            files[part.name] = Upload(part.filename, part.raw)
    return Sent(pairs, files)


class Filled(NamedTuple):
    """A form as a template shows it: what stands in its fields, what is wrong with each, and with the whole."""

    values: Mapping[str, Any]
    problems: Mapping[str, str]
    wrong: str = ""

    def value(self, name: str) -> str:
        """What stands in a field."""
        value = self.values.get(name)
        return "" if value is None else str(value)

    def problem(self, name: str) -> str:
        """What is wrong with a field, in a sentence; empty where nothing is."""
        return self.problems.get(name, "")


def in_a_persons_words(field: str, message: str) -> str:
    """A problem beside its field, where its name would be said twice.

    >>> in_a_persons_words("zip", "`zip` must be text of 1 to 20 characters.")
    'Must be text of 1 to 20 characters.'
    >>> in_a_persons_words("zip", "`zip` is required.")
    'Please fill this in.'
    """
    said = message.removeprefix(f"`{field}` ").removeprefix(f"{field} ")
    if said == "is required.":
        return "Please fill this in."
    return said[:1].upper() + said[1:]


def read_form(pairs: Sequence[tuple[str, str]], into: type[T]) -> T:
    """The Struct that a form fills, or every problem with it at once. Raises `InvalidRequest`."""
    fields = _fields(into)
    sent: dict[str, list[str]] = {}
    for name, value in pairs:
        if name != TOKEN:
            sent.setdefault(name, []).append(value.replace("\r\n", "\n"))
    problems = [
        Problem(shown(name), f"`{shown(name)}` is not a field of this form. Load the page again.")
        for name in sent if name not in fields
    ]  # fmt: skip
    values: dict[str, Any] = {}
    for name, field in fields.items():
        try:
            found = field.read(sent.get(name, []))
        except ValueError as wrong:
            must = wrong.must if isinstance(wrong, Unfit) else field.must
            problems.append(Problem(name, f"`{name}` {must}."))
        else:
            if found is not _ABSENT:
                values[field.attribute] = found
            elif field.required:
                problems.append(Problem(name, f"`{name}` is required."))
    if problems:
        raise InvalidRequest.because(problems[:MOST_PROBLEMS])
    return into(**values)


class _Field(NamedTuple):
    attribute: str
    required: bool
    must: str
    read: Callable[[list[str]], Any]


_ABSENT = object()


@cache
def _fields(into: type[msgspec.Struct]) -> dict[str, _Field]:
    known = kinds.type_info(into)
    assert isinstance(known, kinds.StructType)
    return {field.encode_name: _field(field) for field in known.fields}


def _field(field: kinds.Field) -> _Field:
    extra: dict[str, Any] = {}
    nullable, kind = False, field.type
    while isinstance(kind, kinds.Metadata | kinds.UnionType):
        if isinstance(kind, kinds.Metadata):
            extra = {**(kind.extra or {}), **extra}
            kind = kind.type
        else:
            nullable = any(isinstance(one, kinds.NoneType) for one in kind.types)
            (kind,) = (one for one in kind.types if not isinstance(one, kinds.NoneType))
    if isinstance(kind, kinds.ListType):
        must, accept = _one(kind.item_type)
        return _Field(field.name, field.required, must, lambda texts: [accept(text) for text in texts])
    if isinstance(kind, kinds.BoolType):
        return _Field(field.name, False, "must be ticked or not", lambda texts: any(text in _TRUE for text in texts))
    must, accept = _one(kind)
    then: Accept | None = extra.get("read")
    empty = None if nullable else _ABSENT

    def read(texts: list[str]) -> Any:
        text = texts[-1].strip() if texts else ""
        if not text:
            return empty if texts else _ABSENT
        value = accept(text)
        return value if then is None else then(value)

    return _Field(field.name, field.required, extra.get("must", must), read)


def _one(kind: kinds.Type) -> tuple[str, Accept]:
    """What one text of a form must be, and how it is accepted."""
    while isinstance(kind, kinds.Metadata):
        kind = kind.type
    must, accept = in_a_body(kind)
    if isinstance(kind, kinds.StrType | kinds.LiteralType | kinds.EnumType):
        return must, accept
    return must, lambda text: accept(_number(text))


def _number(text: str) -> Decimal:
    if len(text) > _LONGEST_NUMBER or not text.isascii() or not _NUMBER.fullmatch(text):
        raise ValueError
    return Decimal(text.replace(",", ""))
