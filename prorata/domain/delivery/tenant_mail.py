"""The wording of messages to tenants, in the language of the account.

The messages are invoices, reminders and receipts. An issued invoice keeps the language that it was issued in
(`actions/printing/printed_invoices.py`).
"""

from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

from prorata.domain.accounts.own_words import filled
from prorata.domain.limits import LONGEST_MAIL_OPENING, LONGEST_PAY_TEXT, LONGEST_REPLACED
from prorata.domain.mail.greetings import called, greeting, signature
from prorata.domain.mail.message_body import Block, Facts, Letter, Link, Text, one_line
from prorata.domain.mail.words import words_for
from prorata.domain.mail.words.disputes import DISPUTES
from prorata.domain.mail.words.words import Words


class Kind(Enum):
    """The purpose of a message about an invoice."""

    INVOICE = "invoice"
    AGAIN = "again"
    BEFORE_DUE = "before_due"
    DUE_TODAY = "due_today"
    OVERDUE = "overdue"
    RECEIPT = "receipt"


REMINDERS = (Kind.BEFORE_DUE, Kind.DUE_TODAY, Kind.OVERDUE)
_WITH_AN_INVOICE = (Kind.INVOICE, Kind.AGAIN)


class InvoiceNews(NamedTuple):
    """The contents of a message about an invoice.

    Amounts, dates and months are text, written for the reader.

    `balance` is the sign of the amount to pay now: 1 if there is something to pay, 0 if nothing, -1 for a credit;
    `amount` is written without a sign. `due` and `pay_url` are used only if there is something to pay. `contact` is
    the way to reach the biller, as entered in the account; `replies_reach_biller` is true if a reply to the message
    goes to that contact. `overdue` is true if the due date has passed. `page_url` is the address of the tenant's
    page, if there is one. `replaces` names the invoice that this one corrects; `in_short` does the same in a few
    words, for the subject, a reminder or a receipt. `how_to_pay` contains the biller's payment instructions, as lines
    under a heading. `own_subject` and `own_opening` are texts that the biller wrote, with placeholders in braces.
    `beside` contains further labels and amounts, such as the amount already paid, and `others` the lines about the
    tenant's other open invoices. `credit` contains sentences about what a credit is and how it is used, and
    `pays_others` is true if nothing is to pay for this invoice, but for others. `received` is the payment that a
    receipt confirms, and `reference` its reference, such as a check's number; `is_extra` means that the invoice had
    been paid before it. `open_then` is the amount that was open after it, if more was paid since, and `refunded` are
    the amounts and days of refunds after it. `corrections` contains corrected months and the sums of their corrections.
    `whole_balance` is the invoice's balance, including the part in dispute, `disputed`. `is_final` means that it is the
    final invoice of a household that moves out; its subject then says so, whatever `own_subject` is.
    """

    biller: str
    property_name: str
    unit_label: str
    month: str
    number: str
    balance: int
    amount: str
    due: str | None = None
    tenant_name: str | None = None
    pay_url: str | None = None
    contact: str | None = None
    replies_reach_biller: bool = False
    attached: bool = True
    overdue: bool = False
    page_url: str | None = None
    replaces: str = ""
    in_short: str = ""
    how_to_pay: tuple[str, ...] = ()
    own_subject: str = ""
    own_opening: str = ""
    beside: tuple[tuple[str, str], ...] = ()
    others: tuple[str, ...] = ()
    credit: tuple[str, ...] = ()
    pays_others: bool = False
    received: str = ""
    corrections: tuple[tuple[str, str], ...] = ()
    disputed: str = ""
    whole_balance: str = ""
    is_final: bool = False
    reference: str = ""
    is_extra: bool = False
    open_then: str = ""
    refunded: tuple[tuple[str, str], ...] = ()


