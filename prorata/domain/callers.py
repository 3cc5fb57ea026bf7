"""Signed-in people: their details, and the duration of a session."""

from datetime import timedelta
from typing import NamedTuple

from prorata.domain.limits import LONGEST_PERSON_NAME, LONGEST_USER_AGENT
from prorata.domain.mail_addresses import address_or_none
from prorata.domain.problems import Problem
from prorata.domain.texts import say

IDLE_FOR = timedelta(days=14)
"""The time after which an unused session ends."""
LASTS = timedelta(days=90)
"""The age at which a session ends, whether it is used or not."""
CONFIRM_FIRST = say(
    "Confirm your e-mail address first: open the link in the message that was sent to it. You can get a new link "
    "under Settings, Your sign-in."
)
"""The error message for actions that require a confirmed e-mail address.

Such an action would remain in effect even after the true owner of the address claims it.
"""
SEEN_EVERY = timedelta(minutes=5)
"""The minimum time between two updates of the time when a session was last used."""


class Caller(NamedTuple):
    """The account for which work is done, and the actor who does it.

    The actor is the id of a member (`member_…`) or of an API key (`key_…`), `cli` (the operator's command line),
    or `clock` (automatic work).
    """

    account_id: str
    actor: str


class Person(NamedTuple):
    """A signed-in member, with everything about the member that appears on every page.

    `locale` is the member's own locale, or else the account's. `seen_at` is the time of the member's last recorded
    activity. `waiting_documents` counts the undecided files in the account's inbox, and `waiting_questions` counts
    unanswered questions and open disputes of tenants.
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
        """The member as a `Caller`, for work that is done in the member's name."""
        return Caller(self.account_id, self.member_id)


def address_key(email: str) -> str:
    """Normalize an e-mail address for finding a member by it: trimmed, in lower case.

    >>> address_key(" Ann@Example.com ")
    'ann@example.com'
    """
    return email.strip().lower()


def name_problem(name: str, field: str = "name") -> Problem | None:
    """Return the problem with a person's or firm's name; None if it is valid.

    >>> name_problem("  ").message, name_problem("Ann")
    ('Enter a name of 1 to 255 characters.', None)
    """
    text = name.strip()
    if text and len(text) <= LONGEST_PERSON_NAME and text.isprintable():
        return None
    return Problem(field, say("Enter a name of 1 to {most} characters.", most=LONGEST_PERSON_NAME))


def email_problem(email: str, field: str = "email") -> Problem | None:
    """Return the problem with an e-mail address for signing in; None if it is valid.

    >>> email_problem("ann").message, email_problem("ann@example.com")
    ('Enter an e-mail address, such as name@example.com.', None)
    """
    if address_or_none(email.strip()):
        return None
    return Problem(field, say("Enter an e-mail address, such as name@example.com."))


def cut(user_agent: str) -> str:
    r"""Shorten a browser's user agent for storage: printable characters, at most 200.

    >>> cut("Firefox\x07") + str(len(cut("x" * 1000)))
    'Firefox200'
    """
    return "".join(filter(str.isprintable, user_agent[: 2 * LONGEST_USER_AGENT]))[:LONGEST_USER_AGENT]
