"""Header fields of untrusted messages and their parts (RFC 5322, 2045, 2047, 2231).

This module parses them, because the standard library's parsers trust such fields: nested brackets cause a recursion
error there, a character set named "punycode" takes minutes, and the choice between two addresses in a `From` depends on
the Python release. Parsing takes time in proportion to the length, and never raises.
"""

import re
from binascii import Error as NotBase64, a2b_base64, a2b_qp
from collections.abc import Mapping
from typing import NamedTuple

from prorata.domain.limits import LONGEST_MAIL_FIELD, MOST_MAIL_FIELDS
from prorata.domain.mail_addresses import MailAddress, address_or_none

_FOLD = re.compile(rb"\r?\n(?=[ \t])")
_NAME = re.compile(rb"[!-9;-~]+")
_PARAMETER = re.compile(r';\s*([^\s=;"]+)\s*=\s*("(?:[^"\\]|\\.)*"?|[^;"]*)', re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_PIECE = re.compile(r"([^*]+)(?:\*(\d{1,3}))?(\*)?")
_WORD = re.compile(r"=\?([^?\s]{1,60})\?([bBqQ])\?([^?]*)\?=")
_IN_BRACKETS = re.compile(r"([^<>]*)<([^<>]*)>\s*")
_SEPARATORS = re.compile("[,;:]")
_PERCENT = re.compile(rb"%([0-9A-Fa-f]{2})")
_MESSAGE_ID = re.compile(r"<[!-;=?-~]{1,500}>")
# The other codecs are no character sets of mail, and some take minutes.
_CHARSETS = re.compile(
    r"(?:us-)?ascii|utf-?8|utf-16(?:le|be)?|latin-?1|iso-?8859-\d+|windows-\d+|cp\d+|koi8-[rut]|macintosh|mac-?roman"
    r"|gb\d*k?|big5(?:-hkscs)?|euc-\w+|iso-2022-\w+|shift[_-]jis|ks_c_5601-1987|tis-620"
)


class Field(NamedTuple):
    """A header field: its name in lower case, and its value unfolded but not decoded."""

    name: str
    value: str


class Kind(NamedTuple):
    """The value of a field with parameters, such as Content-Type.

    `name` is the first part of the value, in lower case. `parameters` maps the parameters' names to their values.
    """

    name: str
    parameters: Mapping[str, str]


def read_fields(head: bytes) -> tuple[Field, ...]:
    r"""Parse the header fields of a message or part, and unfold their lines.

    At most `MOST_MAIL_FIELDS` are kept, each cut to `LONGEST_MAIL_FIELD`. Lines that are not part of a field are
    skipped.

    >>> read_fields(b"Subject: March\r\n bill\r\nno field\r\nX-A:\tb\r\n")
    (Field(name='subject', value='March bill'), Field(name='x-a', value='b'))
    """
    fields: list[Field] = []
    for line in _FOLD.sub(b"", head).split(b"\n", MOST_MAIL_FIELDS)[:MOST_MAIL_FIELDS]:
        name, colon, value = line[: LONGEST_MAIL_FIELD + 100].partition(b":")
        if colon and _NAME.fullmatch(name.rstrip(b" \t")):
            fields.append(Field(name.rstrip(b" \t").decode().lower(), _text(value[:LONGEST_MAIL_FIELD]).strip()))
    return tuple(fields)


def _text(data: bytes) -> str:
    """Decode a header as UTF-8 (RFC 6532) or, if that fails, as Latin-1.

    Old programs send headers in Latin-1.
    """
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


def decoded(data: bytes, charset: str) -> str:
    r"""Decode a text in its declared character set.

    If that is impossible, the text is decoded as UTF-8, or otherwise as Latin-1.

    >>> decoded(b"M\xe4rz", "iso-8859-1"), decoded(b"M\xe4rz", "punycode"), decoded("März".encode(), "")
    ('März', 'März', 'März')
    """
    if not _CHARSETS.fullmatch(charset.lower()):
        return _text(data)
    try:
        return data.decode(charset, errors="replace")
    except (LookupError, ValueError):
        return _text(data)


def words(value: str) -> str:
    """Decode a value's encoded words (RFC 2047), dropping white space between two of them.

    >>> words("=?utf-8?b?TcOk?= =?utf-8?q?rz?= 2026"), words("=?broken?b?")
    ('März 2026', '=?broken?b?')
    """
    texts: list[str] = []
    charset, data, at = "", b"", 0
    for word in _WORD.finditer(value):
        between = value[at : word.start()]
        given = word[1].partition("*")[0].lower()
        if between.strip() or given != charset:  # one letter's bytes may span two words
            texts.append(decoded(data, charset))
            charset, data = given, b""
            texts.append(between if between.strip() or not at else "")
        data += _word(word[2], word[3])
        at = word.end()
    return "".join((*texts, decoded(data, charset), value[at:]))


def _word(way: str, text: str) -> bytes:
    data = text.encode("ascii", errors="ignore")
    if way in "qQ":
        return a2b_qp(data, header=True)
    try:
        return a2b_base64(data + b"==")
    except NotBase64:
        return data


def read_kind(value: str) -> Kind:
    r"""Parse a value with parameters, such as Content-Type or Content-Disposition.

    If a parameter is repeated, only the first one is used. Continued and encoded parameters (RFC 2231) are joined, and
    take precedence over plain ones.

    >>> read_kind('Application/PDF; name="a;b.pdf"')
    Kind(name='application/pdf', parameters={'name': 'a;b.pdf'})
    >>> read_kind("attachment; filename*0*=utf-8''M%C3%A4; filename*1=rz.pdf; filename=x").parameters["filename"]
    'März.pdf'
    """
    plain: dict[str, str] = {}
    pieces: dict[str, dict[int, tuple[bool, str]]] = {}
    for parameter in _PARAMETER.finditer(value):
        given = parameter[2].strip()
        text = _ESCAPED.sub(r"\1", given[1:].removesuffix('"')) if given.startswith('"') else given
        piece = _PIECE.fullmatch(parameter[1].lower())
        if piece is None:
            continue
        if piece[2] is None and not piece[3]:
            plain.setdefault(piece[1], words(text))
        else:
            pieces.setdefault(piece[1], {}).setdefault(int(piece[2] or 0), (bool(piece[3]), text))
    return Kind(
        value.partition(";")[0].strip().lower(),
        plain | {name: _put_together(each) for name, each in pieces.items()},
    )


def _put_together(pieces: Mapping[int, tuple[bool, str]]) -> str:
    charset, data = "utf-8", b""
    for number in sorted(pieces):
        is_encoded, text = pieces[number]
        if is_encoded and number == min(pieces) and text.count("'") >= 2:  # noqa: PLR2004 - character set'language'text
            charset, _, text = text.split("'", 2)
        data += _without_percent(text) if is_encoded else text.encode(errors="replace")
    return decoded(data, charset)


def _without_percent(text: str) -> bytes:
    return _PERCENT.sub(lambda match: bytes((int(match[1], 16),)), text.encode(errors="replace"))


def one_mailbox(value: str) -> MailAddress | None:
    """Parse a field that names one sender; None if it names several or is ambiguous.

    >>> str(one_mailbox('"Miller, Ann" <ann@Example.com> (office)')), str(one_mailbox("ann@example.com"))
    ('ann@example.com', 'ann@example.com')
    >>> one_mailbox("a@example.com, b@example.com"), one_mailbox("a@example.com, <b@example.com>"), one_mailbox("Ann")
    (None, None, None)
    """
    bare = _without_comments(value)
    if "<" in bare or ">" in bare:
        parts = _IN_BRACKETS.fullmatch(bare)
        if parts is None or ("@" in parts[1] and _SEPARATORS.search(parts[1])):
            return None
        bare = parts[2]
    return address_or_none(bare.strip())


def _without_comments(value: str) -> str:
    """Strip quoted strings and nested comments in brackets from a field's value.

    Only people read these parts; they are not part of an address.
    """
    kept: list[str] = []
    depth, is_quoted, is_escaped = 0, False, False
    for letter in value:
        if is_escaped:
            is_escaped = False
        elif letter == "\\" and (is_quoted or depth):
            is_escaped = True
        elif letter == '"' and not depth:
            is_quoted = not is_quoted
        elif is_quoted:
            pass
        elif letter == "(":
            depth += 1
        elif letter == ")":
            depth = max(depth - 1, 0)
        elif not depth:
            kept.append(letter)
    return "".join(kept)


def message_id(value: str) -> str | None:
    """Return the first message id in a field, with its brackets."""
    match = _MESSAGE_ID.search(value)
    return match[0] if match else None
