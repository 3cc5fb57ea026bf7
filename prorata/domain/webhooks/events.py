"""The types of events for webhooks.

`audit_verbs` maps the audit log's verbs to the events that they cause.
"""

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
    "bill.updated": say("A bill was changed, moved to another month or released, or its flags have changed."),
    "bill.deleted": say("A bill was removed."),
    "charges.recalculated": say(
        "The charges for a property's month have changed, or were calculated for the first time."
    ),
    "invoice.created": say("A draft was created for a unit and a month."),
    "invoice.updated": say("An invoice's payment link, paid amount or payment status has changed, but not its status."),
    "invoice.status_changed": say("An invoice's status has changed."),
    "invoice.sent": say("A mail server has accepted the e-mail with an invoice."),
    "invoice.delivered": say("The e-mail with an invoice has been delivered."),
    "invoice.bounced": say("The e-mail with an invoice has bounced."),
    "invoice.paid": say("An invoice has been paid."),
    "invoice.overdue": say("An invoice is past due."),
    "invoice.deleted": say("A draft was deleted, because its month no longer has anything to bill on it."),
    "payment.recorded": say("Money was received or returned."),
    "share_rule.changed": say("A share rule was added, changed or removed."),
    "share_rule.deleted": say("A share rule was removed, or replaced by another one."),
    "split_method.changed": say("One of your own ways to divide was added or changed."),
    "split_method.deleted": say("One of your own ways to divide was removed."),
    "property.created": say("A property was added."),
    "property.updated": say("A property was changed."),
    "property.deleted": say("A property was deleted, along with everything in it."),
    "unit.created": say("A unit was added."),
    "unit.updated": say("A unit was changed or deactivated."),
    "unit.deleted": say("A unit was permanently removed."),
    "tenant.created": say("A tenant was added."),
    "tenant.updated": say("A tenant was changed."),
    "tenant.deleted": say("A tenant was removed, or a tenant's stay has ended."),
    "tenant.erased": say("A tenant's data was erased: erase your copies too."),
    "dispute.opened": say("A charge on an invoice has been disputed."),
    "dispute.answered": say("A dispute was answered."),
    "dispute.resolved": say("A dispute ended with a reason or a correction, or was withdrawn."),
    "document.deleted": say("A file that arrived as a bill was permanently deleted."),
    "webhook.test": say("A test of one webhook endpoint; no other endpoint receives it."),
}
"""The description of each type of event, as a sentence."""
assert set(SAID_BY) == set(EVENT_TYPES), "each type has words"
TEST: EventType = "webhook.test"
"""The type of test event, sent to the tested endpoint only, whatever its types."""
EVENTS_KEPT_DAYS = 30
"""The number of days for which events can be read and sent.

The log of deliveries covers the same days.
"""
GONE: frozenset[EventType] = frozenset(
    event_type for event_type in EVENT_TYPES if event_type.endswith((".deleted", ".erased"))
)
"""The types of events whose record no longer exists, so that the event names it."""


def noun_of(event_type: str) -> str:
    """Return the kind of record that an event is about.

    >>> noun_of("share_rule.changed")
    'share_rule'
    """
    return event_type.partition(".")[0]
