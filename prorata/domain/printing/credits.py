"""The sentences about an invoice's credit.

The PDF, the e-mail and the tenant's page all show these sentences.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from prorata.domain.languages import language_of
from prorata.domain.mail.message_body import one_line
from prorata.domain.printing.charge_rendering import Forms
from prorata.domain.printing.open_invoices import owed_in_all
from prorata.domain.printing.printed_invoices import CreditGoes, PrintedInvoice, lines_of


class CreditWords(NamedTuple):
    """One language's sentences about a credit.

    They may contain `{amount}`, `{number}`, `{day}` and `{contact}`. `{open}` is what the tenant's other invoices ask
    for.
    """

    below_zero: str
    overpaid: str
    used: str
    used_before: str
    """The same as `used`, for a credit whose day is unknown."""
    goes: Mapping[CreditGoes, str]
    """The sentences about the rest of a credit, with `{amount}` and `{contact}`."""
    not_taken: str


_WORDS: Mapping[str, CreditWords] = MappingProxyType({
    "en": CreditWords(
        below_zero="This invoice is a credit: you get {amount}, and have nothing to pay.",
        overpaid="You have paid {amount} more than this invoice comes to.",
        used="{amount} was taken off your invoice {number} on {day}.",
        used_before="{amount} was taken off your invoice {number}.",
        goes={
            "next": "{amount} will be taken off your next invoice. You need not do anything for this.",
            "back": "As you have moved out, {amount} will be paid back to you. Please tell {contact} to which account.",
            "ask": "Please ask {contact} how the {amount} will be paid out or set off.",
        },
        not_taken="Your other invoices ask for {open}; your credit of {amount} is not yet taken off them.",
    ),
    "de": CreditWords(
        below_zero="Diese Rechnung ist eine Gutschrift: Sie erhalten {amount} und müssen nichts zahlen.",
        overpaid="Sie haben {amount} mehr gezahlt, als diese Rechnung ausmacht.",
        used="{amount} wurden am {day} mit Ihrer Rechnung {number} verrechnet.",
        used_before="{amount} wurden mit Ihrer Rechnung {number} verrechnet.",
        goes={
            "next": "{amount} werden mit Ihrer nächsten Rechnung verrechnet. Sie müssen dafür nichts tun.",
            "back": "Da Sie ausgezogen sind, erhalten Sie {amount} zurück. Bitte nennen Sie {contact} Ihr Konto.",
            "ask": "Fragen Sie bitte {contact}, wie die {amount} ausgezahlt oder verrechnet werden.",
        },
        not_taken="Ihre anderen Rechnungen betragen {open}; Ihr Guthaben von {amount} ist noch nicht verrechnet.",
    ),
    "es": CreditWords(
        below_zero="Esta factura es un abono: usted recibe {amount} y no tiene nada que pagar.",
        overpaid="Ha pagado {amount} más de lo que suma esta factura.",
        used="El {day} se descontaron {amount} de su factura {number}.",
        used_before="Se descontaron {amount} de su factura {number}.",
        goes={
            "next": "Se descontarán {amount} de su próxima factura. Para ello no tiene que hacer nada.",
            "back": "Como se ha mudado, se le devolverán {amount}. Indique, por favor, a {contact} en qué cuenta.",
            "ask": "Pregunte a {contact} cómo se le pagarán o descontarán los {amount}.",
        },
        not_taken="Sus otras facturas suman {open}; su saldo a favor de {amount} aún no se ha descontado.",
    ),
    "fr": CreditWords(
        below_zero="Cette facture est un avoir\u00a0: {amount} vous reviennent, et vous n’avez rien à payer.",
        overpaid="Vous avez payé {amount} de plus que le montant de cette facture.",
        used="{amount} ont été déduits de votre facture {number} le {day}.",
        used_before="{amount} ont été déduits de votre facture {number}.",
        goes={
            "next": "{amount} seront déduits de votre prochaine facture. Vous n’avez rien à faire pour cela.",
            "back": "Comme vous avez déménagé, {amount} vous seront remboursés. Indiquez à {contact} sur quel compte.",
            "ask": "Demandez à {contact} comment les {amount} vous seront versés ou déduits.",
        },
        not_taken="Vos autres factures demandent {open}\u00a0; votre avoir de {amount} n’en est pas encore déduit.",
    ),
})  # fmt: skip


def credit_in_words(invoice: PrintedInvoice, forms: Forms) -> tuple[str, ...]:
    """State an invoice's credit, its past or future use, and the tenant's debt.

    The result is empty for an invoice without a credit, a draft, a cancelled invoice, or an invoice for a vacant unit.
    """
    return tuple(_sentences(invoice, forms)) if invoice.has_credit else ()


def _sentences(invoice: PrintedInvoice, forms: Forms) -> Iterator[str]:
    words, currency = _WORDS[language_of(invoice.copy.locale)], invoice.copy.currency
    biller = invoice.copy.biller
    contact = ", ".join(map(one_line, lines_of(biller.contact))) or one_line(biller.name)
    first = words.below_zero if invoice.total < 0 else words.overpaid
    yield first.format(amount=forms.money(invoice.credit, currency))
    for carried in invoice.credits:
        if carried.amount < 0:
            form, day = (words.used, forms.day(carried.day)) if carried.day else (words.used_before, "")
            yield form.format(amount=forms.money(-carried.amount, currency), number=carried.number, day=day)
    if invoice.balance < 0:
        yield words.goes[invoice.credit_goes].format(amount=forms.money(-invoice.balance, currency), contact=contact)
    if invoice.others and invoice.open_credit:
        asked = sum(other.amount for other in invoice.others)
        yield words.not_taken.format(
            open=forms.money(asked, currency), amount=forms.money(invoice.open_credit, currency)
        )
    yield owed_in_all(invoice, forms)
