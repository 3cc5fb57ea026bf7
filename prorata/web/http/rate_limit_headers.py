"""The rate limit headers, which tell a client how many requests are left."""

from functools import lru_cache

from prorata.ports import Verdict, Window


@lru_cache(maxsize=16)
def _policy(windows: tuple[Window, ...]) -> bytes:
    assert all(window.name.isascii() and window.name.isalnum() for window in windows)
    return ", ".join(f'"{window.name}";q={window.quota};w={window.seconds}' for window in windows).encode()


def headers(windows: tuple[Window, ...], verdict: Verdict) -> list[tuple[bytes, bytes]]:
    """Build the headers `RateLimit-Policy` and `RateLimit` (docs/decisions.md#rate-limits).

    The headers are structured fields (RFC 9651), as defined by sections 3 and 4 of
    draft-ietf-httpapi-ratelimit-headers-11. `RateLimit-Policy` says that `q` requests are allowed in any `w`
    seconds. `RateLimit` says that `r` more requests are allowed now, and no further ones within `t` seconds.

    >>> minute = (Window("minute", 100, 60),)
    >>> headers(minute, Verdict(admitted=True, remaining=(99,), reset=(60,), retry_after=0))
    [(b'ratelimit-policy', b'"minute";q=100;w=60'), (b'ratelimit', b'"minute";r=99;t=60')]
    """
    standing = ", ".join(
        f'"{window.name}";r={remaining};t={reset}'
        for window, remaining, reset in zip(windows, verdict.remaining, verdict.reset, strict=True)
    )
    return [(b"ratelimit-policy", _policy(windows)), (b"ratelimit", standing.encode())]
