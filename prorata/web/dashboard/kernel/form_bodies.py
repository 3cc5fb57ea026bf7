"""The body of a form as a browser sends it: its fields in their order, and its files.

A form of a guest is taken apart before anybody knows who sends it, so this has to be quick whatever came. Percent signs
are undone in C: urllib's loop took 299 ms for 512 KiB of them, this takes 1 ms, and while it lasts the process answers
nobody else.
"""

from binascii import a2b_qp
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from multipart import MultipartError, parse_options_header

from prorata.domain.groups import grouped
from prorata.domain.texts import say
from prorata.errors import InvalidRequest, UnsupportedMediaType
from prorata.web.http import sent_files
from prorata.web.http.limits import MOST_FIELDS, MOST_WEIGHTS_FORM_BYTES
from prorata.web.http.sent_files import SentFile

_TYPED, _PARTS = "application/x-www-form-urlencoded", "multipart/form-data"
Pairs = list[tuple[str, str]]


class Sent(NamedTuple):
    """What a form sent: its fields in their order; its files by the names of theirs, of which each may hold several.
    Of one that `is_cut`, only what came whole before it was too much.
    """

    pairs: Pairs
    uploads: Mapping[str, Sequence[SentFile]]
    is_cut: bool = False

    @property
    def files(self) -> dict[str, SentFile]:
        """The last file of each field, for those that hold one."""
        return {name: some[-1] for name, some in self.uploads.items()}

    @property
    def typed(self) -> dict[str, str]:
        """What stood in each field, to be shown again."""
        return dict(self.pairs)


def most_of(content_type: str, most: int) -> int:
    """How many bytes of a page's most a form may have: a large one has files, and those come in parts."""
    return most if content_type.lower().startswith(_PARTS) else min(most, MOST_WEIGHTS_FORM_BYTES)


def taken_apart(content_type: str, body: bytes, most: int, *, is_cut: bool = False) -> Sent:
    """The fields and files of a form as a browser sends it, or of as much of one in parts as was kept. Raises
    `InvalidRequest`, `UnsupportedMediaType`.
    """
    kind, options = parse_options_header(content_type)
    try:
        if kind == _TYPED:
            return Sent(_typed(body), {})
        if kind == _PARTS:
            return _parts(body, options.get("boundary", ""), most, is_cut=is_cut)
    except (ValueError, MultipartError):
        raise InvalidRequest(say("The form can't be read. Load the page again, and fill it in again.")) from None
    raise UnsupportedMediaType(say("This page takes what its own form sends. Load the page and use the form."))


def _typed(body: bytes) -> Pairs:
    """The fields of a form without files, in their order. Raises `ValueError`."""
    if not body.isascii() or body.count(b"&") >= MOST_FIELDS or b"\n" in body or b"\r" in body:
        raise ValueError  # a browser writes none of these as they are, and a2b_qp joins lines
    pairs = (one.partition(b"=") for one in body.split(b"&") if one)
    return [(_plain(name), _plain(value)) for name, _, value in pairs]


def _plain(text: bytes) -> str:
    """What a name or a value says. Raises `ValueError` where it is not as a browser writes it.

    >>> _plain(b"Caf%C3%A9+%3D+50%25")
    'Café = 50%'
    """
    text = text.replace(b"+", b" ").replace(b"=", b"%3D")
    plain = a2b_qp(text.replace(b"%", b"="))
    if len(plain) + 2 * text.count(b"%") != len(text):
        raise ValueError
    return plain.decode()


def _parts(body: bytes, boundary: str, most: int, *, is_cut: bool) -> Sent:
    found = sent_files.taken_apart(body, boundary, most, is_cut=is_cut)
    return Sent(found.pairs, grouped(found.files), is_cut)
