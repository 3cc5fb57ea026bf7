"""What an amount on a bill is, by the words beside it: a utility, what was carried over, a fee, a total."""

import re
from enum import Enum
from functools import lru_cache

from prorata.domain.intake.bill_reading.text_folding import as_label, plain


class Role(Enum):
    """What the words beside an amount say it is."""

    ASIDE = "said in passing: what it would be after the due date, last year, on average"
    FOREIGN = "for something that is no utility: a donation, an insurance, a telephone"
    LATE_FEE = "a fee for paying late"
    DEPOSIT = "a deposit"
    INSTALMENT = "what is paid each month under budget billing, or was paid so far"
    USED = "under budget billing, what was really used"
    CARRIED = "the balance left of earlier bills, once payments are taken off"
    PREVIOUS = "the balance of earlier bills before payments"
    PAYMENT = "payments received"
    TOTAL = "what is to be paid"
    CURRENT = "what this bill's period comes to"
    SUBTOTAL = "a sum on the way"
    CREDIT = "a credit, refund or correction"
    ITEM = "anything else that has an amount"


_ROLES: tuple[tuple[Role, str], ...] = (
    (
        Role.ASIDE,
        (
            r"\bafter (?!payment)|\bor later\b|\ba partir d|^ab (dem )?[0-9]|\bdesde el\b|au-dela d|^passe le"
            r"|^pasado el|\bif (paid|received|not)|\blate after|\bnach dem\b|\bapres le\b|\bdespues de(l)?\b|last year"
            r"|same (month|period)"
            r"|\bvorjahr|annee (derniere|precedente)|ano (pasado|anterior)|average|\bavg\b|durchschnitt|moyenne"
            r"|promedio|\bnext\b"
            r"|\bneuer? |kunftig|prochain|proxim[oa]|estimat|estimee|credit limit|year.to.date|\bytd\b|per (day|month)"
            r"|pro tag"
            r"|par (jour|mois)|por dia|\bsav(e|ed|ings)|daily|diario|journalier|\bincluded|\bincludes|\bdarin"
            r"|\bdavon\b|\bdont\b|^iva incluid"
            r"|enthalten|remaining (deposit|plan)|to date\b|\bwould be|\bcompar|\bso far\b|\blike yours\b|similar homes"
        ),
    ),
    (
        Role.FOREIGN,
        (
            r"donat|charit|protection plan|protect plan|warranty|insurance|appliance|merchandise|\bphone|telephone"
            r"|\bvoice\b|\bmobile|television|\btv\b"
            r"|streaming|home security|round.?up|reconnect|disconnect|installation|connection fee|assistance (fund"
            r"|program)|neighbor|energy share"
            r"|\bspende|versicherung|wartung|mobilfunk|telefon|fernseh|\bdon\b|assurance|depannage|telephonie|mobile"
            r"|donacion|\bseguro"
            r"|mantenimiento|telefon|movil|television|reconexion|wiederanschluss|sperrung|mise en service"
            r"|frais d'acces|\bloan|\blease|\bfinanc(ing|ed)"
        ),
    ),
    (
        Role.LATE_FEE,
        (
            r"late (payment )?(fee|charge|penalty)|penalt|penalite|\binterest\b|finance charge|past due (fee|charge\b)"
            r"|delinquen|returned (check|payment)"
            r"|\bnsf\b|\breminder|mahngebuhr|mahnspesen|zahlungserinnerung"
            r"|recargo por impago|frais de rappel|mahnkosten|mahnung|verzug|saumnis|rucklast"
            r"|frais de retard|majoration"
            r"|interets de retard|frais de (relance|rejet)|indemnite|recargo|\bmora\b|demora|gastos de devolucion"
            r"|intereses"
        ),
    ),
    (
        Role.DEPOSIT,
        (
            r"\bdeposit|\bkaution|barkaution|sicherheitsbetrag|consignation|avance remboursable"
            r"|sicherheitsleistung|depot de garantie|\bcaution\b|\bfianza|\bdeposito"
        ),
    ),
    (
        Role.USED,
        (
            r"actual (charges|cost|amount|usage charges|bill)|cost of (actual )?usage|tatsachliche|ist-kosten"
            r"|consommation reelle|cout reel|consumo real|coste real"
        ),
    ),
    (
        Role.INSTALMENT,
        (
            r"monatlich\w* (zu zahlen|fallig)|prelevements? mensuel|monthly (amount|payment)|each month|cada mes"
            r"|budget|levelized|levelised|equal(ized)? pay|even pay|monthly payment plan|average payment plan"
            r"|\babschlag|abschlage|teilbetrag"
            r"|vorauszahlung|mensualit|mensualisation|\bacompte|echeance mensuelle|cuota (fija|mensual|plana)"
            r"|plan fijo|tarifa plana|pago fijo"
            r"|payment (plan|arrangement)|installment|instalment|ratenzahlung|\bplazo"
        ),
    ),
    (
        Role.CARRIED,
        (
            r"(balance|amount) (brought |carried )?forward|brought forward|(remaining|outstanding) balance"
            r"|balance after payment|\bunpaid|\barrears?\b|\bbal(ance)?\.? ?(b/?f|f/?wd|fwd)\b|\bcarried (over|forward)"
            r"|\bcarry.?(over|forward)|\b[bc]/f(wd)?\b"
            r"|past.due|overdue|balance remaining|offene(r|n)? (forderung|betrag|posten|rest)|noch offen aus"
            r"|solde non regle|reste a devoir|aun pendiente|saldo deudor|still owed|ruckstand|saldovortrag"
            r"|ubertrag|rest aus|altforderung|altschuld|altlast|restforderung|unbezahlt|nicht bezahlt|aussenstand"
            r"|\bvortrag|impaye"
            r"|\barriere|reste du d|report de solde|solde reporte|\b(montant|somme) reporte|non (paye|acquitte)"
            r"|saldo pendiente|pendiente de pago|\bpendientes\b|deuda|\batras(o|ad)|\bvencid[oa]"
            r"|importe pendiente|impagad"
        ),
    ),
    (
        Role.PREVIOUS,
        (
            r"previous|prior|last (bill|statement|invoice|billing|month|payment due)|opening balance|vorherig|vormonat"
            r"|alter (saldo|kontostand)|letzte"
            r"|vorige|vorangegangen|precedent|anterieur|ancien solde|derniere facture|anterior"
            r"|ultim[oa] (factura|recibo)"
        ),
    ),
    (
        Role.TOTAL,
        (
            r"amount (now )?due|balance due|total due|total (amount )?now due|(please )?pay this|please pay"
            r"|payment (amount|due)|pay by|due (by|on|now)\b"
            r"|(amount|total) (to be |to )?(pay|paid by|debited|withdrawn|drafted)|(amount|balance|total) (payable"
            r"|owed|owing|you owe)|total payable|you owe"
            r"|(account|current|new|ending|total|credit) balance|autopay amount|auto pay amount|will be (debited"
            r"|withdrawn|charged|drafted|paid)"
            r"|zu zahlen|zahlbetrag|zahlungsbetrag|nachzahlung|\bguthaben|fallige[rn]? (betrag|summe)|gesamtforderung"
            r"|wir buchen|abbuchung"
            r"|abgebucht|lastschriftbetrag|einzug|eingezogen|uberweis|gesamtsaldo|zu uberweisen|^noch offen$"
            r"|bitte zahlen|offener gesamtbetrag"
            r"|forderungsbetrag|falliger gesamtbetrag"
            r"|a payer|\ba regler|montant du\b|total du$|somme due|montant preleve|prelevement|sera preleve"
            r"|solde (crediteur|debiteur|actuel)"
            r"|nouveau solde|en votre faveur|a pagar|a abonar|a ingresar|importe del recibo|a cargar|domiciliad"
            r"|saldo (a favor|actual|total)"
            r"|adeudad|se cargara"
        ),
    ),
    (
        Role.PAYMENT,
        (
            r"payments?\b|thank you|amount paid|\bpaid\b|\breceipts\b|we received|seither|eingegangen|zahlung"
            r"|gezahlt|bezahlt|geleistet|erhalten"
            r"|paiement|reglement|versement|\bpaye|acquitte"
            r"|\bpagos?\b|\bpagad[oa]|\bcobr(os|ad)|recibido|encaissement"
        ),
    ),
    (
        Role.CREDIT,
        (
            r"\bcredits?\b|refund|adjust|discount|rebate|gutschrift|erstattung|\bbonus|rabatt|nachlass"
            r"|preisnachlass|reduction|ristourne|korrektur"
            r"|\bavoir|remise|rembours"
            r"|regularis|\bdescuento|bonificacion|\babono|reembolso|regulariz|\bajuste|rectifica"
        ),
    ),
    (
        Role.SUBTOTAL,
        (
            r"sub.?total|zwischensumme|sous.total|\bnetto|nettobetrag|\bnet\b|total ht|montant ht|hors tax|\bht$"
            r"|base imponible|suma parcial|taxable"
        ),
    ),
    (
        Role.CURRENT,
        (
            r"(current|new|this month'?s|this period'?s|monthly) (\w+ ){0,2}(charges|bill|activity|billing|services?"
            r"|amount)|charges (for )?this"
            r"|total (new |monthly |utility |current |of all |all )*(charges|services?|bill|invoice|fees)|(bill"
            r"|invoice) total|this (bill|invoice)"
            r"|total for this|^total$|^total amount$|rechnungsbetrag|rechnungssumme|gesamtbetrag|gesamtsumme|\bbrutto"
            r"|bruttobetrag|endbetrag|^summe$|^gesamt$"
            r"|summe (aller|der)|^gesamtkosten|^verbrauchskosten|kosten (dieser|der|im|fur)|aktuelle|diese rechnung"
            r"|dieser rechnung|total ttc|montant ttc|\bttc$|toutes taxes|total (de |pour )?(la |cette "
            r"|votre )?(facture|periode)"
            r"|montant (total )?(de )?(la|cette|votre) (facture|periode)|total general|montant total"
            r"|facture (du mois|de ce mois"
            r"|en cours)"
            r"|total (de )?(la |esta )?(factura|periodo|recibo)|importe (total|factura|de la factura|de esta)"
            r"|total (del )?(periodo|importe|cargos|servicios)"
            r"|(cargos|consumo|facturacion) (del mes|actual)|iva incluido"
        ),
    ),
)
_PATTERNS = tuple((role, re.compile(pattern)) for role, pattern in _ROLES)
_IS_SUM = re.compile(r"total|summe|gesamt|subtotal|^charges for|insgesamt|\bcharges$|\bkosten$|betrag$")
_REFUND = re.compile(r"refund|erstattung|rembours|reembolso|devolucion")
_IS_CREDIT_BALANCE = re.compile(r"credit balance|guthaben|solde crediteur|en votre faveur|saldo a favor")
_TAX = re.compile(
    r"\btax|\bvat\b|mwst|\bust\b|umsatzsteuer|mehrwertsteuer|\btva\b|\biva\b|\bigic\b|impuesto|\btaxes?\b|accise"
    r"|contribution|\bcta\b|steuer"
)
_OF_THE_CUSTOMER = re.compile(r"\bfranchise|\bcustomer|\bservice|konzession|\bservicio|\bmunicip")

