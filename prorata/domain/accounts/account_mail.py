"""E-mail about sign-in and accounts, in the reader's language.

Some messages contain a one-time link.
"""

from datetime import timedelta
from enum import Enum
from typing import NamedTuple

from prorata.domain.accounts.one_time_links import LASTS
from prorata.domain.mail.greetings import greeting
from prorata.domain.mail.message_body import Letter, Link, Text, one_line
from prorata.domain.mail.words import words_for
from prorata.domain.mail.words.words import Words


class AccountKind(Enum):
    """The purpose of a message with a one-time link: verification, password reset or invitation."""

    VERIFY = "verify"
    RESET = "reset"
    INVITE = "invite"


class Notice(Enum):
    """The event reported by a message that contains no one-time link.

    The event is a change of sign-in details, an attempt to sign in, or a webhook that was turned off. Members are
    told about every change of their sign-in details, because somebody else may have made the change.
    """

    PASSWORD = "password"  # noqa: S105 - the name of a message
    FACTOR_ON = "factor_on"
    FACTOR_OFF = "factor_off"
    CODES = "codes"
    ADDRESS = "address"
    WEBHOOK_OFF = "webhook_off"


class AccountNews(NamedTuple):
    """The account and the one-time link for a message.

    An invitation names the inviter, if known. Other messages never name an account or a person, because anybody who
    signs up can have such a message sent to any address.
    """

    account: str
    url: str
    name: str | None = None
    invited_by: str | None = None


def account_letter(kind: AccountKind, news: AccountNews, locale: str) -> Letter:
    """Build a message of the given kind in the language of `locale`, or in English.

    >>> letter = account_letter(AccountKind.VERIFY, AccountNews("My houses", "https://prorata.example/v/1"), "en-US")
    >>> letter.subject, letter.blocks[0].text
    ('Confirm your e-mail address', 'Hello,')
    """
    words = words_for(locale)
    values = {"account": news.account, "inviter": news.invited_by or ""}
    values = {name: one_line(value) for name, value in values.items()}
    subject, opening, button, otherwise = _said(kind, words, by_somebody=bool(values["inviter"]))
    blocks = (
        Text(greeting(words, news.name or "")),
        Text(opening.format_map(values)),
        Link(button.format_map(values), news.url),
        Text(f"{words.link_once.format(time=_in_words(LASTS[kind.value], words))} {otherwise}"),
    )
    return Letter(words.language, one_line(subject.format_map(values)), blocks, words.account_note)


def notice_letter(notice: Notice, name: str | None, locale: str) -> Letter:
    """Build the notice of a sign-in change or disabled webhook, in the language of `locale`.

    The message greets the reader by `name`, if known.

    >>> letter = notice_letter(Notice.FACTOR_OFF, None, "en-US")
    >>> letter.subject, letter.blocks[2].text
    ('Two-step sign-in was turned off', 'If it was you, you need not do anything.')
    """
    words = words_for(locale)
    subject, changed, otherwise = {
        Notice.PASSWORD: (words.subject_login, words.login_changed, words.not_you_login),
        Notice.FACTOR_ON: (words.subject_factor_on, words.factor_on, words.not_you_factor),
        Notice.FACTOR_OFF: (words.subject_factor_off, words.factor_off, words.not_you_factor),
        Notice.CODES: (words.subject_codes, words.wrong_codes, words.not_you_factor),
        Notice.ADDRESS: (words.subject_address, words.address_changed, words.not_you_address),
        Notice.WEBHOOK_OFF: (words.subject_webhook_off, words.webhook_off, words.turn_webhook_on),
    }[notice]
    was_you = () if notice is Notice.WEBHOOK_OFF else (Text(words.was_you),)
    blocks = (Text(greeting(words, name or "")), Text(changed), *was_you, Text(otherwise))
    return Letter(words.language, subject, blocks, words.account_note)


def _in_words(time: timedelta, words: Words) -> str:
    """Format the time for which a link is valid, in days or as one hour.

    >>> _in_words(timedelta(days=3), words_for("de")), _in_words(timedelta(hours=1), words_for("en"))
    ('3 Tage', '1 hour')
    """
    if time == timedelta(hours=1):
        return words.hour
    assert time.days > 1, "links last an hour, or some days"
    return words.days.format(number=time.days)


def _said(kind: AccountKind, words: Words, *, by_somebody: bool) -> tuple[str, str, str, str]:
    """Select the subject, opening, button label and closing of a message with a one-time link.

    If `by_somebody` is true, the opening of an invitation names the member who sent it. The closing is for readers
    who didn't ask for the message.
    """
    if kind is AccountKind.VERIFY:
        return words.subject_verify, words.verify, words.open_verify, words.not_asked
    if kind is AccountKind.RESET:
        return words.subject_reset, words.reset, words.open_reset, words.not_asked_reset
    return (
        words.subject_invite,
        words.invite if by_somebody else words.invite_nobody,
        words.open_invite,
        words.not_asked,
    )
