"""A file that the page itself contains, packed, between two requests.

The file is not stored anywhere else, and is validated again when it comes back.
"""

import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode

from prorata.domain.problems import Problem
from prorata.domain.texts import say
from prorata.errors import InvalidRequest
from prorata.web.http.limits import MOST_UPLOAD_BYTES

TOO_LARGE = say(
    "This file is larger than {most_upload_bytes} MB. Split it into smaller files, and upload them one by one.",
    most_upload_bytes=MOST_UPLOAD_BYTES >> 20,
)
_UNPACKED = say("This isn’t the file you checked. Choose the file again.")


def packed(content: bytes) -> str:
    """Pack a file to be contained in a page."""
    return urlsafe_b64encode(zlib.compress(content)).decode()


def unpacked(text: str) -> bytes:
    """Unpack a file that a page contained.

    Raises `InvalidRequest` if it is invalid or unpacks to more than a file may have.

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
