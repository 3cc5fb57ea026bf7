"""Messages composed in the account's language.

Messages about an invoice contain it as a PDF, and receipts contain the receipt.
"""

from datetime import date
from email.parser import BytesHeaderParser
from email.policy import SMTP
from email.utils import parseaddr
from functools import partial

from prorata.adapters.locale_forms import LocaleForms
from prorata.adapters.mail.message import Message, Pdf, build_message, file_name, message_id
from prorata.adapters.printing.font_coverage import can_print
from prorata.domain.accounts.account_mail import AccountNews, Notice, account_letter, notice_letter
from prorata.domain.delivery.announcement_mail import Announcement, announcement_letter
from prorata.domain.delivery.question_mail import Question, Reply, question_letter, reply_letter
from prorata.domain.delivery.tenant_mail import InvoiceNews, invoice_letter
from prorata.domain.groups import added_up
from prorata.domain.inbound_mail.answer_mail import Answer, answer_letter
from prorata.domain.invoice_states import OVERDUE
from prorata.domain.languages import language_of
from prorata.domain.mail.message_body import Letter, is_link
from prorata.domain.mail.words import words_for
from prorata.domain.mail_addresses import MailAddress, NotAnAddress, read_address, reply_address, return_address
from prorata.domain.printing.correction_words import sum_of_correction
from prorata.domain.printing.credits import credit_in_words
from prorata.domain.printing.languages import texts_for
from prorata.domain.printing.open_invoices import others_in_words
from prorata.domain.printing.printed_invoices import PrintedInvoice
from prorata.domain.printing.printed_letters import PrintedLetter
from prorata.domain.printing.rendering import beside, corrected_in_short, replaces_in_words
from prorata.domain.printing.sections import how_to_pay
from prorata.errors import InvalidRequest
from prorata.ports import Printer
from prorata.ports.mail import AccountMail, InvoiceMail, WrittenMail

SENDER_NAME = "Prorata"
"""The name of the sender of messages about an account."""
OF_TENANT = "Correct it in the tenant's record and send the invoice again."
OF_ACCOUNT = "Correct it under Settings, Contact for questions."
OF_PERSON = "Cancel this message, and start again with the correct address."


class LetterWriter:
    """A writer of messages from the address `sender`.

    `printer` prints the PDF in a message: the invoice that it is about, or the receipt.
    """

    def __init__(self, sender: MailAddress, printer: Printer) -> None:
        self._sender = sender
        self._printer = printer

    def write(self, mail: InvoiceMail) -> WrittenMail:
        """Write the message about an invoice.

        Raises `InvalidRequest` if no mail can be sent to the address.
        """
        invoice = mail.invoice
        reply_to = _reply_to(mail)
        pdf = self._printer(_receipt_of(mail) if mail.received else invoice)
        name = f"{invoice.number}_{mail.received.day}.pdf" if mail.received else f"{invoice.number}.pdf"
        message = build_message(
            Message(
                message_id=message_id(mail.token, self._sender.domain),
                date=mail.at,
                sender_name=invoice.copy.biller.name,
                sender=self._sender,
                recipient=_address(mail.to, OF_TENANT),
                letter=letter_of(mail),
                recipient_name=mail.to_name,
                reply_to=reply_to,
                pdf=Pdf(file_name(name), pdf),
            )
        )
        return WrittenMail(message, pdf)

    def write_of_account(self, mail: AccountMail) -> bytes:
        """Write the message about an account.

        Raises `InvalidRequest` if no mail can be sent to the address.
        """
        letter = _letter_of_account(mail)
        return build_message(self._from_us(mail, OF_PERSON, letter)._replace(recipient_name=mail.to_name))

    def write_answer(self, answer: Answer) -> bytes:
        """Write the reply to a message that brought bills.

        Raises `InvalidRequest` if no mail can be sent to the address.
        """
        forms = LocaleForms(answer.locale, can_print)
        about = self._from_us(answer, OF_PERSON, answer_letter(answer, forms.money, forms.day))
        return build_message(about._replace(is_answer=True, in_reply_to=answer.in_reply_to))

    def write_question(self, question: Question, url: str) -> bytes:
        """Write the message that passes a tenant's question to the account.

        Raises `InvalidRequest` if no mail can be sent to the address.
        """
        forms = LocaleForms(question.locale, can_print)
        about = self._from_us(question, OF_ACCOUNT, question_letter(question, url, forms))
        return build_message(about._replace(reply_to=question.reply_to))

    def write_reply(self, reply: Reply) -> bytes:
        """Write the message with the reply to a question.

        Raises `InvalidRequest` if no mail can be sent to the address.
        """
        forms = LocaleForms(reply.locale, can_print)
        about = self._from_us(reply, OF_TENANT, reply_letter(reply, forms))
        return build_message(
            about._replace(sender_name=reply.biller, recipient_name=reply.to_name, reply_to=reply.reply_to)
        )

    def write_announcement(self, announcement: Announcement) -> bytes:
        """Write the announcement of a rule change.

        Raises `InvalidRequest` if no mail can be sent to the address.
        """
        of, about = announcement, self._from_us(announcement, OF_TENANT, announcement_letter(announcement))
        return build_message(about._replace(sender_name=of.biller, recipient_name=of.to_name, reply_to=of.reply_to))

    def _from_us(
        self, mail: AccountMail | Answer | Question | Reply | Announcement, advice: str, letter: Letter
    ) -> Message:
        """Build a message whose sender is named Prorata; callers may replace the name.

        Raises `InvalidRequest`, with a message that ends with `advice`, if no mail can be sent to `mail.to`.
        """
        return Message(
            message_id=message_id(mail.token, self._sender.domain),
            date=mail.at,
            sender_name=SENDER_NAME,
            sender=self._sender,
            recipient=_address(mail.to, advice),
            letter=letter,
        )

    def is_current(self, message: bytes) -> bool:
        """True if an earlier message was written with the sender that is configured now."""
        headers = BytesHeaderParser(policy=SMTP).parsebytes(message)
        return parseaddr(str(headers["From"]))[1] == str(self._sender)

    def return_address(self, token: str) -> str:
        """Build the address for a message's delivery reports: the sender's address with a token."""
        return str(return_address(str(self._sender), token))

    def recipient(self, to: str) -> str:
        """Convert a recipient's address to the form that mail servers accept.

        The domain is written in ASCII. Raises `InvalidRequest` if the address has no such form.
        """
        return str(_address(to, OF_TENANT))


