"""The labels of facts on bills, in English, German, French and Spanish.

A strong label has one meaning wherever it is printed. A weak label, such as "customer number", may also stand
beside a value of another field, so a person is asked.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Literal, NamedTuple

from prorata.domain.intake.bill_reading.text_folding import as_label, has_figures, plain

FactName = Literal[
    "accountNumber",
    "billNumber",
    "billDate",
    "dueDate",
    "servicePeriod",
    "servicePeriodStart",
    "servicePeriodEnd",
    "serviceAddress",
    "payee",
]


class Label(NamedTuple):
    """A label: the fact it names, its text, and its certainty.

    A likely label is not known, but contains a word of a known label.
    """

    fact: FactName
    text: str
    strong: bool
    likely: bool = False


_STRONG: dict[FactName, str] = {
    "accountNumber": """account number|your account no|compte n°|account no|account|acct number|customer account|
        customer account no|
        acct no|acct|
        account id|your account number|utility account number|account nbr|customer account number|
        vertragskonto|vertragskontonummer|vertragskonto-nr|vertragskonto nr|vertragsnummer|vertrags-nr|
        ihr vertragskonto|
        numero de compte|n de compte|no de compte|n° de compte|compte de contrat|numero de contrat|no de contrat|
        n° de contrat|compte client|n° de compte client|numero de compte client|
        numero de contrato|no de contrato|no contrato|n.o de contrato|contrato no|referencia de contrato|
        referencia del contrato|
        numero de cuenta de contrato|
        cuenta de contrato|contrato n.o|referencia contrato|cuenta contrato|cuenta no""",
    "billNumber": """bill number|n° de la facture|reference de facture|no factura|numero factura|bill no|
        invoice number|invoice no|invoice id|statement number|statement no|bill id|
        document number|
        rechnungsnummer|rechnungs-nr|rechnung nr|rechnungsnr|rechnung-nr|belegnummer|rechnung nummer|
        numero de facture|facture n°|facture no|n° de facture|no de facture|n facture|n° facture|no facture|
        numero de factura|factura no|factura n.o|n.o de factura|n.o factura|no de factura|num. factura""",
    "billDate": """bill date|erstellt am|billing date|statement date|invoice date|date of bill|date issued|issue date|
        date of issue|bill issued|bill issue date|
        date of invoice|billed on|issued on|issued|bill prepared|prepared on|date billed|statement issued|
        rechnungsdatum|ausstellungsdatum|rechnung vom|datum der rechnung|rechnungsdatum vom|
        date de facture|date de la facture|date de facturation|facture du|date d'emission|emise le|facture emise le|
        etablie le|date d'etablissement|
        fecha de factura|fecha de emision|fecha factura|fecha de la factura|fecha de expedicion|emitida el|
        fecha emision""",
    "dueDate": """due date|payment due date|payment due|date due|due by|pay by|due on|please pay by|payment due by|
        amount due by|total due by|
        pay on or before|total amount due by|current charges due|please pay this amount by|due|
        fallig am|zahlbar bis|falligkeit|falligkeitsdatum|zahlungsziel|zu zahlen bis|bitte zahlen sie bis|fallig bis|
        zahlungstermin|fallig zum|
        wird fallig am|zu uberweisen bis|uberweisen bis|
        date d'echeance|echeance|a payer avant le|date limite de paiement|a regler avant le|payable avant le|
        date de prelevement|a payer au plus tard le|
        date limite|a regler le|reglement avant le|
        fecha de vencimiento|vencimiento|fecha limite de pago|pagar antes del|fecha de cargo|vence el|
        fecha tope de pago|pago hasta el|
        plazo de pago hasta|ultimo dia de pago""",
    "servicePeriod": """service period|dates of service|billing cycle|consommation relevee|facturacion del|
        billing period|service dates|period of service|usage period|service from|
        period covered|bill period|charges for|
        statement period|consumption period|service for|read dates|meter reading period|
        abrechnungszeitraum|lieferzeitraum|verbrauchszeitraum|leistungszeitraum|zeitraum|abgerechneter zeitraum|
        rechnungszeitraum|
        periode de facturation|periode de consommation|periode|periode facturee|periode du|consommation du|
        periode concernee|pour la periode|
        periodo de facturacion|periodo de consumo|periodo facturado|periodo|periodo de lectura|periodo de suministro""",
    "servicePeriodStart": """service start|service period start|period start|period from|start of period|
        service start date|
        beginn des zeitraums|zeitraum von|lieferbeginn zeitraum|debut de periode|debut de la periode|
        inicio del periodo|inicio de periodo|
        periodo desde|fecha inicio""",
    "servicePeriodEnd": """service end|service period end|period end|period to|end of period|service end date|
        ende des zeitraums|zeitraum bis|fin de periode|fin de la periode|fin del periodo|fin de periodo|periodo hasta|
        fecha fin""",
    "serviceAddress": """service address|service for|service delivered to|lieferort|site desservi|lugar de consumo|
        service location|service at|property address|premises|premises address|
        supply address|site address|
        service provided at|property served|service premises|service to|address of service|location of service|
        meter location|service for address|
        verbrauchsstelle|lieferstelle|lieferadresse|lieferanschrift|abnahmestelle|entnahmestelle|anschlussadresse|
        objekt|
        adresse de consommation|lieu de consommation|adresse du point de livraison|adresse desservie|
        lieu de livraison|adresse de fourniture|
        adresse du logement|adresse d'installation|adresse du site|point de service|
        direccion de suministro|direccion del suministro|direccion del servicio|domicilio de suministro|
        lugar de suministro|punto de suministro|
        direccion punto de suministro|finca""",
    "payee": """make checks payable to|make check payable to|make your check payable to|make your checks payable to|
        please make checks payable to|please make check payable to|please make your check payable to|
        please make your checks payable to|make payment to|make payments to|please make payment to|
        please make payments to|please remit to|remit to|mail payment to|payable to|pay to|remit payment to|
        send payment to|bitte uberweisen an|empfanger der zahlung|reglement a|votre fournisseur|entidad emisora|
        zahlungsempfanger|zahlbar an|a l'ordre de|
        payable a l'ordre de|creancier|a favor de|emisor""",
}
_WEAK: dict[FactName, str] = {
    "accountNumber": """customer number|customer no|customer id|customer|client number|reference number|reference|
        service number|
        kundennummer|kd.-nr|kunden-nr|kundennr|kunden nr|ihre kundennummer|buchungskonto|kassenzeichen|
        numero client|n° client|no client|reference client|votre reference|references client|
        numero de cliente|n.o de cliente|no cliente|n.o cliente|cliente|referencia|contrato""",
    "billNumber": "invoice|statement|document no|reference no|beleg|document|numero|recibo no|referencia factura",
    "billDate": "date|date prepared|mailing date|bill mailing date|datum|vom|date du document|le|fecha",
    "dueDate": """auto pay date|autopay date|withdrawal date|debit date|next payment|abbuchung am|lastschrift am|
        einzug am|
        prelevement le|sera preleve le|fecha de domiciliacion|se cargara el""",
    "servicePeriod": "usage|consumption|from|dates|verbrauch|lieferung|du|consommation|desde|lectura|lecturas|consumo",
    "serviceAddress": """location|address|site|property|adresse|lieu|logement|direccion|domicilio|suministro|inmueble|
        anschrift""",
    "payee": "empfanger|kontoinhaber|beneficiaire|beneficiario|titular de la cuenta",
}


