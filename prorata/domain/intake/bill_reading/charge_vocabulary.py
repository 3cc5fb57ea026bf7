"""The words that are known in what a bill charges for a period. One that is not known may say anything: that an amount
was billed before, that it is paid, or that it is for something else.
"""

import re
from functools import lru_cache

from prorata.domain.intake.bill_reading.dates import dates_in
from prorata.domain.intake.bill_reading.text_folding import MEASURES, plain

_ENGLISH = """
    water wastewater sewer sewers sewage sanitary sanitation drinking potable trash garbage refuse recycling recycle
    rubbish waste solid organics compost yard green curbside electric electricity power gas natural internet broadband
    fiber fibre wi fi wifi dsl modem router district heat heating steam
    base basic customer fixed minimum flat residential commercial energy usage use used metered meter metering delivery
    supply distribution generation transmission fuel franchise tier block peak off on consumption volume volumetric
    capacity demand rental monthly service services charge charges fee fees rate rates cost costs utility utilities
    cart carts bin bins container containers can cans pickup collection disposal treatment
    tax taxes sales state city county local municipal regional excise vat gst
    total subtotal sub sum net amount current this period month
    gallon gallons gal kgal liter liters litre litres unit units kwh kw therm therms ccf hcf cf mcf m mbit
    mbps mb gbps gb s your the for of and at per in
"""
_FRENCH = """
    electricite electrique eau eaux usees usee potable gaz naturel assainissement ordures menageres dechets chauffage
    fibre box internet
    abonnement consommation consommations acheminement fourniture distribution production redevance redevances collecte
    traitement prime part fixe variable proportionnelle location heures pleines creuses terme puissance energie reseau
    reseaux compteur agence pollution modernisation ressource service services base prix
    taxe taxes tva contribution contributions tarifaire accise accises locale locales
    total totale sous montant somme ensemble ht ttc
    de du des d l la le les et sur pour par en a au aux votre cette
"""
_SPANISH = """
    electricidad electrico electrica luz agua aguas residuales potable gas natural alcantarillado saneamiento depuracion
    abastecimiento basura basuras residuos calefaccion fibra internet router
    termino potencia energia fijo fija variable consumo consumos cuota cuotas servicio servicios suministro distribucion
    recogida tratamiento tasa tasas canon peaje peajes alquiler contador equipo equipos tarifa bloque tramo coste
    impuesto impuestos iva igic municipal autonomico
    total subtotal suma parcial importe cargo cargos base imponible
    de del la el los las y por en a su
"""
_WORDS = frozenset(f"{_ENGLISH}{_FRENCH}{_SPANISH}".split())
"""Without accents, in small letters. Neither months nor years are among them: they may be those of an earlier bill."""
_GERMAN = """
    okostrom strom erdgas stadtgas gas trinkwasser frischwasser kaltwasser schmutzwasser abwasser wasser kanal
    entwasserung restmull biomull hausmull mull abfall papier bio tonne fernwarme warme heizung glasfaser internet
    router dsl vdsl
    grund arbeit leistung mengen menge verbrauch netz nutzung mess messstelle stelle betrieb preis gebuhr entgelt betrag
    umlage konzession abgabe zahler miete anschluss tarif energie kosten liefer lieferung versorgung entsorgung leerung
    umsatz mehrwert steuer mwst ust netto summe gesamt insgesamt zwischen co einheit liter
    und fur der die das im je pro ihr
"""
"""Parts of German words, and such words: what may be joined, with a letter or two between them."""
_COMPOUND = re.compile(rf"(?:(?:{'|'.join(sorted(_GERMAN.split(), key=len, reverse=True))})(?:en|es|er|s|n|e)?)+")
_FEES = """
    late payment payments fee fees charge charges penalty penalties interest finance overdue past due delinquent unpaid
    on for of the balance nsf returned check
    mahngebuhr mahngebuhren mahnkosten mahnspesen saumniszuschlag saumniszuschlage verzugskosten verzugszinsen gebuhr
    fur zahlungserinnerung
    frais de retard penalite penalites majoration interets rappel relance
    recargo por demora mora intereses interes impago penalizacion
    security deposit deposits new account required assessed billed installment
    kaution barkaution sicherheitsleistung sicherheitsbetrag kautionszahlung neu
    depot garantie caution consignation avance remboursable
    fianza deposito inicial a constituir en garantia
"""
_OF_FEES = frozenset(_FEES.split())
_IS_FEE = re.compile(
    r"\bfees?\b|\bcharges?\b|penal|interes|interet|gebuhr|kosten|spesen|zuschlag|zinsen|frais|majoration|recargo|\bmora\b"
    r"|deposit|kaution|sicherheit|depot|garantie|caution|consignation|avance|fianza"
)
_LETTERS = re.compile(r"[^\W\d_]+")
_YEAR = re.compile(r"(?<![0-9.,])(?:19|20)[0-9]{2}(?![0-9]|[.,][0-9])", re.ASCII)
_PAIR = re.compile(
    r"(?<![0-9.,])(?:[0-9]{1,3}|(?:19|20)[0-9]{2})(?:/| ?[–-] ?)(?:[0-9]{1,3}|(?:19|20)[0-9]{2})(?![0-9]|[.,][0-9])"
    rf"(?! ?(?:{MEASURES}|kw|mbit|l|%))"
)
"""A month and a year, two days, or an age in days, unless it is a step of a price: `0-10 kgal`."""
_LONGEST_WORD = 40


@lru_cache(maxsize=4096)
def are_known(words: str) -> bool:
    """Whether every word beside an amount is known in what a period is charged for. Numbers and measures are; dates and
    years are not, for they may be those of another period.

    >>> [are_known(words) for words in ("Water base charge", "Schmutzwassergebühr", "Eau potable : abonnement")]
    [True, True, True]
    >>> [are_known(words) for words in ("Water late pmt", "Wasser Altlast", "Agua (enero)", "Water 03/14/2026")]
    [False, False, False, False]
    >>> [are_known(words) for words in ("Water 08/26", "Water 31-60", "Water usage 0-10 kgal", "Water tier 1")]
    [False, False, True, True]
    """
    text = plain(words)
    return all(map(_is_known, _LETTERS.findall(text))) and not (
        _YEAR.search(text) or _PAIR.search(text) or dates_in(text)
    )


def is_known_fee(words: str) -> bool:
    """Whether words name a fee for paying late, or a deposit, and nothing else.

    >>> [is_known_fee(words) for words in ("Late payment fee", "Kaution neu", "Frais de retard")]
    [True, True, True]
    >>> [is_known_fee(words) for words in ("Demand penalty", "Delinquent balance", "Deposit held", "Rücklastschrift")]
    [False, False, False, False]
    """
    text = plain(words)
    return bool(_IS_FEE.search(text)) and all(word in _OF_FEES for word in _LETTERS.findall(text))


def _is_known(word: str) -> bool:
    return word in _WORDS or (len(word) <= _LONGEST_WORD and bool(_COMPOUND.fullmatch(word)))