def invoice_letter(kind: Kind, news: InvoiceNews, locale: str) -> Letter:
    """Build a letter of the given kind in the language of `locale`, or in English.

    >>> news = InvoiceNews("Maple Homes", "Maple Court", "2B", "March 2026", "M-2B-2026-03", 1, "$120.50", "April 15")
    >>> letter = invoice_letter(Kind.INVOICE, news, "en-US")
    >>> letter.subject, letter.blocks[1].text
    ('Your utility invoice for March 2026 (Maple Court, 2B)',
     'Here is your utility invoice for March 2026. Please pay $120.50 by April 15.')
    """
    assert kind not in REMINDERS or news.balance > 0, "nobody is reminded of nothing"
    assert news.balance <= 0 or news.due is not None, "what is to be paid is due on a day"
    words = words_for(locale)
    values = _values(news, words)
    blocks: list[Block] = [Text(greeting(words, news.tenant_name or ""))]
    if news.replaces and kind in _WITH_AN_INVOICE:
        blocks.append(Text(one_line(news.replaces, LONGEST_REPLACED)))
    opens = _own(news, values) if _opens_itself(kind, news) else _opening(kind, news, words).format_map(values)
    if news.credit and kind not in REMINDERS:
        first = _receipt(news, words) if kind is Kind.RECEIPT else words.invoice_here
        opens = " ".join((first.format_map(values), *(one_line(said, LONGEST_REPLACED) for said in news.credit)))
    blocks += [
        Text(text) for text in (opens, *(template.format_map(values) for template in _repeated(kind, news, words)))
    ]
    if news.in_short and kind not in _WITH_AN_INVOICE:
        blocks.append(Text(one_line(news.in_short, LONGEST_REPLACED)))
    if news.corrections and kind in _WITH_AN_INVOICE:
        blocks.append(Text(_corrections(news, words)))
    if news.disputed:
        blocks.append(Text(DISPUTES[words.language].of(news.whole_balance, news.disputed)))
    blocks.append(_facts(news, words, values))
    if news.others:
        blocks.append(Text("\n".join(one_line(line, LONGEST_REPLACED) for line in news.others)))
    blocks += _how_to_pay(news, words, values)
    if news.page_url is not None:
        blocks.append(Link(words.see_online, news.page_url))
    if news.attached:
        blocks.append(Text(words.receipt_attached if kind is Kind.RECEIPT else words.attached))
    asks = _how_to_ask(news, words, values)
    blocks.append(Text(asks.format_map(values)))
    blocks.append(Text(signature(words, asks, values)))
    subject = one_line(_subject(kind, news, words, values))
    return Letter(words.language, subject, tuple(blocks), words.note.format_map(values))


def _values(news: InvoiceNews, words: Words) -> dict[str, str]:
    place = ", ".join(part for part in (one_line(news.property_name), one_line(news.unit_label)) if part)
    values = {"month": news.month, "amount": news.amount, "due": news.due or "", "biller": news.biller}
    values |= {"received": news.received, "invoice": words.invoice[news.is_final]}
    values |= {"contact": news.contact or ""}
    return {name: one_line(value) for name, value in values.items()} | {"place": place}


def _opens_itself(kind: Kind, news: InvoiceNews) -> bool:
    """True if the letter begins with the opening that the biller wrote.

    This is so for an invoice that is payable and not overdue; credits and late invoices are announced in Prorata's
    words.
    """
    return kind is Kind.INVOICE and bool(news.own_opening) and news.balance > 0 and not news.overdue


def _own(news: InvoiceNews, values: dict[str, str]) -> str:
    lines = filled(news.own_opening, _places(news, values)).splitlines()
    return "\n".join(one_line(line, LONGEST_MAIL_OPENING) for line in lines)


def _places(news: InvoiceNews, values: dict[str, str]) -> dict[str, str]:
    """Return the values of the placeholders in the texts that the biller wrote."""
    places = {"property": news.property_name, "unit": news.unit_label, "number": news.number}
    places |= {"tenant": called(news.tenant_name or "")}
    return {name: one_line(value) for name, value in places.items()} | values