_PRICE = re.compile(
    r"\b(basic|base|customer|fixed|minimum|residential|commercial|energy|usage|delivery|supply|distribution"
    r"|generation|transmission|fuel|franchise"
    r"|tier|peak|off-peak|consumption|volume|capacity|demand|metering|rental|monthly service)\b|grund(preis|gebuhr"
    r"|betrag)|arbeitspreis|leistungspreis"
    r"|mengenpreis|verbrauch|netzentgelt|netznutzung|messstelle|messpreis|umlage|konzession|\bco2|zahlermiete"
    r"|router|anschluss|tarif\b|abonnement"
    r"|consommation|acheminement|redevance|\bcollecte|prime fixe|part (fixe|variable)|location|heures (pleines"
    r"|creuses)|\btermino|potencia"
    r"|\benergia|\bconsumo|alquiler|cuota de servicio|\bcanon|\bpeaje|\btasa|\bfijo|\bvariable"
)

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
_UNCLEAR_TYPE = re.compile(
    r"sanitation|used water|(disposal|treatment) of water|wasserentsorgung|tratamiento de agua"
    r"|storm ?water|niederschlag|regenwasser|oberflachenwasser|eaux pluviales|aguas pluviales|street ?light"
    r"|alumbrado|fire (line|protection|service)|irrigation"
    r"|hot water|warmwasser|eau chaude|agua caliente"
)
_NOT_THE_TYPE = re.compile(
    r"storm ?water|waste ?water|eaux (usees|pluviales)|aguas (residuales|pluviales)|hot water|warmwasser"
    r"|water heat\w*|eau chaude|agua caliente"
    r"|p\.? ?o\.? ?box|post office box|power (factor|cost)|electric vehicle|compteur d'eau"
)
_NAMES_A_BILL = re.compile(
    r"\bbill\b|\binvoice\b|statement|service|charges|rechnung|abrechnung|facture|factura|recibo|lieferung|versorgung"
)
_UNITS: tuple[tuple[re.Pattern[str], frozenset[str]], ...] = (
    (re.compile(r"\bkwh\b"), frozenset(["ELECTRICITY", "GAS", "OTHER"])),
    (re.compile(r"\btherms?\b"), frozenset(["GAS"])),
    (re.compile(r"\bm3\b|\bm³"), frozenset(["GAS", "WATER", "SEWER"])),
    (re.compile(r"\b(ccf|hcf|cf)\b"), frozenset(["GAS", "WATER", "SEWER"])),
    (re.compile(r"\b(gal|gallons|kgal)\b"), frozenset(["WATER", "SEWER"])),
    (re.compile(r"\b(mbit|mbps|mbit/s|gbps)\b"), frozenset(["INTERNET"])),
)


