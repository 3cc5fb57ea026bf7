"""Identifiers in the TypeID form: `prop_01kb…`, a prefix and a UUIDv7 in base 32 (TypeID 0.3, RFC 9562 section 5.7).

They are opaque to clients, ordered by the time they were made, and hard to guess.
"""

import re
import secrets
import threading

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_PAIRS = tuple(one + other for one in _ALPHABET for other in _ALPHABET)
_COUNTER_BITS = 74
_VERSION, _VARIANT = 0x7, 0b10
_SUFFIX = re.compile(r"[0-7][0-9a-hjkmnp-tv-z]{25}", re.ASCII)
_LONGEST_STEP = 1 << 32


class IdSource:
    """Makes ids; those made later by one process sort later, also within a millisecond.

    The 74 bits beside the time start at random in each millisecond and then grow by random steps.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._instant = -1
        self._counter = 0

    def __call__(self, prefix: str, milliseconds: int) -> str:
        """A new id made at `milliseconds` since 1970."""
        with self._lock:
            if milliseconds > self._instant:
                self._instant = milliseconds
                self._counter = secrets.randbits(_COUNTER_BITS - 1)
            else:
                self._counter += 1 + secrets.randbelow(_LONGEST_STEP)
            instant, counter = self._instant, self._counter
        high, low = counter >> 62, counter & ((1 << 62) - 1)
        number = (((instant << 4 | _VERSION) << 12 | high) << 2 | _VARIANT) << 62 | low
        return f"{prefix}_{_base32(number)}"


def _base32(number: int) -> str:
    return "".join([_PAIRS[number >> shift & 1023] for shift in range(120, -1, -10)])


def is_id(text: str, prefix: str) -> bool:
    """Whether `text` has the form of an id with this prefix. One that has not is answered as an unknown one: 404.

    >>> is_id("unit_01kb1n3x6ve2hrrk0p1w4bqv2f", "unit"), is_id("unit_1", "unit")
    (True, False)
    """
    head, _, suffix = text.rpartition("_")
    return head == prefix and _SUFFIX.fullmatch(suffix) is not None
