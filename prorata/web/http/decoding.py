"""The strict decoder, which converts a body or query string to a Struct.

If the decoder fails, it refuses the request and lists every problem at once. First, the bytes must be a JSON object
as RFC 8259 and docs/decisions.md#request-bodies define it (`decode_object`). Then each field is read according to
its type in the Struct. Messages never repeat the client's input, except the names of fields. Whole numbers become
int and others Decimal; a float never appears. The kinds of field are in `web/http/fields.py`.
"""

import codecs
import json
import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from functools import cache
from math import isinf
from typing import Any, NamedTuple, TypeVar

import msgspec
import msgspec.inspect as kinds

from prorata.domain.limits import MOST_PROBLEMS
from prorata.domain.problems import Problem, shown, unfit
from prorata.errors import InvalidRequest, MalformedJson
from prorata.web.http.fields import Accept, Unfit, in_a_body, in_a_query, sized, unwrapped
from prorata.web.http.limits import LONGEST_NUMBER

DEEPEST = 32
"""The maximum depth of nested objects and lists, including the body itself.

See docs/decisions.md#request-bodies.
"""
_SURELY_A_DOUBLE = 300

T = TypeVar("T", bound=msgspec.Struct)


# --- bytes → object ---------------------------------------------------------------------------------------------------


def decode_object(body: bytes) -> dict[str, object]:
    """Parse a JSON object (RFC 8259, docs/decisions.md#request-bodies).

    Beyond what RFC 8259 forbids, the parser refuses a byte order mark, names given twice in one object, NUL
    characters, halves of surrogate pairs, numbers that no double can hold, and nesting deeper than 32.

    Raises `MalformedJson` if the body is not such an object.

    >>> decode_object(b'{"sqft": 850.50, "bedrooms": 2}')
    {'sqft': Decimal('850.50'), 'bedrooms': 2}
    """
    if not body.strip():
        raise MalformedJson("The body is empty. Send a JSON object.")
    if body.startswith(codecs.BOM_UTF8):
        raise MalformedJson("The body starts with a byte order mark. Send JSON without one.")
    try:
        text = body.decode()
    except UnicodeDecodeError as wrong:
        raise MalformedJson(f"The body is not valid UTF-8 at byte offset {wrong.start}.") from None
    # The scanner below is recursive. Few brackets cannot be deep, so most bodies skip the count.
    if body.count(b"{") + body.count(b"[") > DEEPEST:
        _refuse_depth(body)
    try:
        value = _JSON.decode(text)
    except json.JSONDecodeError as wrong:
        offset = len(text[: wrong.pos].encode())
        what = _WHAT.get(wrong.msg, "this is not JSON")
        raise MalformedJson(f"The body is not valid JSON at byte offset {offset}: {what}.") from None
    if type(value) is not dict:
        raise MalformedJson("The body must be a JSON object: fields and values inside { and }.")
    if "\\u" in text:  # the scanner and UTF-8 reject raw ones
        _refuse_what_text_cannot_hold(value)
    return value


_WHAT = {
    "Expecting value": "a value is missing, or is not valid in JSON",
    "Expecting property name enclosed in double quotes": "a field name in double quotes is missing",
    "Expecting ':' delimiter": "a colon is missing",
    "Expecting ',' delimiter": "a comma or a closing bracket is missing",
    "Unterminated string starting at": "the text that starts here has no closing quote",
    "Invalid control character at": "a control character inside text must be escaped",
    "Invalid \\escape": "this escape sequence is not valid in JSON",
    "Invalid \\uXXXX escape": "this escape sequence needs four hexadecimal digits",
    "Illegal trailing comma before end of object": "a field name in double quotes is missing",
    "Illegal trailing comma before end of array": "a value is missing, or is not valid in JSON",
    "Extra data": "nothing may follow the object",
}


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) < len(pairs):
        seen: set[str] = set()
        for name, _ in pairs:
            if name in seen:
                raise MalformedJson(f"The field `{shown(name)}` is given more than once in one object.")
            seen.add(name)
    return members


def _refuse_out_of_range(text: str) -> None:
    if len(text) > LONGEST_NUMBER:
        raise MalformedJson(f"A number in the body has more than {LONGEST_NUMBER} characters.")
    if isinf(float(text)):
        raise MalformedJson("A number in the body is too large for a double (about 1.8e308).")


