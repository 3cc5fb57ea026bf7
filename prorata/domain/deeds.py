"""What can be done, in words; and the kinds of things that it is done to."""

from collections.abc import Mapping
from typing import Literal, NamedTuple, get_args

from prorata.domain.deliveries import MAIL_STATES
from prorata.domain.lifecycle import STATUSES
from prorata.domain.utility_names import UTILITY_NAMES, within_a_sentence

KindName = Literal["invoices", "bills", "files", "properties", "units", "tenants", "rules", "people", "jobs"]


class Kind(NamedTuple):
    """A kind of thing: what it is called, and how the ids of its records begin."""

    title: str
    prefixes: tuple[str, ...]


KINDS: Mapping[KindName, Kind] = {
    "invoices": Kind("Invoices", ("inv", "bulk", "cexp")),
    "bills": Kind("Bills", ("bill",)),
    "files": Kind("Files and mail in the Inbox", ("doc", "incoming", "pfile")),
    "properties": Kind("Properties", ("prop",)),
    "units": Kind("Units", ("unit",)),
    "tenants": Kind("Tenants", ("tenant",)),
    "rules": Kind("Rules", ("rule", "split")),
    "people": Kind("People, keys and settings", ("acct", "member", "link", "key", "sess", "hook")),
    "jobs": Kind("Background tasks", ("job",)),
}
assert tuple(KINDS) == get_args(KindName), "each kind has a name and a title"

_DID = {
    "add": "added", "create": "added", "change": "changed", "remove": "removed", "delete": "deleted", "end": "ended",
    "deactivate": "deactivated", "move": "moved", "invite": "invited", "join": "joined", "confirm": "confirmed",
    "renew": "renewed", "reset": "reset", "revoke": "revoked", "use": "used", "retry": "retried",
    "withdraw": "withdrew", "hand": "handed", "cancel": "cancelled", "turn": "turned", "open": "opened",
    "accept": "accepted", "release": "released",
}  # fmt: skip
_SAYS = {
    "send invoice again": "sent invoice {} again",
    "add custom charge": "added a charge to {}",
    "remove custom charge": "removed a charge from {}",
    "record payment": "recorded a payment of {}",
    "record refund": "recorded a refund of {}",
    "bring payments": "brought the payments file {}",
    "close payments": "noted that the payments file {} is done",
    "delete payments": "deleted the payments file {}",
    "open payments": "opened the payments file {} again",
    "take back payment": "took back what was entered as paid of {}",
    "bring document": "brought the file {} into the Inbox",
    "confirm document": "made a bill of the file {}",
    "count document": "made a bill of the file {}, which is like those before it",
    "set document aside": "set the file {} aside",
    "take document up": "took the file {} up again",
    "delete document": "deleted the file {}",
    "retry job": "had the task {} tried again",
    "cancel job": "cancelled the task {}",
    "create split method": "added the way to divide {}",
    "change split method": "changed the way to divide {}",
    "delete split method": "deleted the way to divide {}",
    "look at share rules": "looked at the rules",
    "propose month": "proposed to send {}",
    "review month": "looked through a month before sending",
    "change together": "changed many invoices",
    "take up message": "took up a message that came in",
    "refuse message": "refused a message that came in",
    "refuse messages": "refused many messages that came in",
    "deal with message": "dealt with a message of which not everything could be taken",
    "allow senders": "said whose bills come in by e-mail",
    "enter wrong codes": "entered wrong codes behind the password of {}",
    "set payment provider": "said how tenants pay online",
    "check payment message": "looked at a message of the payment provider about {}",
    "replay webhook message": "had a message sent to the webhook {} once more",
    "call payment the same": "said that what came or went back online is the same as what was noted before of {}",
    "call payment another": "said that what came or went back online counts beside what was noted before of {}",
    "call row the same": "said that a row of a bank's file is a payment that was recorded before of {}",
    "count payment once": "said that what was marked as paid and what came online is the same money for {}",
    "note payment under way": "said that an online payment of {} is under way",
    "note failed payment": "said that an online payment of {} failed",
    "add payment link": "added a payment link to {}",
    "remove payment link": "removed the payment link from {}",
    "forget payment key": "had a former key of the payment provider forgotten",
    "stop payment provider": "stopped online payments",
    "keep mail": "said what is done with mail that came in",
    "make charge file": "made the file {} of charges for another program",
    "keep charge names": "said what another program calls properties, units, tenants and utilities",
    "remember columns": "said what the columns of a file are",
    "show bill to tenants": "said whether tenants see the bill of {}",
    "ask about invoice": "asked about {}",
    "answer question": "noted that a question was answered about {}",
    "stop tenant page": "stopped the tenant's link to {}",
    "renew tenant page": "made a new link for the tenant to {}",
}
"""What the verb's own words do not say."""
_MAIL = {
    "sent": "was taken by the mail server", "delivered": "arrived", "bounced": "came back",
    "failed": "could not be sent", "written": "was written into the outbox", "withdrawn": "was withdrawn",
    "queued": "is tried again",
}  # fmt: skip
assert _MAIL.keys() == set(MAIL_STATES), "each state has words"
_STATUS, _BY_MAIL = "set invoice ", "mail "
_AN_INVOICE = "an invoice"
"""What one is called whose property was deleted since."""


