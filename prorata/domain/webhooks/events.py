"""The types of events for webhooks; `audit_verbs` maps verbs to the events they cause."""

from collections.abc import Mapping
from typing import Literal, get_args

from prorata.domain.texts import say

EventType = Literal[
    "bill.created", "bill.updated", "bill.deleted", "charges.recalculated",
    "invoice.created", "invoice.updated", "invoice.status_changed", "invoice.sent", "invoice.delivered",
    "invoice.bounced", "invoice.paid", "invoice.overdue", "invoice.deleted", "payment.recorded", "share_rule.changed",
    "share_rule.deleted", "split_method.changed", "split_method.deleted",
    "property.created", "property.updated", "property.deleted", "unit.created", "unit.updated", "unit.deleted",
    "tenant.created", "tenant.updated", "tenant.deleted", "tenant.erased",
    "dispute.opened", "dispute.answered", "dispute.resolved", "document.deleted", "webhook.test",
]  # fmt: skip
EVENT_TYPES: tuple[EventType, ...] = get_args(EventType)
SAID_BY: Mapping[EventType, str] = {
    "bill.created": say("A utility bill was added."),
    "bill.updated": say("A bill was changed, moved to another month, or released, or something else is flagged of it."),
    "bill.deleted": say("A bill was removed."),
    "charges.recalculated": say("The charges of a property's month came out otherwise, or for the first time."),
    "invoice.created": say("A draft was made for a unit and a month."),
    "invoice.updated": say("An invoice has another payment link, paid amount or payment status, and the same status."),
    "invoice.status_changed": say("An invoice has another status."),
    "invoice.sent": say("A mail server has taken the e-mail of an invoice."),
    "invoice.delivered": say("The e-mail of an invoice has arrived."),
    "invoice.bounced": say("The e-mail of an invoice came back."),
    "invoice.paid": say("An invoice is paid."),
    "invoice.overdue": say("An invoice is past due."),
    "invoice.deleted": say("A draft is gone, as its month has nothing to bill on it any more."),
    "payment.recorded": say("Money came in, or went back."),
    "share_rule.changed": say("A share rule was added, changed or removed."),
    "share_rule.deleted": say("A share rule was removed, or another one has replaced it."),
    "split_method.changed": say("A way to divide of your own was added or changed."),
    "split_method.deleted": say("A way to divide of your own was removed."),
    "property.created": say("A property was added."),
    "property.updated": say("A property was changed."),
    "property.deleted": say("A property was deleted, with everything under it."),
    "unit.created": say("A unit was added."),
    "unit.updated": say("A unit was changed or deactivated."),
    "unit.deleted": say("A unit was removed for good."),
    "tenant.created": say("A tenant was added."),
    "tenant.updated": say("A tenant was changed."),
    "tenant.deleted": say("A tenant was removed, or the stay has ended."),
    "tenant.erased": say("What was kept of a tenant was erased: erase your copies too."),
    "dispute.opened": say("A charge of an invoice is disputed."),
    "dispute.answered": say("A dispute was answered."),
    "dispute.resolved": say("A dispute has ended, with a reason or a correction, or as it was withdrawn."),
    "document.deleted": say("A file was deleted for good that came as a bill."),
    "webhook.test": say("A test of one webhook endpoint, which alone is sent it."),
}
"""When each is told of, in a sentence."""
assert set(SAID_BY) == set(EVENT_TYPES), "each type has words"
TEST: EventType = "webhook.test"
"""Sent to the endpoint that is tested, whatever types it wants, and to no other."""
EVENTS_KEPT_DAYS = 30
"""So long events can be read and sent, and the log says what became of them."""
GONE: frozenset[EventType] = frozenset(one for one in EVENT_TYPES if one.endswith((".deleted", ".erased")))
"""Of these there is no record to show any more: the event names it."""


def noun_of(event_type: str) -> str:
    """The kind of record that an event is about.

    >>> noun_of("share_rule.changed")
    'share_rule'
    """
    return event_type.partition(".")[0]
