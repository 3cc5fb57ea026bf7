"""People who may sign in: what they are known by while they are, and how long that lasts."""

from datetime import timedelta
from typing import NamedTuple

from prorata.domain.limits import LONGEST_PERSON_NAME, LONGEST_USER_AGENT
from prorata.domain.mail_addresses import address_or_none
from prorata.domain.problems import Problem
from prorata.domain.texts import say

IDLE_FOR = timedelta(days=14)
"""A session ends when nobody has used it for so long,"""
LASTS = timedelta(days=90)
"""and when it is so old, used or not."""
CONFIRM_FIRST = say(
    "Confirm your e-mail address first: open the link in the message that was sent to it. You can get another "
    "under Settings, Your sign-in."
)
"""Why somebody can't yet do what would outlast the true owner's coming for an address that is not theirs."""
SEEN_EVERY = timedelta(minutes=5)
"""That a session is in use is written down at most this often."""


class Caller(NamedTuple):
    """On whose behalf work is done: the account, and who acts: a member, a key or a program (`member_…`, `key_…`,
    `cli`, `clock`).
    """

    account_id: str
    actor: str


class Person(NamedTuple):
    """Somebody who is signed in, with what every page shows of them. `locale` is their own, else the
    account's. `seen_at` is when that was written down last; `waiting_documents` is how many files of the account's
    inbox nobody has decided about, and `waiting_questions` how many questions of tenants wait for an answer,
    or are disputes that are open.
    """

    account_id: str
    member_id: str
    session_id: str
    role: str
    name: str
    email: str
    is_verified: bool
    account_name: str
    locale: str
    timezone: str
    seen_at: str
    waiting_documents: int = 0
    waiting_questions: int = 0

    @property
    def caller(self) -> Caller:
        """The person as the one who acts."""
        return Caller(self.account_id, self.member_id)


def address_key(email: str) -> str:
    """An address as members are found by it.

    >>> address_key(" Ann@Example.com ")
    'ann@example.com'
    """
    return email.strip().lower()


def name_problem(name: str, field: str = "name") -> Problem | None:
    """What is wrong with the name of a person or firm.

    >>> name_problem("  ").message, name_problem("Ann")
    ('Enter a name of 1 to 255 characters.', None)
    """
    text = name.strip()
    if text and len(text) <= LONGEST_PERSON_NAME and text.isprintable():
        return None
    return Problem(field, say("Enter a name of 1 to {most} characters.", most=LONGEST_PERSON_NAME))


def email_problem(email: str, field: str = "email") -> Problem | None:
    """What is wrong with an address that somebody is to sign in with.

    >>> email_problem("ann").message, email_problem("ann@example.com")
    ('Enter an e-mail address, such as name@example.com.', None)
    """
    if address_or_none(email.strip()):
        return None
    return Problem(field, say("Enter an e-mail address, such as name@example.com."))


def cut(user_agent: str) -> str:
    r"""What a browser calls itself, as it is kept: printable, 200 characters of it.

    >>> cut("Firefox\x07") + str(len(cut("x" * 1000)))
    'Firefox200'
    """
    return "".join(filter(str.isprintable, user_agent[: 2 * LONGEST_USER_AGENT]))[:LONGEST_USER_AGENT]