def has_words(verb: str) -> bool:
    """Whether it is known how to say that somebody did `verb`.

    >>> has_words("create unit"), has_words("mail sent"), has_words("frobnicate unit")
    (True, True, False)
    """
    if verb.startswith(_STATUS):
        return verb.removeprefix(_STATUS) in STATUSES
    if verb.startswith(_BY_MAIL):
        return verb.removeprefix(_BY_MAIL) in _MAIL
    return verb in _SAYS or verb.partition(" ")[0] in _DID


def in_words(verb: str, name: str) -> str:
    """What was done, behind the name of whoever did it.

    >>> in_words("set invoice SENT", "MAPLE-1-2026-03"), in_words("create unit", "2B")
    ('set invoice MAPLE-1-2026-03 to sent', 'added unit 2B')
    >>> in_words("mail bounced", "MAPLE-1-2026-03"), in_words("turn second factor on", "Ann")
    ('noted that the e-mail of MAPLE-1-2026-03 came back', 'turned second factor on')
    >>> in_words("change share rule", "OTHER"), in_words("create share rule", "WATER")
    ('changed share rule for other bills', 'added share rule for water')
    >>> in_words("bring document", "march.pdf"), in_words("set document aside", "")
    ('brought the file march.pdf into the Inbox', 'set the file aside')
    >>> in_words("set invoice SENT", ""), in_words("add custom charge", "")
    ('set an invoice to sent', 'added a charge to an invoice')
    """
    first, _, rest = verb.partition(" ")
    if verb.startswith(_STATUS):
        which = f"invoice {name}" if name else _AN_INVOICE
        return f"set {which} to {verb.removeprefix(_STATUS).lower()}"
    if first == "mail":
        return f"noted that the e-mail of {name or _AN_INVOICE} {_MAIL.get(rest, rest)}"
    if verb == "retry jobs":
        return f"had {name} failed {'task' if name == '1' else 'tasks'} tried again"
    if verb in _SAYS:
        return _SAYS[verb].format(name) if name else _nameless(_SAYS[verb])
    did = f"{_DID.get(first, first)} {rest}"
    if rest == "share rule" and name:
        utility = within_a_sentence(name) if name in UTILITY_NAMES else name
        return f"{did} for {'other bills' if name == 'OTHER' else utility}"
    return did if first in {"turn", "join", "use", "renew", "confirm", "end"} or not name else f"{did} {name}"


def _nameless(said: str) -> str:
    for before in ("to", "from"):
        said = said.replace(f"{before} {{}}", f"{before} {_AN_INVOICE}")
    return said.replace("invoice {}", _AN_INVOICE).replace(" {}", "")