@lru_cache(maxsize=4096)
def role_of(words: str) -> Role:
    """What the words beside an amount say it is.

    >>> [role_of(words).name for words in ("Amount due", "Previous balance", "Abzüglich Zahlungen", "Base charge")]
    ['TOTAL', 'PREVIOUS', 'PAYMENT', 'ITEM']
    """
    label = as_label(words)
    for role, pattern in _PATTERNS:
        if pattern.search(label):
            return role
    return Role.ITEM


@lru_cache(maxsize=4096)
def may_be(words: str, *roles: Role) -> bool:
    """Whether words speak of any of some roles, whatever else they speak of.

    >>> may_be("Past due charge", Role.CARRIED), role_of("Past due charge")
    (True, <Role.LATE_FEE: 'a fee for paying late'>)
    """
    label = as_label(words)
    return any(role in roles and pattern.search(label) for role, pattern in _PATTERNS)


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


def is_unclear_type(words: str) -> bool:
    """Whether words name something that may be one utility or another, such as stormwater."""
    return bool(_UNCLEAR_TYPE.search(plain(words)))


def is_known_item(words: str) -> bool:
    """Whether words name a part of a utility's price: a base price, a delivery, a tax. A fee of any other kind is not
    taken for one.
    """
    return bool(_PRICE.search(plain(words))) or is_tax(words)