def _subject(kind: Kind, news: InvoiceNews, words: Words, values: dict[str, str]) -> str:
    if kind is Kind.INVOICE and news.in_short:
        return news.in_short
    if kind is Kind.INVOICE and news.own_subject and not news.is_final:
        return filled(news.own_subject, _places(news, values))
    subjects = {
        Kind.INVOICE: words.subject_invoice,
        Kind.AGAIN: words.subject_again,
        Kind.BEFORE_DUE: words.subject_before_due,
        Kind.DUE_TODAY: words.subject_due_today,
        Kind.OVERDUE: words.subject_overdue,
        Kind.RECEIPT: words.subject_receipt,
    }[kind]
    return subjects.format_map(values)


def _opening(kind: Kind, news: InvoiceNews, words: Words) -> str:
    if kind in REMINDERS:
        return {
            Kind.BEFORE_DUE: words.before_due,
            Kind.DUE_TODAY: words.due_today,
            Kind.OVERDUE: words.overdue,
        }[kind]
    if kind is Kind.RECEIPT:
        if news.disputed and not news.balance:
            return _receipt(news, words)  # the rest is stated as in dispute
        if news.balance > 0:
            return f"{_receipt(news, words)} {words.receipt_rest}"
        is_told = news.is_extra or news.open_then  # it was paid by another payment
        return _receipt(news, words) if is_told else f"{_receipt(news, words)} {words.receipt_all}"
    if news.balance > 0:
        # No due date in the past.
        return words.overdue if news.overdue else words.invoice_due
    return words.invoice_nothing


def _receipt(news: InvoiceNews, words: Words) -> str:
    refunds = [words.receipt_refunded.format(amount=amount, day=day) for amount, day in news.refunded]
    extra = [words.receipt_extra] if news.is_extra else []
    then = [words.receipt_then.format(amount=news.open_then)] if news.open_then else []
    return " ".join([words.receipt, *extra, *then, *refunds])


def _repeated(kind: Kind, news: InvoiceNews, words: Words) -> list[str]:
    """Write the paragraph for tenants who may have the invoice already, or have paid it."""
    if kind in (Kind.INVOICE, Kind.RECEIPT):
        return []
    again = [words.again] if kind is Kind.AGAIN else []
    return [" ".join([*again, *([words.already_paid] if news.balance > 0 else [])])]


def _corrections(news: InvoiceNews, words: Words) -> str:
    months = [words.correction_of.format(month=month, amount=amount) for month, amount in news.corrections]
    return (words.correction if len(months) == 1 else words.corrections).format(months="; ".join(months))


def _facts(news: InvoiceNews, words: Words, values: dict[str, str]) -> Facts:
    lines = [
        (words.number, one_line(news.number)),
        (words.property, one_line(news.property_name)),
        (words.unit, one_line(news.unit_label)),
        (words.month, values["month"]),
    ]
    if news.reference:
        lines.append((words.reference, one_line(news.reference)))
    if news.balance > 0:
        lines += [(words.to_pay, values["amount"]), (words.due, values["due"])]
    else:
        lines.append((words.credit if news.balance < 0 else words.to_pay, values["amount"]))
    return Facts((*lines, *((label, one_line(amount)) for label, amount in news.beside)))


def _how_to_pay(news: InvoiceNews, words: Words, values: dict[str, str]) -> Iterator[Block]:
    """Yield the ways to pay.

    If nothing is to pay for this invoice, they are those for the other invoices.
    """
    if news.balance <= 0 and not news.pays_others:
        return
    if news.pay_url is not None:
        yield Link(words.pay.format_map(values), news.pay_url)
    if news.how_to_pay:
        yield Text("\n".join(one_line(line, LONGEST_PAY_TEXT) for line in news.how_to_pay))
    elif news.pay_url is None:
        yield Text((words.how_to_pay if values["contact"] else words.how_to_pay_ask).format_map(values))


def _how_to_ask(news: InvoiceNews, words: Words, values: dict[str, str]) -> str:
    if news.replies_reach_biller:
        return words.ask_by_reply
    return words.ask_contact if values["contact"] else words.ask_biller
