"""Explanations as JSON: their number format, and the hash that seals them (docs/explanations.md)."""

import json
from collections.abc import Mapping
from datetime import date
from fractions import Fraction
from hashlib import sha256
from typing import Any

from prorata.domain.money import quantity

FORMAT = "prorata-explanation/1"
SEAL = "sha256"
_OPEN = f'"{SEAL}":"",'
"""The placeholder for the hash of an explanation.

It does not come last, because the total is the last value of an explanation.
"""
Content = dict[str, Any]
"""JSON content of strings, whole numbers, true, false, null, lists and objects.

RFC 8785 defines exactly one form for it.
"""


def canonical(content: Mapping[str, Any]) -> str:
    """Serialize content as in RFC 8785 (JCS): sorted by name, without blanks.

    Numbers must be whole and names ASCII. JCS sorts names by UTF-16 units, which for ASCII is Python's order, and
    its escapes are Python's.

    >>> canonical({"b": [1, None], "a": "é"})
    '{"a":"é","b":[1,null]}'
    """
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"), sort_keys=True, allow_nan=False)


def seal_of(content: Mapping[str, Any]) -> str:
    """Compute the SHA-256 hash of an explanation's content without the hash itself."""
    unsealed = {name: value for name, value in content.items() if name != SEAL}
    return sha256(canonical(unsealed).encode()).hexdigest()


def sealed(content: Content) -> str:
    """Serialize an explanation together with its hash.

    The hash is the field `sha256`, sorted among the other fields by name. The example shows the beginning of the
    text.

    >>> text = sealed({"of": "month", "total": "0.00"})
    >>> text[:31], json.loads(text)["sha256"] == seal_of({"of": "month", "total": "0.00"})
    ('{"of":"month","sha256":"610b3fd', True)
    """
    before, _, after = canonical({**content, SEAL: ""}).partition(_OPEN)  # inside a text the quotes would be escaped
    return f'{before}"{SEAL}":"{sha256((before + after).encode()).hexdigest()}",{after}'


def number(value: Fraction | int) -> str:
    """Format a number for explanations, with all decimals or as a fraction.

    >>> number(Fraction("12400.5")), number(Fraction(1, 3))
    ('12400.5', '1/3')
    """
    return str(value) if value.denominator == 1 else quantity(Fraction(value)).replace(",", "")


def ratio(numerator: int, denominator: int) -> str:
    """Format a share for explanations, as a fraction that is not reduced.

    >>> ratio(850, 1470)
    '850/1470'
    """
    return f"{numerator}/{denominator}"


def day(value: date | None) -> str | None:
    """Format a day for explanations; None means unbounded."""
    return None if value is None else value.isoformat()
