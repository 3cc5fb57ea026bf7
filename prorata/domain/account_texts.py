"""What mail says that is about no invoice, but about who may sign in: in the reader's language, each with one link."""

from enum import Enum
from typing import NamedTuple

from prorata.domain.letters import Letter, Link, Text, one_line
from prorata.domain.mail_words import words_for
from prorata.domain.mail_words.words import Words


class AccountKind(Enum):
    """Why a message is sent that holds a one-time link: to confirm an address, to set a new password, to join."""

    VERIFY = "verify"
    RESET = "reset"
    INVITE = "invite"


class AccountNews(NamedTuple):
    """What such a message tells: the account it is about, and the one-time link. An invitation says who invites, where
    that is known; no other names an account or a person, as anybody can have it sent to an address by signing up.
    """

    account: str
    url: str
    name: str | None = None
    invited_by: str | None = None


def account_letter(kind: AccountKind, news: AccountNews, locale: str) -> Letter:
    """The letter of one kind in the language of `locale`, in English where we don't speak it.

    >>> letter = account_letter(AccountKind.VERIFY, AccountNews("My houses", "https://prorata.example/v/1"), "en-US")
    >>> letter.subject, letter.blocks[0].text
    ('Confirm your e-mail address', 'Hello,')
    """
    words = words_for(locale)
    values = {"name": news.name or "", "account": news.account, "inviter": news.invited_by or ""}
    values = {name: one_line(value) for name, value in values.items()}
    subject, opening, button, otherwise = _said(kind, words, by_somebody=bool(values["inviter"]))
    hello = words.hello if values["name"] else words.hello_nobody
    blocks = (
        Text(hello.format_map(values)),
        Text(opening.format_map(values)),
        Link(button.format_map(values), news.url),
        Text(f"{words.link_once} {otherwise}"),
    )
    return Letter(words.language, one_line(subject.format_map(values)), blocks, words.account_note)


def _said(kind: AccountKind, words: Words, *, by_somebody: bool) -> tuple[str, str, str, str]:
    """Subject, opening, the button's label, and what who did not ask for it need do: nothing."""
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