def _whole(text: str) -> int:
    if len(text) > _SURELY_A_DOUBLE:
        _refuse_out_of_range(text)
    return int(text)


def _fractional(text: str) -> Decimal:
    _refuse_out_of_range(text)
    if float(text) == 0:
        # Decimal would keep 1e-999999, a million digits in plain writing, and cannot hold 0e99999999999999999999.
        if any(digit in "123456789" for digit in text.lower().partition("e")[0]):
            raise MalformedJson("A number in the body is too close to zero for a double (about 5e-324).")
        return Decimal(0)
    return Decimal(text)


def _constant(_: str) -> object:
    raise MalformedJson("NaN and Infinity are not valid JSON numbers.")


_JSON = json.JSONDecoder(object_pairs_hook=_object, parse_int=_whole, parse_float=_fractional, parse_constant=_constant)

_TEXT_OR_BRACKET = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[\]{}]', re.DOTALL)


def _refuse_depth(body: bytes) -> None:
    depth = 0
    for token in _TEXT_OR_BRACKET.finditer(body):
        match token[0]:
            case b"{" | b"[":
                depth += 1
                if depth > DEEPEST:
                    raise MalformedJson(
                        f"The body nests objects and lists more than {DEEPEST} levels deep at byte offset "
                        f"{token.start()}."
                    )
            case b"}" | b"]":
                depth -= 1


_NOT_IN_TEXT = re.compile(r"[\x00\ud800-\udfff]")


def _refuse_what_text_cannot_hold(members: dict[str, object]) -> None:
    waiting: list[object] = [members]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            waiting += value.keys()
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value
        elif isinstance(value, str) and (match := _NOT_IN_TEXT.search(value)):
            what = "a NUL character (\\u0000)" if match[0] == "\0" else "half of a surrogate pair (\\ud800 to \\udfff)"
            raise MalformedJson(f"A text or field name in the body contains {what}.")


# --- object → Struct --------------------------------------------------------------------------------------------------


def read_body(body: bytes, into: type[T]) -> T:
    """Decode a JSON body to a Struct, or refuse it with all problems.

    See docs/decisions.md#request-bodies. A field that is left out takes the Struct's default: with `name: str |
    UnsetType = UNSET`, a PATCH can tell "not sent" from null.
    """
    return _made(into, decode_object(body), [])


def read_members(members: Mapping[str, object], into: type[T]) -> T:
    """Decode an object inside a JSON body to a Struct, or refuse it.

    The refusal lists all problems.
    """
    return _made(into, members, [])


def read_query(pairs: Sequence[tuple[str, object]], into: type[T], noun: str = "parameter") -> T:
    """Decode the values of a query string or form to a Struct.

    See docs/decisions.md#query-parameters. `pairs` contains decoded names and values, including blank values.
    `noun` is the word for a value in messages, such as "parameter". Whole numbers are plain digits, and booleans
    are `true` or `false`. Text is taken unchanged, without trimming. Raises `InvalidRequest` with all problems.
    """
    problems: list[Problem] = []
    sent: dict[str, object] = {}
    repeated: set[str] = set()
    for name, value in pairs:
        if name in sent and name not in repeated:
            repeated.add(name)
            problems.append(Problem(shown(name), f"`{shown(name)}` is given more than once."))
        sent.setdefault(name, value)
    return _made(into, sent, problems, noun)


def _made(into: type[T], sent: Mapping[str, object], problems: list[Problem], noun: str = "") -> T:
    read = _read_members(_shape(into, noun), sent, "", problems)
    if problems:
        raise InvalidRequest.because(problems[:MOST_PROBLEMS])
    assert isinstance(read, into)
    return read


_Reader = Callable[[object, str, list[Problem]], object]
"""A function that reads a value at a path and collects its problems."""


class _Field(NamedTuple):
    attribute: str
    read: _Reader


class _Shape(NamedTuple):
    """The fields of a Struct, and the conversion of an object's members to them."""

    into: type[msgspec.Struct]
    fields: Mapping[str, _Field]
    required: tuple[str, ...]
    together: Callable[[Mapping[str, Any]], list[Problem]] | None
    """The function that finds values, by attribute, that contradict each other.

    A value that is already wrong on its own is None in its argument.
    """
    unknown: str
    """The second half of the sentence about a name that is not among the fields."""


