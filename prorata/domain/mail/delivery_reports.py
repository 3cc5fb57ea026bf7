"""Mail servers' reports about accepted messages, and the resulting status.

A report names an action (RFC 3464 section 2.3.3): failed and delivered are final; delayed, relayed and expanded are
not.
"""

from typing import Literal, NamedTuple, get_args

from prorata.domain.texts import say

Action = Literal["failed", "delayed", "delivered", "relayed", "expanded"]
ACTIONS: tuple[Action, ...] = get_args(Action)
SENT, DELIVERED, BOUNCED = "sent", "delivered", "bounced"
WITHOUT_A_REASON = say("It came back, and the report gives no reason. Check the address.")


class RecipientReport(NamedTuple):
    """The outcome of a message for one recipient.

    `status` is an enhanced status code (RFC 3463) such as "5.1.1"; `diagnostic` is one line, safe to show.
    """

    action: Action
    address: str | None = None
    status: str | None = None
    diagnostic: str | None = None


class DeliveryReport(NamedTuple):
    """A mail server's report on a message that it had accepted, by recipient.

    `message_id` is the reported message's Message-ID, if the report repeats it. Servers on the way may have
    changed the Message-ID, so the message is identified by the address to which the report was returned.
    """

    recipients: tuple[RecipientReport, ...]
    message_id: str | None = None


def status_after(status: str | None, report: DeliveryReport) -> str:
    """Determine the `emailStatus` of a message to one person after a report.

    Reports may arrive in any order. Any report shows that a server accepted the message. A delivered message keeps its
    status: it is in the mailbox, and a later failure concerns a copy that was sent twice or forwarded from the mailbox.
    A delay is not a failure.

    >>> failed, delayed, delivered = (DeliveryReport((RecipientReport(action),)) for action in ACTIONS[:3])
    >>> status_after("sent", failed), status_after("sent", delivered), status_after("sent", delayed)
    ('bounced', 'delivered', 'sent')
    >>> status_after("bounced", delivered), status_after("delivered", failed), status_after(None, delayed)
    ('delivered', 'delivered', 'sent')
    """
    actions = {recipient.action for recipient in report.recipients}
    if status == DELIVERED or "delivered" in actions:
        return DELIVERED
    if status == BOUNCED or "failed" in actions:
        return BOUNCED
    return SENT


def failure_of(report: DeliveryReport) -> RecipientReport | None:
    """Return the outcome for the first recipient for whom a message failed, or None."""
    return next((recipient for recipient in report.recipients if recipient.action == "failed"), None)


def said_after(status: str | None, reply: str | None, report: DeliveryReport) -> str | None:
    """Choose the server response to show for a message of this `status` after a report.

    If the report contains a failure, the reason of the failure is shown; otherwise `reply`, the response so far,
    is kept. A message that was delivered has no failure to show: a later failure concerns a copy and is ignored,
    and an earlier bounce's reason is dropped.

    >>> failed = DeliveryReport((RecipientReport("failed", diagnostic="550 no such user"),))
    >>> delivered, delayed = (DeliveryReport((RecipientReport(action),)) for action in ("delivered", "delayed"))
    >>> said_after("sent", "250 OK", failed), said_after("bounced", "550 no such user", delayed)
    ('550 no such user', '550 no such user')
    >>> said_after("bounced", "550 no such user", delivered), said_after("delivered", "250 OK", failed)
    (None, '250 OK')
    """
    if status_after(status, report) == DELIVERED:
        return None if status == BOUNCED else reply
    failure = failure_of(report)
    return (failure.diagnostic or WITHOUT_A_REASON) if failure else reply
