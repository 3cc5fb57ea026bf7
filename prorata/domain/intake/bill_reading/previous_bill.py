"""Words above and beside amounts that speak of another bill than this one, or do not show that they speak of this."""

import re

from prorata.domain.intake.bill_reading.amount_roles import Role, may_be, role_of
from prorata.domain.intake.bill_reading.charge_vocabulary import are_known
from prorata.domain.intake.bill_reading.text_folding import plain

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
_OF_DETAILS = frozenset(_DETAILS.split())
"""Words of headings of this bill, besides those of what it charges for."""
_DISCOUNT = re.compile(
    r"rebate|discount|\b(bill|courtesy|goodwill|promotional|loyalty|solar|climate|energy|low.income|senior|autopay|paperless)"
    r" credit\b|rabatt|nachlass|bonus|remise|reduction|ristourne|rabais|geste commercial|avoir commercial|descuento"
    r"|bonificacion|bono social"
)
_RATES = re.compile(r"\b(rates?|tarif(e|s|as)?|preise|tarieven)\b|\bif\b|\b(unit|account|invoice|bill) #?[a-z]*-?[0-9]")
_ON_ACCOUNT = re.compile(
    r"\bon (your )?account\b|over.?pa(id|y)|zu viel|uberzahl|vormonat|trop.percu|a cuenta|de mas\b|\bfrom\b|\baus\b"
)
_NOT_OF_NOW = (Role.CARRIED, Role.PREVIOUS, Role.ASIDE)


def is_of_before(head: str) -> bool:
    """Whether words speak of an earlier bill, or of another period.

    >>> [is_of_before(head) for head in ("Past due", "Last bill", "Year to date", "Current", "Old bills")]
    [True, True, True, False, False]
    """
    return may_be(head, *_NOT_OF_NOW)


def is_plain_heading(heading: str) -> bool:
    """Whether every word of a heading is known in headings of what this bill charges for, and it is none of rates,
    which may be those to come.

    >>> [is_plain_heading(words) for words in ("Water charges", "Ihre Rechnung", "Charges in detail", "New rates")]
    [True, True, True, False]
    >>> [is_plain_heading(words) for words in ("Old charges", "Outstanding", "Noch offen", "Rappel")]
    [False, False, False, False]
    """
    return _are_plain(heading) and not _RATES.search(plain(heading))


def _are_plain(words: str) -> bool:
    return are_known(_WORD.sub(lambda word: "" if word[0] in _OF_DETAILS else word[0], plain(words)))


def is_of_this_bill(credit: str) -> bool:
    """Whether the words of a credit say that it lowers this bill: a discount, or a credit of a known kind. Others may
    be what is left of an earlier bill, or correct one.

    >>> [is_of_this_bill(words) for words in ("Loyalty rebate", "Bill credit", "Treuebonus", "Remise")]
    [True, True, True, True]
    >>> [is_of_this_bill(words) for words in ("Credit on account", "Credit from August", "Leak adjustment")]
    [False, False, False]
    """
    return bool(_DISCOUNT.search(plain(credit))) and not _ON_ACCOUNT.search(plain(credit)) and not is_of_before(credit)


def is_not_of_now(head: str) -> bool:
    """Whether a column is not plainly headed as charges of this bill: what is not known may be anything.

    >>> [is_not_of_now(head) for head in ("Past due", "Old bills", "Sept. 25", "Current", "Amount", "Brutto", "")]
    [True, True, True, False, False, False, False]
    """
    if not head or role_of(head) in (Role.TOTAL, Role.CURRENT):
        return False
    return is_of_before(head) or role_of(head) is Role.PAYMENT or not _are_plain(head)
