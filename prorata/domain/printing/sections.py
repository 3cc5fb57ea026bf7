"""What stands below the charges of an invoice: how to pay, and what to do when something is wrong."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from prorata.domain.accounts.pay_to import in_groups
from prorata.domain.limits import LONGEST_PAYEE
from prorata.domain.printing.printed_invoices import PrintedInvoice
from prorata.domain.printing.texts import Texts

Money = Callable[[int, str], str]
"""Writes cents of a currency."""


class Transfer(NamedTuple):
    """A transfer in euros that a banking app can be given, in cents (EPC069-12)."""

    name: str
    iban: str
    bic: str
    amount: int
    reference: str


class Section(NamedTuple):
    """A few sentences under a heading; with a link to follow or a transfer to make, and what its picture shows."""

    title: str
    sentences: tuple[str, ...]
    link: str | None = None
    alt: str = ""
    transfer: Transfer | None = None


def sections_of(invoice: PrintedInvoice, texts: Texts, money: Money) -> Iterator[Section]:
    """How to pay, as long as there is something to pay or to get; and what to do when something is wrong."""
    biller = invoice.copy.biller
    contact = ", ".join(lines_of(biller.contact)) or biller.name
    amount = money(abs(invoice.balance), invoice.copy.currency)
    asks = {"contact": contact, "amount": amount, "number": invoice.number, "biller": biller.name}
    if invoice.standing in ("due", "overdue"):
        how = how_to_pay(invoice, texts, money)
        if invoice.payment_link:
            yield Section(
                texts.how_to_pay,
                (texts.pay_online.format_map(asks),),
                invoice.payment_link,
                texts.pay_code.format_map(asks),
            )
        if how:
            title = texts.pay_bank if invoice.payment_link and invoice.copy.pay_to.is_bank else texts.how_to_pay
            yield Section(title, how, None, texts.pay_scan.format_map(asks), _transfer(invoice))
        elif not invoice.payment_link:
            said = (texts.pay_biller.format_map(asks), texts.pay_ask.format_map(asks))
            yield Section(texts.how_to_pay, said)
    elif invoice.standing == "credit":
        yield Section(texts.credit, (texts.credit_ask.format_map(asks),))
    if invoice.standing not in ("cancelled", "vacant"):
        yield Section(texts.wrong, (texts.wrong_ask.format_map(asks),))


def how_to_pay(invoice: PrintedInvoice, texts: Texts, money: Money) -> tuple[str, ...]:
    """How the biller says to pay, in lines: their own words, and their bank account; none where they said nothing."""
    pay = invoice.copy.pay_to
    values = {
        "holder": pay.holder or (invoice.copy.biller.name if pay.is_bank else ""),
        "iban": in_groups(pay.iban),
        "bic": pay.bic,
        "routing": pay.routing,
        "account": pay.number,
    }
    said = (texts.pay_holder, texts.pay_iban, texts.pay_bic, texts.pay_routing, texts.pay_number)
    bank = [text.format_map(values) for text, value in zip(said, values.values(), strict=True) if value]
    if bank:
        amount = money(invoice.balance, invoice.copy.currency)
        bank.insert(0, texts.pay_transfer.format(amount=amount))
        bank.append(texts.pay_reference.format(number=invoice.number))
    return (*lines_of(pay.text), *bank)


def lines_of(text: str) -> tuple[str, ...]:
    """The lines of a text that have something."""
    return tuple(line.strip() for line in text.splitlines() if line.strip())


def _transfer(invoice: PrintedInvoice) -> Transfer | None:
    pay, copy = invoice.copy.pay_to, invoice.copy
    if copy.currency != "EUR" or not pay.iban:
        return None
    name = (pay.holder or copy.biller.name)[:LONGEST_PAYEE]
    return Transfer(name, pay.iban, pay.bic, invoice.balance, invoice.number)
