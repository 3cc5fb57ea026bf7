"""Conditional requests: entity tags, If-Match and If-None-Match (RFC 9110).

See sections 8.8.3 and 13.1 of the RFC.
"""

from hashlib import blake2b

from prorata.errors import PreconditionFailed

_ANY = "*"


def entity_tag(body: bytes) -> str:
    """Return the entity tag of a response's body; different bytes have different tags.

    >>> entity_tag(b"{}")
    '"bf78e4a953b40eee238ca2e9"'
    """
    return f'"{blake2b(body, digest_size=12).hexdigest()}"'


def names_tag(condition: str, tag: str) -> bool:
    """True if a list of entity tags contains `tag`; the list `*` contains every tag.

    >>> names_tag('"a", W/"b"', '"b"'), names_tag("*", '"c"'), names_tag('"a"', '"b"')
    (True, True, False)
    """
    named = [etag.strip().removeprefix("W/") for etag in condition.split(",")]
    return _ANY in named or tag in named


def require_match(condition: str, body: bytes | None) -> None:
    """Refuse to change a record that has changed since the client read it.

    `condition` is the If-Match header, which is compared strongly: a weak tag never matches. `body` is the record
    as the API returns it now. If the address of the change belongs to no record, `body` is None, and nothing
    matches, not even `*`. Raises `PreconditionFailed` if none of the tags is that of `body`.
    """
    if body is None:
        raise PreconditionFailed("This address has no record to compare with If-Match. Repeat your change without it.")
    strong = ",".join(tag for tag in condition.split(",") if not tag.strip().startswith("W/"))
    if not names_tag(strong, entity_tag(body)):
        raise PreconditionFailed("The record has changed since you read it. Read it again, then repeat your change.")
