"""The currencies that a bill names.

A currency may be named beside an amount or apart from the amounts, as in "Amount due (CAD)" or "All amounts in
PLN".
"""

import re
from collections.abc import Iterable

from prorata.domain.countries import CURRENCIES
from prorata.domain.currency_signs import may_mean
from prorata.domain.files.column_currencies import signs_said
from prorata.domain.intake.bill_reading.text_folding import plain

_AMOUNT = r"[0-9][0-9., '’]{0,20}[.,][0-9]{2}(?![0-9])"
_NAMED = re.compile(
    r"amount|total|currency|price|charge|cost|balance|payable|betrag|summe|wahrung|preis|kosten|montant|devise|prix|importe"
    r"|moneda|precio|sums?\b|all figures|all values"
)


def signs_named(text: str) -> set[str]:
    """Return the currencies that text on a bill names for its amounts.

    A code can also be part of a firm's name (SDN BHD), so it counts only beside an amount, alone, or in text about
    amounts or the currency.

    >>> signs_named("All amounts in PLN"), signs_named("IRR 1,250.00"), signs_named("Amount due (CAD)")
    ({'PLN'}, {'IRR'}, {'CAD'})
    >>> [signs_named(text) for text in ("Acme Power SDN BHD", "TTY-TTD 711", "IRR Energy", "AMD 24 Ltd")]
    [set(), set(), set(), set()]
    """
    signs = set(signs_said(text))
    return {
        sign for sign in signs if sign.upper() not in CURRENCIES or _NAMED.search(plain(text)) or _is_beside(sign, text)
    }


def _is_beside(code: str, text: str) -> bool:
    """True if a currency code is the whole text, or stands beside an amount."""
    if text.strip(" ()[]:.") == code:
        return True
    return re.search(rf"\b{code}\W{{0,3}}{_AMOUNT}|{_AMOUNT} ?{code}\b", text) is not None


def are_one(signs: Iterable[str]) -> bool:
    """True if signs and codes can all mean the same currency.

    >>> are_one(["$", "CAD"]), are_one(["$", "EUR"]), are_one([])
    (True, False, True)
    """
    every = set(signs)
    return not every or any(all(may_mean(sign, code) for sign in every) for code in CURRENCIES)


def plainest(signs: Iterable[str]) -> str:
    """Pick the most specific of one currency's signs.

    A code is more specific than a symbol. The result is "" if there are no signs.

    >>> plainest(["$", "CAD"]), plainest([])
    ('CAD', '')
    """
    return min(signs, key=lambda sign: (sign not in CURRENCIES, sign), default="")
