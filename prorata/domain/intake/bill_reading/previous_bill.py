"""Recognizing headings and words that are, or may be, about another bill."""

import re

from prorata.domain.intake.bill_reading.text_folding import plain
from prorata.domain.intake.bill_reading.utility_words import types_in

_WORD = re.compile(r"[^\W\d_]+")
_DETAILS = """
    due price cost unit each qty usd eur gbp gross new
    betrag brutto netto einzelpreis stuck menge
    montant prix unitaire taux tarif quantite nouveau nouvelle
    precio unitario cantidad euros nuevo
    bill description details detail summary account
    statement breakdown item items quantity price amounts billing invoice
    new activity how here we calculated what you used about on is are
    rechnung abrechnung ubersicht aufstellung berechnung zusammenstellung position positionen bezeichnung beschreibung
    aktuelle aktueller aktuelles diese dieser dieses neue ihre ihrer einzelheiten euro
    facture recapitulatif libelle designation periode
    jahresrechnung jahresabrechnung verbrauchsabrechnung releve recibo
    factura detalle detalles resumen concepto conceptos este esta
"""
_OF_DETAILS = frozenset(
    f"{_DETAILS} water gas electric electricity power sewer charges charge service services current supply delivery"
    " total wasser strom abwasser kosten eau electricite gaz agua luz".split()
)
"""The words in headings of this bill and its charges."""
_BEFORE = re.compile(
    r"previous|prior|past due|last (bill|statement|month|year)|year to date|arrears|overdue|balance forward|carried"
    r"|vorherig|letzte\w* (rechnung|abrechnung)|vorjahr|vormonat|ruckstand|ubertrag|precedent\w*|anterior\w*"
    r"|impaye|arriere|atras"
)
_RATES = re.compile(r"\b(rates?|tarif(e|s|as)?|preise|tarieven)\b|\bif\b|\b(unit|account|invoice|bill) #?[a-z]*-?[0-9]")


def is_of_before(words: str) -> bool:
    """True if words are about an earlier bill, or another period.

    >>> [is_of_before(words) for words in ("Past due", "Last bill", "Year to date", "Current")]
    [True, True, True, False]
    """
    return bool(_BEFORE.search(plain(words)))


def is_plain_heading(heading: str) -> bool:
    """True if a heading is clearly about this bill's charges.

    Every word of the heading is known from headings of charges. A heading about rates does not count, because
    these may be future rates.

    >>> [is_plain_heading(words) for words in ("Water charges", "Current electric service", "New rates")]
    [True, True, False]
    >>> [is_plain_heading(words) for words in ("Old charges", "Outstanding", "Noch offen", "Rappel")]
    [False, False, False, False]
    """
    words = _WORD.findall(plain(heading))
    return all(word in _OF_DETAILS or types_in(word) for word in words) and not _RATES.search(plain(heading))
