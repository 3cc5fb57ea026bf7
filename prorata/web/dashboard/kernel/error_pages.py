"""Refusals, worded for people who use the dashboard.

The API's messages mention ids, methods and fields, which the dashboard doesn't show.
"""

from prorata.domain.texts import Text, say
from prorata.errors import MethodNotAllowed, NotFound, Refusal
from prorata.web.http.errors import error_headers

_NO_PAGE = say("There is no page at this address. It may have been moved or deleted.")
_NOT_OPENED = say("This address can’t be opened directly. Go back to the page you came from, and use the button there.")

_NOT_HERE = say("What you are looking for isn’t here. It may have been deleted, or it belongs to another account.")


def sentence_of(refusal: Refusal) -> str:
    """Return the sentence with which an error page explains a refusal.

    >>> sentence_of(NotFound("share rule"))
    'What you are looking for isn’t here. It may have been deleted, or it belongs to another account.'
    """
    match refusal:
        case NotFound(code=NotFound.code):
            return _NO_PAGE
        case NotFound():
            return _NOT_HERE
        case MethodNotAllowed():
            return _NOT_OPENED
        case _:
            return refusal.message if isinstance(refusal.message, Text) else refusal.message.replace("`", "")


def headers_of(refusal: Refusal) -> list[tuple[bytes, bytes]]:
    """Return a refusal's headers, without the one that asks for an API key."""
    return [(name, value) for name, value in error_headers(refusal) if name != b"www-authenticate"]
