"""The delivery of an invoice by mail or by hand, and its outcome (docs/decisions.md#sending)."""

import re
from collections.abc import Mapping
from typing import Literal, get_args

from prorata.domain.invoice_states import UNPAID
from prorata.domain.limits import LONGEST_RECIPIENT_NAMED
from prorata.domain.mail.message_body import one_line
from prorata.domain.texts import say

Delivery = Literal["queued", "written", "sent", "delivered", "bounced", "failed", "handOver", "handedOver"]
"""The outcome of the latest message with an invoice.

In this order: it waits; it is a file in the outbox folder and reached nobody; a server has accepted it; it is in the
mailbox; it came back; it could not be sent. `handOver` means that there is no message and a person takes the invoice to
the tenant, and `handedOver` that a person has done so.
"""
DELIVERIES: tuple[Delivery, ...] = get_args(Delivery)
QUEUED, WRITTEN, SENT, DELIVERED, BOUNCED, FAILED, HAND_OVER, HANDED_OVER = DELIVERIES
HAS_LEFT = (SENT, DELIVERED, WRITTEN)
"""The deliveries of a message that a server accepted or that is in the outbox."""
Need = Literal["undelivered", "handOver"]
"""The delivery problems that require a person's attention.

Either the message with an invoice did not arrive, or nobody receives the invoice by e-mail.
"""
UNDELIVERED: Need = "undelivered"
TO_HAND_OVER: Need = "handOver"
REACHED_NOBODY = (BOUNCED, FAILED, WRITTEN)
"""The deliveries of a message that did not arrive or is only a file.

Such a message may be sent again.
"""
NEEDS: Mapping[Need, tuple[Delivery, ...]] = {UNDELIVERED: REACHED_NOBODY, TO_HAND_OVER: (HAND_OVER,)}
"""The deliveries that cause each need.

Only an invoice that awaits payment and has a tenant has a need.
"""
WITHDRAWN = "withdrawn"
ON_ITS_WAY = (QUEUED, FAILED)
"""The statuses of a message that has not left but still may."""
WITH_THE_INVOICE = ["invoice", "again"]
"""The kinds of messages that contain the invoice."""
PAPER = "paper"
"""The kind of a reminder that a person handed over on paper, which is recorded like a delivered message."""
MAIL = "mail"
"""The kind of a job that sends a message."""
MAIL_STATES = (QUEUED, WRITTEN, SENT, DELIVERED, BOUNCED, FAILED, WITHDRAWN)
_FAILED_FOR_GOOD = re.compile(r"(?<![\d.])5\.(\d{1,3}\.\d{1,3})(?![\d.]\d)")
_MAILBOX_IS_OFF = "2.1"
_IN_WORDS: Mapping[str, str] = {
    "invoice": "sends invoice {number} to {name} by e-mail",
    "again": "sends invoice {number} to {name} by e-mail once more",
    "before_due": "reminds {name} by e-mail that invoice {number} falls due",
    "due_today": "reminds {name} by e-mail that invoice {number} is due",
    "overdue": "reminds {name} by e-mail that invoice {number} is overdue",
    "receipt": "tells {name} by e-mail that a payment of invoice {number} has come",
    "announcement": "tells {name} by e-mail of a rule that changes",
    "answer": "answers {name} by e-mail what was taken of a message",
    "question": "tells {name} by e-mail what a tenant asks",
    "reply": "tells {name} by e-mail what was replied to a question",
    "outcome": "tells {name} by e-mail how a dispute ended",
    "verify": "asks {name} by e-mail to confirm an address",
    "reset": "sends {name} a link for a new password by e-mail",
    "invite": "invites {name} by e-mail to join the account",
    "password": "tells {name} by e-mail that their password was changed",
    "factor_on": "tells {name} by e-mail that two-step sign-in was turned on",
    "factor_off": "tells {name} by e-mail that two-step sign-in was turned off",
    "codes": "tells {name} by e-mail that wrong codes were entered with their password",
}


