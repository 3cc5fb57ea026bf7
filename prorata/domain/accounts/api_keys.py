"""The format of an API key: `pro_live_`, 33 random characters, and six check characters.

The check characters expose a mistyped or truncated key, or a string that only looks like a key, without a database
look-up (docs/decisions.md#api-keys).
"""

import re
import string
from hashlib import shake_256
from typing import Literal, get_args

Permission = Literal["READ", "FULL", "ADMIN"]
"""The permissions of an API key, each of which includes those before it.

See `permissions.may_key`.
"""
PERMISSIONS: tuple[Permission, ...] = get_args(Permission)
READ, FULL, ADMIN = PERMISSIONS
PREFIX = "pro_live_"
FEWEST_RANDOM_BYTES = 24
"""The minimum number of random bytes from which a key is built.

From 192 bits, a key has at least 190 bits of randomness.
"""
RANDOM_LENGTH = 33
"""The number of random characters in a key.

33 of 62 possible characters hold 196 bits, more than the 192 that go in.
"""
CHECK_LENGTH = 6

_ALPHABET = string.digits + string.ascii_uppercase + string.ascii_lowercase
_FORM = re.compile(rf"{PREFIX}([0-9A-Za-z]{{{RANDOM_LENGTH}}})([0-9A-Za-z]{{{CHECK_LENGTH}}})", re.ASCII)


def write_key(random_bytes: bytes) -> str:
    """Build an API key from at least 24 random bytes.

    >>> key = write_key(bytes(24))
    >>> len(key), key.startswith("pro_live_"), has_form(key), has_form(key[:-1]), has_form(key.swapcase())
    (48, True, True, False, False)
    """
    assert len(random_bytes) >= FEWEST_RANDOM_BYTES, "a key needs its randomness"
    body = _written(b"key" + random_bytes, RANDOM_LENGTH)
    return f"{PREFIX}{body}{_check(body)}"


def has_form(text: str) -> bool:
    """True if a string has the format of an API key and correct check characters.

    Any other string can't be a key, so it is not looked up in the database.
    """
    match = _FORM.fullmatch(text)
    return match is not None and _check(match[1]) == match[2]


def last_four(key: str) -> str:
    """Return a key's last four characters, by which people recognize the key in lists."""
    return key[-4:]


def _check(body: str) -> str:
    return _written(b"check" + body.encode(), CHECK_LENGTH)


def _written(seed: bytes, length: int) -> str:
    """Derive `length` letters and digits from `seed`, all of them equally likely.

    Six bits choose each character. The values 62 and 63 are skipped, because there are only 62 letters and digits.
    """
    stream = shake_256(seed).digest(8 * length)
    picked = [byte & 63 for byte in stream if byte & 63 < len(_ALPHABET)][:length]
    assert len(picked) == length, "one byte of 32 is passed over, and there are eight for each character"
    return "".join(_ALPHABET[place] for place in picked)
