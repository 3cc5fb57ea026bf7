"""What mail servers report about a message that one of them has taken, and what that makes of its status.

A report speaks of an action (RFC 3464 section 2.3.3): failed and delivered are the end of the matter; delayed, relayed
and expanded are not.
"""

from typing import Literal, NamedTuple, get_args

from prorata.domain.texts import say

Action = Literal["failed", "delayed", "delivered", "relayed", "expanded"]
ACTIONS: tuple[Action, ...] = get_args(Action)
SENT, DELIVERED, BOUNCED = "sent", "delivered", "bounced"
WITHOUT_A_REASON = say("It came back, and the report gives no reason. Check the address.")


class RecipientReport(NamedTuple):
    """What became of a message for one recipient.

    `status` is an enhanced status code (RFC 3463) such as "5.1.1"; `diagnostic` is one line, safe to show.
    """

    action: Action
    address: str | None = None
    status: str | None = None
    diagnostic: str | None = None


class DeliveryReport(NamedTuple):
    """A report; `message_id` is that of the message it is about, where the report repeats it.

    Servers on the way may have given the message another Message-ID: which message it was, the return address says.
    """

    recipients: tuple[RecipientReport, ...]
    message_id: str | None = None


def status_after(status: str | None, report: DeliveryReport) -> str:
    """The emailStatus of a message for one person after a report about it, whatever the order that reports come in.

    Any report shows that a server took the message. Delivered is kept: it says that the message is in the mailbox, and
    a failure beside it is that of a copy (sent twice, or forwarded from there). A delay is no failure.

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
    """The first failure that a report tells of: what a person is shown as the reason."""
    return next((recipient for recipient in report.recipients if recipient.action == "failed"), None)


def said_after(status: str | None, said: str | None, report: DeliveryReport) -> str | None:
    """What is shown of what servers said of a message of this `status` after a report about it: why it came back, as
    long as it has come back. Of one that arrived, a copy's failure says nothing.

    >>> failed = DeliveryReport((RecipientReport("failed", diagnostic="550 no such user"),))
    >>> delivered, delayed = (DeliveryReport((RecipientReport(action),)) for action in ("delivered", "delayed"))
    >>> said_after("sent", "250 OK", failed), said_after("bounced", "550 no such user", delayed)
    ('550 no such user', '550 no such user')
    >>> said_after("bounced", "550 no such user", delivered), said_after("delivered", "250 OK", failed)
    (None, '250 OK')
    """
    if status_after(status, report) == DELIVERED:
        return None if status == BOUNCED else said
    failure = failure_of(report)
    return (failure.diagnostic or WITHOUT_A_REASON) if failure else said
