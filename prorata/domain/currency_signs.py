"""Currency signs and codes, and how to find them in typed amounts."""

import re

from prorata.domain.countries import COUNTRIES
from prorata.domain.limits import LONGEST_TYPED_NUMBER
from prorata.domain.number_parsing import in_one_form

_SIGNS = {
    "$": "USD CAD AUD NZD SGD HKD TWD BBD BMD BND BSD BZD FJD GYD JMD KYD LRD MOP NAD PAB SBD SRD TOP TTD WST XCD "
    "ARS CLP COP CUP DOP MXN UYU",
    "US$": "USD", "U$S": "USD", "CA$": "CAD", "C$": "CAD NIO", "AU$": "AUD", "A$": "AUD", "NZ$": "NZD", "HK$": "HKD",
    "S$": "SGD", "NT$": "TWD", "MX$": "MXN", "R$": "BRL", "J$": "JMD", "EC$": "XCD", "TT$": "TTD", "RD$": "DOP",
    "N$": "NAD", "$U": "UYU", "MOP$": "MOP", "CI$": "KYD", "BZ$": "BZD", "B$": "BND BSD", "FJ$": "FJD", "T$": "TOP",
    "€": "EUR", "EURO": "EUR", "£": "GBP EGP FKP GIP LBP SDG SHP SSP SYP", "E£": "EGP",
    "¥": "CNY JPY", "￥": "CNY JPY", "元": "CNY HKD TWD", "円": "JPY", "RMB": "CNY",
    "kr": "DKK ISK NOK SEK", "kr.": "DKK ISK NOK SEK", "zł": "PLN", "Kč": "CZK", "Ft": "HUF", "lei": "MDL RON",
    "leu": "MDL RON", "Fr": "CHF", "Fr.": "CHF", "SFr": "CHF", "SFr.": "CHF", "лв": "BGN", "лв.": "BGN",
    "KM": "BAM", "din": "RSD", "din.": "RSD", "дин": "RSD", "дин.": "RSD", "ден": "MKD", "₽": "RUB", "руб": "RUB",
    "руб.": "RUB", "₴": "UAH", "грн": "UAH", "грн.": "UAH", "₺": "TRY", "TL": "TRY", "₸": "KZT", "₾": "GEL",
    "֏": "AMD", "₼": "AZN", "₪": "ILS", "₹": "INR", "Rs": "INR LKR MUR NPR PKR SCR", "Rs.": "INR LKR MUR NPR PKR SCR",
    "৳": "BDT", "฿": "THB", "₱": "PHP CUP", "₫": "VND", "đ": "VND", "₩": "KPW KRW", "Rp": "IDR", "Rp.": "IDR",
    "RM": "MYR", "₭": "LAK", "៛": "KHR", "₮": "MNT", "R": "ZAR", "₦": "NGN", "₵": "GHS", "GH₵": "GHS", "KSh": "KES",
    "KSh.": "KES", "TSh": "TZS", "USh": "UGX", "FCFA": "XAF XOF", "DH": "AED MAD", "Bs": "BOB VES", "Bs.": "BOB VES",
    "S/": "PEN", "S/.": "PEN", "Q": "GTQ", "L": "HNL", "₡": "CRC", "₲": "PYG", "B/": "PAB", "B/.": "PAB",
}  # fmt: skip
CURRENCIES_OF = {sign.casefold(): frozenset(currencies.split()) for sign, currencies in _SIGNS.items()}
CURRENCIES_OF.update((each.currency.casefold(), frozenset([each.currency])) for each in COUNTRIES.values())

_WRITTEN = re.compile(r"([^0-9]*)([0-9](?:[0-9.,' ]*[0-9])?)([^0-9]*)", re.ASCII)
_LEAVES_OPEN = re.compile(r"(?:[\w/] *|[.,])$|[\w/.,] *-$")
"""A pattern for text after which a mark may not be a decimal mark.

Examples are `zł.50`, and the dash of `Fr. -.50`, which is not a minus sign.
"""
_NO_CENTS = re.compile(r"([.,])\s*-{1,2}")


def may_mean(sign: str, currency: str) -> bool:
    """True if a printed currency sign or code can mean a certain currency.

    For example, `$` can mean CAD.
    """
    return sign == currency or currency in meant_by(sign)


def meant_by(sign: str) -> frozenset[str]:
    """Return the currencies that a sign or code can mean; none for other texts.

    >>> sorted(meant_by("kr")), sorted(meant_by("usd")), sorted(meant_by("kWh"))
    (['DKK', 'ISK', 'NOK', 'SEK'], ['USD'], [])
    """
    return CURRENCIES_OF.get(sign.casefold(), frozenset())


def parted(text: str) -> tuple[str, str, str] | None:
    """Split a written amount into the text before, the digits, and the text after.

    The result is None if the text is not an amount. A dot that ends a currency sign belongs to the sign, and is not
    a decimal point. If the dot could be either, the result is None.

    >>> parted("Rs.500"), parted("-$.50"), parted("50,- €")
    (('Rs.', '500', ''), ('-$', '0.50', ''), ('', '50,00', ' €'))
    >>> parted("Rs. .50"), parted("Rs .50"), parted("zł.50")
    (('Rs. ', '0.50', ''), None, None)
    """
    written = _WRITTEN.fullmatch(in_one_form(text)) if len(text) <= LONGEST_TYPED_NUMBER else None
    if written is None:
        return None
    before, figures, after = written.groups()
    if before.endswith((".", ",")) and not meant_by(before.strip(" -+(")):
        if _LEAVES_OPEN.search(before[:-1]):
            return None
        before, figures = before[:-1], f"0{before[-1]}{figures}"
    if dash := _NO_CENTS.match(after):
        figures, after = f"{figures}{dash[1]}00", after[dash.end() :]
    return before, figures, after
