"""Names for actors in the audit log that aren't current members: programs and former members."""

from prorata.domain.online_payments.payment_links import SANDBOX
from prorata.domain.online_payments.providers import PROVIDERS
from prorata.domain.texts import Text, say

SIGN_IN = "sign-in"
"""The actor who knows a password but is not known to be the member."""
MONTHS = "months"
"""The actor that proposes and sends months automatically."""
INBOX = "inbox"
"""The actor that turns files into bills if no person has to review the files."""
PROGRAMS = {
    INBOX: say("Prorata (reading bills)"),
    "cli": say("The operator"),
    "clock": say("Prorata"),
    MONTHS: say("Prorata (running the month)"),
    "mail": say("Prorata (sending mail)"),
    "tenant": say("The tenant"),
    "demo": say("The demo"),
    SIGN_IN: say("Somebody who signed in"),
    **{payment_provider.name: payment_provider.label for payment_provider in PROVIDERS},
    SANDBOX: say("Test payments"),
}
_GONE = {"member": say("A former member"), "key": say("A former API key"), "bulk": say("Somebody, with many invoices,")}


def former(name: str) -> Text:
    """Return the name under which the audit log shows a former member's actions.

    >>> former("Ann Lee")
    'Ann Lee (former member)'
    """
    return say("{name} (former member)", name=name)


def called(actor: str) -> str:
    """Name an actor that is neither a member nor a stored API key.

    The actor is either a program, whose name describes its work, or somebody whose record has been deleted, such as
    a former member. An unknown actor is returned unchanged.

    >>> called("clock"), called("member_01m8")
    ('Prorata', 'A former member')
    """
    known: str | None = PROGRAMS.get(actor) or _GONE.get(actor.partition("_")[0])
    return known or actor
