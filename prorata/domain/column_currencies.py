"""Currencies in the names of columns, as in "Amount (USD)", "Débit euros" or "€ Betrag", and in columns of their own.
What they say is never read as another currency.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple
from unicodedata import category

from prorata.domain.bill_file_values import may_mean, read_text
from prorata.domain.cells import Cell, Unclear
from prorata.domain.countries import COUNTRIES

_ALL = frozenset(country.currency for country in COUNTRIES.values())
_OF_DOLLARS = (
    ("us|u\\.s\\.|american|américains", "USD"),
    ("canadian|canadiens|can|ca", "CAD"),
    ("australian|au", "AUD"),
)
_PHRASES = tuple(
    (re.compile(written, re.IGNORECASE), f" {code} ")
    for whose, code in _OF_DOLLARS
    for written in (
        rf"(?<!\w)(?:{whose})\s*(?:\$|dollars?\b)",
        rf"\$\s*(?:{whose})(?!\w)",
        rf"\bdollars?\s+(?:{whose})(?!\w)",
    )
)
"""Dollars with whose they are, which may stand before them or behind."""
_SIGN_OF = {
    "euros": "€", "dollar": "$", "dollars": "$", "dólares": "$", "pound": "£", "pounds": "£", "libras": "£",
    "sterling": "GBP", "kronor": "kr", "kroner": "kr", "kronen": "kr", "rupees": "Rs", "franken": "CHF", "yen": "JPY",
    "złoty": "PLN", "złotych": "PLN", "zloty": "PLN",
}  # fmt: skip
_ALSO_WORDS = frozenset(["ALL", "BOB", "COP", "CUP", "GEL", "MAD", "MUR", "PEN", "RON", "SOS", "TOP", "TRY"])
"""Codes that are words too: in front of others they are taken for codes only where they are in capitals alone."""
_CODE_LETTERS = 3
LONGEST_CURRENCY = 100
_NO_CURRENCY = "This is not a currency that is known. Write {0}, which is the property's."
_OTHER_CURRENCY = (
    "This bill is in another currency than its property, which has {0}. Nothing is converted: write what it comes to "
    "in {0}, and {0} here."
)
_BEFORE = frozenset(["in", "en", "em", "of", "de"])
"""Words that lead to a currency."""
_CHUNK = re.compile(r"[^\s()\[\]{}<>_,:;|]+")
_PIECE = re.compile(r"[^\W\d_]+|\d+|.")


class _Piece(NamedTuple):
    """A word of a column's name; the sign or code of a currency as `may_mean` knows it, where it is one."""

    text: str
    is_bracketed: bool = False
    sign: str = ""

    def leads_to(self, other: "_Piece") -> bool:
        """Whether it is part of how a currency is said: of "Amount in EUR", not of "Money in (EUR)"."""
        return bool(other.sign) and self.is_bracketed == other.is_bracketed and self.text.casefold() in _BEFORE


@lru_cache(maxsize=1024)
def may_be_in(name: str, currency: str) -> bool:
    """Whether the amounts of a column may be in a currency: its name says none, or such as can all mean it.

    >>> [may_be_in(name, "USD") for name in ("Amount", "Amount ($)", "Amount (€)", "Betrag in EUR", "€ Amount")]
    [True, True, False, False, False]
    >>> may_be_in("Amount (US dollars)", "USD"), may_be_in("Amount (US dollars)", "CAD")
    (True, False)
    """
    return all(may_mean(piece.sign, currency) for piece in _pieces(name) if piece.sign)


def is_currency(text: str) -> bool:
    """Whether a text says a currency and nothing else.

    >>> [is_currency(text) for text in ("EUR", "€", "US Dollar", "Euros", "Water", "EUR 12", "")]
    [True, True, True, True, False, False, False]
    """
    return bool(currency_said(text))


def currency_said(text: str) -> str:
    """The sign or code of a text that says a currency and nothing else; "" for any other.

    >>> currency_said("Euros"), currency_said("CAD"), currency_said("Water")
    ('€', 'CAD', '')
    """
    pieces = _pieces(text)
    return pieces[0].sign if len(pieces) == 1 else ""


def agree(cell: Cell, currency: str) -> None:
    """Whether a cell that names a currency means a property's. Raises `Unclear` where it means another, or none.

    >>> [agree(said, "USD") for said in ("USD", "usd", "$", "US Dollar", "Dollars")]
    [None, None, None, None, None]
    >>> agree("Euro", "USD")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    prorata.domain.cells.Unclear: This bill is in another currency than its property, which has USD...
    """
    text = read_text(cell, LONGEST_CURRENCY) or ""
    if may_mean(text, currency):
        return
    if not any(piece.sign for piece in _pieces(text)):
        raise Unclear(_NO_CURRENCY.format(currency))
    if not may_be_in(text, currency):
        raise Unclear(_OTHER_CURRENCY.format(currency))


@lru_cache(maxsize=1024)
def without_currency(name: str) -> str:
    """A column's name without the currencies that it says, and what leads to them.

    >>> without_currency("Montant en euros"), without_currency("USD Amount"), without_currency("Money in (EUR)")
    ('Montant', 'Amount', 'Money in')
    """
    pieces = [*_pieces(name), _Piece("")]
    left = [piece.text for piece, following in pairwise(pieces) if not piece.sign and not piece.leads_to(following)]
    return " ".join(left)


def _pieces(name: str) -> tuple[_Piece, ...]:
    """The words and signs of a name, each with the currency that it says."""
    for phrase, code in _PHRASES:
        name = phrase.sub(code, name)
    texts = list(_texts(name))
    return tuple(
        _Piece(text, is_bracketed, _sign_of(text, name, is_plain=is_bracketed or place == len(texts) - 1))
        for place, (text, is_bracketed) in enumerate(texts)
    )


def _texts(name: str) -> Iterator[tuple[str, bool]]:
    """The words and signs of a name, and whether each stands in brackets; "US$" and "kr." are one, "Betrag€" two."""
    depth = end = 0
    for chunk in _CHUNK.finditer(name):
        between, end = name[end : chunk.start()], chunk.end()
        depth += sum(map(between.count, "([{<")) - sum(map(between.count, ")]}>"))
        is_bracketed = depth > 0
        texts = [chunk[0]] if _is_known(chunk[0]) else _PIECE.findall(chunk[0])
        yield from ((text, is_bracketed) for text in texts)


def _sign_of(text: str, name: str, *, is_plain: bool) -> str:
    """The currency that a word of a name says, if it does. At the end and in brackets any sign is one, elsewhere what
    is hardly anything else.
    """
    sign = _SIGN_OF.get(text.casefold(), text)
    if not _is_known(sign):
        return ""
    is_code = len(text) == _CODE_LETTERS and text.isalpha()
    if is_plain or sign != text or any(category(one) == "Sc" for one in text) or text.casefold() == "euro":
        return sign
    if not is_code or (text.upper() in _ALSO_WORDS and not (text.isupper() and not name.isupper())):
        return ""
    return sign


@lru_cache(maxsize=1024)
def _is_known(sign: str) -> bool:
    return any(may_mean(sign, currency) for currency in _ALL)
