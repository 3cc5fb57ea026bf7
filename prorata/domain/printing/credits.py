"""The sentences about an invoice's credit, and about the tenant's debt on other invoices.

The PDF, the e-mail and the tenant's page all show these sentences.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from types import MappingProxyType
from typing import NamedTuple

from prorata.domain.languages import language_of
from prorata.domain.limits import LONGEST_PAYMENT_REFERENCE, MOST_NAMED
from prorata.domain.mail.message_body import one_line
from prorata.domain.printing.charge_rendering import Forms
from prorata.domain.printing.printed_invoices import CreditGoes, PrintedInvoice, lines_of


class CreditWords(NamedTuple):
    """One language's sentences about a credit.

    They may contain `{amount}`, `{number}`, `{day}` and `{contact}`. If only a part of a debt is due on `{day}`,
    `{first}` is that part. `{which}` are the numbers of other open invoices, and `{n}` is how many are not named.
    `{open}` is what these invoices ask for.
    """

    below_zero: str
    overpaid: str
    used: str
    used_before: str
    """The same as `used`, for a credit whose day is unknown."""
    goes: Mapping[CreditGoes, str]
    """The sentences about the rest of a credit, with `{amount}` and `{contact}`."""
    not_taken: str
    nothing: str
    owes: str
    owes_late: str
    owes_first: str
    owes_first_late: str
    elsewhere: str
    more: str


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
        nothing="In all, you owe nothing at the moment.",
        owes="In all, you now owe {amount}. Please pay it by {day}.",
        owes_late="In all, you now owe {amount}, which was due on {day}.",
        owes_first="In all, you now owe {amount}. Please pay {first} of it by {day}.",
        owes_first_late="In all, you now owe {amount}, of which {first} was due on {day}.",
        elsewhere="Also open on your other invoices: {amount} ({which}). Please pay each under its own number.",
        more="and {n} more",
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
        nothing="Insgesamt haben Sie derzeit nichts zu zahlen.",
        owes="Insgesamt haben Sie jetzt {amount} zu zahlen, bitte bis zum {day}.",
        owes_late="Insgesamt haben Sie jetzt {amount} zu zahlen; fällig war das am {day}.",
        owes_first="Insgesamt haben Sie jetzt {amount} zu zahlen, davon bitte {first} bis zum {day}.",
        owes_first_late="Insgesamt haben Sie jetzt {amount} zu zahlen; davon waren {first} am {day} fällig.",
        elsewhere="Auf anderen Rechnungen sind {amount} offen ({which}). Zahlen Sie bitte jede unter ihrer Nummer.",
        more="und {n} weitere",
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
        nothing="En total, por ahora no debe nada.",
        owes="En total debe ahora {amount}. Páguelos, por favor, hasta el {day}.",
        owes_late="En total debe ahora {amount}, que vencieron el {day}.",
        owes_first="En total debe ahora {amount}. Pague, por favor, {first} de ellos hasta el {day}.",
        owes_first_late="En total debe ahora {amount}, de los que {first} vencieron el {day}.",
        elsewhere="Queda pendiente de sus otras facturas: {amount} ({which}). Pague cada una con su propio número.",
        more="y {n} más",
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
        nothing="En tout, vous ne devez rien pour le moment.",
        owes="En tout, vous devez maintenant {amount}, à payer d’ici le {day}.",
        owes_late="En tout, vous devez maintenant {amount}, à payer depuis le {day}.",
        owes_first="En tout, vous devez maintenant {amount}, dont {first} à payer d’ici le {day}.",
        owes_first_late="En tout, vous devez maintenant {amount}, dont {first} à payer depuis le {day}.",
        elsewhere="Reste dû aussi sur vos autres factures\u00a0: {amount} ({which}). Payez chacune sous son numéro.",
        more="et {n} autres",
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
    yield _owed(invoice, words, forms)


def _owed(invoice: PrintedInvoice, words: CreditWords, forms: Forms) -> str:
    """State the debt on other invoices, less all credits, and the earliest due date."""
    owed, _ = invoice.to_pay
    days = [other.due_date for other in invoice.others if other.due_date]
    if not owed or not days:
        return words.nothing
    day: date = min(days)
    first = [other for other in invoice.others if other.due_date == day]
    due, is_late = min(sum(other.amount for other in first), owed), any(other.is_overdue for other in first)
    if due == owed:
        form = words.owes_late if is_late else words.owes
    else:
        form = words.owes_first_late if is_late else words.owes_first
    amount, part = (forms.money(cents, invoice.copy.currency) for cents in (owed, due))
    return form.format(amount=amount, first=part, day=forms.day(day))


def open_elsewhere(invoice: PrintedInvoice, forms: Forms) -> str:
    """State the debt on the tenant's other invoices, and their numbers.

    The result is empty if there is no such debt. If there are many such invoices, only the first are named.
    """
    others, words = invoice.others, _WORDS[language_of(invoice.copy.locale)]
    if not others:
        return ""

    def money(cents: int) -> str:
        return forms.money(cents, invoice.copy.currency)

    named = [f"{other.number} {money(other.amount)}" for other in others] if len(others) > 1 else [others[0].number]
    which = _first_of(named, len(named), words)
    return words.elsewhere.format(amount=money(sum(other.amount for other in others)), which=which)


def reference_of(invoice: PrintedInvoice) -> str:
    """Name the invoices to pay, within the limit of a bank transfer's reference.

    If there are many such invoices, only the first are named.
    """
    _, numbers = invoice.to_pay
    words = _WORDS[language_of(invoice.copy.locale)]
    fitting = (_first_of(numbers, most, words) for most in range(len(numbers), -1, -1))
    return next(said for said in fitting if len(said) <= LONGEST_PAYMENT_REFERENCE)


def _first_of(names: Sequence[str], most: int, words: CreditWords) -> str:
    """List at most this many names, and at most `MOST_NAMED`; count the others."""
    most = min(most, MOST_NAMED - (len(names) > MOST_NAMED))
    more = [words.more.format(n=len(names) - most)] if len(names) > most else []
    return ", ".join([*names[:most], *more])
