"""Labels and names: their natural order, and their short forms in invoice numbers.

See docs/decisions.md#invoice-numbers.
"""

import re
import unicodedata
from collections.abc import Container
from functools import lru_cache
from itertools import count

from prorata.domain.limits import LONGEST_CODE, LONGEST_NUMBERED_CODE

_DIGITS = re.compile(r"[0-9]+")
_ABBREVIATED = 2
"""The maximum length of words that need "unit" before them, such as "EG"."""
_UNIT = re.compile(r"\b(?:[Uu]nit|Einheit) (?=\{(?:units?|label)\})")
"""A pattern for the word "unit" before its label in a sentence's form.

French and Spanish put an article before that word, so it stays there.
"""
_UMLAUTS = str.maketrans({"Ä": "AE", "Ö": "OE", "Ü": "UE"})
_NUMBER_AT_END = re.compile(r"[0-9]{1,5}[A-Z]?$")
_BETWEEN_NUMBERS = re.compile(r"(?<=[0-9])[^A-Z0-9]+(?=[0-9])")
_NOT_PLAIN = re.compile(r"[^A-Z0-9]+")
_LENGTHS = tuple(f"0{chr(ord('0') + length)}" for length in range(75))


def same(name: str) -> str:
    """Normalize a name for comparison: trimmed, and with its case removed.

    >>> same(" Unit 2B") == same("unit 2b")
    True
    """
    return unicodedata.normalize("NFC", name).strip().casefold()


def names_itself(label: str) -> bool:
    """True if a unit's label, such as "Attic", needs no word "unit" before it.

    >>> [label for label in ("2B", "EG", "Wohnung D", "Attic", "2 B") if names_itself(label)]
    ['Wohnung D', 'Attic']
    """
    return any(word.isalpha() and len(word) > _ABBREVIATED for word in label.split())


def about_unit(form: str, label: str) -> str:
    """Remove the word "unit" from a sentence's form if the label needs no such word.

    A form is a sentence with placeholders.

    >>> about_unit("Einheit {label}, {name}", "Wohnung D"), about_unit("Edit unit {label}", "2B")
    ('{label}, {name}', 'Edit unit {label}')
    """
    return _UNIT.sub("", form) if names_itself(label) else form


@lru_cache(maxsize=65_536)
def natural_order(name: str) -> str:
    """Return a name's sort key for natural order: "2" before "10", regardless of case.

    In the key, each run of digits is preceded by its length, so that comparing bytes gives the order.

    >>> sorted(["Flat 10", "flat 2", "Flat 1"], key=natural_order)
    ['Flat 1', 'flat 2', 'Flat 10']
    """
    return _DIGITS.sub(_ordered_number, same(name))


def _ordered_number(digits: re.Match[str]) -> str:
    number = digits[0].lstrip("0")
    return _LENGTHS[min(len(number), 74)] + number


def short_form(name: str, otherwise: str) -> str:
    """Shorten a property's or unit's name to its part of an invoice number.

    The short form consists of the name's characters A–Z and 0–9, in upper case; if there are none, it is `otherwise`.
    An X stands between two numbers, so that they are read and ordered as two. A name that is too long keeps the number
    at its end, such as a house number.

    >>> short_form("Maple Court", "P"), short_form("2b", "U"), short_form("Ü", "P"), short_form("東京", "P")
    ('MAPLECOURT', '2B', 'UE', 'P')
    >>> short_form("Lindenstraße 6", "P"), short_form("Ringstrasse 40a", "P"), short_form("Maple Court Road 118", "P")
    ('LINDENSTR6', 'RINGSTR40A', 'MAPLECOUR118')
    >>> sorted([short_form(label, "U") for label in ("10 DG", "03 1. OG", "09 DG")], key=natural_order)
    ['03X1OG', '09DG', '10DG']
    """
    letters = unicodedata.normalize("NFC", name).upper().translate(_UMLAUTS)
    plain = _NOT_PLAIN.sub("", _BETWEEN_NUMBERS.sub("X", unicodedata.normalize("NFKD", letters)))
    if len(plain) > LONGEST_CODE:
        plain = plain.replace("STRASSE", "STR")
    number = _NUMBER_AT_END.search(plain)
    end = number[0] if number and len(plain) > LONGEST_CODE else ""
    return plain[: LONGEST_CODE - len(end)] + end or otherwise


def unused_code(name: str, otherwise: str, taken: Container[str]) -> str:
    """Return the first short form of `name` that is not taken.

    A second MAPLE becomes MAPLE2. `otherwise` replaces a name without a short form (`short_form`).

    >>> unused_code("Maple", "P", {"MAPLE", "MAPLE2"})
    'MAPLE3'
    """
    code = short_form(name, otherwise)
    if code not in taken:
        return code
    return next(tried for number in count(2) if (tried := _numbered(code, number)) not in taken)


def _numbered(code: str, number: int) -> str:
    return f"{code[: LONGEST_NUMBERED_CODE - len(str(number))]}{number}"
