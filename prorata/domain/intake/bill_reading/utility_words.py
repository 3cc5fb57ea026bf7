"""Words for utilities and unbilled reasons, in English, German, French and Spanish."""

import re
from functools import lru_cache

from prorata.domain.intake.bill_reading.text_folding import plain

_TYPES: tuple[tuple[str, str], ...] = (
    (
        "SEWER",
        (
            r"sewer|sewage|waste ?water|sanitary|\babwasser|schmutzwasser|\bkanal|entwasserung|assainissement"
            r"|eaux usees|alcantarillado|saneamiento"
            r"|depuracion|aguas residuales|drainage"
        ),
    ),
    (
        "GARBAGE",
        (
            r"trash|garbage|refuse\b|solid waste|recycl|rubbish|\bwaste (coll|serv|disp|char|fee|manag)"
            r"|\bmull|\babfall|restmull|biotonne"
            r"|ordures|dechets|\bteom\b|basura|residuos|curbside|yard waste|green waste|organics"
        ),
    ),
    (
        "ELECTRICITY",
        r"electric|\bpower\b|\bstrom|okostrom|luz\b|\bkwh (charge|usage)",
    ),
    (
        "GAS",
        (
            r"\bgas\b|\berdgas|\bgas(liefer|verbrauch|kosten|rechnung|abrechnung|grund|arbeits|preis|versorg|zahler)"
            r"|\bgaz\b|\btherms?\b|stadtgas"
        ),
    ),
    (
        "WATER",
        r"\bwater\b|\b(trink|frisch|kalt)?wasser|\beau\b|\bagua\b|abastecimiento",
    ),
    (
        "INTERNET",
        (
            r"internet|broadband|\bfib(er|re)\b|\bdsl\b|wi-?fi|\bmodem|\brouter|glasfaser|\bfibra\b|\bvdsl\b|megabit"
            r"|\bmbit|\bmbps|\bgigabit|\bbox\b"
        ),
    ),
    ("OTHER", r"district heat|fernwarme|\bwarme|chauffage|heizung|calefaccion|steam\b"),
)
_TYPE_PATTERNS = tuple((kind, re.compile(pattern)) for kind, pattern in _TYPES)
_NOT_THE_TYPE = re.compile(
    r"storm ?water|waste ?water|eaux (usees|pluviales)|aguas (residuales|pluviales)|hot water|warmwasser"
    r"|water heat\w*|eau chaude|agua caliente"
    r"|p\.? ?o\.? ?box|post office box|power (factor|cost)|electric vehicle|compteur d'eau"
)


@lru_cache(maxsize=4096)
def types_in(words: str) -> frozenset[str]:
    """The utility types that words name.

    >>> sorted(types_in("Water and wastewater")), sorted(types_in("Stromkosten")), sorted(types_in("Grundpreis"))
    (['SEWER', 'WATER'], ['ELECTRICITY'], [])
    """
    text = plain(words)
    named = {kind for kind, pattern in _TYPE_PATTERNS if kind == "SEWER" and pattern.search(text)}
    rest = _NOT_THE_TYPE.sub(" ", text)
    return frozenset(named | {kind for kind, pattern in _TYPE_PATTERNS if pattern.search(rest)})


_PRICED = re.compile(
    r"(natural|total|current|new|this|month|bill|charges?|for|of|service|usage|use|consumption|costs?|kosten|verbrauch"
    r"|lieferung|gesamt|consommation|consumo|de|du|la|le|el|your|to|from|on|off|mid|at|kwh?|hcf|ccf|gallons?|therms?"
    r"|basic|base|customer|delivery|supply|distribution|transmission|transportation|generation|demand|energy|peak"
    r"|facilit(y|ies)|load|size|min|sales|state|city|taxe?s?|hst|gst|vat|rider|rebate|grundpreis|arbeitspreis|mwst"
    r"|umsatzsteuer|abonnement|tva|iva|termino|cuota|<day>|[a-z]?[0-9]+[a-z]?|[^a-z]+)"
)
"""Words that say how a utility is priced, and nothing of another service."""


def is_priced(words: str, kind: str) -> bool:
    """True if words name no utility but this one, and otherwise only how it is priced.

    >>> is_priced("Charges for natural gas", "GAS"), is_priced("Sales tax", "GAS"), is_priced("Waste water", "WATER")
    (True, True, False)
    >>> is_priced("Gas line protection", "GAS"), is_priced("12/30", "GAS"), is_priced("Lamps, 0 kwh", "ELECTRICITY")
    (False, False, True)
    """
    named = types_in(words)
    if named - {kind} or reasons_in(words) or not re.search(r"[^\W\d_]{3}|0 kw", words):
        return False
    if (kind == "ELECTRICITY" and re.search(r"\b0 kwh?\b", words)) or (named and "rebate" in plain(words)):
        return True
    rest = re.sub(rf"\w*({dict(_TYPES)[kind]})\w*", " ", plain(words))
    return all(map(_PRICED.fullmatch, re.split(r"[\s-]+", rest.strip(" -"))))


_REASONS = tuple(
    (reason, re.compile(pattern))
    for reason, pattern in (
        (
            "LATE_FEE",
            (
                r"\blate\b|(^|late |payment )penalt|^penalite|\binterest\b|finance charge|past due (fee|charge\b)"
                r"|delinquen|\bnsf\b|returned (check|payment)|\breminder|mahn(gebuhr|spesen|kosten|ung)"
                r"|zahlungserinnerung|verzug|saumnis|rucklast"
                r"|frais de (rappel|retard|relance|rejet)|majoration|interets de retard|indemnite|recargo"
                r"|\bmora\b|demora|penaliza|gastos de devolucion|intereses"
            ),
        ),
        (
            "DEPOSIT",
            (
                r"\bdeposit|kaution|sicherheits(betrag|leistung)|consignation|avance remboursable|depot de garantie"
                r"|\bcaution\b|\bfianza|\bdeposito"
            ),
        ),
        (
            "PREVIOUS_BALANCE",
            (
                r"previous|prior|last (bill|statement|invoice|billing|month|payment due)|opening balance|vorherig"
                r"|vormonat|alter (saldo|kontostand)|letzte|vorige|vorangegangen|precedent|anterieur"
                r"|ancien solde"
                r"|derniere facture|anterior|ultim[oa] (factura|recibo)|brought forward"
                r"|(balance|amount) (carried )?forward|past.due"
                r"|overdue|(remaining|outstanding) balance|balance (after payment|remaining)|\bunpaid|\barrears?\b"
                r"|\bcarr(ied|y).?(over|forward)|\bb(al)?[./ ]*f(wd)?\b|offene\w* (forderung|betrag|posten|rest)"
                r"|ruckstand|vortrag|ubertrag|alt(forderung|schuld|last)|restforderung|unbezahlt|nicht bezahlt"
                r"|aussenstand|impaye|solde non regle|reste a devoir|aun pendiente|saldo deudor|\bdeuda|\bresto\b"
            ),
        ),
    )
)


@lru_cache(maxsize=4096)
def reasons_in(words: str) -> frozenset[str]:
    """The unbilled reasons that words name.

    >>> sorted(reasons_in("Late payment fee")), sorted(reasons_in("Saldovortrag")), sorted(reasons_in("Water"))
    (['LATE_FEE'], ['PREVIOUS_BALANCE'], [])
    """
    text = plain(words)
    return frozenset(reason for reason, pattern in _REASONS if pattern.search(text))
