"""The sentences about the tenant's other open invoices, and about the debt in all.

The PDF, the e-mail and the tenant's page all show these sentences.
"""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from prorata.domain.languages import language_of
from prorata.domain.limits import LONGEST_PAYMENT_REFERENCE, MOST_NAMED, MOST_OPEN_LISTED
from prorata.domain.printing.charge_rendering import Forms
from prorata.domain.printing.printed_invoices import OpenInvoice, PrintedInvoice


class OpenWords(NamedTuple):
    """One language's sentences about open invoices.

    They may contain `{amount}`, `{number}`, `{month}` and `{day}`. `{open}` is an amount with its due date, as `due` or
    `overdue` write it. If only a part of a debt is due on `{day}`, or is overdue, `{part}` is that part. `{n}` is how
    many invoices are not named.
    """

    others: tuple[str, str]
    """The heading above one other open invoice, and above several."""
    one: str
    due: str
    overdue: str
    still_open: str
    more: str
    nothing: str
    owes: str
    owes_first: str
    owes_late: str
    owes_part_late: str
    pay_together: str
    pay_online: str
    reminder: str


_WORDS: Mapping[str, OpenWords] = MappingProxyType({
    "en": OpenWords(
        others=("Your other open invoice:", "Your other open invoices:"),
        one="{number} ({month}): {open}",
        due="{amount}, due on {day}",
        overdue="{amount}, was due on {day} (overdue)",
        still_open="Open: {open}",
        more="and {n} more",
        nothing="In all, you owe nothing at the moment.",
        owes="In all, you now owe {amount}. Please pay it by {day}.",
        owes_first="In all, you now owe {amount}. Please pay {part} of it by {day}.",
        owes_late="In all, you now owe {amount}, which is overdue.",
        owes_part_late="In all, you now owe {amount}, of which {part} is overdue.",
        pay_together="You can pay all of it at once, with all the invoice numbers as the reference.",
        pay_online="You can pay each of your other open invoices through its own link.",
        reminder="Reminder of {day}",
    ),
    "de": OpenWords(
        others=("Ihre andere offene Rechnung:", "Ihre anderen offenen Rechnungen:"),
        one="{number} ({month}): {open}",
        due="{amount}, fällig am {day}",
        overdue="{amount}, war am {day} fällig (überfällig)",
        still_open="Offen: {open}",
        more="und {n} weitere",
        nothing="Insgesamt haben Sie derzeit nichts zu zahlen.",
        owes="Insgesamt haben Sie jetzt {amount} zu zahlen, bitte bis zum {day}.",
        owes_first="Insgesamt haben Sie jetzt {amount} zu zahlen, davon bitte {part} bis zum {day}.",
        owes_late="Insgesamt haben Sie jetzt {amount} zu zahlen; der Betrag ist überfällig.",
        owes_part_late="Insgesamt haben Sie jetzt {amount} zu zahlen; davon sind {part} überfällig.",
        pay_together="Sie können alles auf einmal zahlen, mit allen Rechnungsnummern als Verwendungszweck.",
        pay_online="Ihre anderen offenen Rechnungen zahlen Sie jeweils über deren eigenen Link.",
        reminder="Erinnerung vom {day}",
    ),
    "es": OpenWords(
        others=("Su otra factura pendiente:", "Sus otras facturas pendientes:"),
        one="{number} ({month}): {open}",
        due="{amount}, vence el {day}",
        overdue="{amount}, venció el {day} (vencida)",
        still_open="Pendiente: {open}",
        more="y {n} más",
        nothing="En total, por ahora no debe nada.",
        owes="En total debe ahora {amount}. Páguelos, por favor, hasta el {day}.",
        owes_first="En total debe ahora {amount}. Pague, por favor, {part} de ellos hasta el {day}.",
        owes_late="En total debe ahora {amount}, importe ya vencido.",
        owes_part_late="En total debe ahora {amount}, de los que {part} ya han vencido.",
        pay_together="Puede pagarlo todo de una vez, con todos los números de factura como concepto.",
        pay_online="Puede pagar cada una de sus otras facturas pendientes con su propio enlace.",
        reminder="Recordatorio del {day}",
    ),
    "fr": OpenWords(
        others=("Votre autre facture à payer\u00a0:", "Vos autres factures à payer\u00a0:"),
        one="{number} ({month})\u00a0: {open}",
        due="{amount}, à régler au plus tard le {day}",
        overdue="{amount}, était à régler au plus tard le {day} (en retard)",
        still_open="Reste dû\u00a0: {open}",
        more="et {n} autres",
        nothing="En tout, vous ne devez rien pour le moment.",
        owes="En tout, vous devez maintenant {amount}, à payer d’ici le {day}.",
        owes_first="En tout, vous devez maintenant {amount}, dont {part} à payer d’ici le {day}.",
        owes_late="En tout, vous devez maintenant {amount}, montant déjà en retard.",
        owes_part_late="En tout, vous devez maintenant {amount}, dont {part} en retard.",
        pay_together="Vous pouvez tout payer en une fois, avec tous les numéros de facture comme référence.",
        pay_online="Vous pouvez payer chacune de vos autres factures par son propre lien.",
        reminder="Rappel du {day}",
    ),
})  # fmt: skip


