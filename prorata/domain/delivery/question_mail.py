"""What an account is mailed when a tenant asks about an invoice: the question, what it is about, how to answer."""

from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

from prorata.domain.billing_calendar import Month
from prorata.domain.languages import language_of
from prorata.domain.limits import LONGEST_QUESTION
from prorata.domain.mail.message_body import Facts, Letter, Link, Text, one_line
from prorata.domain.mail.words import words_for
from prorata.domain.mail.words.questions import QUESTIONS
from prorata.domain.mail_addresses import MailAddress

QUESTION = "question"
"""The kind of message that it is."""


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
    lines = (one_line(line, LONGEST_QUESTION) for line in question.asked.split("\n"))
    facts = (
        (words.number, values["number"]),
        (words.property, one_line(question.property_name)),
        (words.unit, one_line(question.unit_label)),
        (words.month, values["month"]),
    )
    blocks = (
        Text(words.hello_nobody),
        Text(said.asks.format_map(values)),
        Text("\n".join(lines)),
        Facts(facts),
        Text((said.reply if question.reply_to else said.no_reply).format_map(values)),
        Link(said.see, url),
    )
    return Letter(words.language, one_line(said.subject.format_map(values)), blocks, said.note)