_LIKELY: tuple[tuple[FactName, str], ...] = (
    (
        "dueDate",
        r"\b(due|pay|payable|zu? ?zahlen|zahlbar|fallig\w*|echeance|regle\w*|payer|vence\w*|venc\w*|pag(ar|o))\b",
    ),
    ("billDate", r"\b(date|dated|datum|fecha|emis\w*|emit\w*|issued|billed|ausgestellt|erstellt|etabli\w*)\b"),
    (
        "accountNumber",
        r"\b(account|acct|\w*konto\w*|compte|cuenta|contrat\w*|vertrag\w*|client\w*|kunde\w*|customer)\b",
    ),
    ("billNumber", r"\b(bill|invoice|statement|rechnung\w*|beleg\w*|bescheid\w*|facture|factura|recibo)\b"),
    ("servicePeriod", r"period|zeitraum|\bdates\b|\bcycle\b|consommation|consumo|verbrauch"),
    ("serviceAddress", r"address|premise|location|anschrift|\w+stelle\b|adresse|logement|direccion|domicilio|inmueble"),
)
_LIKELY_PATTERNS = tuple((fact, re.compile(pattern)) for fact, pattern in _LIKELY)
_NOT_LIKELY = re.compile(
    r"bank|iban|\bbic\b|routing|card|meter|zahler|compteur|contador|phone|telef|\bnext\b|mail|\bread\b|site\b"
)
_LONGEST_LIKELY = 6
"""The maximum number of words in a likely label.

Longer text is a sentence.
"""


@cache
def labels() -> tuple[Label, ...]:
    """Return all labels, longest first, so that a short label doesn't hide a longer one."""
    known_labels = [Label(fact, as_label(text), True) for fact, texts in _STRONG.items() for text in texts.split("|")]
    known_labels += [Label(fact, as_label(text), False) for fact, texts in _WEAK.items() for text in texts.split("|")]
    return tuple(sorted(known_labels, key=lambda label: -len(label.text)))


@cache
def _by_text() -> dict[str, Label]:
    return {label.text: label for label in reversed(labels())}


@cache
def _beginning() -> re.Pattern[str]:
    every = "|".join(re.escape(label.text) for label in labels())
    return re.compile(rf"({every})\.?(?: ?\*?(?:#?:|:?#)(?!#) ?| ?\*(?![*0-9]) ?| ?\((?:[^()]*)\) ?:? ?| )(?=\S)")


def label_of(text: str) -> Label | None:
    """Return the label that a cell consists of; None if the cell contains anything else.

    >>> label_of("Account number:"), label_of("Account number 12")
    (Label(fact='accountNumber', text='account number', strong=True, likely=False), None)
    """
    return _by_text().get(as_label(text))


def likely_labels(text: str) -> tuple[Label, ...]:
    """Return a label for each fact that an unknown label may mean.

    A person confirms the values of such labels.

    >>> [label.fact for label in likely_labels("Payment is due")], likely_labels("Bank account")
    (['dueDate'], ())
    """
    words = as_label(text)
    if _NOT_LIKELY.search(words) or len(words.split()) > _LONGEST_LIKELY or has_figures(words):
        return ()
    return tuple(
        Label(fact, words, strong=False, likely=True) for fact, pattern in _LIKELY_PATTERNS if pattern.search(words)
    )


def label_within(text: str) -> Iterator[tuple[Label, str]]:
    """Yield the label that begins a cell, if any, and the text after it.

    >>> list(label_within("Rechnungsnummer: RE-2026-17"))
    [(Label(fact='billNumber', text='rechnungsnummer', strong=True, likely=False), 'RE-2026-17')]
    """
    match = _beginning().match(plain(text))
    if match:
        rest = text.strip()[-(len(plain(text)) - match.end()) :] if len(plain(text)) == len(text.strip()) else ""
        yield _by_text()[match[1]], rest or plain(text)[match.end() :]
