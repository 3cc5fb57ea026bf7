"""Amounts as bills print them, in whole cents. An amount that reads two ways has no cents."""

import re
from typing import NamedTuple

from prorata.domain.bills import LARGEST_AMOUNT

_ONE_FORM = str.maketrans("−–—’\xa0\u202f\u2009", "---'   ")
_CURRENCY = r"(?:US\$|CA\$|AU\$|NZ\$|[$€£]|USD|CAD|AUD|NZD|EUR|GBP|CHF|Fr\.)"
_DIGITS = r"(?:[0-9]{1,3}(?:[.,' ][0-9]{3})+|[0-9]+)"
_AMOUNT = re.compile(
    rf"(?P<before>[-+(]? ?{_CURRENCY}? ?[-+(]?) ?(?P<whole>{_DIGITS})"
    rf"(?:(?P<mark>[.,])(?P<decimals>[0-9]{{2}}))?"
    rf" ?(?P<close>\))? ?(?P<currency>{_CURRENCY})? ?(?P<after>CR|DR|-|\))?\*?",
    re.ASCII,
)
_FOUND = re.compile(_CURRENCY)
_CODES = {"$": "$", "US$": "USD", "CA$": "CAD", "AU$": "AUD", "NZ$": "NZD", "€": "EUR", "£": "GBP", "Fr.": "CHF"}
_CREDIT = {"CR", "-"}


class Amount(NamedTuple):
    """What a cell says in money: cents, or None when its one mark may divide thousands or decimals.

    `mark` is the decimal mark it uses, "" when it shows none; `currency` a code, "$", or "".
    """

    cents: int | None
    mark: str
    currency: str


def read_amount(text: str) -> Amount | None:  # noqa: PLR0911 - each thing that makes it none
    """The amount that a whole cell writes, or None when it writes none. Money has two decimals or a currency sign.

    >>> read_amount("$1,234.50"), read_amount("-1.234,50 €"), read_amount("(12.30)")
    (Amount(cents=123450, mark='.', currency='$'), Amount(cents=-123450, mark=',', currency='EUR'), \
Amount(cents=-1230, mark='.', currency=''))
    >>> read_amount("$1,234"), read_amount("1 234"), read_amount("12.345"), read_amount("80.00 CR").cents
    (Amount(cents=None, mark='', currency='$'), None, None, -8000)
    """
    found = _AMOUNT.fullmatch(text.translate(_ONE_FORM).strip())
    if found is None:
        return None
    currency = _FOUND.search(found["before"] + " " + (found["currency"] or ""))
    code = _CODES.get(currency[0], currency[0]) if currency else ""
    whole, mark, decimals = found["whole"], found["mark"] or "", found["decimals"]
    if not mark and not currency:
        return None
    divided = {character for character in whole if not character.isdigit()}
    if mark in divided or len(divided) > 1:
        return None
    negative = _is_negative(found)
    if negative is None:
        return None
    if not mark and divided & {".", ","}:
        return Amount(None, "", code)
    cents = int("".join(character for character in whole if character.isdigit()) + (decimals or "00"))
    if cents > LARGEST_AMOUNT:
        return None
    return Amount(-cents if negative else cents, mark, code)


def _is_negative(found: re.Match[str]) -> bool | None:
    """Whether its signs make it negative; None when there is one too many."""
    opened = "(" in found["before"]
    closed = bool(found["close"]) or found["after"] == ")"
    signs = [opened and closed, "-" in found["before"], (found["after"] or "") in _CREDIT]
    if opened != closed or sum(signs) > 1:
        return None
    return any(signs)
