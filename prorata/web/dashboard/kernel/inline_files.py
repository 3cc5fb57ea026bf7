"""Uploaded files that a page itself contains between two requests.

Such a file is not stored on the server. When the page's form sends the file back, the file is validated again.
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
    """Compress a file and convert it to text for a page's form."""
    return urlsafe_b64encode(zlib.compress(content)).decode()


def unpacked(text: str) -> bytes:
    """Restore a file from the text that a page's form contained.

    Raises `InvalidRequest` if the text was not made by `packed`, or if the file is larger than an upload may be.

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
