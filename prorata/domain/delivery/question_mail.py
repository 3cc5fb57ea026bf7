"""Questions about invoices and their replies, as e-mails: to the account, and back to the tenant."""

from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

from prorata.domain.billing_calendar import Month
from prorata.domain.languages import language_of
from prorata.domain.limits import LONGEST_QUESTION
from prorata.domain.mail.message_body import Block, Facts, Letter, Link, Text, one_line
from prorata.domain.mail.words import words_for
from prorata.domain.mail.words.questions import QUESTIONS
from prorata.domain.mail_addresses import MailAddress

QUESTION, REPLY = "question", "reply"
"""The kinds of messages that they are."""


class Question(NamedTuple):
    """A question that is to be mailed. `token` is as that of any message of ours; `reply_to` is where its tenant can be
    answered, None where that is not known.
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


class Reply(NamedTuple):
    """The reply to a question, that is to be mailed from the `biller`. `page_url` leads to the page of the invoice,
    None where it has none; `reply_to` is where the tenant can ask on, and `contact` how else.
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


def reply_letter(reply: Reply, month: Callable[[Month], str]) -> Letter:
    """The letter with a reply, and below it what was asked, in the invoice's language."""
    words, said = words_for(reply.locale), QUESTIONS[language_of(reply.locale)]
    values = {
        "name": one_line(reply.to_name or ""),
        "biller": one_line(reply.biller),
        "number": one_line(reply.number),
        "month": month(reply.month),
        "contact": one_line(reply.contact),
    }
    ask = words.ask_by_reply if reply.reply_to else words.ask_contact if reply.contact else words.ask_biller
    blocks: tuple[Block, ...] = (
        Text((words.hello if values["name"] else words.hello_nobody).format_map(values)),
        Text(said.replies.format_map(values)),
        Text(_lines(reply.reply)),
        Text(f"{said.you_asked}\n{_lines(reply.asked)}"),
        *([Text(f"{said.about}\n{_lines(reply.about)}")] if reply.about else []),
        *([Link(words.see_online, reply.page_url)] if reply.page_url else []),
        Text(ask.format_map(values)),
        Text(f"{words.regards}\n{values['biller']}"),
    )
    subject = one_line(said.subject_reply.format_map(values))
    return Letter(words.language, subject, blocks, words.note.format_map(values))


def _lines(text: str) -> str:
    return "\n".join(one_line(line, LONGEST_QUESTION) for line in text.split("\n"))


def question_letter(question: Question, url: str, month: Callable[[Month], str]) -> Letter:
    """The letter, in the account's language; `url` leads to the invoice, `month` writes a month in that language."""
    words, said = words_for(question.locale), QUESTIONS[language_of(question.locale)]
    place = ", ".join(part for part in (one_line(question.property_name), one_line(question.unit_label)) if part)
    values = {
        "name": one_line(question.tenant_name) or said.nobody,
        "number": one_line(question.number),
        "month": month(question.month),
        "place": place,
    }
    facts = (
        (words.number, values["number"]),
        (words.property, one_line(question.property_name)),
        (words.unit, one_line(question.unit_label)),
        (words.month, values["month"]),
    )
    blocks: tuple[Block, ...] = (
        Text(words.hello_nobody),
        Text(said.asks.format_map(values)),
        Text(_lines(question.asked)),
        *([Text(f"{said.about}\n{_lines(question.about)}")] if question.about else []),
        Facts(facts),
        Text((said.reply if question.reply_to else said.no_reply).format_map(values)),
        Link(said.see, url),
    )
    return Letter(words.language, one_line(said.subject.format_map(values)), blocks, said.note)