def in_words(kind: str, number: str | None, name: str | None) -> str:
    """Describe a message's job for the operator, to complete "This job …".

    The text identifies the message, its invoice and its recipient, who is named without an address.

    >>> in_words("invoice", "MAPLECOURT-1-2026-03", "Ann Lee"), in_words("reset", None, None)
    ('sends invoice MAPLECOURT-1-2026-03 to Ann Lee by e-mail', 'sends somebody a link for a new password by e-mail')
    """
    nobody = "somebody" if number is None else "the tenant"
    return _IN_WORDS[kind].format(number=number, name=one_line(name or "", LONGEST_RECIPIENT_NAMED) or nobody)


def need_of(*, status: str, delivery: str | None, has_tenant: bool) -> Need | None:
    """Return why an invoice needs a person's attention; None if it doesn't.

    Only an unpaid invoice with a tenant can need attention, if its message did not arrive or a person must hand it
    over.

    >>> need_of(status="OVERDUE", delivery="bounced", has_tenant=True)
    'undelivered'
    >>> need_of(status="PAID", delivery="handOver", has_tenant=True)
    >>> need_of(status="SENT", delivery="handOver", has_tenant=False)
    """
    if status not in UNPAID or not has_tenant:
        return None
    return next((need for need, deliveries in NEEDS.items() if delivery in deliveries), None)


def may_be_handed_over(*, status: str, delivery: str | None, has_tenant: bool) -> bool:
    """True if a person can record that an invoice was handed over.

    This requires that the invoice is unpaid and has a tenant who was not e-mailed, or whose message is only a file
    in the outbox folder.

    >>> may_be_handed_over(status="SENT", delivery="written", has_tenant=True)
    True
    >>> may_be_handed_over(status="SENT", delivery="delivered", has_tenant=True)
    False
    """
    as_shown = HAND_OVER if delivery == WRITTEN else delivery
    return need_of(status=status, delivery=as_shown, has_tenant=has_tenant) == TO_HAND_OVER


def why_by_hand(*, mail_on: bool, tenant_id: str | None, address: str | None) -> str | None:
    """Explain why an invoice's tenant can't be e-mailed, and what to do; otherwise None.

    >>> why_by_hand(mail_on=True, tenant_id="tenant_1", address=None)
    "The tenant has no e-mail address. Add one to the tenant's record, or hand the invoice over."
    >>> why_by_hand(mail_on=True, tenant_id="tenant_1", address="ann@example.org")
    """
    if tenant_id is None:
        return say("The unit was vacant: there is nobody to send the invoice to.")
    if address is None:
        return say("The tenant has no e-mail address. Add one to the tenant's record, or hand the invoice over.")
    if not mail_on:
        return say("E-mail is turned off for this account. Turn it on under Settings, or hand the invoice over.")
    return None


def reached_nobody(status: str, delivery: str | None) -> bool:
    """True if an unpaid invoice's message did not arrive or is only a file.

    >>> reached_nobody("SENT", "written"), reached_nobody("PAID", "written"), reached_nobody("SENT", "delivered")
    (True, False, False)
    """
    return status in UNPAID and delivery in REACHED_NOBODY


def is_of_the_address(delivery: str | None, reply: str | None) -> bool:
    """True if a message failed because its address is wrong, so that retrying is useless.

    The reply's enhanced code shows this: 5.1.x or 5.2.1 (RFC 3463). If the reply has no such code, only a bounced
    message counts, because a misconfigured server would have refused the message at once.

    >>> is_of_the_address("failed", "The mail server refused the recipient: 550 5.1.1 No such user here")
    True
    >>> is_of_the_address("bounced", "550 5.7.1 Relaying denied"), is_of_the_address("bounced", "No such user.")
    (False, True)
    >>> is_of_the_address("failed", "The mail server could not be used: timed out. It was tried 240 times.")
    False
    """
    code = _FAILED_FOR_GOOD.search(reply or "")
    if code is None:
        return delivery == BOUNCED
    return code[1].startswith("1.") or code[1] == _MAILBOX_IS_OFF