def _read_members(shape: _Shape, sent: Mapping[str, object], prefix: str, problems: list[Problem]) -> object:
    before = len(problems)
    values: dict[str, object] = {}
    for name, value in sent.items():
        field = shape.fields.get(name)
        if field is not None:
            values[field.attribute] = field.read(value, prefix + name, problems)
        elif len(problems) < MOST_PROBLEMS:
            path = prefix + shown(name)
            problems.append(Problem(path, f"`{path}` {shape.unknown}"))
    problems += [
        Problem(prefix + name, f"`{prefix}{name}` is required.") for name in shape.required if name not in sent
    ]
    if shape.together is not None:
        problems += shape.together(values)
    return shape.into(**values) if len(problems) == before else None


@cache
def _shape(into: type[msgspec.Struct], written_as: str = "") -> _Shape:
    known = kinds.type_info(into)
    assert isinstance(known, kinds.StructType)
    noun, written = written_as or "field", bool(written_as)
    names = ", ".join(field.encode_name for field in known.fields)
    return _Shape(
        into=into,
        fields={field.encode_name: _Field(field.name, _reader(field.type, written)) for field in known.fields},
        required=tuple(field.encode_name for field in known.fields if field.required),
        together=getattr(into, "unfit_together", None),
        unknown=f"is not a known {noun}; {f'the {noun}s are {names}' if names else 'there are none here'}.",
    )


def _reader(kind: kinds.Type, written: bool) -> _Reader:
    kind, extra, nullable = unwrapped(kind)
    match kind:
        case kinds.StructType() if not written:
            return _struct(_shape(kind.cls), nullable)
        case kinds.ListType() | kinds.VarTupleType() if not written:
            return _list(kind, extra, nullable)
        case _:
            must, accept = in_a_query(kind) if written else in_a_body(kind)
            return _value(extra.get("must", must), accept, extra.get("read"), nullable=nullable and not written)


def _value(must: str, accept: Accept, then: Accept | None, *, nullable: bool) -> _Reader:
    if nullable:
        must += ", or null"

    def read(value: object, path: str, problems: list[Problem]) -> object:
        try:
            if value is not None:
                accepted = accept(value)
                return accepted if then is None else then(accepted)
            if nullable:
                return None
            wrong = f"{must}, not null"
        except Unfit as other:
            wrong = other.must
        except ValueError:
            wrong = must
        problems.append(unfit(path, wrong))
        return None

    return read


def _struct(shape: _Shape, nullable: bool) -> _Reader:
    def read(value: object, path: str, problems: list[Problem]) -> object:
        if isinstance(value, dict):
            return _read_members(shape, value, f"{path}.", problems)
        if value is not None or not nullable:
            problems.append(Problem(path, f"`{path}` must be an object{', or null' if nullable else ''}."))
        return None

    return read


class Unread(NamedTuple):
    """An item that can't be read, in a list whose items are read separately.

    `sent` is the item as it was sent, and `refusal` the reason.
    """

    sent: object
    refusal: InvalidRequest


def _apart(read: _Reader) -> _Reader:
    """Wrap the reader of a list's items, so that an unreadable item becomes an `Unread`.

    The other items are still read.
    """

    def read_apart(value: object, path: str, _: list[Problem]) -> object:
        problems: list[Problem] = []
        item = read(value, path, problems)
        return Unread(value, InvalidRequest.because(problems[:MOST_PROBLEMS])) if problems else item

    return read_apart


def _list(kind: kinds.ListType | kinds.VarTupleType, extra: dict[str, Any], nullable: bool) -> _Reader:
    item = _reader(kind.item_type, written=False)
    if extra.get("apart"):
        item = _apart(item)
    least, most = kind.min_length or 0, kind.max_length
    make = list if isinstance(kind, kinds.ListType) else tuple
    must = extra.get("must", f"must be a list{sized(kind.min_length, most, 'items')}") + (", or null" * nullable)

    def read(value: object, path: str, problems: list[Problem]) -> object:
        if isinstance(value, list) and len(value) >= least and (most is None or len(value) <= most):
            return make(
                item(element, f"{path}[{index}]", problems)
                for index, element in enumerate(value)
                if len(problems) < MOST_PROBLEMS
            )
        if value is not None or not nullable:
            problems.append(Problem(path, f"`{path}` {must}."))
        return None

    return read