def _letter_of_account(mail: AccountMail) -> Letter:
    if isinstance(mail.kind, Notice):
        return notice_letter(mail.kind, mail.to_name, mail.locale)
    return account_letter(mail.kind, AccountNews(mail.account, mail.url, mail.to_name, mail.invited_by), mail.locale)


def _address(text: str, advice: str) -> MailAddress:
    try:
        return read_address(text)
    except NotAnAddress as problem:
        raise InvalidRequest(f"{problem} {advice}") from None


def _reply_to(mail: InvoiceMail) -> MailAddress | None:
    return next(filter(None, map(reply_address, mail.contact.splitlines())), None)


def letter_of(mail: InvoiceMail) -> Letter:
    """Compose the message about an invoice."""
    invoice, copy = mail.invoice, mail.invoice.copy
    forms = LocaleForms(copy.locale, can_print)  # as in the attached invoice
    asked = invoice.asked
    due = _day(invoice.due_date, forms)
    link, texts = invoice.online_link, texts_for(copy.locale)
    pay_url = link if link and is_link(link) else None
    how = how_to_pay(invoice, texts, forms.money)
    news = InvoiceNews(
        biller=copy.biller.name,
        property_name=copy.place.name,
        unit_label=copy.unit_label,
        month=forms.month(invoice.month),
        number=invoice.number,
        balance=(asked > 0) - (asked < 0),
        amount=forms.money(abs(asked), copy.currency),
        due=due,
        tenant_name=mail.to_name,
        pay_url=pay_url,
        contact=", ".join(mail.contact.splitlines()) or None,
        replies_reach_biller=_reply_to(mail) is not None and not mail.on_paper,
        attached=not mail.on_paper,
        overdue=invoice.status == OVERDUE,
        page_url=mail.page_url,
        replaces=replaces_in_words(invoice, texts, forms),
        in_short=corrected_in_short(invoice, texts, forms),
        how_to_pay=(texts.pay_otherwise if pay_url else texts.how_to_pay, *how) if how else (),
        own_subject=mail.own_subject,
        own_opening=mail.own_opening,
        received=_received(mail, forms) if mail.received else "",
        reference=mail.received.reference if mail.received else "",
        is_extra=mail.received is not None and mail.received.is_extra,
        open_then=_open_then(mail, forms),
        refunded=_refunded(mail, forms),
        corrections=_corrections(invoice, forms),
        disputed=forms.money(invoice.in_dispute, copy.currency) if invoice.in_dispute else "",
        beside=tuple(beside(invoice, texts, forms)),
        credit=credit_in_words(invoice, forms),
        pays_others=invoice.pays_others,
        others=others_in_words(invoice, forms),
        whole_balance=forms.money(abs(invoice.balance), copy.currency),
        is_final=copy.is_final,
    )
    letter = invoice_letter(mail.kind, news, copy.locale)
    return letter._replace(logo=invoice.letterhead.logo, color=invoice.letterhead.color)


def _receipt_of(mail: InvoiceMail) -> PrintedLetter:
    """Compose the receipt that an e-mail contains, as it is printed for tenants without e-mail."""
    return PrintedLetter(mail.invoice, letter_of(mail._replace(on_paper=True, page_url=None)), mail.at.date())


def _corrections(invoice: PrintedInvoice, forms: LocaleForms) -> tuple[tuple[str, str], ...]:
    """Sum the corrections on an invoice by the earlier month that they correct."""
    sums = added_up((charge.corrects_month, charge.amount) for charge in invoice.charges if charge.corrects_month)
    language = language_of(invoice.copy.locale)
    money = partial(forms.money, currency=invoice.copy.currency)
    return tuple(
        (forms.month(month), sum_of_correction(amount, language, money)) for month, amount in sorted(sums.items())
    )


def _received(mail: InvoiceMail, forms: LocaleForms) -> str:
    """Describe the payment that a receipt confirms: its amount, method and day."""
    assert mail.received is not None, "a receipt is of a payment"
    amount, day = forms.money(mail.received.amount, mail.invoice.copy.currency), forms.day(mail.received.day)
    return words_for(mail.invoice.copy.locale).received[mail.received.method].format(amount=amount, day=day)


def _open_then(mail: InvoiceMail, forms: LocaleForms) -> str:
    """Write what was open after a payment, if more was paid since."""
    cents = mail.received.open_then if mail.received else 0
    return forms.money(cents, mail.invoice.copy.currency) if cents else ""


def _refunded(mail: InvoiceMail, forms: LocaleForms) -> tuple[tuple[str, str], ...]:
    """List the amounts and days of refunds after the payment that a receipt confirms."""
    refunds, currency = mail.received.refunds if mail.received else (), mail.invoice.copy.currency
    return tuple((forms.money(amount, currency), forms.day(day)) for amount, day in refunds)


def _day(day: date | None, forms: LocaleForms) -> str | None:
    return forms.day(day) if day else None
