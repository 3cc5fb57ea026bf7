"""The e-mails that pass tenants' questions to the account, and its replies to the tenants."""

from datetime import date, datetime
from typing import NamedTuple

from prorata.domain.billing_calendar import Month
from prorata.domain.delivery.disputes import CORRECTED, OPEN, RESOLVED, WITHDRAWN
from prorata.domain.delivery.ended_disputes import Correction, Owed, what_to_pay
from prorata.domain.languages import language_of
from prorata.domain.limits import LONGEST_QUESTION
from prorata.domain.locale_forms import Forms
from prorata.domain.mail.greetings import greeting, signature
from prorata.domain.mail.message_body import Block, Facts, Letter, Link, Text, one_line
from prorata.domain.mail.words import words_for
from prorata.domain.mail.words.disputes import DISPUTES, DisputeWords
from prorata.domain.mail.words.questions import QUESTIONS
from prorata.domain.mail_addresses import MailAddress

QUESTION, REPLY, OUTCOME = "question", "reply", "outcome"
"""The kinds of messages: a question or dispute, the reply, and a dispute's outcome."""


class InDispute(NamedTuple):
    """The disputed amount of a charge, in cents, and the day by which to answer.

    `ended` is empty in a message about a new dispute. Otherwise, it states how the dispute ended, or is OPEN if the
    dispute was reopened. Once a dispute has ended, `corrected` is the correction in cents, `carrier` the month of
    the invoice with the correction, `reason` the text written by the person who ended it, and `owed` the amount to
    pay now. `is_open` is set while the dispute is open.
    """

    amount: int
    currency: str
    answer_by: date
    ended: str = ""
    corrected: int = 0
    carrier: Month | None = None
    reason: str = ""
    owed: Owed | None = None
    is_open: bool = True


class Question(NamedTuple):
    """A tenant's question to be mailed to the account.

    `token` identifies the message. `reply_to` is the tenant's address for replies, None if unknown.
    """

    token: str
    locale: str
    to: str
    at: datetime
    reply_to: MailAddress | None
    tenant_name: str
    number: str
    month: Month
    property_name: str
    unit_label: str
    asked: str
    about: str = ""
    dispute: InDispute | None = None


class Reply(NamedTuple):
    """The reply to a question, or a dispute's end, to be mailed in `biller`'s name.

    `page_url` is the address of the invoice's page for the tenant, None if the invoice has no such page. `reply_to`
    is the address to which the tenant can reply, and `contact` another way to reach the biller.
    """

    token: str
    locale: str
    to: str
    to_name: str | None
    at: datetime
    biller: str
    reply_to: MailAddress | None
    contact: str
    number: str
    month: Month
    asked: str
    about: str
    reply: str
    page_url: str | None = None
    dispute: InDispute | None = None


def reply_letter(reply: Reply, write: Forms) -> Letter:
    """Build the letter of a reply, quoting the question, in the invoice's language."""
    words, question_words = words_for(reply.locale), QUESTIONS[language_of(reply.locale)]
    disputes = DISPUTES[language_of(reply.locale)]
    values = {
        "biller": one_line(reply.biller),
        "number": one_line(reply.number),
        "month": write.month(reply.month),
        "contact": one_line(reply.contact),
        **_of_dispute(reply.dispute, write),
    }
    replies, subject = question_words.replies, question_words.subject_reply
    if reply.dispute:
        replies, subject = _about_dispute(reply.dispute, disputes)
    ask = words.ask_by_reply if reply.reply_to else words.ask_contact if reply.contact else words.ask_biller
    blocks: tuple[Block, ...] = (
        Text(greeting(words, reply.to_name or "")),
        Text(replies.format_map(values)),
        *([Text(_lines(reply.reply))] if reply.reply else []),
        *([Text(now)] if (now := _what_now(reply.dispute, disputes, write, values["biller"])) else []),
        Text(f"{disputes.was_disputed if reply.dispute else question_words.you_asked}\n{_lines(reply.asked)}"),
        *([Text(f"{question_words.about}\n{_lines(reply.about)}")] if reply.about else []),
        *([Link(words.see_online, reply.page_url)] if reply.page_url else []),
        Text(ask.format_map(values)),
        Text(signature(words, ask, values)),
    )
    return Letter(words.language, one_line(subject.format_map(values)), blocks, words.note.format_map(values))


def _of_dispute(dispute: InDispute | None, write: Forms) -> dict[str, str]:
    """Return the values for a dispute's placeholders in a letter."""
    if dispute is None:
        return {}
    return {
        "amount": write.money(dispute.amount, dispute.currency),
        "day": write.day(dispute.answer_by),
        "difference": write.money(dispute.corrected, dispute.currency),
    }


def _what_now(dispute: InDispute | None, words: DisputeWords, write: Forms, biller: str) -> str:
    """State what follows from an answer to a dispute, or from its end.

    The text is empty if the dispute was reopened, or if the amount is unknown.
    """
    if dispute and not dispute.ended:
        return words.still_open.format(biller=biller) if dispute.is_open else ""
    if dispute is None or dispute.owed is None or dispute.ended == OPEN:
        return ""
    correction = Correction(dispute.corrected, dispute.carrier) if dispute.ended == CORRECTED else None
    return what_to_pay(dispute.owed, correction, words, write, dispute.currency)


def _about_dispute(dispute: InDispute, words: DisputeWords) -> tuple[str, str]:
    """Return the opening and subject of a letter about a dispute."""
    if not dispute.ended:
        return words.answers, words.subject_answer
    if dispute.ended == OPEN:
        return words.open_again, words.subject_open_again
    begins = {RESOLVED: words.resolved, CORRECTED: words.corrected, WITHDRAWN: words.withdrawn}
    return begins[dispute.ended], words.subject_end


def _lines(text: str) -> str:
    return "\n".join(one_line(line, LONGEST_QUESTION) for line in text.split("\n"))


def question_letter(question: Question, url: str, write: Forms) -> Letter:
    """Build the letter about a question in the language of the account that receives it.

    `url` is the address of the invoice's page in the dashboard.
    """
    disputes = DISPUTES[language_of(question.locale)]
    words, question_words = words_for(question.locale), QUESTIONS[language_of(question.locale)]
    place = ", ".join(part for part in (one_line(question.property_name), one_line(question.unit_label)) if part)
    values = {
        "name": one_line(question.tenant_name) or question_words.nobody,
        "number": one_line(question.number),
        "month": write.month(question.month),
        "place": place,
        **_of_dispute(question.dispute, write),
    }
    facts = (
        (words.number, values["number"]),
        (words.property, one_line(question.property_name)),
        (words.unit, one_line(question.unit_label)),
        (words.month, values["month"]),
    )
    blocks: tuple[Block, ...] = (
        Text(words.hello_nobody),
        Text((disputes.disputes if question.dispute else question_words.asks).format_map(values)),
        Text(_lines(question.asked)),
        *([Text(disputes.due.format_map(values))] if question.dispute else []),
        *([Text(f"{question_words.about}\n{_lines(question.about)}")] if question.about else []),
        Facts(facts),
        Text((question_words.reply if question.reply_to else question_words.no_reply).format_map(values)),
        Link(disputes.see if question.dispute else question_words.see, url),
    )
    subject = disputes.subject if question.dispute else question_words.subject
    return Letter(words.language, one_line(subject.format_map(values)), blocks, question_words.note)
