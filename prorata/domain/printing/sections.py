"""The sections printed below an invoice's charges: how to pay, and help with problems."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from prorata.domain.accounts.pay_to import in_groups
from prorata.domain.limits import LARGEST_TRANSFER, LONGEST_PAYEE, MOST_PAYEE_BYTES
from prorata.domain.mail.message_body import one_line
from prorata.domain.printing.open_invoices import reference_of
from prorata.domain.printing.printed_invoices import PrintedInvoice, lines_of
from prorata.domain.printing.texts import Texts

Money = Callable[[int, str], str]
"""A function that writes an amount in cents of a currency."""


class Transfer(NamedTuple):
    """A euro transfer, in cents, for a QR code that banking apps read (EPC069-12)."""

    name: str
    iban: str
    bic: str
    amount: int
    reference: str


class Section(NamedTuple):
    """Sentences under a heading, possibly with a link or a euro transfer.

    The link or the transfer has an alternative text for people who can't see its code.
    """

    title: str
    sentences: tuple[str, ...]
    link: str | None = None
    alt: str = ""
    transfer: Transfer | None = None


def sections_of(invoice: PrintedInvoice, texts: Texts, money: Money) -> Iterator[Section]:
    """Yield the sections on how to pay an amount due, and on help with problems."""
    biller = invoice.copy.biller
    contact = ", ".join(lines_of(biller.contact)) or biller.name
    asked, _ = invoice.to_pay
    amount = money(asked, invoice.copy.currency)
    asks = {"contact": contact, "amount": amount, "number": reference_of(invoice), "biller": biller.name}
    if invoice.is_in_force and asked > 0:
        link, how = invoice.online_link, how_to_pay(invoice, texts, money)
        if link:
            online = texts.pay_online.format_map(asks)
            yield Section(texts.how_to_pay, (online,), link, texts.pay_code.format_map(asks))
        if how:
            transfer, title = transfer_of(invoice), texts.pay_otherwise if link else texts.how_to_pay
            lines = (*how, texts.pay_app) if transfer else how
            yield Section(title, lines, None, texts.pay_scan.format_map(asks) if transfer else "", transfer)
        elif not link:
            lines = (texts.pay_biller.format_map(asks), texts.pay_ask.format_map(asks))
            yield Section(texts.how_to_pay, lines)
    if invoice.standing not in ("cancelled", "vacant"):
        yield Section(texts.wrong, (texts.wrong_ask.format(contact=contact, number=invoice.number),))


def how_to_pay(invoice: PrintedInvoice, texts: Texts, money: Money) -> tuple[str, ...]:
    """Return the biller's payment instructions as lines, empty if there are none.

    They are the biller's own words and the biller's bank account. The last line is the reference to quote.
    """
    pay, (asked, _) = invoice.copy.pay_to, invoice.to_pay
    bank = (
        texts.pay_transfer.format(amount=money(asked, invoice.copy.currency)),
        texts.pay_holder.format(holder=pay.holder or invoice.copy.biller.name),
        texts.pay_iban.format(iban=in_groups(pay.iban)) if pay.iban else "",
        texts.pay_bic.format(bic=pay.bic) if pay.bic else "",
        texts.pay_routing.format(routing=pay.routing) if pay.routing else "",
        texts.pay_number.format(account=pay.number) if pay.number else "",
    )
    lines = (*lines_of(pay.text), *(filter(None, bank) if pay.is_bank else ()))
    return (*lines, texts.pay_reference.format(number=reference_of(invoice))) if lines else ()


def transfer_of(invoice: PrintedInvoice) -> Transfer | None:
    """Return the transfer that pays an invoice in euros.

    If this invoice requests nothing, it pays the tenant's other invoices. It is None if the invoice is in another
    currency, if the biller has no IBAN, or if the amount is beyond the limits of the standard.
    """
    pay, copy, (asked, _) = invoice.copy.pay_to, invoice.copy, invoice.to_pay
    if copy.currency != "EUR" or not pay.iban or not 0 < asked <= LARGEST_TRANSFER:
        return None
    named = (one_line(pay.holder).strip() or one_line(copy.biller.name))[:LONGEST_PAYEE]
    name = named.encode()[:MOST_PAYEE_BYTES].decode(errors="ignore").strip()
    return Transfer(name, pay.iban, pay.bic, asked, reference_of(invoice)) if name else None
