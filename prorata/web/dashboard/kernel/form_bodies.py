"""Parsing of a form as a browser sends it, with its fields and files.

Anybody can send a form without being signed in, so parsing must be quick for any input. Percent-encoded characters
are decoded in C, which takes 1 ms for 512 KiB of them. With urllib's loop, it took 299 ms, during which the
process could not answer other requests.
"""

from binascii import a2b_qp
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from multipart import MultipartError, parse_options_header

from prorata.domain.files.file_kinds import EMPTY
from prorata.domain.groups import grouped
from prorata.domain.problems import Problem
from prorata.domain.texts import say
from prorata.errors import InvalidRequest, UnsupportedMediaType
from prorata.web.http import sent_files
from prorata.web.http.limits import MOST_FIELDS, MOST_WEIGHTS_FORM_BYTES
from prorata.web.http.sent_files import SentFile

_TYPED, _PARTS = "application/x-www-form-urlencoded", "multipart/form-data"
Pairs = list[tuple[str, str]]


class Sent(NamedTuple):
    """A submitted form: its fields in order, and its files by field name.

    A field may have several files. If the form `is_cut`, it was too large and contains only the fields and files
    that arrived completely before the limit.
    """

    pairs: Pairs
    uploads: Mapping[str, Sequence[SentFile]]
    is_cut: bool = False

    @property
    def files(self) -> dict[str, SentFile]:
        """The files by field name; if a field has several files, only the last one."""
        return {name: some[-1] for name, some in self.uploads.items()}

    @property
    def typed(self) -> dict[str, str]:
        """The texts by field name; if a field has several, only the last one."""
        return dict(self.pairs)


def chosen_file(files: Mapping[str, SentFile], if_none: str) -> SentFile:
    """Return the file of a form's field "file".

    Raises `InvalidRequest` beside the field if the file is empty, or, with the text `if_none`, if none was chosen.
    """
    file = files.get("file")
    if file is None or not file.content:
        raise InvalidRequest.because([Problem("file", if_none if file is None else EMPTY)])
    return file


def most_of(content_type: str, most: int) -> int:
    """Return the size limit for a form of this content type, in bytes.

    Only multipart forms, which may contain files, may have up to `most` bytes. All other forms have a lower limit.
    """
    return most if content_type.lower().startswith(_PARTS) else min(most, MOST_WEIGHTS_FORM_BYTES)


def taken_apart(content_type: str, body: bytes, most: int, *, is_cut: bool = False) -> Sent:
    """Parse a submitted form into its fields and files.

    The parts of a multipart form may have up to `most` bytes together. If the form `is_cut`, only the part of the
    form that arrived is parsed. Raises `InvalidRequest` if the form is malformed, and `UnsupportedMediaType` if
    the body is not a form.
    """
    kind, options = parse_options_header(content_type)
    try:
        if kind == _TYPED:
            return Sent(_typed(body), {})
        if kind == _PARTS:
            return _parts(body, options.get("boundary", ""), most, is_cut=is_cut)
    except (ValueError, MultipartError):
        raise InvalidRequest(say("The form couldn't be read. Reload the page, and fill in the form again.")) from None
    raise UnsupportedMediaType(say("This page only accepts its own form. Reload the page and use the form."))


def _typed(body: bytes) -> Pairs:
    """Parse the fields of a form without files, in order.

    Raises `ValueError` if the form is malformed.
    """
    if not body.isascii() or body.count(b"&") >= MOST_FIELDS or b"\n" in body or b"\r" in body:
        raise ValueError  # browsers encode all of these, and a2b_qp would join lines
    pairs = (pair.partition(b"=") for pair in body.split(b"&") if pair)
    return [(_plain(name), _plain(value)) for name, _, value in pairs]


def _plain(text: bytes) -> str:
    """Decode a percent-encoded name or value of a form.

    Raises `ValueError` if the text isn't encoded in the way that browsers encode forms.

    >>> _plain(b"Caf%C3%A9+%3D+50%25")
    'Café = 50%'
    """
    text = text.replace(b"+", b" ").replace(b"=", b"%3D")
    plain = a2b_qp(text.replace(b"%", b"="))
    if len(plain) + 2 * text.count(b"%") != len(text):
        raise ValueError
    return plain.decode()


def _parts(body: bytes, boundary: str, most: int, *, is_cut: bool) -> Sent:
    parts = sent_files.taken_apart(body, boundary, most, is_cut=is_cut)
    return Sent(parts.pairs, grouped(parts.files), is_cut)
