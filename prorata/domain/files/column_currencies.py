"""Currencies in column names, in separate columns, and in lines of text.

Examples are "Amount (USD)", "Débit euros", "€ Betrag" and "all amounts in EUR". An amount stated in one currency is
never read as another.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple
from unicodedata import category

from prorata.domain.countries import CURRENCIES
from prorata.domain.currency_signs import may_mean, meant_by
from prorata.domain.files.cell_values import read_text
from prorata.domain.files.cells import Cell, Unclear
from prorata.domain.limits import LONGEST_CURRENCY_CELL, LONGEST_CURRENCY_LINE, LONGEST_LONE_CURRENCY
from prorata.domain.texts import say

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
"""Patterns for dollars with a country before or after them, and each country's currency code."""
_SIGN_OF = {
    "euros": "€", "dollar": "$", "dollars": "$", "dólares": "$", "pound": "£", "pounds": "£", "libras": "£",
    "sterling": "GBP", "kronor": "kr", "kroner": "kr", "kronen": "kr", "rupees": "Rs", "franken": "CHF", "yen": "JPY",
    "złoty": "PLN", "złotych": "PLN", "zloty": "PLN",
}  # fmt: skip
_ALSO_WORDS = frozenset(["ALL", "BOB", "COP", "CUP", "GEL", "MAD", "MUR", "PEN", "RON", "SOS", "TOP", "TRY"])
"""Currency codes that are also words.

Before other words, they count as codes only if they alone are in capitals.
"""
_EVERYDAY = frozenset(["ALL", "SOS", "TOP"])
"""The currency codes that are also words and often capitalized in ordinary text."""
_ALSO_OTHERS = frozenset(["sterling", "franken", "lei", "leu", "din"])
"""Words for currencies that are also names or words for other things."""
_CODE_LETTERS, _MARK_LETTERS = 3, 2
_NO_CURRENCY = say("This is not a known currency. Enter the property's currency, {currency}.")
_OTHER_CURRENCY = say(
    "This bill is in a different currency from its property, which uses {currency}. Amounts are not converted: enter "
    "the total in {currency}, and {currency} here."
)
_BEFORE = frozenset(["in", "en", "em", "of", "de"])
"""Words that lead to a currency, such as "in"."""
_LABELS = _BEFORE | frozenset(["currency", "währung", "waehrung", "devise", "moneda", "divisa", "moeda", "waluta"])
_CHUNK = re.compile(r"[^\s()\[\]{}<>_,:;|]+")
_MAY_BE_DOLLARS = re.compile(r"\$|dollar", re.IGNORECASE)
_PIECE = re.compile(r"[^\W\d_]+|\d+|.")


class _Piece(NamedTuple):
    """A word of a column name, with the currency sign or code that it means.

    The sign or code is empty if the word doesn't mean a currency.
    """

    text: str
    is_bracketed: bool = False
    sign: str = ""

    def leads_to(self, other: "_Piece") -> bool:
        """True if this word only introduces the currency in the next word, `other`.

        For example, "in" does so in "Amount in EUR", but not in "Money in (EUR)".
        """
        return bool(other.sign) and self.is_bracketed == other.is_bracketed and self.text.casefold() in _BEFORE


@lru_cache(maxsize=1024)
def may_be_in(name: str, currency: str) -> bool:
    """True if a column's amounts may be in a currency, according to the column's name.

    If the name doesn't contain a currency, the amounts may be in any currency.

    >>> [may_be_in(name, "USD") for name in ("Amount", "Amount ($)", "Amount (€)", "Betrag in EUR", "€ Amount")]
    [True, True, False, False, False]
    >>> may_be_in("Amount (US dollars)", "USD"), may_be_in("Amount (US dollars)", "CAD")
    (True, False)
    """
    return all(may_mean(piece.sign, currency) for piece in _pieces(name) if piece.sign)


def is_currency(text: str) -> bool:
    """True if the text is a currency and nothing else.

    >>> [is_currency(text) for text in ("EUR", "€", "US Dollar", "Euros", "Water", "EUR 12", "")]
    [True, True, True, True, False, False, False]
    """
    return len(text) <= LONGEST_LONE_CURRENCY and _alone(text) is not None


def is_plain_currency(text: str) -> bool:
    """True if the text can hardly mean anything other than a currency.

    For example, R, L, Fr., ALL and Sterling can mean other things.

    >>> [is_plain_currency(text) for text in ("EUR", " usd", "€", "Euros", "kr", "Kč", "C$")]
    [True, True, True, True, True, True, True]
    >>> [is_plain_currency(text) for text in ("R", "L", "Fr.", "ALL", "TRY", "Ft", "Sterling", "Water")]
    [False, False, False, False, False, False, False, False]
    """
    piece = _alone(text) if len(text) <= LONGEST_LONE_CURRENCY else None
    return piece is not None and _is_plain(piece.text)


@lru_cache(maxsize=4096)
def _alone(text: str) -> "_Piece | None":
    """Return the currency that a text consists of; None if it contains anything else."""
    chunk = _CHUNK.search(text)
    if chunk is None or not (_is_known(chunk[0]) or _MAY_BE_DOLLARS.search(text) or chunk[0].casefold() in _SIGN_OF):
        return None
    pieces = _pieces(text)
    return pieces[0] if len(pieces) == 1 and pieces[0].sign else None


def _is_plain(word: str) -> bool:
    """True if a word or sign for a currency rarely means anything else."""
    if _is_sign(word):
        return True
    if word.upper() in CURRENCIES:
        return word.upper() not in _ALSO_WORDS
    short = word.casefold().rstrip(".")
    return short == "kr" or (short not in _ALSO_OTHERS and not (len(short) <= _MARK_LETTERS and short.isascii()))


