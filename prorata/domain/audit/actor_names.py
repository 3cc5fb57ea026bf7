"""What those are called who do things and are no members that are there: programs, and who was one."""

from prorata.domain.online_payments.payment_links import SANDBOX
from prorata.domain.online_payments.providers import PROVIDERS

SIGN_IN = "sign-in"
"""Whoever knows a password, and is not known to be the member."""
MONTHS = "months"
"""Who proposes and sends the months that run themselves."""
INBOX = "inbox"
"""What makes bills of files that nobody has to look at."""
PROGRAMS = {
    INBOX: "Prorata, reading bills",
    "cli": "The operator",
    "clock": "Prorata, by itself",
    MONTHS: "Prorata, running the month",
    "mail": "Prorata, sending mail",
    "tenant": "The tenant",
    "demo": "The demo",
    SIGN_IN: "Somebody who signed in",
    **{one.name: one.label for one in PROVIDERS},
    SANDBOX: "Test payments",
}
_GONE = {"member": "A former member", "key": "A former API key", "bulk": "Somebody, with many invoices,"}


def former(name: str) -> str:
    """What somebody is called who was a member: what they did stays theirs.

    >>> former("Ann Lee")
    'Ann Lee (former member)'
    """
    return f"{name} (former member)"


def called(actor: str) -> str:
    """What somebody is called who is no member, and no key that is kept: a program by its work.

    >>> called("clock"), called("member_01m8")
    ('Prorata, by itself', 'A former member')
    """
    return PROGRAMS.get(actor) or _GONE.get(actor.partition("_")[0], actor)
