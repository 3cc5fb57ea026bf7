"""Announcements of rule changes to tenants (docs/rules.md)."""

from typing import Annotated, Any

from msgspec import Meta

from prorata.actions.delivery import rule_announcements
from prorata.actions.delivery.rule_announcements import Coming
from prorata.domain.utility_names import UtilityType
from prorata.web.api.examples import ANNOUNCEMENT_SENT
from prorata.web.http.fields import line
from prorata.web.http.operations import Call, operation
from prorata.web.http.request_schemas import Body
from prorata.web.http.response_schemas import Answer, Day

_PATH, _KIND = "/properties/{propertyId}/announcements", ("property",)


class RuleAnnouncement(Answer):
    """A future rule change, with the numbers of households notified and not yet notified."""

    change: Annotated[str, Meta(description="A code that identifies the change; send it to announce the change.")]
    utility_type: UtilityType
    effective_from: Annotated[str, Meta(description="The first month that is divided by the new rule.")]
    to_tell: Annotated[int, Meta(description="Households that have yet to be told by e-mail.")]
    by_hand: Annotated[int, Meta(description="Households that no e-mail reaches, which you must tell yourself.")]
    told: int
    told_otherwise: Annotated[bool, Meta(description="Whether any household was previously told something different.")]
    planned: Annotated[Day | None, Meta(description="The day on which they will be told automatically.")]
    lacking: Annotated[int, Meta(description="Units without a measure that the new rule needs.")]


class AnnouncementCreate(Body):
    """The rule change to announce."""

    change: Annotated[str, line(64)]


def _shown(announcement: Coming) -> RuleAnnouncement:
    return RuleAnnouncement(
        change=announcement.change.mark,
        utility_type=announcement.change.utility_type,  # type: ignore[arg-type]
        effective_from=announcement.change.since,
        to_tell=announcement.to_tell + announcement.again,
        by_hand=announcement.by_hand,
        told=announcement.told,
        told_otherwise=announcement.told_otherwise,
        planned=announcement.planned.isoformat() if announcement.planned else None,
        lacking=announcement.lacking,
    )


def _coming(call: Call[None, Any]) -> list[RuleAnnouncement]:
    announcements = rule_announcements.of_property(call.tx, call.caller, call.path["propertyId"], call.mail_held)
    return [_shown(coming) for coming in announcements.coming]


@operation(
    "GET", _PATH, summary="List rules that are to change", answer=list[RuleAnnouncement], missing=_KIND, at_once=True
)
def list_rule_announcements(call: Call[None, None]) -> list[RuleAnnouncement]:
    """List the future rule changes, with the number of households notified of each."""
    return _coming(call)


@operation(
    "POST", _PATH, summary="Announce a rule", body=AnnouncementCreate, answer=list[RuleAnnouncement], status=200,
    missing=_KIND, conflict="No such change is planned, or e-mail is turned off.", example=ANNOUNCEMENT_SENT,
)  # fmt: skip
def announce_rule(call: Call[None, AnnouncementCreate]) -> list[RuleAnnouncement]:
    """E-mail a rule change to the households that have not been notified of it yet.

    If you repeat the request, nobody is notified twice.
    """
    assert call.tools is not None, "operations are served with their tools"
    of, forms = call.path["propertyId"], call.tools.forms
    rule_announcements.announce(call.tx, call.caller, of, call.body.change, forms, call.mail_held)
    return _coming(call)
