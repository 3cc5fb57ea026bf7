"""A file between two pages: it lies in the page, packed, and nowhere else. What comes back is checked anew."""

import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode

from prorata.domain.problems import Problem
from prorata.domain.texts import say
from prorata.errors import InvalidRequest
from prorata.web.http.limits import MOST_UPLOAD_BYTES

TOO_LARGE = say(
    "This file is larger than {most_upload_bytes} MB. Split it into smaller files, and upload them one after the "
    "other.",
    most_upload_bytes=MOST_UPLOAD_BYTES >> 20,
)
_UNPACKED = say("This isn’t the file you checked. Choose the file again.")


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
        content = unpacking.decompress(urlsafe_b64decode(text), MOST_UPLOAD_BYTES)
    except (ValueError, zlib.error):
        raise InvalidRequest.because([Problem("file", _UNPACKED)]) from None
    if not unpacking.eof:
        raise InvalidRequest.because([Problem("file", _UNPACKED)])
    return content
