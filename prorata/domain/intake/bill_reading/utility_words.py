"""Words for utilities and unbilled reasons, in English, German, French and Spanish."""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

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
_TYPE_PATTERNS = {kind: re.compile(pattern) for kind, pattern in _TYPES}
_NOT_THE_TYPE = re.compile(
    r"storm ?water|waste ?water|eaux (usees|pluviales)|aguas (residuales|pluviales)|hot water|warmwasser"
    r"|water heat\w*|eau chaude|agua caliente"
    r"|p\.? ?o\.? ?box|post office box|power (factor|cost)|electric vehicle|compteur d'eau"
)


@lru_cache(maxsize=4096)
def types_in(words: str) -> frozenset[str]:
    """Return the utility types that words name.

    >>> sorted(types_in("Water and wastewater")), sorted(types_in("Stromkosten")), sorted(types_in("Grundpreis"))
    (['SEWER', 'WATER'], ['ELECTRICITY'], [])
    """
    text = plain(words)
    named = {"SEWER"} if _TYPE_PATTERNS["SEWER"].search(text) else set()
    rest = _NOT_THE_TYPE.sub(" ", text)
    return frozenset(named | {kind for kind, pattern in _TYPE_PATTERNS.items() if pattern.search(rest)})


_PRICED = re.compile(
    r"natural|total|current|this|month|bill|charges?|for|of|usage|use|consumption|costs?|kosten|verbrauch|lieferung|gesamt"
    r"|consommation|consumo|de|du|la|le|el|your|to|from|on|at|basic|base|delivery|supply|distribution|min|sales|state"
    r"|taxe?s?|hst|gst|vat|rider|rebate|provincial|federal|grundpreis|mwst|umsatzsteuer|abonnement|tva|iva|termino|cuota|<day>"
    r"|[a-z]?[0-9]+[a-z]?|[^a-z]+"
)
"""Words that describe how a utility is priced, and don't mean another service."""
_PRICED_TOGETHER = re.compile(
    r"\b((city|county|local) (sales )?tax|new charges|(basic )?service charges?|basic service|customer charges?"
    r"|facilit(y|ies) charges?)\b"
)
"""Word pairs that describe pricing only in combination."""
_PRICED_IN = {
    "ELECTRICITY": re.compile(
        r"kwh?|transmission|generation|demand|factor|renewables?|energy|peak|off|mid|load|size|outdoor|lamps?|lighting|ol|pri(mary)?"
        r"|sec(ondary)?|arbeitspreis"
    ),
    "GAS": re.compile(r"therms?|ccf|mcf|transportation|arbeitspreis"),
    "WATER": re.compile(r"hcf|ccf|gallons?"),
}
"""Patterns, by utility, for its units and for words about its prices."""
_NAMED = re.compile(r"[^\w<]*\w*(<name>\w*)+[^\w<]*")
"""A word that contains the name of a utility, which was replaced by `<name>`."""
_BY_USAGE = {
    kind: re.compile(rf"\b0 ?({units})\b ?x ?[$€£]?-?0")
    for kind, units in (("ELECTRICITY", "kwh?|kva"), ("GAS", "therms?|ccf|mcf"), ("WATER", "hcf|ccf|gallons?"))
}
"""Patterns, by utility, for a price per unit used, such as "155 kWh x $0.28"."""


def is_priced(words: str, kind: str) -> bool:
    """True if words are about one utility only: its name, or how it is priced.

    >>> is_priced("Charges for natural gas", "GAS"), is_priced("Sales tax", "GAS"), is_priced("Waste water", "WATER")
    (True, True, False)
    >>> is_priced("Gas line protection", "GAS"), is_priced("12/30", "GAS"), is_priced("Lamps, 0 kwh", "ELECTRICITY")
    (False, False, True)
    >>> is_priced("Energy usage 155 kWh", "WATER"), is_priced("Heat pump lease - 0 kWh", "ELECTRICITY")
    (False, False)
    >>> is_priced("Gas: total", "GAS"), is_priced("Gas/Insurance", "GAS")
    (True, False)
    >>> is_priced("Renewable energy rider", "ELECTRICITY"), is_priced("Renewable energy rider", "GAS")
    (True, False)
    """
    if types_in(words) - {kind} or reasons_in(words) or not re.search(r"[^\W\d_]{3}|0 kw", words):
        return False
    if kind in _BY_USAGE and _BY_USAGE[kind].search(words):
        return True
    named = _PRICED_TOGETHER.sub(" ", _TYPE_PATTERNS[kind].sub("<name>", plain(words)))
    parts = _parts(named)
    if any("<name>" in part and after.startswith("rebate") for part, after in pairwise(parts)):
        return True
    priced = (_PRICED, _PRICED_IN[kind]) if kind in _PRICED_IN else (_PRICED,)
    return _are_all(parts, _NAMED, *priced)


def _parts(text: str) -> list[str]:
    return [part for part in re.split(r"[\s,()-]+", text) if part]


def _are_all(parts: Sequence[str], *patterns: re.Pattern[str]) -> bool:
    return all(any(pattern.fullmatch(part) for pattern in patterns) for part in parts)


_CHARGED = re.compile(
    r"natural|total|current|this|month|bill|charges?|for|of|usage|use|consumption|service|kosten|verbrauch|gesamt"
    r"|consommation|consumo|de|du|la|le|el|<day>|[^a-z]+"
)
"""Words beside a utility's name that do not mean a part of its price, as a tax or a rider would."""


def is_named(words: str, kind: str) -> bool:
    """True if words only name a utility, and no part of its price.

    >>> is_named("Waste water charges", "SEWER"), is_named("Electricity tax", "ELECTRICITY"), is_named("Gas", "GAS")
    (True, False, True)
    """
    return _are_all(_parts(_TYPE_PATTERNS[kind].sub("<name>", plain(words))), _NAMED, _CHARGED)


_REASONS = tuple(
    (reason, re.compile(pattern))
    for reason, pattern in (
        (
            "LATE_FEE",
            (
                r"\blate\b|(^|late |payment )penalt|^penalite|(?<!deposit )\binterest\b(?! on deposit)|finance charge"
                r"|past due (fee|charge\b)"
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
    """Return the unbilled reasons that words name.

    >>> sorted(reasons_in("Late payment fee")), sorted(reasons_in("Saldovortrag")), sorted(reasons_in("Water"))
    (['LATE_FEE'], ['PREVIOUS_BALANCE'], [])
    """
    text = plain(words)
    return frozenset(reason for reason, pattern in _REASONS if pattern.search(text))