def is_sum(words: str) -> bool:
    """Whether words call an amount a sum of others."""
    return bool(_IS_SUM.search(as_label(words)))


def is_tax(words: str) -> bool:
    """Whether words name a tax."""
    return bool(_TAX.search(as_label(words)))


def is_of_the_customer(words: str) -> bool:
    """Whether words name what is charged for a customer, or a place, and not for what was used: perhaps once for all
    utilities.
    """
    return bool(_OF_THE_CUSTOMER.search(as_label(words)))


def is_credit_balance(words: str) -> bool:
    """Whether what is printed as a positive amount is owed to the customer."""
    return bool(_IS_CREDIT_BALANCE.search(as_label(words)))


def is_refund(words: str) -> bool:
    """Whether words speak of money given back, which may be of a deposit or of an earlier bill."""
    return bool(_REFUND.search(plain(words)))


def names_a_bill(words: str) -> bool:
    """Whether words speak of a bill or a service, as a title does."""
    return bool(_NAMES_A_BILL.search(plain(words)))


def fits_units(kind: str, text: str) -> bool | None:
    """Whether the units of measure in a text are those of a utility; None when there are none."""
    found = [kinds for pattern, kinds in _UNITS if pattern.search(plain(text))]
    return any(kind in kinds for kinds in found) if found else None
