"""The currencies that a bill names apart from its amounts: "Amount due (CAD)", "All amounts in PLN"."""

import re
from collections.abc import Iterable, Iterator

from prorata.domain.bill_file_values import may_mean
from prorata.domain.column_currencies import currency_said
from prorata.domain.countries import COUNTRIES

_CODES = frozenset(country.currency for country in COUNTRIES.values())
_CODE = re.compile(r"(?<![\w-])[A-Z]{3}(?![\w-])")
_ALONE = re.compile(r"[(\[]\s*([^()\[\]]{1,12}?)\s*[)\]]|(?:^|\b(?:in|en)\s+)([^\W\d_]{2,12})\W*$")
"""What stands in brackets, and the last word behind "in", or alone."""
_BEHIND = re.compile(r"[0-9][.,][0-9]{2}\s?([^\W\d_]{1,4}\.?)(?!\w)")
"""Letters behind an amount."""
_CODE_LETTERS = 3
_MEASURES = frozenset(["pound", "pounds", "libras"])
_ALSO_WORDS = frozenset(["ALL", "TOP", "TRY", "PEN", "CUP", "MAD", "SOS", "COP", "BOB", "GEL", "MUR", "RON"])
"""Codes that stand in a text of capitals as words too."""


def named_in(texts: Iterable[str]) -> frozenset[str]:
    """The signs and codes of currencies that texts of a bill name.

    >>> [sorted(named_in([text])) for text in ("Amount due (CAD)", "All amounts in PLN.", "340.00 zł", "Kč", "PAY ALL")]
    [['CAD'], ['PLN'], ['zł'], ['Kč'], []]
    >>> [sorted(named_in([text])) for text in ("Montants en euros", "12.50 kgal", "Water", "Bank fees for CHF: none")]
    [['€'], [], [], ['CHF']]
    """
    return frozenset(name for text in texts for name in _named(text))


def _named(text: str) -> Iterator[str]:
    for code in _CODE.findall(text):
        if code in _CODES and (code not in _ALSO_WORDS or text.strip(" .:()[]") == code):
            yield code
    names = [bracketed or last for bracketed, last in _ALONE.findall(text)]
    for name in (*names, *_BEHIND.findall(text)):
        if _is_plain(name) and (sign := currency_said(name)):
            yield sign


def _is_plain(name: str) -> bool:
    """Whether the name of a currency is hardly anything else, as feet and pounds are."""
    return not name.isascii() or (len(name) > _CODE_LETTERS and name.casefold() not in _MEASURES)


def agree(signs: Iterable[str]) -> bool:
    """Whether signs and codes can all mean one currency.

    >>> agree(["$", "CAD"]), agree(["$", "EUR"]), agree([])
    (True, False, True)
    """
    every = set(signs)
    return not every or any(all(may_mean(sign, code) for sign in every) for code in _CODES)


def plainest(signs: Iterable[str]) -> str:
    """Of signs that agree the one that says most: a code before a sign."""
    return min(signs, key=lambda sign: (sign not in _CODES, sign), default="")
