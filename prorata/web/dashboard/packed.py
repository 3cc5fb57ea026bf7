"""A file between two pages: it lies in the page, packed, and nowhere else. What comes back is checked anew."""

import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode

from prorata.domain.problems import Problem
from prorata.errors import InvalidRequest

MOST_BYTES = 5 * 1024 * 1024
"""Of a file from a browser; a larger one is for the command line."""
TOO_LARGE = "This file is larger than 5 MB. Split it into smaller files, and bring one after the other."
MOST_FORM_BYTES = 8 * 1024 * 1024
"""A file with the form around it, and a packed one, which is written with a third more."""
_UNPACKED = "What came back is not the file that was looked at. Choose the file again."


def packed(content: bytes) -> str:
    """A file as a page holds it."""
    return urlsafe_b64encode(zlib.compress(content)).decode()


def unpacked(text: str) -> bytes:
    """The file that a page held. Raises `InvalidRequest` for what is none, or unpacks to more than a file may have.

    >>> unpacked(packed(b"label,sqft"))
    b'label,sqft'
    """
    try:
        unpacking = zlib.decompressobj()
        content = unpacking.decompress(urlsafe_b64decode(text), MOST_BYTES)
    except (ValueError, zlib.error):
        raise InvalidRequest.because([Problem("file", _UNPACKED)]) from None
    if not unpacking.eof:
        raise InvalidRequest.because([Problem("file", _UNPACKED)])
    return content
