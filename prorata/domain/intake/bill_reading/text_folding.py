"""Printed text normalized for comparison: lower case, no accents, single spaces."""

import re
import unicodedata
from functools import lru_cache

_SPACES = re.compile(r"\s+")
_QUOTES = str.maketrans("’‘´`“”–—−", "''''\"\"---")
_ENDS = " :.#*-\t"


@lru_cache(maxsize=8192)
def plain(text: str) -> str:
    """Normalize the case, accents and spaces of a printed text.

    >>> plain("  Période de  FACTURATION "), plain("Zählernummer"), plain("N.º de contrato")
    ('periode de facturation', 'zahlernummer', 'n.o de contrato')
    """
    apart = unicodedata.normalize("NFKD", text.translate(_QUOTES))
    letters = "".join(character for character in apart if not unicodedata.combining(character))
    return _SPACES.sub(" ", letters.casefold()).strip()


MEASURES = "kwh|m3|m³|ccf|hcf|cf|gal|gallons|kgal|therms?|mcf"
"""The units in which a utility is measured, as a pattern for lower-case text."""


def as_label(text: str) -> str:
    """Normalize a label like `plain`, without the punctuation at its ends.

    >>> as_label("Account number:"), as_label("Invoice #")
    ('account number', 'invoice')
    """
    return plain(text).strip(_ENDS)


@lru_cache(maxsize=8192)
def has_figures(text: str) -> bool:
    """True if the text contains at least one digit.

    >>> has_figures("Unit 4"), has_figures("Water")
    (True, False)
    """
    return any(letter.isdigit() for letter in text)
