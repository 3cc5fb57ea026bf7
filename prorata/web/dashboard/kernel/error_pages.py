"""What is refused, in the words of a person at a page: the API's sentences speak of ids, methods and fields."""

from prorata.errors import MethodNotAllowed, NotFound, Refusal
from prorata.web.http.errors import error_headers

_NO_PAGE = "There is no page at this address. It may have been moved or deleted."
_NOT_OPENED = (
    "This address takes what a form sends, and can't be opened by itself. Go back to the page you came from, and use "
    "the button there."
)

_CALLED = {"job": "task", "split method": "way to divide"}
"""What pages call by another name than programs do."""


def in_a_persons_words(refusal: Refusal) -> str:
    """The sentence of a page that refuses.

    >>> in_a_persons_words(NotFound("share rule"))
    'This share rule is not here. It may have been deleted, or it belongs to another account.'
    """
    match refusal:
        case NotFound(code=NotFound.code):
            return _NO_PAGE
        case NotFound():
            noun = refusal.code.removesuffix("_NOT_FOUND").lower().replace("_", " ").replace("api", "API")
            noun = _CALLED.get(noun, noun)
            return f"This {noun} is not here. It may have been deleted, or it belongs to another account."
        case MethodNotAllowed():
            return _NOT_OPENED
        case _:
            return refusal.message.replace("`", "")


def headers_of(refusal: Refusal) -> list[tuple[bytes, bytes]]:
    """The headers of a page that refuses: it asks a browser for no key."""
    return [(name, value) for name, value in error_headers(refusal) if name != b"www-authenticate"]
