"""How an invoice gets to its tenant: by mail, and what became of that, or handed over by a person (decisions 6)."""

from collections.abc import Mapping
from typing import Literal, get_args

from prorata.domain.letters import one_line

Delivery = Literal["queued", "written", "sent", "delivered", "bounced", "failed", "handOver"]
"""Of the latest message with the invoice: it waits, it is a file in the outbox folder and went to nobody, a server has
taken it, it is in the mailbox, it came back, it could not be sent; `handOver`: there is none, and a person takes the
invoice to the tenant.
"""
DELIVERIES: tuple[Delivery, ...] = get_args(Delivery)
QUEUED, WRITTEN, SENT, DELIVERED, BOUNCED, FAILED, HAND_OVER = DELIVERIES
WITHDRAWN = "withdrawn"
MAIL_STATES = (QUEUED, WRITTEN, SENT, DELIVERED, BOUNCED, FAILED, WITHDRAWN)
LONGEST_HOLD = 24 * 60
"""Minutes for which an account may hold its mail."""
_LONGEST_NAME = 60
_IN_WORDS: Mapping[str, str] = {
    "invoice": "sends invoice {number} to {name} by e-mail",
    "again": "sends invoice {number} to {name} by e-mail once more",
    "before_due": "reminds {name} by e-mail that invoice {number} falls due",
    "due_today": "reminds {name} by e-mail that invoice {number} is due",
    "overdue": "reminds {name} by e-mail that invoice {number} is overdue",
    "verify": "asks {name} by e-mail to confirm an address",
    "reset": "sends {name} a link for a new password by e-mail",
    "invite": "invites {name} by e-mail to join the account",
}


def in_words(kind: str, number: str | None, name: str | None) -> str:
    """What the job of a message does, for the person who looks after the program: which message, about which invoice,
    to whom, by name and not by address. It completes "This job …".

    >>> in_words("invoice", "MAPLECOURT-1-2026-03", "Ann Lee"), in_words("reset", None, None)
    ('sends invoice MAPLECOURT-1-2026-03 to Ann Lee by e-mail', 'sends somebody a link for a new password by e-mail')
    """
    nobody = "somebody" if number is None else "the tenant"
    return _IN_WORDS[kind].format(number=number, name=one_line(name or "", _LONGEST_NAME) or nobody)


def why_by_hand(*, mail_on: bool, tenant_id: str | None, address: str | None) -> str | None:
    """Why no message can go to the tenant, in a sentence that says what to do; None where one can.

    >>> why_by_hand(mail_on=True, tenant_id="tenant_1", address=None)
    "The tenant has no e-mail address. Add one to the tenant's record, or hand the invoice over."
    >>> why_by_hand(mail_on=True, tenant_id="tenant_1", address="ann@example.org")
    """
    if tenant_id is None:
        return "The unit was vacant: there is nobody to send the invoice to."
    if address is None:
        return "The tenant has no e-mail address. Add one to the tenant's record, or hand the invoice over."
    if not mail_on:
        return "The account sends no mail. Switch that on in its settings, or hand the invoice over."
    return None
