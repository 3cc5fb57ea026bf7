"""The words of a tenant's statement, in each language of invoices."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from prorata.domain.invoices.ledger import CARRY, REFUND, REVERSAL
from prorata.domain.invoices.statements import INVOICE, MARKED_PAID, Posting


class StatementWords(NamedTuple):
    """One language's words for a statement.

    They may contain `{day}`, `{number}` and, about a carried credit, `{amount}`, `{giver}` and `{taker}`.
    """

    title: str
    about: str
    others: str
    not_asked: str
    """The sentence for a balance that is `{amount}` more than the tenant has to pay now."""
    also_asked: str
    """The sentence for a balance that is `{amount}` less than the tenant has to pay now."""
    day: str
    what: str
    charged: str
    paid: str
    balance: str
    invoice: str
    payment: str
    refund: str
    marked_paid: str
    credit: str
    credit_used: str
    credit_not_used: str
    payment_back: str
    refund_back: str
    credit_back: str
    opening: str
    closing: str
    as_file: str
    receipt: str


STATEMENT_WORDS: Mapping[str, StatementWords] = MappingProxyType({
    "en": StatementWords(
        title="Your statement",
        about="The statement goes back one year. A balance above zero is still to be paid; one below zero is your "
        "credit.",
        others="Each invoice has a page of its own: open it with the link in the e-mail that the invoice came with.",
        not_asked="You need not pay {amount} of the balance now, for example because it is in dispute.",
        also_asked="You have to pay {amount} more than the balance now, for example because it includes your payment "
        "for an invoice that is being changed, and is listed again once it is sent.",
        day="Day",
        what="What",
        charged="Charged",
        paid="Paid",
        balance="Balance",
        invoice="Invoice {number}",
        payment="Payment",
        refund="Refund",
        marked_paid="Noted as paid",
        credit="Carried credit",
        credit_used="{amount} of the credit on invoice {giver} was used for invoice {taker}",
        credit_not_used="{amount} of the credit on invoice {giver} is no longer used for invoice {taker}",
        payment_back="Payment taken back",
        refund_back="Refund taken back",
        credit_back="Credit taken back",
        opening="Balance before {day}",
        closing="Balance now",
        as_file="Statement as CSV",
        receipt="Receipt (PDF)",
    ),
    "de": StatementWords(
        title="Ihre Kontoübersicht",
        about="Die Übersicht reicht ein Jahr zurück. Ein Saldo über null ist noch zu zahlen; ein Saldo unter null ist "
        "Ihr Guthaben.",
        others="Jede Rechnung hat eine eigene Seite: Sie öffnen sie mit dem Link in der E-Mail, mit der sie kam.",
        not_asked="{amount} des Saldos sind derzeit nicht zu zahlen, zum Beispiel weil sie beanstandet sind.",
        also_asked="Zu zahlen sind derzeit {amount} mehr als der Saldo, zum Beispiel weil er Ihre Zahlung für eine "
        "Rechnung enthält, die gerade geändert wird und nach dem Versand wieder hier steht.",
        day="Tag",
        what="Was",
        charged="Berechnet",
        paid="Gezahlt",
        balance="Saldo",
        invoice="Rechnung {number}",
        payment="Zahlung",
        refund="Erstattung",
        marked_paid="Als bezahlt vermerkt",
        credit="Übertragenes Guthaben",
        credit_used="{amount} vom Guthaben der Rechnung {giver} wurden mit Rechnung {taker} verrechnet",
        credit_not_used="{amount} vom Guthaben der Rechnung {giver} werden nicht mehr mit Rechnung {taker} verrechnet",
        payment_back="Zahlung zurückgenommen",
        refund_back="Erstattung zurückgenommen",
        credit_back="Guthaben zurückgenommen",
        opening="Saldo vor dem {day}",
        closing="Saldo jetzt",
        as_file="Kontoübersicht als CSV",
        receipt="Zahlungsbestätigung (PDF)",
    ),
    "es": StatementWords(
        title="Su estado de cuenta",
        about="El estado de cuenta abarca el último año. Un saldo por encima de cero está por pagar; por debajo de "
        "cero es a su favor.",
        others="Cada factura tiene su propia página: ábrala con el enlace del correo con el que llegó la factura.",
        not_asked="Por ahora no tiene que pagar {amount} del saldo, por ejemplo porque están en reclamación.",
        also_asked="Por ahora tiene que pagar {amount} más que el saldo, por ejemplo porque este incluye su pago de "
        "una factura que se está modificando y que volverá a figurar aquí cuando se envíe.",
        day="Día",
        what="Concepto",
        charged="Facturado",
        paid="Pagado",
        balance="Saldo",
        invoice="Factura {number}",
        payment="Pago",
        refund="Devolución",
        marked_paid="Anotada como pagada",
        credit="Saldo a favor trasladado",
        credit_used="{amount} del saldo a favor de la factura {giver} se usaron para la factura {taker}",
        credit_not_used="{amount} del saldo a favor de la factura {giver} ya no se usan para la factura {taker}",
        payment_back="Pago anulado",
        refund_back="Devolución anulada",
        credit_back="Saldo a favor anulado",
        opening="Saldo antes del {day}",
        closing="Saldo ahora",
        as_file="Estado de cuenta en CSV",
        receipt="Comprobante (PDF)",
    ),
    "fr": StatementWords(
        title="Votre relevé de compte",
        about="Le relevé remonte à un an. Un solde positif reste à payer\u00a0; un solde négatif est un "
        "avoir en votre faveur.",
        others="Chaque facture a sa propre page\u00a0: ouvrez-la avec le lien de l’e-mail qui accompagnait la facture.",
        not_asked="Vous n’avez pas à payer {amount} du solde pour le moment, par exemple parce qu’ils sont contestés.",
        also_asked="Vous avez à payer {amount} de plus que le solde pour le moment, par exemple parce qu’il comprend "
        "votre paiement d’une facture en cours de modification, qui figurera de nouveau ici une fois envoyée.",
        day="Jour",
        what="Objet",
        charged="Facturé",
        paid="Payé",
        balance="Solde",
        invoice="Facture {number}",
        payment="Paiement",
        refund="Remboursement",
        marked_paid="Notée comme payée",
        credit="Avoir reporté",
        credit_used="{amount} de l’avoir de la facture {giver} ont été déduits de la facture {taker}",
        credit_not_used="{amount} de l’avoir de la facture {giver} ne sont plus déduits de la facture {taker}",
        payment_back="Paiement annulé",
        refund_back="Remboursement annulé",
        credit_back="Avoir annulé",
        opening="Solde avant le {day}",
        closing="Solde actuel",
        as_file="Relevé de compte en CSV",
        receipt="Reçu (PDF)",
    ),
})  # fmt: skip


def said(
    posting: Posting,
    words: StatementWords,
    money: Callable[[int], str],
    *,
    taker: Posting | None = None,
    named: Callable[[Posting], str] = lambda posting: posting.number,
) -> str:
    """Name the change of a posting; for a carried credit, say how it was used.

    The name is in the language of `words`. `named` makes an invoice's number for this sentence; the number may be a
    link. If one row shows both postings of a carried credit, the other one is its `taker`.

    >>> back = Posting("2026-03-02", "REVERSAL", "inv_1", "A-1-2026-02", 50_00, of="REFUND")
    >>> said(back, STATEMENT_WORDS["en"], str), said(back._replace(kind="PAYMENT"), STATEMENT_WORDS["de"], str)
    ('Refund taken back', 'Zahlung')
    >>> given = Posting("2026-03-02", "CARRY", "inv_1", "A-1", 50_00, other="A-2")
    >>> taken = given._replace(number="A-2", amount=-50_00, other="A-1")
    >>> said(given, STATEMENT_WORDS["en"], str) == said(taken, STATEMENT_WORDS["en"], str)
    True
    >>> said(taken, STATEMENT_WORDS["en"], str)
    '5000 of the credit on invoice A-1 was used for invoice A-2'
    >>> marked = Posting("2026-03-02", "MARKED_PAID", "inv_1", "A-1-2026-02", 50_00)  # of a credit: it was paid back
    >>> said(marked, STATEMENT_WORDS["en"], str), said(marked._replace(amount=-50_00), STATEMENT_WORDS["en"], str)
    ('Refund', 'Noted as paid')
    """
    if posting.kind == INVOICE:
        return words.invoice.format(number=posting.number)
    if posting.other:
        is_used, its, other = posting.kind == CARRY, named(posting), named(taker) if taker else posting.other
        form = words.credit_used if is_used else words.credit_not_used
        giver, of = (its, other) if (posting.amount > 0) == is_used else (other, its)
        return form.format(amount=money(abs(posting.amount)), giver=giver, taker=of)
    if posting.kind == CARRY:
        return words.credit
    if posting.kind == REVERSAL:
        return {CARRY: words.credit_back, REFUND: words.refund_back}.get(posting.of, words.payment_back)
    if posting.kind == REFUND or (posting.kind == MARKED_PAID and posting.amount > 0):
        return words.refund
    return words.marked_paid if posting.kind == MARKED_PAID else words.payment
