"""Identifiers in the TypeID form: `prop_01kb…`, a prefix and a UUIDv7 in base 32.

See TypeID 0.3 and RFC 9562 section 5.7. The ids are opaque to clients, sorted by the time at which they were made,
and hard to guess.
"""

import re
import secrets
import threading
from array import array

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_PAIRS = tuple(letter + other for letter in _ALPHABET for other in _ALPHABET)
_COUNTER_BITS = 74
_VERSION, _VARIANT = 0x7, 0b10
SUFFIX = "[0-7][0-9a-hjkmnp-tv-z]{25}"
"""The pattern of an id's part after its prefix."""
_SUFFIX = re.compile(SUFFIX, re.ASCII)
_STEPS_AT_ONCE = 1024
_OF_TIME, _OF_THE_HIGH = range(40, -1, -10), range(70, 39, -10)
"""The bit positions at which pairs of characters begin.

The first are in the 48 bits of time after two zero bits, the second in the higher half of the 80 bits.
"""
_LOW_BITS = 40
_CHARACTERS_BEHIND_TIME = 16
_OF_ALL, _BYTES = range(120, -1, -10), 16
_AS_PYTHON = str.maketrans(_ALPHABET, "0123456789abcdefghijklmnopqrstuv")


class IdSource:
    """A maker of ids.

    Of two ids made by one process, the later one sorts later, even within a millisecond. The 74 bits after the time
    are a counter, which starts at random in each millisecond and then grows by random steps. The steps are drawn many
    at a time: an import makes hundreds of thousands of ids, and asking the operating system for each step took half of
    the import's time. The higher half of the counter changes so seldom that its encoded text is cached.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._instant = -1
        self._counter = 0
        self._steps = array("I")
        self._time = ""
        self._high = -1
        self._high_text = ""

    def __call__(self, prefix: str, milliseconds: int) -> str:
        """Make a new id with this prefix for a time in milliseconds since 1970."""
        with self._lock:
            if milliseconds > self._instant:
                self._instant = milliseconds
                self._counter = secrets.randbits(_COUNTER_BITS - 1)
                self._time = _base32(milliseconds, _OF_TIME)
                self._high = -1
            else:
                if not self._steps:
                    self._steps.frombytes(secrets.token_bytes(_STEPS_AT_ONCE * self._steps.itemsize))
                self._counter += 1 + self._steps.pop()
            counter = self._counter
            if counter >> _LOW_BITS != self._high:
                self._high = counter >> _LOW_BITS
                self._high_text = self._time + _base32(_with_version(counter), _OF_THE_HIGH)
            begin = self._high_text
        first, second, third, fourth = counter >> 30 & 1023, counter >> 20 & 1023, counter >> 10 & 1023, counter & 1023
        return f"{prefix}_{begin}{_PAIRS[first]}{_PAIRS[second]}{_PAIRS[third]}{_PAIRS[fourth]}"


def _with_version(counter: int) -> int:
    """Return the 80 bits that follow the time: the counter, version and variant.

    They are laid out as in RFC 9562; the counter has 74 bits.
    """
    return ((_VERSION << 12 | counter >> 62) << 2 | _VARIANT) << 62 | counter & ((1 << 62) - 1)


def _base32(number: int, shifts: range) -> str:
    return "".join([_PAIRS[number >> shift & 1023] for shift in shifts])


def new_token(characters: str, length: int) -> str:
    """Make a string of random characters, which nobody can guess."""
    return "".join(secrets.choice(characters) for _ in range(length))


def first_at(prefix: str, milliseconds: int) -> str:
    """Build a string that sorts before every id made at a given time or later.

    Among the ids with this prefix, the string sorts after all that were made earlier. The time is in milliseconds since
    1970.

    >>> first_at("evt", 0)
    'evt_00000000000000000000000000'
    """
    return f"{prefix}_{_base32(milliseconds, _OF_TIME)}{'0' * _CHARACTERS_BEHIND_TIME}"


def id_bytes(made: str) -> bytes:
    """Return the 16 bytes that an id encodes, whatever its prefix.

    >>> id_of("unit", id_bytes("unit_01kb1n3x6ve2hrrk0p1w4bqv2f"))
    'unit_01kb1n3x6ve2hrrk0p1w4bqv2f'
    """
    return int(made.rpartition("_")[2].translate(_AS_PYTHON), 32).to_bytes(_BYTES, "big")


def id_of(prefix: str, content: bytes) -> str:
    """Build the id with this prefix for these 16 bytes."""
    assert len(content) == _BYTES, "an id stands for 16 bytes"
    return f"{prefix}_{_base32(int.from_bytes(content, 'big'), _OF_ALL)}"


def is_id(text: str, prefix: str) -> bool:
    """True if `text` has the form of an id with this prefix.

    A request with any other text gets the same answer as one with an unknown id: 404.

    >>> is_id("unit_01kb1n3x6ve2hrrk0p1w4bqv2f", "unit"), is_id("unit_1", "unit")
    (True, False)
    """
    head, _, suffix = text.rpartition("_")
    return head == prefix and _SUFFIX.fullmatch(suffix) is not None
