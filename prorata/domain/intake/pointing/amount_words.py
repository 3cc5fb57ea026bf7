"""Words beside an amount for a sum, a payment, an earlier bill or a fee."""

import re
from collections import defaultdict
from collections.abc import Iterable

from prorata.domain.intake.bill_reading.spots import Sheet, Spot
from prorata.domain.intake.bill_reading.utility_words import reasons_in
from prorata.domain.month_names import ANY_MONTH, MONTH_NUMBERS

CARRIED = "PREVIOUS_BALANCE"
_PAID = re.compile(
    r"(?<!late )\bpayments?\b(?! (charge|fee|due|plan|date|withdrawal))|\bpaid\b|thank you|received|zahlung|bezahlt"
    r"|paiement|pago|abono|cobros?\b"
)
_SUM = re.compile(
    r"\b(sub)?total\b|amount|balance|(new|current) charges|charges due|\bdue\b|please pay|zu zahlen|summe|gesamt|betrag"
    r"|montant|importe|a payer|a pagar"
)
_APART = re.compile(
    r"deposit|late|penalt|interest|credit|adjust|refund|previous|prior|arrears|transfer|\bfee|balance|kaution|mahn|verzug"
    r"|gutschrift|ruckstand|avoir|retard|depot|fianza|recargo|mora\b"
)
_BEFORE = re.compile(
    r"previous|prior|past due|arrears|balance (from|forward|brought)|forwarded|carried|last (bill|statement|account)"
    r"|overdue|\b(old|open) (account|amount|balance|bill|charge|invoice)|outstanding|former|unpaid|earlier"
    r"|vortrag|ruckstand|offen|\balte|fruher|angemahnt|solde|anterior|impa[yg]|ancien|dernier"
    r"|echu|\bdues\b|pendiente|vencid|atrasad|\bviejo|\bultim"
)
_NOW = re.compile(
    r"(current|new|these)( charges)?|this (bill|month|period)|(aktuelle|neue) kosten|diese rechnung"
    r"|(cette|nouvelle) facture|facture actuelle|ce mois|este (recibo|mes)|(factura|recibo) actual"
)
"""Headings that set the charges of this bill apart from those above them."""
_READING = re.compile(
    r"(previous|prior|last|minus) (\w+ )?(meter )?read(ing)?s?\b|previous page"
    r"|lectura anterior|(index|releve) (precedent|ancien)"
    r"|(ancien|dernier|precedent) (index|releve)|(alter|letzter|vorheriger) zahlerstand|letzte ablesung"
)
"""Words for meter readings and pages, which don't mean an earlier bill."""
_TIME = re.compile(rf"<day>|\b(?:{ANY_MONTH})\b\.?|\bq?0(?:[/-]0)*\b|[-–,()]")


def undated(words: str) -> str:
    """Remove dates, months and years from masked words.

    >>> undated("water, 0/0"), undated("<day> - <day> water"), undated("water (aug 0)")
    ('water', 'water', 'water')
    """
    return " ".join(_TIME.sub(" ", words).split())


_MONTH = re.compile(rf"\b({ANY_MONTH})\b\.?")


def with_known_months(sheet: Sheet, known: Iterable[str]) -> Sheet:
    """Replace the months in the words beside a bill's amounts by those on earlier bills.

    If `known`, the words on earlier bills, contain "trash, may 0", these words replace "trash, june 0". Nothing is
    replaced if the bill or `known` has the words for several months, or if not all months are as many months later:
    some of the amounts may then be for an earlier bill.
    """
    earlier, here = _by_month(known), _by_month(map(words_of, sheet.spots("money")))
    names = {
        words[0]: earlier[bare][0]
        for bare, words in here.items()
        if len(words) == 1 and len(earlier.get(bare, ())) == 1
    }
    months = (pair for words, was in names.items() for pair in zip(_months_in(words), _months_in(was), strict=True))
    is_one_step = len({(month - earlier_month) % 12 for month, earlier_month in months}) == 1
    return sheet.reworded(names) if is_one_step else sheet


def _by_month(every: Iterable[str]) -> dict[str, list[str]]:
    """Group words that contain months by the words without the months."""
    groups = defaultdict(list)
    for words in dict.fromkeys(every):
        if _MONTH.search(words):
            groups[_MONTH.sub("<month>", words)].append(words)
    return groups


def _months_in(words: str) -> list[int]:
    return [MONTH_NUMBERS[month] for month in _MONTH.findall(words)]


def words_of(spot: Spot) -> str:
    """Return the words that describe an amount: the words to its left, or above it."""
    return spot.left or spot.above


def signed(spot: Spot) -> int:
    """Return an amount in cents, as it counts in a sum: payments are negative."""
    return -abs(spot.cents) if is_paid(words_of(spot)) else spot.cents


def is_paid(words: str) -> bool:
    """True if words state that something was paid."""
    return _PAID.search(words) is not None


def is_a_sum(words: str) -> bool:
    """True if an amount's words name a sum; the amount may then include several things."""
    return _SUM.search(words) is not None


def is_plain_sum(words: str) -> bool:
    """True if words name a plain sum, and no earlier bill or fee."""
    return is_a_sum(words) and not reasons_in(words)


def without_readings(words: str) -> str:
    """Remove words about earlier meter readings or pages, which don't mean an earlier bill."""
    return _READING.sub("", words)


def is_of_before(words: str) -> bool:
    """True if words are about an earlier bill."""
    words = without_readings(words)
    return _BEFORE.search(words) is not None or CARRIED in reasons_in(words)


def is_of_now(words: str) -> bool:
    """True if a heading sets the charges of this bill apart from others."""
    return _NOW.fullmatch(words.strip(" :")) is not None


def is_apart(words: str) -> bool:
    """True if words may be about something other than a utility, such as a fee."""
    words = without_readings(words)
    return _APART.search(words) is not None or bool(reasons_in(words))
