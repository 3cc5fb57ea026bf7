"""The reply to a sender of bills: accepted files, and open questions about each bill."""

import re
from collections.abc import Callable
from datetime import date, datetime
from typing import Any, NamedTuple

from prorata.domain.files.grouped_problems import NotTaken
from prorata.domain.intake.bill_reading.draft import Draft, Reading
from prorata.domain.languages import language_of
from prorata.domain.limits import MOST_EQUAL_FILES_NAMED, MOST_FILES_ANSWERED
from prorata.domain.mail.message_body import Block, Facts, Letter, Text, one_line
from prorata.domain.mail.words import words_for
from prorata.domain.mail.words.answers import ANSWERS, AnswerWords

ANSWER = "answer"
"""The message kind of a reply to a sender of bills."""
_MESSAGE_ID = re.compile(r"<[!-;=?-~]{1,180}>")
_NEVER_MISSED = ("service_address", "bill_number", "account_number", "due_date")
"""The fields that many bills lack.

The answer asks about a doubtful value of such a field, and does not report a missing value.
"""


class AnsweredFile(NamedTuple):
    """A file that was accepted, with its draft: the values that were read from it.

    A file without a draft may need a password (`is_locked`) or be a table. `counts` means that its bill already
    counts, `is_set_aside` that the file was set aside, and `is_removed` that its bill was removed.
    """

    name: str
    draft: Draft | None
    counts: bool = False
    is_table: bool = False
    is_set_aside: bool = False
    is_removed: bool = False
    is_locked: bool = False

    @property
    def waits(self) -> bool:
        """True if the file waits in the inbox for somebody to confirm it."""
        return not (self.counts or self.is_set_aside or self.is_removed)


class Answer(NamedTuple):
    """A reply to a message with bills.

    `in_reply_to` is the Message-ID of that message, and `token` identifies the reply. `left_out` lists the files
    that were refused and the parts that could not be read, each with the reason.
    """

    token: str
    locale: str
    subject: str
    in_reply_to: str | None
    files: tuple[AnsweredFile, ...]
    left_out: tuple[NotTaken, ...]
    to: str
    at: datetime


def answer_letter(answer: Answer, money: Callable[[int, str], str], day: Callable[[date], str]) -> Letter:
    """Build the letter of a reply in the account's language.

    `money` formats amounts, and `day` formats dates.
    """
    words, answer_words = words_for(answer.locale), ANSWERS[language_of(answer.locale)]
    nothing = answer_words.nothing if answer.left_out else answer_words.no_file
    blocks: list[Block] = [Text(words.hello_nobody), Text(answer_words.arrived if answer.files else nothing)]
    blocks += [Facts(tuple(_facts(file, answer_words, money, day))) for file in answer.files[:MOST_FILES_ANSWERED]]
    rest = [file.name for file in answer.files[MOST_FILES_ANSWERED:]]
    if rest:
        blocks.append(Facts(((answer_words.file, one_line(", ".join(rest), 1_000)),)))
    if answer.left_out:
        blocks.append(
            Facts(
                tuple(
                    (answer_words.not_taken, one_line(_why(not_taken, answer_words), 1_000))
                    for not_taken in answer.left_out
                )
            )
        )
    if any(file.waits for file in answer.files):
        blocks.append(
            Text(answer_words.others if any(file.counts for file in answer.files) else answer_words.confirmed)
        )
    subject = one_line(answer.subject)
    shown = subject if subject.lower().startswith("re:") else f"Re: {subject}".strip()
    return Letter(words.language, shown, tuple(blocks), answer_words.note)


def _why(left_out: NotTaken, answer_words: AnswerWords) -> str:
    """Explain why files were refused, naming a few of the files."""
    names, number = left_out.names, len(left_out.names)
    if number <= 1:
        return ": ".join((*names, left_out.why))
    more = [answer_words.more.format(number=number - MOST_EQUAL_FILES_NAMED)] if number > MOST_EQUAL_FILES_NAMED else []
    shown = ", ".join([*names[:MOST_EQUAL_FILES_NAMED], *more])
    return f"{answer_words.several.format(number=number)}: {left_out.why} ({shown})"


def _facts(
    file: AnsweredFile, answer_words: AnswerWords, money: Callable[[int, str], str], day: Callable[[date], str]
) -> list[tuple[str, str]]:
    facts = [(answer_words.file, one_line(file.name))]
    if file.is_set_aside or file.is_removed:
        return [*facts, (answer_words.to_say, answer_words.set_aside if file.is_set_aside else answer_words.removed)]
    draft = file.draft
    if draft is None:
        return [*facts, (answer_words.to_say, _of_no_draft(file, answer_words))]
    if draft.issuer.value:
        facts.append((answer_words.fields["issuer"].capitalize(), one_line(draft.issuer.value)))
    if draft.total.value is not None and draft.currency:
        facts.append((answer_words.total, money(draft.total.value, draft.currency)))
    if draft.bill_date.value is not None:
        facts.append((answer_words.bill_date, day(draft.bill_date.value)))
    if file.counts:
        return [*facts, (answer_words.to_say, answer_words.counts)]
    return [
        *facts,
        (
            answer_words.to_say,
            ", ".join(answer_words.fields[field] for field in to_say(draft)) or answer_words.all_found,
        ),
    ]


def _of_no_draft(file: AnsweredFile, answer_words: AnswerWords) -> str:
    """State what happens to a file without a draft, or what somebody must do."""
    if file.is_table:
        return answer_words.imported if file.counts else answer_words.table
    if file.counts:
        return answer_words.counts
    return answer_words.locked if file.is_locked else answer_words.by_hand


def to_say(draft: Draft) -> list[str]:
    """List the fields of a draft that somebody has to enter or confirm.

    The reply names these fields. They are the doubtful fields, and those missing fields that most bills have.
    """
    readings: list[tuple[str, Reading[Any]]] = [(name, getattr(draft, name)) for name in ANSWERS["en"].fields]
    return [
        name
        for name, reading in readings
        if reading.surety == "asked" or (reading.surety == "missing" and name not in _NEVER_MISSED)
    ]


def usable_message_id(text: str | None) -> str | None:
    r"""Return a Message-ID if it is safe to repeat in a reply's headers; otherwise None.

    >>> usable_message_id("<1@aqua.example>"), usable_message_id("<1@x>\r\nBcc: all@example.com")
    ('<1@aqua.example>', None)
    """
    return text if text and _MESSAGE_ID.fullmatch(text) else None