def _is_sign(word: str) -> bool:
    return any(category(character) == "Sc" for character in word)


def signs_in(text: str) -> tuple[str, ...]:
    """List the currency signs and codes in a column name or cell.

    >>> signs_in("Amount (EUR)"), signs_in("US dollars"), signs_in("Water")
    (('EUR',), ('USD',), ())
    """
    return tuple(piece.sign for piece in _pieces(text) if piece.sign)


def signs_said(line: str) -> list[str]:
    """List the currencies in which a line of text states its amounts.

    Codes and signs count anywhere. Words such as "euros" count at the end, in brackets, beside a number, and after
    words that lead to a currency, such as "in".

    >>> [signs_said(line) for line in ("all amounts in EUR.", "Costs (Euros)", "Total: $1,250.00", "BETRÄGE IN CHF")]
    [['EUR'], ['€'], ['$'], ['CHF']]
    >>> [signs_said(line) for line in ("Alle Häuser, 2026", "Euro Housing Ltd", "Property: ALL", "Building L")]
    [[], [], [], []]
    """
    line = line[:LONGEST_CURRENCY_LINE]
    pieces = _pieces(line)
    last = max((place for place, piece in enumerate(pieces) if piece.sign or piece.text.isalnum()), default=-1)
    around = [_Piece(""), *pieces, _Piece("")]
    signs = []
    for place, piece in enumerate(pieces):
        before, after = around[place], around[place + 2]
        stands = _Stands(
            after_a_label=before.text.casefold() in _LABELS,
            beside_a_number=before.text.isdigit() or after.text.isdigit(),
            at_the_end=place == last,
            in_brackets=piece.is_bracketed,
        )
        if piece.sign and _is_said(piece.text, stands, in_capitals=line.isupper()):
            signs.append(piece.sign)
    return signs


class _Stands(NamedTuple):
    """The position of a word in its line of text."""

    after_a_label: bool
    beside_a_number: bool
    at_the_end: bool
    in_brackets: bool


def _is_said(word: str, stands: _Stands, *, in_capitals: bool) -> bool:
    """True if a word in a line of text means a currency.

    This is decided by the word's spelling and its position in the line. `in_capitals` means that the whole line is
    in capitals.
    """
    if _is_sign(word):
        return True
    if word in _EVERYDAY:
        return stands.after_a_label and not in_capitals
    if word in _ALSO_WORDS:
        return stands.at_the_end or ((stands.after_a_label or stands.beside_a_number) and not in_capitals)
    is_code = word in CURRENCIES and not in_capitals
    return _is_plain(word) and (is_code or any(stands))


def agree(cell: Cell, currency: str) -> None:
    """Raise `Unclear` if a cell names a currency other than the property's.

    >>> [agree(said, "USD") for said in ("USD", "usd", "$", "US Dollar", "Dollars")]
    [None, None, None, None, None]
    >>> agree("Euro", "USD")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    prorata.domain.files.cells.Unclear: This bill is in a different currency from its property, which uses USD...
    """
    text = read_text(cell, LONGEST_CURRENCY_CELL) or ""
    if may_mean(text, currency):
        return
    if not any(piece.sign for piece in _pieces(text)):
        raise Unclear(_NO_CURRENCY.format(currency=currency))
    if not may_be_in(text, currency):
        raise Unclear(_OTHER_CURRENCY.format(currency=currency))


@lru_cache(maxsize=1024)
def without_currency(name: str) -> str:
    """Strip the currencies, and the words that lead to them, from a column name.

    >>> without_currency("Montant en euros"), without_currency("USD Amount"), without_currency("Money in (EUR)")
    ('Montant', 'Amount', 'Money in')
    """
    pieces = [*_pieces(name), _Piece("")]
    left = [piece.text for piece, following in pairwise(pieces) if not piece.sign and not piece.leads_to(following)]
    return " ".join(left)


def _pieces(name: str) -> tuple[_Piece, ...]:
    """Split a name into its words and signs, each with its currency, if any."""
    for phrase, code in _PHRASES:
        name = phrase.sub(code, name)
    texts = list(_texts(name))
    return tuple(
        _Piece(text, is_bracketed, _sign_of(text, name, is_plain=is_bracketed or place == len(texts) - 1))
        for place, (text, is_bracketed) in enumerate(texts)
    )


def _texts(name: str) -> Iterator[tuple[str, bool]]:
    """Yield a name's words and signs, each with True if it is in brackets.

    For example, "US$" and "kr." are one text each, and "Betrag€" is two texts.
    """
    depth = end = 0
    for chunk in _CHUNK.finditer(name):
        between, end = name[end : chunk.start()], chunk.end()
        depth += sum(map(between.count, "([{<")) - sum(map(between.count, ")]}>"))
        is_bracketed = depth > 0
        texts = [chunk[0]] if _is_known(chunk[0]) else _PIECE.findall(chunk[0])
        yield from ((text, is_bracketed) for text in texts)


def _sign_of(text: str, name: str, *, is_plain: bool) -> str:
    """Return the currency sign or code that a column name's word means, or "".

    `is_plain` is true for a word at the end of the name or in brackets, where any sign or code counts. Elsewhere,
    only unambiguous signs and codes count.
    """
    sign = _SIGN_OF.get(text.casefold(), text)
    if not _is_known(sign):
        return ""
    is_code = len(text) == _CODE_LETTERS and text.isalpha()
    if is_plain or sign != text or _is_sign(text) or text.casefold() == "euro":
        return sign
    if not is_code or (text.upper() in _ALSO_WORDS and not (text.isupper() and not name.isupper())):
        return ""
    return sign


def _is_known(sign: str) -> bool:
    return bool(meant_by(sign))