def others_in_words(invoice: PrintedInvoice, forms: Forms) -> tuple[str, ...]:
    """List the tenant's other open invoices, the debt in all, and how to pay them.

    The first line is a heading. The result is empty if there are no such invoices. The sentences about a credit state
    the debt in all themselves.
    """
    return tuple(_lines(invoice, forms)) if invoice.is_in_force and invoice.others else ()


def _lines(invoice: PrintedInvoice, forms: Forms) -> Iterator[str]:
    words, others = _words(invoice), invoice.others
    yield words.others[len(others) > 1]
    listed = others[: MOST_OPEN_LISTED - (len(others) > MOST_OPEN_LISTED)]
    for other in listed:
        said = _open(other, invoice, forms)
        yield words.one.format(number=other.number, month=forms.month(other.month), open=said)
    if rest := others[len(listed) :]:
        amount = forms.money(sum(other.amount for other in rest), invoice.copy.currency)
        yield f"{words.more.format(n=len(rest))} ({amount})"
    in_all = "" if invoice.has_credit else owed_in_all(invoice, forms)
    is_online, at_once = invoice.online_link and not any(invoice.copy.pay_to), len(invoice.owing) > 1
    how = words.pay_online if is_online else words.pay_together if at_once and invoice.owed_in_all else ""
    if in_all or how:
        yield f"{in_all} {how}".strip()


def open_in_words(invoice: PrintedInvoice, forms: Forms) -> Mapping[str, str]:
    """Map the tenant's open invoices to what is left to pay, and by when.

    They are named by their numbers.
    """
    still_open = _words(invoice).still_open
    return {one.number: still_open.format(open=_open(one, invoice, forms)) for one in invoice.owing}


def owed_in_all(invoice: PrintedInvoice, forms: Forms) -> str:
    """State the tenant's debt, less all credits, and how much is overdue or due first."""
    words, in_all = _words(invoice), invoice.owed_in_all
    days = [one.due_date for one in invoice.owing if one.due_date]
    if not in_all or not days:
        return words.nothing
    day, late = min(days), [one for one in invoice.owing if one.is_overdue]
    first = late or [one for one in invoice.owing if one.due_date == day]
    part = min(sum(one.amount for one in first), in_all)
    if part == in_all:
        form = words.owes_late if late else words.owes
    else:
        form = words.owes_part_late if late else words.owes_first
    amount, said = (forms.money(cents, invoice.copy.currency) for cents in (in_all, part))
    return form.format(amount=amount, part=said, day=forms.day(day))


def reminder_in_words(invoice: PrintedInvoice, forms: Forms) -> str:
    """Name the reminder as which an invoice is printed, if it is one."""
    if invoice.reminded_on is None or invoice.standing not in ("due", "overdue"):
        return ""
    return _words(invoice).reminder.format(day=forms.day(invoice.reminded_on))


def reference_of(invoice: PrintedInvoice) -> str:
    """Name the invoices to pay, within the limit of a bank transfer's reference.

    If there are many such invoices, only the first are named.
    """
    _, numbers = invoice.to_pay
    words = _words(invoice)
    fitting = (_first_of(numbers, most, words) for most in range(len(numbers), -1, -1))
    return next(said for said in fitting if len(said) <= LONGEST_PAYMENT_REFERENCE)


def _words(invoice: PrintedInvoice) -> OpenWords:
    return _WORDS[language_of(invoice.copy.locale)]


def _open(owed: OpenInvoice, invoice: PrintedInvoice, forms: Forms) -> str:
    """Write an open amount with the day on which it is or was due."""
    assert owed.due_date is not None, "what is to be paid is due on a day"
    words = _words(invoice)
    form = words.overdue if owed.is_overdue else words.due
    return form.format(amount=forms.money(owed.amount, invoice.copy.currency), day=forms.day(owed.due_date))


def _first_of(names: Sequence[str], most: int, words: OpenWords) -> str:
    """List at most this many names, and at most `MOST_NAMED`; count the others."""
    most = min(most, MOST_NAMED - (len(names) > MOST_NAMED))
    more = [words.more.format(n=len(names) - most)] if len(names) > most else []
    return ", ".join([*names[:most], *more])
