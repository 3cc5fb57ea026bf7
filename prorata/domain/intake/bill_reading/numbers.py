"""Amounts as bills print them, in whole cents; an ambiguous amount has no cents."""

import re
from typing import NamedTuple

from prorata.domain.files.cells import is_side
from prorata.domain.limits import LARGEST_AMOUNT
from prorata.domain.number_parsing import in_one_form

_CURRENCY = r"(?:US\$|CA\$|AU\$|NZ\$|[$€£]|USD|CAD|AUD|NZD|EUR|GBP|CHF|Fr\.)"
_DIGITS = r"(?:[0-9]{1,3}(?:[.,' ][0-9]{3})+|[0-9]+)"
_SIDE = r"\(?(?i:CR|DR|CREDIT|DEBIT)\.?\)?"
"""A pattern for debit and credit marks, such as CR, beside an amount."""
_AMOUNT = re.compile(
    rf"(?P<lead>(?i:CR\b\.?))? ?(?P<before>[-+(]? ?{_CURRENCY}? ?[-+(]?) ?(?P<whole>{_DIGITS})"
    rf"(?:(?P<mark>[.,])(?P<decimals>[0-9]{{2}}))?"
    rf" ?(?P<close>\))? ?(?P<currency>{_CURRENCY})? ?(?P<after>{_SIDE}|-|\))?\*?",
    re.ASCII,
)
_FOUND = re.compile(_CURRENCY)
_CODES = {"$": "$", "US$": "USD", "CA$": "CAD", "AU$": "AUD", "NZ$": "NZD", "€": "EUR", "£": "GBP", "Fr.": "CHF"}


class Amount(NamedTuple):
    """The money in a cell.

    `cents` is None if the amount's decimal mark or its plus and minus signs are ambiguous. `mark` is the amount's
    decimal mark, or "" if it has none. `currency` is a currency code or "$", or "" if the cell names no currency.
    """

    cents: int | None
    mark: str
    currency: str


def read_amount(text: str) -> Amount | None:  # noqa: PLR0911 - each thing that makes it none
    """Parse a whole cell as an amount; None if the cell is not an amount.

    An amount needs two decimals or a currency. The letters CR beside the amount make it negative. `cents` of the
    result is None if a decimal mark or the signs are ambiguous.

    >>> read_amount("$1,234.50"), read_amount("-1.234,50 €"), read_amount("(12.30)")
    (Amount(cents=123450, mark='.', currency='$'), Amount(cents=-123450, mark=',', currency='EUR'),
    Amount(cents=-1230, mark='.', currency=''))
    >>> read_amount("$1,234"), read_amount("1 234"), read_amount("12.345"), read_amount("80.00 CR").cents
    (Amount(cents=None, mark='', currency='$'), None, None, -8000)
    >>> [read_amount(text).cents for text in ("80.00 Cr.", "CR $80.00", "80.00 Dr", "-80.00 DR", "(80.00) CR")]
    [-8000, -8000, 8000, None, None]
    """
    match = _AMOUNT.fullmatch(in_one_form(text))
    if match is None:
        return None
    currency = _FOUND.search(match["before"] + " " + (match["currency"] or ""))
    code = _CODES.get(currency[0], currency[0]) if currency else ""
    whole, mark, decimals = match["whole"], match["mark"] or "", match["decimals"]
    if not mark and not currency:
        return None
    divided = {character for character in whole if not character.isdigit()}
    if mark in divided or len(divided) > 1:
        return None
    if ("(" in match["before"]) != (bool(match["close"]) or match["after"] == ")"):
        return None
    signs = _signs(match)
    if len(signs) > 1 or (not mark and divided & {".", ","}):
        return Amount(None, mark, code)
    cents = int("".join(character for character in whole if character.isdigit()) + (decimals or "00"))
    if cents > LARGEST_AMOUNT:
        return None
    return Amount(-cents if True in signs else cents, mark, code)


def _signs(match: re.Match[str]) -> list[bool]:
    """List the marks that give an amount its sign: True for each that means negative."""
    after = match["after"] or ""
    signs = ["-" in match["before"], "(" in match["before"], bool(match["lead"]), after == "-"]
    return [*filter(None, signs), *([after.strip("(").upper().startswith("CR")] if is_side(after) else [])]
