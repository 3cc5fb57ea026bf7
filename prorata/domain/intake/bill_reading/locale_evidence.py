"""The language, date order and number format that a bill shows; nothing is assumed."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from prorata.domain.intake.bill_reading.currencies import are_one, plainest, signs_named
from prorata.domain.intake.bill_reading.dates import ORDERS, Order, Written, dates_in
from prorata.domain.intake.bill_reading.numbers import read_amount
from prorata.domain.intake.bill_reading.text_folding import plain
from prorata.domain.intake.bill_reading.words import Row

_WORDS = {
    "en": "the of your and due amount bill date account "
    "number service charges balance payment previous total please for to",
    "de": "der die das und ihre ihr rechnung betrag bis kundennummer vom fur zahlbar summe zum von den mit nicht konto",
    "fr": "le la les et votre de facture du montant au "
    "date payer numero compte pour consommation periode ttc vous client",
    "es": "el la los y su de factura importe del "
    "fecha pagar numero contrato para consumo periodo total suministro cliente",
}
_LANGUAGE_OF = {language: frozenset(words.split()) for language, words in _WORDS.items()}
_FEWEST = 6
_STATES = (
    "AL|AK|AZ|AR|CA|CO|CT|DE|FL|GA|HI|ID|IL|IN|IA|KS|KY|LA|ME|MD|MA|MI|MN|MS|MO|MT|NE|NV|NH|NJ|NM|NY|NC|ND|OH|OK|OR|PA|RI"
    "|SC|SD|TN|TX|UT|VT|VA|WA|WV|WI|WY|DC"
)
_US_PLACE = re.compile(rf"\b(?:{_STATES}),? [0-9]{{5}}(?:-[0-9]{{4}})?\b")


class Evidence(NamedTuple):
    """A document's language, order of day and month, and currency.

    Each of these is None or "" if the document does not clearly show one. `mixed_marks` and `mixed_currencies`
    mean that the document uses two decimal marks or two currencies.
    """

    language: str | None
    order: Order | None
    currency: str
    mixed_marks: bool
    mixed_currencies: bool


def evidence_in(rows: Sequence[Row]) -> Evidence:
    """Determine the language, date order and currency that a document's lines show."""
    texts = [cell.text for row in rows for cell in row]
    language = _language(texts)
    amounts = [amount for text in texts for part in _parts(text) if (amount := read_amount(part))]
    marks = {amount.mark for amount in amounts if amount.mark}
    currencies = {amount.currency for amount in amounts if amount.currency}
    currencies |= {sign for text in texts for sign in signs_named(text)}
    is_one = are_one(currencies)
    currency = plainest(currencies) if is_one else ""
    dates = [written for text in texts for written in dates_in(text)]
    order = _order(dates, _customary(texts, language, currency))
    if order == "MDY" and not _may_be_pointed(dates):
        order = None
    return Evidence(language, order, currency, len(marks) > 1, not is_one)


def _parts(text: str) -> tuple[str, ...]:
    """List the parts of a cell's text that may be an amount.

    The list has the whole text and, if it has several words, the last word.
    """
    return (text, text.rpartition(" ")[2]) if " " in text else (text,)


def _language(texts: Iterable[str]) -> str | None:
    """Determine the language of texts by words that are common in each language.

    The result is None if the texts contain too few of these words, or almost as many of another language.
    """
    seen = Counter(word.strip(".,:;()") for text in texts for word in plain(text).split())
    votes = {language: sum(seen[word] for word in words) for language, words in _LANGUAGE_OF.items()}
    first, second = sorted(votes, key=lambda language: -votes[language])[:2]
    return first if votes[first] >= _FEWEST and 2 * votes[first] >= 3 * votes[second] else None


def _customary(texts: Sequence[str], language: str | None, currency: str) -> Order | None:
    """Return the customary date order for a document's language, currency and addresses.

    The day comes first for euros, pounds, Swiss francs and German. The month comes first for English with dollars
    and a postal address in the United States. French and Spanish alone decide nothing, because in the Americas
    dates are also written with the month first.
    """
    if currency in ("EUR", "GBP", "CHF") or language == "de":
        return "DMY"
    if language == "en" and currency in ("$", "USD") and any(_US_PLACE.search(text) for text in texts):
        return "MDY"
    return None


def _order(dates: Sequence[Written], customary: Order | None) -> Order | None:
    """Return the order in which all dates are valid; if several are, the customary order.

    The result is None if no order is valid for all dates. It is also None if the customary order is known, but
    only another order is valid.

    >>> march, either, day_first = dates_in("03/14/2026 and 04/05/2026 and 14/03/2026")
    >>> _order([march, either], None), _order([either], None), _order([either], "DMY")
    ('MDY', None, 'DMY')
    >>> _order([march, day_first], "MDY"), _order([march], "DMY")
    (None, None)
    """
    fitting = set(ORDERS)
    for written in dates:
        fitting &= written.orders
    if len(fitting) == 1:
        only = fitting.pop()
        return only if customary in (None, only) else None
    return customary if fitting else None


def _may_be_pointed(dates: Sequence[Written]) -> bool:
    """True if dates with the month first may have dots in this document.

    Dots suggest that the day comes first, so no ambiguous date may have dots. This does not apply if another date
    with dots is valid only with the month first.

    >>> [_may_be_pointed(dates_in(text)) for text in ("03/04/2026", "03.04.2026", "03.04.2026 to 04.25.2026")]
    [True, False, True]
    """
    pointed = [written for written in dates if written.pointed]
    return any(written.orders == {"MDY"} for written in pointed) or all(
        len(date_written.readings) == 1 for date_written in pointed
    )
