"""The amount to pay, found by the words beside the amounts of a bill."""

import re
from collections import Counter

from prorata.domain.intake.bill_reading.draft import Reading, asked, found, missing
from prorata.domain.intake.bill_reading.locale_evidence import Evidence
from prorata.domain.intake.bill_reading.spots import Sheet, Spot
from prorata.domain.texts import say

_MOST_CHOICES = 10
_NAMES_TOTAL = re.compile(
    r"(amount|total|balance|payment)s?.{0,20}\b(due|payable|owing|owed)|pay this|please pay|to pay\b|new balance"
    r"|zu zahlen|zahlbetrag|rechnungsbetrag|gesamtbetrag|forderung|a payer|net a payer|montant total|total a pagar"
    r"|importe total|a pagar"
)
_PERHAPS = re.compile(r"\btotal\b|summe|gesamt|betrag|montant|importe|balance|amount")
_OF_BEFORE = re.compile(
    r"previous|prior|past due|last|arrears|forward|if (paid|received)|after|late|vorherig|vormonat|precedent|anterior"
    r"|per |avg|average|history|budget|instal|abschlag"
)
UNCLEAR = say("The amount beside the words for the total can be read in two ways. Enter it as the bill means it.")
_OF_THIS_BILL = re.compile(
    r"rechnungsbetrag"
    r"|(de|of|der|dieser|von) (cette|la|the|this|esta|dieser|diese)? ?(facture|bill|invoice|factura|rechnung)"
    r"|(de la|de esta) (factura|facture)"
)
"""A pattern for words that name the total of a bill's charges.

This total is not always the whole amount due.
"""


def names_total(words: str) -> bool:
    """True if normalized words mean that the amount beside them must be paid.

    >>> [names_total(words) for words in ("amount due by 0", "total due", "past due balance", "total water charges")]
    [True, True, False, False]
    """
    return bool(_NAMES_TOTAL.search(words)) and not (_OF_BEFORE.search(words) or _OF_THIS_BILL.search(words))


def is_total_unclear(sheet: Sheet) -> bool:
    """True if an amount beside words for the total is ambiguous."""
    return any(names_total(spot.left) or names_total(spot.above) for spot in sheet.spots("unclear"))


def total_of(sheet: Sheet, evidence: Evidence) -> Reading[int]:
    """Find the total of a bill.

    It is found if words name only one amount as the total, and this amount appears twice. Otherwise a person is
    asked; the amounts that words name as the total come first among the choices.
    """
    spots = [spot for spot in sheet.spots("money") if spot.cents]
    named = [spot for spot in spots if names_total(spot.left) or names_total(spot.above)]
    times = Counter(spot.cents for spot in spots)
    values = sorted({spot.cents for spot in named}, key=lambda cents: (-times[cents], -abs(cents)))
    places = tuple(spot.place for spot in named)
    is_unclear = is_total_unclear(sheet)
    is_mixed = evidence.mixed_marks or evidence.mixed_currencies
    if len(values) == 1 and times[values[0]] > 1 and not (is_mixed or is_unclear):
        return found(values[0], *places)
    perhaps = [spot.cents for spot in spots if _PERHAPS.search(f"{spot.left} {spot.above}") and not _is_of_before(spot)]
    perhaps.sort(key=lambda cents: (-times[cents], -abs(cents)))
    choices = tuple(dict.fromkeys((*values, *perhaps)))[:_MOST_CHOICES]
    if is_unclear:
        return asked(UNCLEAR, *choices, places=places[:_MOST_CHOICES])
    if not choices:
        return missing("total")
    if is_mixed:
        why = say("Check this against the bill: it uses two number formats or two currencies.")
    elif len(values) > 1:
        why = say("Check this against the bill: it shows more than one amount to pay.")
    elif values:
        why = say("Check this against the bill: it shows this amount only once, so nothing confirms it.")
    else:
        why = say("Check this against the bill: it doesn’t say clearly which amount is to be paid.")
    return asked(why, *choices, places=places[:_MOST_CHOICES])


def _is_of_before(spot: Spot) -> bool:
    return bool(_OF_BEFORE.search(f"{spot.left} {spot.above}"))
